"""Real runs of b_pairs on two MPI libraries."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from support.reports import beside
from typer.testing import CliRunner

from beff.cli.app import make_app
from engines.processes import long_run
from engines.support import MPICH, OPENMPI, Library, assert_verified, result_in

QUICK = ["--memory-per-process", "4MiB", "--progress", "never"]


def lines_of(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "b_pairs.journal.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("library", "processes"), [(MPICH, 2), (OPENMPI, 3), (OPENMPI, 4), (MPICH, 7)]
)
def test_passes_of_all_pairs(tmp_path: Path, library: Library, processes: int) -> None:
    options = (*QUICK, "--duration", "100ms", "--seed", "5")
    run = library.run(processes, *options, cwd=tmp_path, program="b_pairs")
    assert run.returncode in (0, 3), run.stderr
    result = result_in(tmp_path, "b_pairs")
    assert (result["plan"]["unit"], result["plan"]["units"]) == ("process", processes)
    assert result["plan"]["large_bytes"] == 32768
    assert result["complete"]
    times = [
        [int(ns) for rounds in passes for ns in rounds.split()]
        for passes in result["passes"]["large_ns"]
    ]
    assert len(times) >= 3
    assert {len(passes) for passes in times} == {processes * (processes - 1) // 2}
    assert min(ns for passes in times for ns in passes) > 0
    assert result["roofs"]["copy_MBps_per_process"] > 0
    hosts = [group["hosts"] for group in result["roofs"]["hosts"]]
    assert hosts == [result["environment"]["host_list"]]
    assert_verified(tmp_path, "b_pairs")
    lines = lines_of(tmp_path)
    assert sum("round" in line for line in lines) == sum(
        len(passes) for passes in result["passes"]["large_ns"]
    )
    assert sum("retest" in line for line in lines) == len(result["retests"]["first"])
    assert lines[-1] == {"end": "complete"}
    assert run.stdout.splitlines()[-1].startswith("b_pairs = ")


def test_the_time_limit_ends_a_wait_for_the_next_pass(tmp_path: Path) -> None:
    """Passes begin every three minutes."""
    options = [*QUICK, "--duration", "10h", "--time-limit", "2s"]
    run = MPICH.run(2, *options, cwd=tmp_path, program="b_pairs", timeout_s=60)
    assert run.returncode == 3, run.stderr
    result = result_in(tmp_path, "b_pairs")
    assert 2 <= result["environment"]["wall_s"] < 60
    assert not result["complete"]
    assert any("time limit" in str(text) for text in result["cautions"])


def test_a_killed_run_is_recovered(tmp_path: Path) -> None:
    options = [*QUICK, "--duration", "1min"]
    with long_run(MPICH, "b_pairs", options, tmp_path, samples=3) as run:
        run.send(signal.SIGKILL)
    journal = str(tmp_path / "b_pairs.journal.jsonl")
    recovered = CliRunner().invoke(make_app(), ["show", journal, "-o", beside(journal)])
    assert recovered.exit_code == 0, recovered.output
    assert_verified(tmp_path, "b_pairs")
    assert not result_in(tmp_path, "b_pairs")["complete"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--rounds", "0"), "--rounds 0: must be auto, all or a number of rounds from 1"),
        (("--map-per-host", "two"), "--map-per-host two: must be one of all, one"),
        (("--per-host", "two"), "--per-host two: must be a list of numbers such as 1,2,4,all"),
        (("--random-halves", "3"), "--random-halves: goes with --bisection"),
        (("--bisection",), "b_pairs needs at least two processes, for example mpiexec -n 2"),
        (("--duration", "0s"), "--duration 0s"),
        (("--plan", "--processes", "1"), "needs at least two processes"),
        (
            ("--plan", "--processes", "4", "--memory-per-process", "512KiB"),
            "b_pairs needs more than 512 KiB of memory per process",
        ),
    ],
)
def test_wrong_use(options: tuple[str, ...], says: str, tmp_path: Path) -> None:
    run = MPICH.run(1, *options, cwd=tmp_path, program="b_pairs")
    assert run.returncode == 2
    assert says in run.stderr


def test_the_plan(tmp_path: Path) -> None:
    run = MPICH.run(1, "--plan=json", "--processes", "96", cwd=tmp_path, program="b_pairs")
    plan = json.loads(run.stdout)["plan"]
    assert (plan["units"], plan["rounds"], plan["most_passes"]) == (96, 64, 78)


@pytest.mark.parametrize(
    ("options", "limit_s"),
    [([], 1800), (["--duration", "2h"], 14400), (["--duration", "2h", "--time-limit", "1h"], 3600)],
)
def test_the_time_limit_leaves_room_for_the_duration(
    options: list[str], limit_s: int, tmp_path: Path
) -> None:
    run = MPICH.run(1, "--plan=json", "--processes", "8", *options, cwd=tmp_path, program="b_pairs")
    assert json.loads(run.stdout)["time_limit_s"] == limit_s
