"""What b_eff does when data arrives wrong, time runs out or somebody stops it."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

from support.reports import beside
from typer.testing import CliRunner

from beff.cli.app import main, make_app
from engines.processes import (
    long_run,
    processes_of,
    send,
    started,
    text_of,
    wait_for_samples,
    wait_until,
)
from engines.support import (
    MPICH,
    SHORT,
    Library,
    assert_verified,
    result_in,
    standin,
    unmet,
)

ENDLESS = ["--memory-per-process", "4MiB", "--repetitions", "1000", "--progress", "never"]


def test_wrong_byte_makes_the_run_not_valid(tmp_path: Path, library: Library) -> None:
    """The last byte of messages that have another before it."""
    run = library.run(
        2,
        *SHORT,
        *("--patterns", "5", "--methods", "sendrecv", "--sizes", "1-20"),
        cwd=tmp_path,
        env={"LD_PRELOAD": str(standin(library.headers, "corrupting_mpi.c"))},
    )
    assert run.returncode == 3, run.stderr
    result = result_in(tmp_path)
    assert "data" in unmet(result)
    assert result["data_check"]["wrong_messages"] > 0
    assert "pattern 5 (one ring)" in result["data_check"]["first_error"]
    assert any("wrong data" in str(caution) for caution in result["cautions"])
    assert "NOT VALID" in run.stdout.splitlines()[-1]
    assert_verified(tmp_path)


def test_unchecked_data_is_not_valid(tmp_path: Path) -> None:
    MPICH.run(2, *SHORT, "--patterns", "5", "--sizes", "0", "--no-check", cwd=tmp_path)
    assert "data" in unmet(result_in(tmp_path))


def test_time_limit_leaves_a_partial_result(tmp_path: Path, library: Library) -> None:
    # a busy machine may measure nothing in so short a time
    for limit, text in (("3s", "3 s"), ("60s", "1 min")):
        run = library.run(2, *ENDLESS, "--overwrite", "--time-limit", limit, cwd=tmp_path)
        assert run.returncode == 3, run.stderr
        result = result_in(tmp_path)
        assert not result["complete"]
        protocol = next(tmp_path.glob("*.txt")).read_text(encoding="utf-8")
        assert f"Time limit: {text}, " in protocol
        if result["samples"]["pattern"]:
            break
    assert result["samples"]["pattern"]
    assert any("--time-limit" in str(caution) for caution in result["cautions"])
    assert result["accounting"]["elapsed_s"] >= 2.5
    assert_verified(tmp_path)


def test_value_after_the_first_repetition(tmp_path: Path, library: Library) -> None:
    journal = tmp_path / "b_eff.journal.jsonl"
    quick = ["--methods", "sendrecv", "--loop-time", "20us", "--memory-per-process", "1MiB"]
    options = [*quick, "--repetitions", "1000", "--progress", "always"]
    with (tmp_path / "shown").open("w") as shown:
        run = started(library, "b_eff", options, tmp_path, stdout=subprocess.DEVNULL, stderr=shown)
        # Open MPI passes on what has no end of line when the run ends
        wait_until(lambda: '\n{"notes"' in text_of(journal), "no repetition was made")
        time.sleep(0.2)  # what is shown changes ten times a second
        wait_for_samples(journal, text_of(journal).count('\n{"sample"') + 100)
        for process in processes_of(library.programs / "b_eff", tmp_path):
            send(process, signal.SIGTERM)
        run.wait(timeout=240)
    result = result_in(tmp_path)
    lines = journal.read_text().splitlines()
    notes = [json.loads(line)["notes"] for line in lines if line.startswith('{"notes"')]
    assert [note["repetitions"] for note in notes] == list(range(1, len(notes) + 1))
    shown_text = (tmp_path / "shown").read_text()
    told = [f"{n['b_eff_MBps']:.3f} MB/s, {n['repetitions']} of 1000" for n in notes]
    assert any(f"b_eff so far {text} repetitions" in shown_text for text in told)
    assert min(p["repetitions"] for p in result["patterns"]) == len(notes)
    assert result["summary"]["b_eff_MBps"] >= notes[-1]["b_eff_MBps"] * (1 - 1e-12)
    assert "complete" in unmet(result)
    assert ("repetitions" in unmet(result)) == (len(notes) != 3)  # as many as it came to
    assert_verified(tmp_path)


def test_killed_run_is_recovered_from_its_journal(tmp_path: Path, library: Library) -> None:
    journal = tmp_path / "b_eff.journal.jsonl"
    with long_run(library, "b_eff", ENDLESS, tmp_path, samples=50) as run:
        run.send(signal.SIGKILL)
    assert run.process.returncode != 0
    assert not (tmp_path / "b_eff.json").exists()
    recovered = CliRunner().invoke(make_app(), ["show", str(journal), "-o", beside(journal)])
    assert recovered.exit_code == 0, recovered.output
    samples = journal.read_text().count('\n{"sample"')
    assert len(result_in(tmp_path)["samples"]["pattern"]) >= samples - 1
    assert_verified(tmp_path)


def test_a_run_under_way_is_not_recovered(tmp_path: Path, library: Library) -> None:
    with long_run(library, "b_eff", ENDLESS, tmp_path, samples=1) as run:
        code = main(["show", str(tmp_path / "b_eff.journal.jsonl")])
        is_there = (tmp_path / "b_eff.json").exists()
        run.send(signal.SIGTERM)
    assert (code, is_there) == (1, False)
    assert_verified(tmp_path)


def test_earlier_result_is_not_lost(tmp_path: Path) -> None:
    quick = [*SHORT, "--patterns", "5", "--sizes", "0"]
    MPICH.run(2, *quick, cwd=tmp_path)
    before = (tmp_path / "b_eff.json").read_bytes()
    refused = MPICH.run(2, *quick, cwd=tmp_path)
    assert refused.returncode == 2
    assert "--overwrite" in refused.stderr
    assert (tmp_path / "b_eff.json").read_bytes() == before
    replaced = MPICH.run(2, *quick, "--overwrite", cwd=tmp_path)
    assert replaced.returncode == 3
    assert (tmp_path / "b_eff.json").read_bytes() != before
    lines = (tmp_path / "b_eff.journal.jsonl").read_text(encoding="utf-8").splitlines()
    assert ["journal" in json.loads(line) for line in lines].count(True) == 1
