"""Real runs of b_eff at several numbers of processes on two MPI libraries."""

import json
import subprocess
from pathlib import Path

import pytest

from beff.result.bounds import expanded
from engines.support import (
    MPICH,
    OPENMPI,
    SANITIZED,
    SHORT,
    Library,
    assert_verified,
    measured,
    result_in,
    unmet,
)

BESIDE = ("--methods", "neighbor_alltoallv,persistent,put_fence", "--sizes", "20")
BY_METHODS = (*BESIDE, "--patterns", "0,5,6,36,37,38,40,41")


# MPICH spins while it waits: with more processes than cores one barrier costs milliseconds, so the
# larger runs are Open MPI's.
@pytest.mark.parametrize(
    ("library", "processes", "options", "patterns"),
    [
        pytest.param(library, processes, options, patterns, id=f"{library.name}-{processes}-{kind}")
        for library, processes, sizes, whole in (
            (MPICH, 2, "0,6,12,16,20", 46),
            (MPICH, 3, "0,20", 46),
            (OPENMPI, 4, "0,12,20", 48),
            (OPENMPI, 7, "0,12,20", 48),
        )
        for kind, options, patterns in (
            ("all", ("--sizes", sizes), whole),
            ("methods beside", BY_METHODS, 8),
        )
    ],
)
def test_every_pattern_moves_the_right_data(
    tmp_path: Path, library: Library, processes: int, options: tuple[str, ...], patterns: int
) -> None:
    short = (*SHORT, "--repetitions", "1", *options)
    result, _ = measured(library, tmp_path, *short, processes=processes)
    environment = result["environment"]
    assert result["complete"]
    assert len(result["patterns"]) == patterns
    assert unmet(result) >= {"message sizes", "repetitions", "loop time"}
    assert "data" not in unmet(result)
    assert result["data_check"]["messages_checked"] > 0
    assert (environment["processes"], environment["placement"]) == (processes, f"0x{processes}")
    assert environment["oversubscribed"] == (processes > environment["cores_per_node_min"])


@pytest.mark.thorough
@pytest.mark.parametrize("processes", [2, 3])
def test_sanitizers_find_nothing(tmp_path: Path, processes: int) -> None:
    options = (*SHORT, "--methods", "all", "--sizes", "0,20", "--repetitions", "1")
    options += ("--patterns", "0,5,6,36,37,38,39,40,45")
    result, run = measured(SANITIZED, tmp_path, *options, processes=processes)
    assert "ERROR: AddressSanitizer" not in run.stderr
    assert "runtime error" not in run.stderr
    assert "build" in unmet(result)


@pytest.mark.thorough
@pytest.mark.timeout(1500)
@pytest.mark.parametrize(
    ("options", "code", "last"),
    [
        (("--memory-per-process", "64MiB"), 0, "b_eff = "),
        (("--definition", "short-1", "--repetitions", "1"), 0, "b_eff short = "),
        (
            ("--memory-per-process", "1MiB", "--definition", "3.1", "--repetitions", "1"),
            3,
            "b_eff = ",
        ),
    ],
)
def test_whole_runs(tmp_path: Path, options: tuple[str, ...], code: int, last: str) -> None:
    """Half a minute where nothing else runs, many where six processes want two cores.

    Open MPI's sleep while they wait, and so leave the cores to the other tests; not by definition
    3.1, whose loops have 300 iterations however long they take.
    """
    env = {"OMPI_MCA_threads_pthreads_yield_strategy": "sched_yield"} if code else None
    run = OPENMPI.run(2, *options, cwd=tmp_path, env=env, timeout_s=1400)
    assert run.returncode == code, run.stderr
    result = result_in(tmp_path)
    assert result["valid"] == (code == 0)
    last_line = run.stdout.rstrip().splitlines()[-1]
    assert last_line.startswith(f"{last}{result['summary']['b_eff_MBps']:10.3f} MB/s")
    assert (tmp_path / "b_eff.txt").read_text().rstrip().endswith(last_line)
    assert_verified(tmp_path)


def test_seed_is_new_in_each_run_and_can_be_given(tmp_path: Path) -> None:
    quick = [*SHORT, "--patterns", "6-35", "--sizes", "0", "--repetitions", "1"]
    seeds = {}
    for prefix, options in {"a": [], "b": [], "c": ["--seed", "7"], "d": ["--seed", "7"]}.items():
        MPICH.run(2, *quick, *options, "--output", prefix, cwd=tmp_path)
        seeds[prefix] = [p["seed"] for p in result_in(tmp_path, prefix)["patterns"]]
    assert seeds["a"] != seeds["b"]
    assert seeds["c"] == seeds["d"]


def test_plan_for_many_processes(tmp_path: Path) -> None:
    many = ["--plan=json", "--processes", "100000", "--memory-per-process", "1GiB"]
    run = subprocess.run([MPICH.programs / "b_eff", *many], capture_output=True, check=True)
    plan = json.loads(run.stdout)
    assert (plan["processes"], len(plan["patterns"])) == (100000, 49)
    assert plan["message_sizes_bytes"][-1] == 8 * 2**20
    assert plan["loops"] == (48 * 3 + 1) * 21 * 3
    assert sum(expanded(plan["patterns"][0]["ring_sizes"])) == 100000
    assert plan["patterns"][6]["seed"] is None
