"""What is said to limit b_eff between two switches with a thin link, measured by real libraries."""

from __future__ import annotations

from pathlib import Path

import pytest

from beff.result.load import load_document
from beff.twin.limit import limit_of
from cluster.emulation import Network, make_cell
from cluster.emulation.mpi import ClusterLibrary

NETWORK = Network(hosts=8, link_mbit=40, backbone_mbit=40)
MEMORY = ("--memory-per-process", "64MiB")
B_EFF = (
    *("--patterns", "0-35", "--methods", "nonblocking", "--repetitions", "1"),
    *("--loop-time", "10ms", "--hang-limit", "60s"),
)


@pytest.mark.timeout(400)
def test_an_uplink_is_named_or_nothing(library: ClusterLibrary, tmp_path: Path) -> None:
    """Four hosts share what one of them could send.

    On a busy machine it may not be seen in the map; it is a link of the network in any case.
    """
    with make_cell(NETWORK) as cell:
        for program, options in (("b_eff", B_EFF), ("b_pairs", ("--duration", "20s"))):
            library.run(
                cell,
                NETWORK.hosts,
                *(*MEMORY, *options),
                cwd=tmp_path,
                program=program,
                timeout=180,
            )
    documents = (load_document(tmp_path / f"{name}.json") for name in ("b_eff", "b_pairs"))
    limit = limit_of(*documents)
    assert limit is not None
    assert limit.roof in ("uplink", "links of the network", None), limit.sentence
