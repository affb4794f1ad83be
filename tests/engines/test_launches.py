"""Launches that would not measure what was meant."""

import errno
import json
import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engines.support import MPICH, OPENMPI, SHORT, Library, cautions_with, measured, system_fault
from needed import needed


def disguised(command: Sequence[str], places: Mapping[str, Path]) -> list[str]:
    """Return a command that runs another with files and folders mounted over those of the system.

    Skips where no mount namespace can be made.
    """
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    inside = [needed("unshare"), *user, "--mount"]
    trial = subprocess.run([*inside, "true"], capture_output=True, text=True, check=False)
    if trial.returncode != 0:
        pytest.skip(f"no namespace can be made: {trial.stderr.strip()}")
    mounts = [shlex.join(["mount", "--bind", str(new), place]) for place, new in places.items()]
    return [*inside, "sh", "-e", "-c", "\n".join([*mounts, f"exec {shlex.join(command)}"])]


def empty(folder: Path) -> Path:
    """Make an empty folder."""
    folder.mkdir()
    return folder


def quota(folder: Path, quota_us: int) -> Path:
    """Write a folder like /sys/fs/cgroup in which all groups have this time of 100 ms together."""
    in_version_1 = folder / "cpu"
    in_version_1.mkdir(parents=True)
    (folder / "cpu.max").write_text(f"{quota_us} 100000\n", encoding="ascii")
    (in_version_1 / "cpu.cfs_quota_us").write_text(f"{quota_us}\n", encoding="ascii")
    (in_version_1 / "cpu.cfs_period_us").write_text("100000\n", encoding="ascii")
    return folder


def processors(folder: Path, cores: Sequence[str]) -> Path:
    """Write a folder like /sys/devices/system/cpu with cores that have these threads."""
    threads = [int(thread) for core in cores for thread in core.split(",")]
    for core in cores:
        for thread in core.split(","):
            topology = folder / f"cpu{thread}" / "topology"
            topology.mkdir(parents=True)
            (topology / "core_cpus_list").write_text(f"{core}\n", encoding="ascii")
            (topology / "thread_siblings_list").write_text(f"{core}\n", encoding="ascii")
            (topology / "physical_package_id").write_text("0\n", encoding="ascii")
    (folder / "online").write_text(f"{min(threads)}-{max(threads)}\n", encoding="ascii")
    return folder


pytestmark = pytest.mark.thorough


def test_other_librarys_launcher_is_recognised(tmp_path: Path) -> None:
    for launcher, library, name in ((OPENMPI, MPICH, "MPICH"), (MPICH, OPENMPI, "Open MPI")):
        command = [*launcher.mpiexec, "-n", "2", str(library.programs / "b_eff")]
        run = launcher.launch(command, cwd=tmp_path, timeout_s=240)
        assert run.returncode == 2
        assert run.stderr.count(f"its MPI library is {name}") == 1


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
    result, _ = measured(library, tmp_path, *QUICK, env=left)
    assert result["environment"]["processes"] == 2
    assert not (tmp_path / "b_eff.roll").exists()


def probed(folder: Path, *binding: str, **env: str) -> dict[str, Any]:
    """What b_eff says of two processes of MPICH."""
    command = [*MPICH.mpiexec, *binding, "-n", "2", str(MPICH.programs / "b_eff"), "--probe"]
    run = MPICH.launch(command, cwd=folder, env=env, timeout_s=240)
    assert run.returncode == 0, run.stderr
    told: dict[str, Any] = json.loads(run.stdout)
    return told


def test_the_right_launcher_below_the_other(tmp_path: Path) -> None:
    for outer, inner in ((OPENMPI, MPICH), (MPICH, OPENMPI)):
        command = [*outer.mpiexec, "-n", "1", *inner.command(2), "--probe"]
        run = outer.launch(command, cwd=tmp_path, timeout_s=240)
        assert run.returncode == 0, run.stderr
        assert json.loads(run.stdout)["environment"]["processes"] == 2


def test_a_component_of_a_heterogeneous_job_is_a_caution(tmp_path: Path) -> None:
    for components, said in (("1", False), ("3", True)):
        told = probed(tmp_path, SLURM_HET_SIZE=components)
        assert bool(cautions_with(told, "heterogeneous job")) == said


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


@pytest.mark.parametrize(
    "variable",
    [
        *("SLURM_STEP_NUM_NODES", "SLURM_JOB_NUM_NODES", "FLUX_JOB_NNODES"),
        *("COBALT_JOBSIZE", "PBS_NUM_NODES"),
    ],
)
def test_fewer_nodes_than_allocated_are_a_caution(tmp_path: Path, variable: str) -> None:
    told = probed(tmp_path, **{variable: "3"})
    assert cautions_with(told, f"'{variable}', 'expected': 3")


@pytest.mark.skipif(
    len(os.sched_getaffinity(0)) < 2, reason="needs two cores; this process may use one"
)
def test_binding_that_disturbs_is_a_caution(tmp_path: Path) -> None:
    free = probed(tmp_path, "-bind-to", "none")["cautions"]
    assert {"code": "unbound processes", "facts": {"unbound": 2, "processes": 2}} in free
    first = min(os.sched_getaffinity(0))
    double = probed(tmp_path, "-bind-to", f"user:{first},{first}")["cautions"]
    assert {"code": "shared cores", "facts": {"sets": 1}} in double
    right = probed(tmp_path, "-bind-to", "core")
    assert not cautions_with(right, "unbound") + cautions_with(right, "shared cores")


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
    assert bool(cautions_with(told, "shared cores")) == is_one_core


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
