"""Real runs of b_eff at several numbers of processes on two MPI libraries."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.support import (
    MPICH,
    OPENMPI,
    SANITIZED,
    SHORT,
    Library,
    assert_verified,
    result_in,
    unmet,
)

# MPICH spins while it waits: with more processes than cores one barrier costs milliseconds, so the
# larger runs are Open MPI's.
RUNS = [
    (MPICH, 2, "0,6,12,16,20"),
    (MPICH, 3, "0,20"),
    (OPENMPI, 4, "0,12,20"),
    (OPENMPI, 7, "0,12,20"),
]

SHORT_CLASS = ("--definition", "short-1", "--repetitions", "1", "--progress", "never")


def number_of_patterns(processes: int) -> int:
    return {2: 46, 3: 46, 4: 48, 7: 48}[processes]


@pytest.mark.parametrize(
    ("library", "processes", "sizes"),
    [pytest.param(*run, id=f"{run[0].name}-{run[1]}") for run in RUNS],
)
def test_every_pattern_moves_the_right_data(
    tmp_path: Path, library: Library, processes: int, sizes: str
) -> None:
    run = library.run(processes, *SHORT, "--sizes", sizes, "--repetitions", "1", cwd=tmp_path)
    assert run.returncode == 3, run.stderr
    result = result_in(tmp_path)
    assert result["complete"]
    assert len(result["patterns"]) == number_of_patterns(processes)
    assert unmet(result) == {"message sizes", "repetitions", "loop time"}
    assert result["data_check"]["wrong_messages"] == 0
    assert result["data_check"]["messages_checked"] > 0
    assert result["environment"]["processes"] == processes
    assert result["environment"]["placement"] == f"0x{processes}"
    assert result["environment"]["oversubscribed"] == (
        processes > result["environment"]["cores_per_node_min"]
    )
    assert_verified(tmp_path)


@pytest.mark.thorough
def test_a_repetition_of_the_short_class_is_valid(tmp_path: Path) -> None:
    run = OPENMPI.run(2, *SHORT_CLASS, "--time-limit", "10min", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1].startswith("b_eff short = ")
    result = result_in(tmp_path)
    assert result["valid"]
    assert result["definition"] == "short-1"
    assert_verified(tmp_path)


@pytest.mark.parametrize(("library", "processes"), [(MPICH, 3), (OPENMPI, 4), (OPENMPI, 7)])
def test_the_short_class_has_all_patterns(tmp_path: Path, library: Library, processes: int) -> None:
    options = (*SHORT_CLASS, "--sizes", "0,20", "--time-limit", "10min")
    run = library.run(processes, *options, cwd=tmp_path)
    assert run.returncode == 3, run.stderr
    result = result_in(tmp_path)
    assert len(result["patterns"]) == number_of_patterns(processes)
    assert unmet(result) == {"message sizes"}
    assert_verified(tmp_path)


def test_one_process_has_no_short_class_either(tmp_path: Path, library: Library) -> None:
    run = library.run(1, *SHORT_CLASS, cwd=tmp_path)
    assert run.returncode == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "option", [("--memory-per-process", "1GiB"), ("--memory-per-node", "1GiB"), ("--rmax", "1")]
)
def test_the_short_class_takes_no_memory_and_no_linpack(
    tmp_path: Path, option: tuple[str, str]
) -> None:
    run = MPICH.run(2, *SHORT_CLASS, *option, cwd=tmp_path)
    assert run.returncode == 2
    assert f"{option[0]} 1" in run.stderr
    assert not list(tmp_path.iterdir())


def test_a_short_run_that_ends_early_has_no_value(tmp_path: Path) -> None:
    run = MPICH.run(2, *SHORT_CLASS, "--time-limit", "1s", cwd=tmp_path)
    assert run.returncode == 3, run.stderr
    result = result_in(tmp_path)
    assert result["summary"]["b_eff_MBps"] is None
    assert unmet(result) == {"complete", "repetitions"}
    assert_verified(tmp_path)


@pytest.mark.parametrize(
    ("library", "processes"),
    [(MPICH, 2), (MPICH, 3), (OPENMPI, 4), (OPENMPI, 7)],
    ids=lambda value: value.name if isinstance(value, Library) else str(value),
)
def test_additional_methods_move_the_right_data(
    tmp_path: Path, library: Library, processes: int
) -> None:
    run = library.run(
        processes,
        *SHORT,
        *("--methods", "neighbor_alltoallv,persistent,put_fence"),
        *("--sizes", "20", "--repetitions", "1", "--patterns", "0,5,6,36,37,38,40,41"),
        cwd=tmp_path,
    )
    assert run.returncode == 3, run.stderr
    result = result_in(tmp_path)
    assert result["data_check"]["wrong_messages"] == 0
    assert result["complete"]
    assert_verified(tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("processes", [2, 3])
def test_sanitizers_find_nothing(tmp_path: Path, processes: int) -> None:
    run = SANITIZED.run(
        processes,
        *SHORT,
        *("--methods", "all", "--sizes", "0,20", "--repetitions", "1"),
        *("--patterns", "0,5,6,36,37,38,39,40,45"),
        cwd=tmp_path,
    )
    assert run.returncode == 3, run.stderr
    assert "ERROR: AddressSanitizer" not in run.stderr
    assert "runtime error" not in run.stderr
    assert "build" in unmet(result_in(tmp_path))


@pytest.mark.thorough
@pytest.mark.timeout(1500)
def test_official_run_is_valid(tmp_path: Path) -> None:
    """Half a minute where nothing else runs, many where six processes want two cores.

    Open MPI's sleep while they wait, and so leave the cores to the other tests.
    """
    run = OPENMPI.run(2, "--memory-per-process", "64MiB", cwd=tmp_path, timeout_s=1400)
    assert run.returncode == 0, run.stderr
    result = result_in(tmp_path)
    assert result["valid"]
    assert result["summary"]["b_eff_MBps"] > 0
    last_line = run.stdout.rstrip().splitlines()[-1]
    assert last_line.startswith(f"b_eff = {result['summary']['b_eff_MBps']:10.3f} MB/s =")
    assert (tmp_path / "b_eff.txt").read_text().rstrip().endswith(last_line)
    assert_verified(tmp_path)


@pytest.mark.thorough
def test_definition_3_1_runs(tmp_path: Path) -> None:
    """Loops have 300 iterations, however long they take: too long where processes sleep."""
    run = OPENMPI.run(
        2,
        *("--memory-per-process", "1MiB", "--definition", "3.1", "--repetitions", "1"),
        cwd=tmp_path,
        env={"OMPI_MCA_threads_pthreads_yield_strategy": "sched_yield"},
    )
    assert run.returncode == 3, run.stderr
    assert result_in(tmp_path)["summary"]["b_eff_MBps"] > 0
    assert_verified(tmp_path)


def test_seed_is_new_in_each_run_and_can_be_given(tmp_path: Path) -> None:
    quick = [*SHORT, "--patterns", "6-35", "--sizes", "0", "--repetitions", "1"]
    seeds = {}
    for prefix, options in {"a": [], "b": [], "c": ["--seed", "7"], "d": ["--seed", "7"]}.items():
        MPICH.run(2, *quick, *options, "--output", prefix, cwd=tmp_path)
        seeds[prefix] = [p["seed"] for p in result_in(tmp_path, prefix)["patterns"]]
    assert seeds["a"] != seeds["b"]
    assert seeds["c"] == seeds["d"]
