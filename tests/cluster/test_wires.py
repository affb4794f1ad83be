"""Which of two networks carried the messages of emulated hosts."""

import re
from pathlib import Path

import pytest

from beff.judge.finding import Checked, Verdict
from beff.judge.hardware import Carried, carried, check_wires, wires_text
from beff.result.load import load_document
from beff.show.parts.findings import sentence_of
from cluster.emulation import Network, make_cell
from cluster.emulation.mpi import CLUSTER_MPICH, CLUSTER_OPENMPI, ClusterLibrary, result_of
from cluster.emulation.network import SECOND_ADDRESSES
from engines.support import assert_verified

LINK = 50.0
TWO = Network(hosts=4, link_mbit=LINK, second_mbit=LINK / 4)
OPTIONS = {
    "b_pairs": ["--memory-per-process", "4MiB", "--duration", "2s"],
    "b_eff": [
        *("--memory-per-process", "4MiB", "--patterns", "5,6", "--methods", "nonblocking"),
        *("--sizes", "17-20", "--repetitions", "1"),
    ],
}
SECOND = {"OMPI_MCA_btl_tcp_if_include": f"{SECOND_ADDRESSES}.0/24"}
"""Sends Open MPI by the second network."""


def measured(
    network: Network,
    library: ClusterLibrary,
    folder: Path,
    program: str = "b_pairs",
    env: dict[str, str] | None = None,
) -> Carried:
    with make_cell(network) as cell:
        run = library.run(
            cell,
            network.hosts,
            *OPTIONS[program],
            cwd=folder,
            timeout=250,
            program=program,
            env=env,
        )
    result_of(run, folder, program)
    assert_verified(folder, program)
    found = carried(load_document(folder / f"{program}.json").result)
    assert found is not None
    return found


def by(found: Carried) -> list[str]:
    return ["" if port < 0 else found.ports[port].name for port in found.main.tolist()]


@pytest.mark.timeout(400)
@pytest.mark.parametrize("program", ["b_eff", "b_pairs"])
@pytest.mark.parametrize(
    ("library", "port"),
    [(CLUSTER_MPICH, "eth0"), (CLUSTER_OPENMPI, "eth0"), (CLUSTER_OPENMPI, "eth1")],
    ids=["mpich-eth0", "openmpi-eth0", "openmpi-eth1"],
)
def test_tcp_by_either_network(
    library: ClusterLibrary, tmp_path: Path, port: str, program: str
) -> None:
    """UCX, with which MPICH is built, takes none but the first of two virtual ports."""
    found = measured(TWO, library, tmp_path, program, SECOND if port == "eth1" else {})
    assert by(found) == [port] * 4
    assert wires_text(found).startswith(f"100 % left by {port}")
    (used,) = (one for one in found.ports if one.name == port)
    assert found.payload is not None
    for sent, payload in zip(used.sent_bytes, found.payload, strict=True):
        # headers of 66 in 1514 byte, connections, and what the library itself exchanges
        assert sent is not None
        assert payload < sent < 1.3 * payload + 2e5
    checked = Checked(check_wires(load_document(tmp_path / f"{program}.json")))
    assert checked.bad_hosts == ()
    settings = checked.remarks[0].facts["settings"]
    assert f"OMPI_MCA_btl_tcp_if_include={SECOND_ADDRESSES}" in settings or port == "eth0"


@pytest.mark.timeout(400)
@pytest.mark.parametrize("program", ["b_eff", "b_pairs"])
def test_a_host_whose_route_goes_by_the_other_network_is_named(
    tmp_path: Path, program: str
) -> None:
    network = Network(hosts=4, link_mbit=LINK, second_mbit=LINK / 4, astray=frozenset({2}))
    found = measured(network, CLUSTER_OPENMPI, tmp_path, program)
    assert by(found) == ["eth0", "eth0", "eth1", "eth0"]
    checked = Checked(check_wires(load_document(tmp_path / f"{program}.json")))
    assert checked.bad_hosts == ("n2",)
    (finding,) = (one for one in checked if one.verdict == Verdict.BAD)
    assert "n2" in finding.about
    assert {"eth0", "eth1"} <= set(re.findall(r"eth\d", sentence_of(finding)))
