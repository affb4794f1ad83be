"""The files of `beff twin order`, read by the launchers of both MPI libraries and by Slurm."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from beff.launch.numbering import order_files
from beff.result.bounds import expanded
from cluster.emulation import Cell, Network, make_cell
from cluster.emulation.mpi import CLUSTER_MPICH, REMOTE_SHELL, SUBNET, ClusterLibrary
from cluster.emulation.slurm import Slurm, make_slurm, reason_against
from engines.support import MPICH

TINY = ["--memory-per-process", "4MiB", "--loop-time", "200us", "--progress", "never"]
TINY += ["--patterns", "5", "--sizes", "20", "--methods", "sendrecv"]
HOSTS = ["n0", "n1", "n2"]
BY_HOST = [2, 2, 0, 0, 1, 1]
MIXED = [0, 1, 2, 0, 2, 1]


@pytest.fixture(scope="module")
def three_hosts() -> Iterator[Cell]:
    with make_cell(Network(hosts=3, link_mbit=50.0)) as cell:
        yield cell


@pytest.fixture(scope="module")
def slurm(three_hosts: Cell) -> Iterator[Slurm]:
    reason = reason_against()
    if reason is not None:
        pytest.skip(reason)
    with make_slurm(three_hosts) as running:
        yield running


def written(folder: Path, host_of: list[int]) -> dict[str, Path]:
    """The files by name."""
    found = {}
    for file in order_files(HOSTS, host_of):
        found[file.name] = folder / file.name
        found[file.name].write_text(file.text)
    return found


def names_in(folder: Path) -> list[str]:
    """The host of each rank, as the result has it."""
    result = json.loads((folder / "b_eff.json").read_text())
    environment = result["environment"]
    return [environment["hosts"][host]["name"] for host in expanded(environment["placement"])]


def test_launchers(three_hosts: Cell, library: ClusterLibrary, tmp_path: Path) -> None:
    is_mpich = library.library is MPICH
    host_of = BY_HOST if is_mpich else MIXED
    files = written(tmp_path, host_of)
    if is_mpich:
        words = ["-launcher", "ssh", "-launcher-exec", REMOTE_SHELL, "-f", files["hostfile.hydra"]]
    else:
        hosts = tmp_path / "allocated"
        hosts.write_text("".join(f"{name} slots=2\n" for name in HOSTS))
        words = ["--allow-run-as-root", "--prtemca", "plm_ssh_agent", REMOTE_SHELL]
        words += ["--prtemca", "prte_if_include", SUBNET, "--hostfile", str(hosts)]
        words += ["--map-by", f"rankfile:file={files['rankfile.openmpi']}"]
    command = [library.library.mpiexec[0], *words, "-n", "6", library.library.programs / "b_eff"]
    done = three_hosts.run(
        "n0", *map(str, command), *TINY, cwd=tmp_path, env=library.environment, timeout=150
    )
    assert done.returncode in {0, 3}, done.stdout + done.stderr
    assert names_in(tmp_path) == [HOSTS[host] for host in host_of]


@pytest.mark.parametrize("host_of", [BY_HOST, MIXED])
def test_slurm(slurm: Slurm, tmp_path: Path, host_of: list[int]) -> None:
    hosts = written(tmp_path, host_of)["hostfile.slurm"]
    done = slurm.run(
        *("srun", "--mpi=pmi2", "--ntasks=6", "--distribution=arbitrary"),
        *(CLUSTER_MPICH.library.programs / "b_eff", *TINY),
        cwd=tmp_path,
        env={**CLUSTER_MPICH.environment, "SLURM_HOSTFILE": str(hosts)},
    )
    assert done.returncode in {0, 3}, done.stderr
    assert names_in(tmp_path) == [HOSTS[host] for host in host_of]
