"""Made-up histories of fleets are as they say: medians of times, before and after."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.fleet_rows import FleetRow, fleet_rows
from support.fleets import MACHINE, Fault, fleet_of

QUIET: dict[str, Any] = {"hosts": 48, "days": 60, "spread": 0.0, "drift_per_week": 0.0, "passes": 5}
SLOW, UPLINK = Fault("n020", 30, 1.3), Fault("leaf01", 30, 1.5)


def ratio(kind: str, where: str, is_far: bool | None, **site: Any) -> float:
    """The median from day 30 on / before, of pairs of a host or leaf; is_far: between leaves."""
    times: tuple[list[float], list[float]] = ([], [])
    for each in fleet_of(1, **QUIET | site).maps:
        pairs, leaves = each.pairs, [path[-1] for path in each.switches or ()]
        for one, other, log in zip(pairs.first, pairs.second, pairs.times[kind], strict=True):
            concerned = {pairs.names[one], pairs.names[other], leaves[one], leaves[other]}
            if where in concerned and is_far in (None, leaves[one] != leaves[other]):
                times[each.day >= 30].append(float(np.exp(log)))
    return float(np.median(times[1]) / np.median(times[0]))


@pytest.mark.parametrize(
    ("kind", "where", "is_far", "site", "expected"),
    [
        ("small", "n020", None, {"faults": (SLOW,)}, 1.3),
        ("large", "n021", None, {"faults": (SLOW,)}, 1.0),
        ("large", "n020", None, {"faults": (SLOW,), "additive": True}, 1.15),
        ("small", "n020", None, {"faults": (Fault("n020", 30, 1.3, kinds=("large",)),)}, 1.0),
        ("large", "leaf01", True, {"faults": (UPLINK,)}, 1.5),
        ("large", "leaf01", False, {"faults": (UPLINK,)}, 1.0),
        ("small", "n040", None, {"faults": (Fault(MACHINE, 30, 3.0),)}, 3.0),
        ("small", "leaf01", False, {"replaced_leaf": ("leaf01", 30, 0.9)}, 0.9),
    ],
)
def test_factors_come_out(
    kind: str, where: str, is_far: bool | None, site: dict[str, Any], expected: float
) -> None:
    assert ratio(kind, where, is_far, **site) == pytest.approx(expected, rel=0.03)


def test_the_seed_says_it_all() -> None:
    first, again, other = ([m.pairs for m in fleet_of(s, **QUIET).maps] for s in (1, 1, 2))
    for one, same in zip(first, again, strict=True):
        np.testing.assert_array_equal(one.times["large"], same.times["large"])
    assert [pairs.names for pairs in first] != [pairs.names for pairs in other]


@pytest.mark.parametrize("row", fleet_rows(), ids=lambda row: row.name)
def test_who_must_be_named_is_slow_and_was_measured(row: FleetRow) -> None:
    fleet = row.fleet()
    for named in row.named:
        assert fleet.is_slow(named.where, named.by_day)
        if named.where.startswith("n"):
            assert fleet.times_seen(named.where, named.from_day, named.by_day) >= 3
