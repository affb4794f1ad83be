"""Hangs of b_pairs: who gives no answer is named, and what was measured of the others is kept."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

from beff.judge.finding import Verdict
from beff.judge.judge_results import judge_results
from beff.result.load import load_document
from engines.hangs.hang_support import (
    BOUND_S,
    FOR_EVER,
    LIMIT,
    LONG,
    OPTIONS,
    hanging,
    run_that_is_stopped,
)
from engines.processes import processes_of, send, wait_for_samples
from engines.support import MPICH, OPENMPI, assert_verified, result_in


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
    checked = judge_results([load_document(tmp_path / "b_pairs.json")], None, None)
    assert checked.verdict == Verdict.BAD
    bad = [found.about for found in checked.findings if found.verdict == Verdict.BAD]
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
    assert any("nobody can be named" in str(caution) for caution in result["cautions"])


def test_a_pair_that_hangs_in_its_first_exchange_across_the_network_is_named(
    tmp_path: Path,
) -> None:
    env = hanging(OPENMPI, f"MPI_Sendrecv_16384 1 {FOR_EVER}")
    options = [*OPTIONS["b_pairs"], *LIMIT, "--bisection", "--message-size", "16KiB"]
    run = OPENMPI.run(4, *options, cwd=tmp_path, env=env, program="b_pairs", timeout_s=BOUND_S)
    assert run.returncode != 0
    result = result_in(tmp_path, "b_pairs")
    assert_verified(tmp_path, "b_pairs")
    assert (result["no_answer"]["silent"], result["no_answer"]["waiting"]) == ([], [[1, 3]])
    assert len(result["bisection"]["alone"]["ns"]) == 1
    assert 0 < result["bisection"]["took_s"] < result["took_s"]
