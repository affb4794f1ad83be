"""`beff run --numbering` by the launchers of both MPI libraries on several hosts."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from beff.result.bounds import expanded
from cluster.emulation import Cell, Network, make_cell
from cluster.emulation.mpi import REMOTE_SHELL, SUBNET, ClusterLibrary
from engines.support import MPICH, ROOT

TINY = ["--loop-time", "200us", "--patterns", "5", "--sizes", "20", "--methods", "sendrecv"]
PLACEMENTS = {"sequential": [0, 0, 1, 1], "round-robin": [0, 1, 0, 1]}


@pytest.fixture(scope="module")
def two_hosts() -> Iterator[Cell]:
    with make_cell(Network(hosts=2, link_mbit=50.0)) as cell:
        yield cell


def launcher(cell: Cell, library: ClusterLibrary) -> str:
    """The launcher with its hosts, but without a word on their order."""
    hosts = cell.folder / f"hosts.{library.name}"
    mpiexec = library.library.mpiexec[0]
    if library.library is MPICH:
        hosts.write_text("n0\nn1\n", encoding="ascii")
        remote = ["-launcher", "ssh", "-launcher-exec", REMOTE_SHELL]
        return shlex.join([mpiexec, *remote, "-f", str(hosts)])
    hosts.write_text("n0 slots=2\nn1 slots=2\n", encoding="ascii")
    remote = ["--allow-run-as-root", "--prtemca", "plm_ssh_agent", REMOTE_SHELL]
    network = ["--prtemca", "prte_if_include", SUBNET, "--bind-to", "none"]
    return shlex.join([mpiexec, *remote, *network, "--hostfile", str(hosts)])


def test_both_numberings_are_what_the_launcher_does(
    two_hosts: Cell, library: ClusterLibrary, tmp_path: Path
) -> None:
    command = [
        *(sys.executable, "-m", "beff", "run", "--benchmark", "b_eff", "--processes", "4"),
        *("--engine", str(library.library.programs / "b_eff"), "--output-dir", "out"),
        *("--launcher", launcher(two_hosts, library), "--numbering", "both"),
        *("--memory-per-process", "4MiB", "--", *TINY),
    ]
    environment = {**library.environment, "PYTHONPATH": str(ROOT / "python")}
    done = two_hosts.run("n0", *command, cwd=tmp_path, env=environment, timeout=200)
    assert done.returncode == 3, done.stdout + done.stderr
    for numbering, placement in PLACEMENTS.items():
        result = json.loads((tmp_path / f"out/b_eff_4p_{numbering}.json").read_text())
        assert expanded(result["environment"]["placement"]) == placement
        assert f"numbering: {numbering}, as asked" in done.stdout
    assert "by the numbering of the processes" in done.stdout
