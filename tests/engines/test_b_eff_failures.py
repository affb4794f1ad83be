"""What b_eff does when data arrives wrong, time runs out or somebody stops it."""

import json
import signal
import subprocess
import time
from pathlib import Path

from support.reports import beside

from beff.cli.app import main
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
    ENDLESS,
    MPICH,
    SHORT,
    Library,
    assert_verified,
    cautions_with,
    measured,
    result_in,
    standin,
    unmet,
)


def test_wrong_byte_makes_the_run_not_valid(tmp_path: Path, library: Library) -> None:
    """The last byte of messages that have another before it."""
    env = {"LD_PRELOAD": str(standin(library.headers, "corrupting_mpi.c"))}
    options = (*SHORT, "--patterns", "5", "--methods", "sendrecv", "--sizes", "1-20")
    result, run = measured(library, tmp_path, *options, env=env)
    assert "data" in unmet(result)
    assert result["data_check"]["wrong_messages"] > 0
    assert "pattern 5 (one ring)" in result["data_check"]["first_error"]
    assert cautions_with(result, "wrong data")
    assert "NOT VALID" in run.stdout.splitlines()[-1]


def test_unchecked_data_is_not_valid(tmp_path: Path) -> None:
    options = (*SHORT, "--patterns", "5", "--sizes", "0", "--no-check")
    assert "data" in unmet(measured(MPICH, tmp_path, *options)[0])


def test_time_limit_leaves_a_partial_result(tmp_path: Path, library: Library) -> None:
    # a busy machine may measure nothing in so short a time
    for limit, text in (("3s", "3 s"), ("60s", "1 min")):
        options = (*ENDLESS, "--overwrite", "--time-limit", limit)
        result, _ = measured(library, tmp_path, *options)
        assert not result["complete"]
        assert f"Time limit: {text}, " in (tmp_path / "b_eff.txt").read_text(encoding="utf-8")
        if result["samples"]["pattern"]:
            break
    assert result["samples"]["pattern"]
    assert cautions_with(result, "--time-limit")
    assert result["accounting"]["elapsed_s"] >= 2.5


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


def test_killed_run_is_recovered_and_none_under_way(tmp_path: Path, library: Library) -> None:
    journal = tmp_path / "b_eff.journal.jsonl"
    with long_run(library, "b_eff", ENDLESS, tmp_path, samples=50) as run:
        assert main(["show", str(journal)]) == 1
        run.send(signal.SIGKILL)
    assert run.process.returncode != 0
    assert not (tmp_path / "b_eff.json").exists()
    assert main(["show", str(journal), "-o", beside(journal)]) == 0
    samples = journal.read_text().count('\n{"sample"')
    assert len(result_in(tmp_path)["samples"]["pattern"]) >= samples - 1
    assert_verified(tmp_path)


def test_earlier_result_is_not_lost(tmp_path: Path) -> None:
    quick = [*SHORT, "--patterns", "5", "--sizes", "0"]
    MPICH.run(2, *quick, cwd=tmp_path)
    before = (tmp_path / "b_eff.json").read_bytes()
    refused = MPICH.run(2, *quick, cwd=tmp_path)
    assert refused.returncode == 2
    assert "--overwrite" in refused.stderr
    assert (tmp_path / "b_eff.json").read_bytes() == before
    measured(MPICH, tmp_path, *quick, "--overwrite")
    assert (tmp_path / "b_eff.json").read_bytes() != before
    lines = (tmp_path / "b_eff.journal.jsonl").read_text(encoding="utf-8").splitlines()
    assert ["journal" in json.loads(line) for line in lines].count(True) == 1
