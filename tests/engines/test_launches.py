"""Launches that would not measure what was meant."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engines.disguise import disguised, empty, processors, quota
from engines.support import MPICH, OPENMPI, SHORT, Library, system_fault

pytestmark = pytest.mark.thorough


def test_one_process_has_nobody_to_talk_to(tmp_path: Path, library: Library) -> None:
    run = library.run(1, cwd=tmp_path)
    assert run.returncode == 2
    assert "at least two processes" in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_other_librarys_launcher_is_recognised(tmp_path: Path) -> None:
    crossed = [
        ([*OPENMPI.mpiexec, "-n", "2", str(MPICH.programs / "b_eff")], "its MPI library is MPICH"),
        (
            [*MPICH.mpiexec, "-n", "2", str(OPENMPI.programs / "b_eff")],
            "its MPI library is Open MPI",
        ),
    ]
    for command, message in crossed:
        run = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False
        )
        assert run.returncode == 2
        assert message in run.stderr
        assert run.stderr.count(message) == 1


@pytest.mark.parametrize(
    ("rank", "size"),
    [
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
        ("PMI_RANK", "PMI_SIZE"),
        ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
        ("JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"),
        ("PALS_RANKID", "PMI_SIZE"),
        ("PMIX_RANK", "SLURM_STEP_NUM_TASKS"),
        ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
        ("FLUX_TASK_RANK", "FLUX_JOB_SIZE"),
    ],
)
def test_singletons_are_refused_once(tmp_path: Path, rank: str, size: str) -> None:
    """Two processes that a launcher has started, and that each think to be alone."""
    of_open_mpi = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS")
    library = OPENMPI if size in of_open_mpi and rank != "SLURM_PROCID" else MPICH
    said = []
    for number in range(2):
        run = subprocess.run(
            [library.programs / "b_eff"],
            cwd=tmp_path,
            env={**os.environ, **library.environment, rank: str(number), size: "2"},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert run.returncode == 2, run.stderr
        said.append(run.stderr)
    assert size in said[0]
    assert said[1] == ""
    assert list(tmp_path.iterdir()) == []


QUICK = [*SHORT, "--patterns", "5", "--sizes", "0"]
LEFT = [
    {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "4"},
    {"PMIX_RANK": "0", "PMIX_NAMESPACE": "shell"},
    {"PMI_RANK": "0", "PMI_SIZE": "4", "PMI_FD": "77", "HYDI_CONTROL_FD": "78"},
    {"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1"},
    {"FLUX_TASK_RANK": "0", "FLUX_JOB_SIZE": "4"},
    {"PALS_RANKID": "0", "PALS_SIZE": "4", "MPI_LOCALRANKID": "0"},
]


@pytest.mark.parametrize("left", LEFT, ids=lambda left: next(iter(left)))
def test_what_is_left_of_another_launcher_does_no_harm(
    tmp_path: Path, library: Library, left: dict[str, str]
) -> None:
    """A shell, notebook or job that was itself started so, and then starts the right mpiexec."""
    run = library.run(2, *QUICK, cwd=tmp_path, env=left)
    assert run.returncode == 3, run.stderr
    result = json.loads((tmp_path / "b_eff.json").read_text())
    assert result["environment"]["processes"] == 2
    assert not (tmp_path / "b_eff.roll").exists()


def test_the_right_launcher_below_the_other(tmp_path: Path) -> None:
    for outer, inner in ((OPENMPI, MPICH), (MPICH, OPENMPI)):
        command = [*outer.mpiexec, "-n", "1", *inner.command(2), "--probe"]
        run = outer.launch(command, cwd=tmp_path, timeout_s=240)
        assert run.returncode == 0, run.stderr
        assert json.loads(run.stdout)["environment"]["processes"] == 2


def test_a_component_of_a_heterogeneous_job_is_a_caution(tmp_path: Path) -> None:
    for components, said in (("1", False), ("3", True)):
        run = MPICH.run(2, "--probe", cwd=tmp_path, env={"SLURM_HET_SIZE": components})
        cautions = json.loads(run.stdout)["cautions"]
        assert any("heterogeneous job" in str(text) for text in cautions) == said


@pytest.mark.parametrize("task", [QUICK, ["--probe"]])
def test_a_container_that_forbids_to_read_another_process(tmp_path: Path, task: list[str]) -> None:
    env = system_fault("process_vm_readv", errno.EPERM)
    run = MPICH.run(3, *task, cwd=tmp_path, env=env)
    assert run.returncode != 0
    assert "error stack" not in run.stderr
    for way_out in ("--cap-add SYS_PTRACE", "MPIR_CVAR_CH4_CMA_ENABLE=0"):
        assert run.stderr.count(way_out) == 1
    without = MPICH.run(3, *task, cwd=tmp_path, env={**env, "MPIR_CVAR_CH4_CMA_ENABLE": "0"})
    assert without.returncode == (3 if task is QUICK else 0), without.stderr


def test_a_library_that_does_not_start_leaves_nothing(tmp_path: Path) -> None:
    run = MPICH.run(3, *QUICK, cwd=tmp_path, env={"MPIR_CVAR_PMI_VERSION": "x"})
    assert run.returncode != 0
    assert list(tmp_path.iterdir()) == []


def test_fewer_nodes_than_asked_are_refused(tmp_path: Path, library: Library) -> None:
    run = library.run(2, "--nodes", "2", cwd=tmp_path)
    assert run.returncode == 2
    assert "--nodes 2: " in run.stderr


@pytest.mark.parametrize(
    "variable",
    [
        *("SLURM_STEP_NUM_NODES", "SLURM_JOB_NUM_NODES", "FLUX_JOB_NNODES"),
        *("COBALT_JOBSIZE", "PBS_NUM_NODES"),
    ],
)
def test_fewer_nodes_than_allocated_are_a_caution(tmp_path: Path, variable: str) -> None:
    run = MPICH.run(2, "--probe", cwd=tmp_path, env={variable: "3"})
    assert run.returncode == 0
    assert any(
        f"'{variable}', 'expected': 3" in str(text) for text in json.loads(run.stdout)["cautions"]
    )


def cautions_of_probe(*binding: str, folder: Path, processes: int = 2) -> list[dict[str, Any]]:
    program = [str(MPICH.programs / "b_eff"), "--probe"]
    run = subprocess.run(
        [*MPICH.mpiexec, *binding, "-n", str(processes), *program],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    cautions: list[dict[str, Any]] = json.loads(run.stdout)["cautions"]
    return cautions


@pytest.mark.skipif(
    len(os.sched_getaffinity(0)) < 2, reason="needs two cores; this process may use one"
)
def test_binding_that_disturbs_is_a_caution(tmp_path: Path) -> None:
    free = cautions_of_probe("-bind-to", "none", folder=tmp_path)
    assert {"code": "unbound processes", "facts": {"unbound": 2, "processes": 2}} in free
    first = min(os.sched_getaffinity(0))
    double = cautions_of_probe("-bind-to", f"user:{first},{first}", folder=tmp_path)
    assert {"code": "shared cores", "facts": {"sets": 1}} in double
    right = cautions_of_probe("-bind-to", "core", folder=tmp_path)
    assert not any("unbound" in str(text) or "shared" in str(text) for text in right)


@pytest.mark.skipif(
    len(os.sched_getaffinity(0)) < 2, reason="needs two CPUs; this process may use one"
)
@pytest.mark.parametrize("is_one_core", [True, False])
def test_the_two_threads_of_a_core_are_one_core(tmp_path: Path, is_one_core: bool) -> None:
    one, two = sorted(os.sched_getaffinity(0))[:2]
    cores = [f"{one},{two}", f"{two + 1},{two + 2}"]
    if not is_one_core:
        cores = [f"{one},{two + 1}", f"{two},{two + 2}"]
    places = {
        "/sys/devices/system/cpu": processors(tmp_path / "cpu", cores),
        "/sys/fs/cgroup": empty(tmp_path / "cgroup"),
    }
    binding = ["-bind-to", f"user:{one},{two}"]
    command = [*MPICH.mpiexec, *binding, "-n", "2", str(MPICH.programs / "b_eff"), "--probe"]
    run = subprocess.run(
        disguised(command, places), cwd=tmp_path, capture_output=True, text=True, check=True
    )
    told = json.loads(run.stdout)
    environment = told["environment"]
    assert (environment["cores_per_node_min"], environment["oversubscribed"]) == (2, False)
    assert environment["binding"]["shared_cores"] == is_one_core
    assert any("shared cores" in str(text) for text in told["cautions"]) == is_one_core


@pytest.mark.parametrize("quota_us", [50_000, 10_000_000])
def test_less_cpu_time_than_processes_is_oversubscribed(tmp_path: Path, quota_us: int) -> None:
    groups = {"/sys/fs/cgroup": quota(tmp_path / "cgroup", quota_us)}
    command = [*MPICH.command(2), "--probe"]
    run = subprocess.run(
        disguised(command, groups), cwd=tmp_path, capture_output=True, text=True, check=True
    )
    told = json.loads(run.stdout)
    environment = told["environment"]
    is_less = quota_us < 200_000
    assert environment["cpu_quota"] == quota_us / 100_000
    assert environment["oversubscribed"] == (is_less or len(os.sched_getaffinity(0)) < 2)
    if is_less:
        assert environment["cores_per_node_min"] == environment["cpu"]["cores"] == 1
        assert {"code": "cpu quota", "facts": {"cpus": 0.5}} in told["cautions"]


def test_too_much_memory_is_refused(tmp_path: Path, library: Library) -> None:
    run = library.run(2, "--memory-per-process", "100TiB", cwd=tmp_path)
    assert run.returncode == 2
    assert "--memory-per-process 100 TiB: " in run.stderr


def test_probe_tells_the_environment(tmp_path: Path, library: Library) -> None:
    run = library.run(2, "--probe", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    environment = json.loads(run.stdout)["environment"]
    assert environment["processes"] == 2
    assert environment["clock"]["barrier_cost_s"] > 0
    assert environment["memory_per_process_bytes"] > 2**20
    assert list(tmp_path.iterdir()) == []
