"""What is said to limit b_eff where it is known by construction."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulated.known_limits import MACHINES, Machine, said_of
from simulated.support import needs_simgrid

pytestmark = needs_simgrid

MUST_BE_NAMED = (
    *("one switch", "leaves of 4, uplinks 2:1", "leaves of 4, uplinks 4:1"),
    *("two switches, backbone 1:4", "torus 4x4x2", "latency 1 ms", "one host x 2"),
    *("two hosts x 2 of 16", "cables, one of 6 x 4", "one host, memory shared"),
)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_no_line_is_wrong(tmp_path: Path, machine: Machine) -> None:
    limit = said_of(machine, tmp_path)
    assert limit.roof in (*machine.right, None), limit.sentence
    assert limit.roof is not None or machine.name not in MUST_BE_NAMED, limit.sentence
