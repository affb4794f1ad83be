"""Starting the engines on an emulated cluster with each MPI library."""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cluster.emulation import Cell
from cluster.emulation.cell import HERE
from cluster.emulation.network import ADDRESSES
from engines.support import MPICH, OPENMPI, Library

REMOTE_SHELL = str(HERE / "rsh")
SUBNET = f"{ADDRESSES}.0/24"


@dataclass(frozen=True)
class ClusterLibrary:
    """An MPI library whose launcher starts processes on the hosts of a cell."""

    library: Library
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.library.name

    def launcher(self, cell: Cell, per_host: int, cyclic: bool | None = False) -> list[str]:
        """The launcher with hosts and the order of processes on them, unless that is None.

        To be run on a host.
        """
        is_mpich, names = self.library is MPICH, cell.network.host_names
        hosts = cell.folder / f"hosts.{self.name}.{per_host}.{cyclic}"
        slots = (":{}" if is_mpich else " slots={}").format(per_host)
        if is_mpich and cyclic is not False:
            slots = ""
        hosts.write_text("".join(f"{name}{slots}\n" for name in names), encoding="ascii")
        if is_mpich:
            remote = ["-launcher", "ssh", "-launcher-exec", REMOTE_SHELL]
            return [self.library.mpiexec[0], *remote, "-f", str(hosts)]
        remote = ["--allow-run-as-root", "--prtemca", "plm_ssh_agent", REMOTE_SHELL]
        network = ["--prtemca", "prte_if_include", SUBNET, "--bind-to", "none"]
        order = [] if cyclic is None else ["--map-by", "node" if cyclic else "slot"]
        return [self.library.mpiexec[0], *remote, *network, "--hostfile", str(hosts), *order]

    def run(
        self,
        cell: Cell,
        processes: int,
        *options: str,
        cwd: Path,
        per_host: int = 1,
        cyclic: bool = False,
        program: str = "b_eff",
        env: Mapping[str, str] | None = None,
        timeout: float = 150,
    ) -> subprocess.CompletedProcess[str]:
        launch = [*self.launcher(cell, per_host, cyclic), "-n", str(processes)]
        environment = {**self.environment, **(env or {})}
        words = [*launch, str(self.library.programs / program), "--progress", "never", *options]
        return cell.run("n0", *words, cwd=cwd, env=environment, timeout=timeout)


CLUSTER_MPICH = ClusterLibrary(MPICH)
CLUSTER_OPENMPI = ClusterLibrary(
    OPENMPI,
    {
        "OMPI_MCA_btl": "tcp,sm,self",
        "OMPI_MCA_btl_tcp_if_include": SUBNET,
        "OMPI_MCA_pml": "ob1",
        # Messages then go to the kernel at once and need no process to be awake on the way.
        "OMPI_MCA_btl_tcp_eager_limit": "8388608",
        "OMPI_MCA_btl_tcp_rndv_eager_limit": "8388608",
        "OMPI_MCA_btl_tcp_max_send_size": "8388608",
        # Several hosts share the cores of this machine: a process that waits must let others run.
        "OMPI_MCA_mpi_yield_when_idle": "1",
    },
)
CLUSTER_LIBRARIES = (CLUSTER_MPICH, CLUSTER_OPENMPI)


def result_of(
    run: subprocess.CompletedProcess[str], folder: Path, program: str = "b_eff"
) -> dict[str, Any]:
    """The result that a run has left; a shortened run is measured, but not valid."""
    assert run.returncode in {0, 3}, run.stdout + run.stderr
    document: dict[str, Any] = json.loads((folder / f"{program}.json").read_text())
    return document
