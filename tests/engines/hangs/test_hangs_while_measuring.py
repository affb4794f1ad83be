"""Processes that are stopped for good while a program measures are named; the rest is kept."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from beff.judge.finding import Verdict
from beff.judge.judge_results import judge_results
from beff.result.load import load_document
from engines.b_eff_io.io_support import QUICK, run_folders
from engines.hangs.hang_support import BOUND_S, FOR_EVER, LIMIT, LONG, hanging, run_that_is_stopped
from engines.processes import long_run, processes_of, send, wait_for_samples
from engines.support import (
    HANGS,
    MPICH,
    OPENMPI,
    Library,
    assert_verified,
    cautions_with,
    result_in,
    system_fault,
)


@pytest.mark.parametrize(
    ("library", "program", "rank"), [(OPENMPI, "b_eff", 2), (MPICH, "b_eff_io", 1)]
)
def test_who_is_stopped_is_named(tmp_path: Path, library: Library, program: str, rank: int) -> None:
    said = run_that_is_stopped(library, program, tmp_path, rank)
    assert "beff show" not in said
    assert_verified(tmp_path, program)
    assert not (tmp_path / f"{program}.roll").exists()
    assert run_folders(tmp_path) == []


def test_the_result_says_what_hangs(tmp_path: Path) -> None:
    run_that_is_stopped(MPICH, "b_eff", tmp_path, 1, samples=50)
    result = result_in(tmp_path)
    assert_verified(tmp_path)
    assert not result["complete"]
    assert len(result["samples"]["pattern"]) >= 50
    told = cautions_with(result, "did not end within 3 s")
    assert any("did not answer" in text for text in told)
    methods = "sendrecv|alltoallv|nonblocking"
    assert re.search(rf"\(pattern \d+, ({methods}), \d+ iterations?, messages of", "".join(told)), (
        told
    )
    lines = (tmp_path / "b_eff.journal.jsonl").read_text().splitlines()
    assert json.loads(lines[-1]) == {"end": "stopped"}
    assert not (tmp_path / "b_eff.roll").exists()


def test_a_hang_is_reported_although_the_roll_hangs(tmp_path: Path) -> None:
    """As on a file system that does not answer any more, once rank 0 has made it."""
    env = system_fault("open", HANGS, ".roll", after=1, rank=0)
    with long_run(MPICH, "b_eff", [*LONG["b_eff"], *LIMIT], tmp_path, samples=50, env=env) as run:
        send(processes_of(run.program, tmp_path)[-1], signal.SIGSTOP)
        run.process.communicate(timeout=90)
    roll = tmp_path / "b_eff.roll"
    told = f"nobody can be named, as {roll} hangs"
    assert cautions_with(result_in(tmp_path), told)
    assert_verified(tmp_path)


# --- b_pairs ---


def test_who_is_stopped_is_named_and_the_others_are_reported(tmp_path: Path) -> None:
    rank = 2
    said = run_that_is_stopped(OPENMPI, "b_pairs", tmp_path, rank, samples=3)
    assert "beff show" not in said
    assert not (tmp_path / "b_pairs.roll").exists()
    result = result_in(tmp_path, "b_pairs")
    assert_verified(tmp_path, "b_pairs")
    assert not result["complete"]
    assert result["no_answer"]["silent"] == [rank]
    assert result["no_answer"]["waiting"] == []
    assert sum(len(rounds) for rounds in result["passes"]["large_ns"]) >= 3
    checked = judge_results([load_document(tmp_path / "b_pairs.json")])
    assert checked.verdict == Verdict.BAD
    bad = [found.about for found in checked if found.verdict == Verdict.BAD]
    assert bad == [f"process rank {rank}"]
    assert f"NO ANSWER: rank {rank}\n" in (tmp_path / "b_pairs.txt").read_text(encoding="utf-8")
    lines = (tmp_path / "b_pairs.journal.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[-1]) == {"end": "stopped"}


def test_nobody_is_named_where_a_process_does_not_see_the_folder(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    program = str(MPICH.programs / "b_pairs")
    own = [program, *LONG["b_pairs"], *LIMIT]
    command = [*MPICH.mpiexec, "-n", "2", *own, ":", "-n", "1", "-wdir", str(elsewhere), *own]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as run:
        wait_for_samples(tmp_path / "b_pairs.journal.jsonl", 3)
        send(processes_of(Path(program), elsewhere)[0], signal.SIGSTOP)
        run.wait(timeout=90)
    result = result_in(tmp_path, "b_pairs")
    assert not result["complete"]
    assert (result["no_answer"]["silent"], result["no_answer"]["waiting"]) == ([], [])
    assert cautions_with(result, "nobody can be named")


def test_a_pair_that_hangs_in_its_first_exchange_across_the_network_is_named(
    tmp_path: Path,
) -> None:
    env = hanging(OPENMPI, f"MPI_Sendrecv_16384 1 {FOR_EVER}")
    options = [*QUICK["b_pairs"], *LIMIT, "--bisection", "--message-size", "16KiB"]
    run = OPENMPI.run(4, *options, cwd=tmp_path, env=env, program="b_pairs", timeout_s=BOUND_S)
    assert run.returncode != 0
    result = result_in(tmp_path, "b_pairs")
    assert_verified(tmp_path, "b_pairs")
    assert (result["no_answer"]["silent"], result["no_answer"]["waiting"]) == ([], [[1, 3]])
    assert len(result["bisection"]["alone"]["ns"]) == 1
    assert 0 < result["bisection"]["took_s"] < result["took_s"]
