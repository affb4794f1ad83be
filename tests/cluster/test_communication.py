"""b_eff where the speed of every link is known."""

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beff.result.bounds import expanded
from cluster.emulation import Cell, Network, make_cell
from cluster.emulation.mpi import ClusterLibrary, result_of
from engines.support import ROOT, assert_verified

LINK = 50.0
"""Mbit/s: so slow that the cores of a busy machine keep up."""
MEMORY = "64MiB"
"""L_max is 512 KiB: large against the 64 kB that a link lets pass at once."""
LARGE = [
    *("--memory-per-process", MEMORY, "--sizes", "20", "--loop-time", "300ms"),
    *("--methods", "nonblocking"),
]
ONE_RING = "5"


@pytest.fixture(scope="module")
def four_hosts() -> Iterator[Cell]:
    with make_cell(Network(hosts=4, link_mbit=LINK)) as cell:
        yield cell


@pytest.fixture(scope="module")
def two_hosts() -> Iterator[Cell]:
    with make_cell(Network(hosts=2, link_mbit=LINK)) as cell:
        yield cell


def ring(cell: Cell, library: ClusterLibrary, folder: Path, **placing: Any) -> dict[str, Any]:
    processes = cell.network.hosts * placing.get("per_host", 1)
    run = library.run(cell, processes, *LARGE, "--patterns", ONE_RING, cwd=folder, **placing)
    result = result_of(run, folder)
    assert_verified(folder)
    return result


def test_ring_is_as_fast_as_the_links(
    four_hosts: Cell, library: ClusterLibrary, tmp_path: Path
) -> None:
    result = ring(four_hosts, library, tmp_path)
    environment = result["environment"]
    names = [{"name": name, "processes": 1} for name in four_hosts.network.host_names]
    assert environment["hosts"] == names
    assert expanded(environment["placement"]) == [0, 1, 2, 3]
    assert environment["nodes"] == 4
    assert result["data_check"]["wrong_messages"] == 0
    (measured,) = (each for each in result["patterns"] if each["id"] == 5)
    payload = 4 * four_hosts.network.payload_MBps(LINK)
    # Above the payload rate: the burst that passes at the start of a loop. Below: a busy machine.
    assert 0.7 * payload < measured["bandwidth_by_size_MBps"][20] < 1.1 * payload


def test_both_numberings_are_what_the_launcher_does(
    two_hosts: Cell, library: ClusterLibrary, tmp_path: Path
) -> None:
    command = [
        *(sys.executable, "-m", "beff", "run", "--benchmark", "b_eff", "--processes", "4"),
        *("--engine", str(library.library.programs / "b_eff"), "--output-dir", "out"),
        *("--launcher", shlex.join(library.launcher(two_hosts, 2, None)), "--numbering", "both"),
        *("--memory-per-process", "4MiB", "--", "--loop-time", "200us", "--patterns", "5"),
        *("--sizes", "20", "--methods", "sendrecv"),
    ]
    environment = {**library.environment, "PYTHONPATH": str(ROOT / "python")}
    done = two_hosts.run("n0", *command, cwd=tmp_path, env=environment, timeout=200)
    assert done.returncode == 3, done.stdout + done.stderr
    for numbering, placement in {"sequential": [0, 0, 1, 1], "round-robin": [0, 1, 0, 1]}.items():
        result = json.loads((tmp_path / f"out/b_eff_4p_{numbering}.json").read_text())
        assert expanded(result["environment"]["placement"]) == placement
        assert f"numbering: {numbering}, as asked" in done.stdout
    assert "by the numbering of the processes" in done.stdout
