"""Many processes: the law still holds, and nothing of ours stands in the way."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from beff.launch.networks import NETWORKS, describe
from simulated.law import Route, one_after_the_other, time_at
from simulated.support import LINKS, engine, needs_simgrid, run_b_eff

pytestmark = needs_simgrid

SHARED_BY_ALL = {
    "beff::(anonymous namespace)::reason_to_stop",
    "beff::(anonymous namespace)::launcher",
}
"""The wish to stop, set by a signal, and who started them are the same for all processes."""


@pytest.mark.parametrize("processes", [256, 1024])
def test_a_ring_of_many(tmp_path: Path, processes: int) -> None:
    """One ring, the two largest sizes, MPI_Sendrecv alone.

    MPI_Alltoallv would be n^2 messages in each iteration. Definition 3.1 fixes the loop length, 1
    or 2 here, so that no latency is measured first.
    """
    network = describe(NETWORKS["flat"], processes, None, LINKS)
    result = run_b_eff(
        tmp_path,
        network,
        network.hosts,
        *("--patterns", "5", "--sizes", "19,20", "--methods", "sendrecv", "--definition", "3.1"),
    )
    assert result["environment"]["nodes"] == processes
    placement = result["environment"]["placement"].split()
    assert [int(node) for node in placement] == list(range(processes))
    law = one_after_the_other(Route(2 * LINKS.latency, LINKS.bandwidth), 2)
    assert time_at(result, 5, "sendrecv", 20) == pytest.approx(law(2**20), rel=1e-3)
    assert result["samples"]["loop_length"] == [2, 1]


def test_the_engine_keeps_no_state_between_processes() -> None:
    """All simulated processes are threads of one: a variable of one would be that of all.

    Names of constants begin with k.
    """
    listed = subprocess.run(
        ["nm", "--demangle", "--defined-only", engine("b_eff")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    writable = re.findall(r"^[0-9a-f]+ [dDbB] (beff::.*)$", listed, flags=re.MULTILINE)
    assert {"beff::kProgramVersion", *SHARED_BY_ALL} <= set(writable)
    assert {name for name in writable if not re.search(r"::k[A-Z]", name)} == SHARED_BY_ALL
