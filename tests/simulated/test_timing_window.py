"""Processes enter a loop in the step of the pattern, not one after the other out of a barrier."""

from __future__ import annotations

from pathlib import Path

import pytest

from beff.launch.networks import NETWORKS, describe
from simulated.support import LINKS, needs_simgrid, run_b_eff

pytestmark = needs_simgrid


def test_short_loops_show_what_long_ones_show(tmp_path: Path) -> None:
    """The skew with which processes leave a barrier would make the short ones slower."""
    network = describe(NETWORKS["flat"], 8, None, LINKS)
    values = {}
    for loop_time in ("2500us", "10ms"):
        result = run_b_eff(
            tmp_path,
            network,
            network.hosts,
            *("--patterns", "0-35", "--loop-time", loop_time),
            memory_bytes=64 << 20,
        )
        values[loop_time] = result["summary"]["b_eff_MBps"]
    assert values["2500us"] == pytest.approx(values["10ms"], rel=5e-4)
