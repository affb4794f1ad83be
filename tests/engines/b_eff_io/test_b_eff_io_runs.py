"""Real runs of b_eff_io at several numbers of processes on two MPI libraries."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from engines.b_eff_io.io_support import PROGRAM, TINY, io_measured, run_folders, tight
from engines.support import MPICH, OPENMPI, SANITIZED, Library, assert_verified, measured, unmet

OF_BOUNDS = {"scheduled time", "schedule", "measured in full", "read from the file system"}
"""Criteria that a run of bounded data and time may miss."""
RUNS = [
    (MPICH, 2, [1, 2]),
    (MPICH, 3, [1, 2, 3]),
    (OPENMPI, 1, [1]),
    (OPENMPI, 7, [2, 4, 7]),
]


def calls_of(result: dict[str, Any], access: str) -> list[tuple[int, int, int]]:
    """Partition, pattern and calls of all samples of an access method."""
    samples = result["samples"]
    rows = zip(
        samples["access"], samples["partition"], samples["pattern"], samples["repetitions"],
        strict=True,
    )  # fmt: skip
    return [(partition, pattern, calls) for of, partition, pattern, calls in rows if of == access]


@pytest.mark.parametrize(
    ("library", "processes", "partitions"),
    [pytest.param(*run, id=f"{run[0].name}-{run[1]}") for run in RUNS],
)
def test_short_run_measures_every_pattern(
    tmp_path: Path, library: Library, processes: int, partitions: list[int]
) -> None:
    options = (*TINY, "--time", "1s", "--max-data", "900MiB")
    result, run = io_measured(library, tmp_path, *options, processes=processes)
    assert result["complete"]
    assert [p["processes"] for p in result["partitions"]] == partitions
    assert len(result["samples"]["pattern"]) == 43 * 3 * len(partitions)
    assert set(result["samples"]["status"]) == {"measured"}
    write, rewrite, read = (calls_of(result, access) for access in ("write", "rewrite", "read"))
    assert write == rewrite == read
    assert result["data_check"]["chunks_checked"] > 43 * len(partitions)
    assert result["data_check"]["wrong_chunks"] == 0
    assert unmet(result) >= {"scheduled time", "schedule"}
    assert unmet(result) <= OF_BOUNDS
    assert result["summary"]["b_eff_io_MBps"] > 0
    last_line = run.stdout.rstrip().splitlines()[-1]
    assert last_line.startswith("b_eff_io of these measurements = ")
    assert (tmp_path / f"{PROGRAM}.txt").read_text() == run.stdout


def test_threads_and_the_note_are_recorded(tmp_path: Path, library: Library) -> None:
    note = '8 servers, "RAID 6", Streifenlänge 4 MiB'
    options = [*tight(2), "--types", "2", "--filesystem-note", note]
    threads = {"OMP_NUM_THREADS": "3,2"}
    result, _ = io_measured(library, tmp_path, *options, env=threads)
    environment = result["environment"]
    assert environment["filesystem"]["note"] == note
    assert result["options"]["filesystem_note"] == note
    assert environment["omp_num_threads"] == "3,2"
    binding, cores = environment["binding"], environment["cpu"]["cores"]
    assert 1 <= binding["cores_per_process_min"] <= binding["cores_per_process_max"] <= cores
    if binding["bound_processes"] == 0:
        assert binding["cores_per_process_min"] == cores


@pytest.mark.parametrize(("cache", "enough"), [("1KiB", True), ("4GiB", False)])
def test_a_cache_that_is_given_must_be_overrun(tmp_path: Path, cache: str, enough: bool) -> None:
    options = [*tight(2), "--types", "2", "--fs-cache", cache]
    result, _ = io_measured(MPICH, tmp_path, *options)
    code = "read from the file system"
    (judged,) = (one for one in result["criteria"] if one["code"] == code)
    least = min(result["summary"]["bytes_per_access"].values())
    needed = 20 * result["environment"]["filesystem"]["cache_bytes"]
    if judged["unit"] == "percent":  # of a file system in memory, or that keeps its pages
        assert not judged["met"]
        return
    assert (judged["required"], judged["found"]) == (needed, least)
    assert judged["met"] == enough


def test_random_types_stand_beside_the_value(tmp_path: Path, library: Library) -> None:
    options = [*tight(2)[:-2], "--time", "1s", "--types", "all", "--verify", "full"]
    result, _ = io_measured(library, tmp_path, *options)
    assert result["complete"]
    assert {43, 54} <= set(result["samples"]["pattern"])
    assert result["data_check"]["mode"] == "full"
    assert result["data_check"]["wrong_chunks"] == 0
    assert result["summary"]["values"]["1"] > 0


@pytest.mark.thorough
def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    options = [*tight(2), "--time", "10s", "--types", "all", "--verify", "full"]
    options += ["--max-data", "100MiB"]
    result, run = io_measured(SANITIZED, tmp_path, *options)
    assert "ERROR: AddressSanitizer" not in run.stderr
    assert "runtime error" not in run.stderr
    assert "build" in unmet(result)


def test_types_may_lie_in_folders_of_their_own(tmp_path: Path, library: Library) -> None:
    for name in ("all", "own"):
        (tmp_path / name).mkdir()
    options = [*tight(2), "--path", "all", "--path", "separate=own", "--types", "0,2"]
    measured(library, tmp_path, *options, "--keep-files", program=PROGRAM)
    (common,) = run_folders(tmp_path / "all")
    (own,) = run_folders(tmp_path / "own")
    assert {"p0-scatter"} <= {file.name for file in common.iterdir()}
    assert {file.name for file in own.iterdir()} == {"p0-separate-r0", "p0-separate-r1"}


def test_hints_are_passed_on_and_their_fate_is_told(tmp_path: Path) -> None:
    (tmp_path / "hints.txt").write_text(
        "all all all on_open cb_buffer_size 8388608\n"
        "2 all separated on_open romio_ds_write disable\n"
        "all write scatter 1048576 romio_cb_write enable\n"
        "2 read scatter Lmax cb_buffer_size 4194304\n"
        "2 read separated 1032 cb_buffer_size 2097152\n"
    )
    options = [*tight(2), "--types", "0,2", "--partitions", "1,2", "--info", "hints.txt"]
    result, _ = io_measured(MPICH, tmp_path, *options)
    hints = {
        (hint["partition"], hint["access"], hint["type"], hint["pattern"]): hint
        for hint in result["hints"]
    }
    opened = {
        (partition, access, kind, None)
        for partition in (0, 1)
        for access in ("write", "rewrite", "read")
        for kind in (0, 2)
    }
    patterns = {(partition, "write", 0, number) for partition in (0, 1) for number in (0, 2, 3)}
    assert set(hints) == opened | patterns | {(1, "read", 0, 1), (1, "read", 2, 23)}
    alone, both = hints[0, "write", 2, None], hints[1, "write", 2, None]
    assert alone["requested"] == {"cb_buffer_size": "8388608"}
    assert both["requested"] == {"cb_buffer_size": "8388608", "romio_ds_write": "disable"}
    assert alone["accepted"]["romio_ds_write"] != "disable"
    assert both["accepted"]["romio_ds_write"] == "disable"
    assert both["accepted"]["cb_buffer_size"] == "8388608"
    # with the view, and by MPI_File_set_info
    assert hints[1, "write", 0, 3]["accepted"] == {"romio_cb_write": "enable"}
    assert hints[1, "read", 0, 1]["accepted"] == {"cb_buffer_size": "4194304"}
    assert hints[1, "read", 2, 23]["accepted"] == {"cb_buffer_size": "2097152"}


def test_every_library_takes_hints_before_every_pattern(tmp_path: Path, library: Library) -> None:
    (tmp_path / "hints.txt").write_text("all all all all cb_buffer_size 4194304\n")
    result, _ = io_measured(library, tmp_path, *tight(2), "--info", "hints.txt")
    assert unmet(result) <= OF_BOUNDS
    told = {(hint["access"], hint["type"], hint["pattern"]) for hint in result["hints"]}
    samples = result["samples"]
    kinds = {pattern["number"]: pattern["type"] for pattern in result["patterns"]}
    made = zip(samples["access"], samples["pattern"], samples["repetitions"], strict=True)
    patterns = {(access, kinds[number], number) for access, number, count in made if count > 0}
    assert told == patterns | {(access, kind, None) for access, kind, _ in patterns}


def test_procedures_differ_in_page_caches_and_in_who_removes_the_files(
    tmp_path: Path, library: Library
) -> None:
    resident = {}
    for procedure in ("cold", "original"):
        options = [*tight(2), "--procedure", procedure, "--output", procedure]
        run = library.run(2, *options, cwd=tmp_path, program=PROGRAM)
        assert run.returncode == 3, run.stderr
        assert_verified(tmp_path, procedure)
        result: dict[str, Any] = json.loads((tmp_path / f"{procedure}.json").read_text())
        assert result["procedure"] == procedure
        assert run.stdout.splitlines()[-2].startswith(f"procedure {procedure}: ")
        state = {entry["access"]: entry for entry in result["cache"] if entry["partition"] == 0}
        if result["environment"]["filesystem"]["in_memory"]:
            pytest.skip("the tests' folder lies in memory; pytest --basetemp names another")
        assert not state["rewrite"]["dropped"]
        assert state["rewrite"]["resident_before_bytes"] > 0.95 * state["rewrite"]["file_bytes"]
        assert state["read"]["dropped"] == (procedure == "cold")
        resident[procedure] = state["read"]["resident_before_bytes"] / state["read"]["file_bytes"]
    assert resident["cold"] < 0.05
    assert resident["original"] > 0.95


def test_the_memory_of_the_system_can_be_stated(tmp_path: Path) -> None:
    quick = [*tight(1), "--types", "2", "--overwrite"]
    stated, _ = io_measured(MPICH, tmp_path, *quick, "--total-memory", "4TiB", processes=1)
    assert stated["environment"]["total_memory_bytes"] == 4 << 40
    environment = io_measured(MPICH, tmp_path, *quick, processes=1)[0]["environment"]
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE")
    assert environment["memory_per_process_bytes"] < environment["nodes_memory_bytes"] <= memory
    assert environment["total_memory_bytes"] == environment["nodes_memory_bytes"]


def test_plan_needs_no_mpi_and_no_folder(tmp_path: Path) -> None:
    for form in ("--plan", "--plan=json"):
        run = MPICH.run(1, form, "--processes", "10000", cwd=tmp_path, program=PROGRAM)
        assert run.returncode == 0, run.stderr
    plan = json.loads(run.stdout)
    assert [p["processes"] for p in plan["partitions"]] == [32, 512, 10000]
    assert len(plan["patterns"]) == 43
    assert {*plan["patterns"][0]} >= {"number", "type", "l_bytes", "L_bytes", "U", "wellformed"}
    assert plan["space"]["free_bytes"] is None
    assert list(tmp_path.iterdir()) == []
