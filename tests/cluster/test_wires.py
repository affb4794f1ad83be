"""Which of two networks carried the messages of emulated hosts."""

from __future__ import annotations

from pathlib import Path

import pytest

from beff.analysis.b_pairs.wires import Carried, carried
from beff.analysis.check.finding import Verdict
from beff.analysis.check.wires import check_wires
from beff.model.load import as_b_pairs, load_document
from cluster.emulation import Network, make_cell
from cluster.emulation.network import SECOND_ADDRESSES
from cluster.mpi import CLUSTER_MPICH, CLUSTER_OPENMPI, ClusterLibrary, result_of
from engines.support import MPICH, assert_verified

LINK = 50.0
TWO = Network(hosts=4, link_mbit=LINK, second_mbit=LINK / 4)
OPTIONS = ["--memory-per-process", "4MiB", "--duration", "2s"]


def measured(
    network: Network, library: ClusterLibrary, folder: Path, env: dict[str, str] | None = None
) -> Carried:
    with make_cell(network) as cell:
        run = library.run(
            cell,
            network.hosts,
            *OPTIONS,
            cwd=folder,
            timeout=250,
            program="b_pairs",
            env=env,
        )
    result_of(run, folder, "b_pairs")
    assert_verified(folder, "b_pairs")
    wires = as_b_pairs(load_document(folder / "b_pairs.json")).wires
    assert wires is not None
    found = carried(wires)
    assert found is not None
    return found


def by(found: Carried) -> list[str]:
    return [found.names[port] for port in found.main.tolist()]


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("library", "port"),
    [(CLUSTER_MPICH, "eth0"), (CLUSTER_OPENMPI, "eth0"), (CLUSTER_OPENMPI, "eth1")],
    ids=["mpich-eth0", "openmpi-eth0", "openmpi-eth1"],
)
def test_tcp_by_either_network(library: ClusterLibrary, tmp_path: Path, port: str) -> None:
    """UCX, with which MPICH is built, takes none but the first of two virtual ports."""
    env = {}
    if port == "eth1":
        env = {"OMPI_MCA_btl_tcp_if_include": f"{SECOND_ADDRESSES}.0/24"}
    found = measured(TWO, library, tmp_path, env)
    assert by(found) == [port] * 4
    assert (found.shares.max(axis=0) > 0.9).all()
    assert check_wires(load_document(tmp_path / "b_pairs.json")).bad_hosts == ()


@pytest.mark.timeout(400)
def test_a_host_whose_route_goes_by_the_other_network_is_named(tmp_path: Path) -> None:
    network = Network(hosts=4, link_mbit=LINK, second_mbit=LINK / 4, astray=frozenset({2}))
    found = measured(network, CLUSTER_OPENMPI, tmp_path)
    assert by(found) == ["eth0", "eth0", "eth1", "eth0"]
    checked = check_wires(load_document(tmp_path / "b_pairs.json"))
    assert checked.bad_hosts == ("n2",)
    (finding,) = (one for one in checked.findings if one.verdict == Verdict.BAD)
    assert finding.sentence == "its messages left by eth1, those of most hosts by eth0"


def test_shared_memory_leaves_by_no_port(tmp_path: Path) -> None:
    run = MPICH.run(3, *OPTIONS, "--progress", "never", cwd=tmp_path, program="b_pairs")
    result_of(run, tmp_path, "b_pairs")
    (note,) = check_wires(load_document(tmp_path / "b_pairs.json")).notes
    assert note.endswith("nothing left the host: shared memory")
