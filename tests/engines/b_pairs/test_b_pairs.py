"""Real runs of b_pairs on two MPI libraries."""

import json
from pathlib import Path
from typing import Any

import pytest

from engines.support import (
    MPICH,
    OPENMPI,
    Library,
    assert_verified,
    cautions_with,
    measured,
    result_in,
)

QUICK = ["--memory-per-process", "4MiB", "--progress", "never"]


def mapped(
    library: Library, folder: Path, *options: str, processes: int
) -> tuple[dict[str, Any], str]:
    """The verified result of a whole run, and the last line that it prints."""
    run = library.run(processes, *options, cwd=folder, program="b_pairs")
    assert run.returncode in (0, 3), run.stderr
    assert_verified(folder, "b_pairs")
    result = result_in(folder, "b_pairs")
    assert result["complete"]
    return result, run.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("library", "processes"), [(MPICH, 2), (OPENMPI, 3), (OPENMPI, 4), (MPICH, 7)]
)
def test_passes_of_all_pairs(tmp_path: Path, library: Library, processes: int) -> None:
    options = (*QUICK, "--duration", "100ms", "--seed", "5")
    result, last_line = mapped(library, tmp_path, *options, processes=processes)
    assert (result["plan"]["unit"], result["plan"]["units"]) == ("process", processes)
    assert result["plan"]["large_bytes"] == 32768
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
    text = (tmp_path / "b_pairs.journal.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert sum("round" in line for line in lines) == sum(
        len(passes) for passes in result["passes"]["large_ns"]
    )
    assert sum("retest" in line for line in lines) == len(result["retests"]["first"])
    assert lines[-1] == {"end": "complete"}
    assert last_line.startswith("b_pairs = ")


def test_the_time_limit_ends_a_wait_for_the_next_pass(tmp_path: Path) -> None:
    """Passes begin every three minutes."""
    options = [*QUICK, "--duration", "10h", "--time-limit", "2s"]
    result, _ = measured(MPICH, tmp_path, *options, program="b_pairs", timeout_s=60)
    assert 2 <= result["environment"]["wall_s"] < 60
    assert not result["complete"]
    assert cautions_with(result, "time limit")


# --- bisection and processes per host ---

NETWORK = ["--memory-per-process", "8MiB", "--progress", "never", "--duration", "1ms"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("library", "processes"), [(MPICH, 2), (MPICH, 3), (OPENMPI, 4), (OPENMPI, 7)]
)
def test_all_steps_of_all_halves(tmp_path: Path, library: Library, processes: int) -> None:
    options = (*NETWORK, "--bisection", "--random-halves", "2", "--seed", "5")
    result, last_line = mapped(library, tmp_path, *options, processes=processes)
    assert result["plan"]["bisection"]["message_bytes"] == 65536
    halves, steps = result["bisection"]["halves"], (processes + 1) // 2
    assert [len(one["steps"]["sum_MBps"]) for one in halves] == [steps] * 3
    assert len(result["bisection"]["alone"]["ns"]) == processes // 2
    assert 0 < result["summary"]["bisection_MBps"] <= result["summary"]["bisection_mean_MBps"]
    assert result["per_host"] is None
    assert ", bisection " in last_line
    journal = (tmp_path / "b_pairs.journal.jsonl").read_text(encoding="utf-8")
    assert journal.count('{"step":') == 3 * steps


@pytest.mark.thorough
def test_a_file_names_the_halves(tmp_path: Path) -> None:
    (tmp_path / "half").write_text("# one alone\n2\n", encoding="utf-8")
    options = (*NETWORK, "--bisection", "--random-halves", "0", "--halves", "half")
    result, _ = mapped(OPENMPI, tmp_path, *options, processes=4)
    assert result["plan"]["bisection"]["first_half"] == [2]
    (only,) = result["bisection"]["halves"]
    pairs = list(zip(only["steps"]["first"], only["steps"]["second"], strict=True))
    assert sorted(pairs) == [(0, 2), (1, 2), (2, 3)]
    (tmp_path / "half").write_text("4\n", encoding="utf-8")
    run = OPENMPI.run(4, *options, "--overwrite", cwd=tmp_path, program="b_pairs")
    assert run.returncode == 2
    assert "--halves half: 4 takes no part in this run" in run.stderr


# --- plans ---


def planned(folder: Path, *options: str) -> dict[str, Any]:
    run = MPICH.run(1, "--plan=json", *options, cwd=folder, program="b_pairs")
    assert run.returncode == 0, run.stderr
    fields: dict[str, Any] = json.loads(run.stdout)
    return fields


def test_the_plan(tmp_path: Path) -> None:
    plan = planned(tmp_path, "--processes", "96")["plan"]
    assert (plan["units"], plan["rounds"], plan["most_passes"]) == (96, 64, 78)
    (tmp_path / "half").write_text("one\ntwo\none\n", encoding="utf-8")
    size = ("--processes", "24", "--nodes", "6", "--memory-per-process", "2GiB")
    network = ("--bisection=4", "--per-host", "1,all", "--halves", "half")
    plan = planned(tmp_path, *network, *size)["plan"]
    assert plan["processes_per_host"]["processes"] == [1, 4]
    assert (plan["bisection"]["steps"], plan["bisection"]["first_half"]) == (4, None)


@pytest.mark.parametrize(
    ("options", "limit_s"),
    [([], 1800), (["--duration", "2h"], 14400), (["--duration", "2h", "--time-limit", "1h"], 3600)],
)
def test_the_time_limit_leaves_room_for_the_duration(
    options: list[str], limit_s: int, tmp_path: Path
) -> None:
    assert planned(tmp_path, "--processes", "8", *options)["time_limit_s"] == limit_s
