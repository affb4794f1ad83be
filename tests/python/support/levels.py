"""Maps whose levels a test gives: each pair takes the same in all its meetings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from beff.definition.b_pairs_plan import KINDS, meetings, rounds_until_all_met
from beff.maps.findings import PairJudgement, Status, WayFinding
from beff.maps.fleet_fit import MapOfFleet
from beff.maps.pair_map import PairMap

Floats = NDArray[np.float64]
BASE_NS = {"small": 2000.0, "large": 100_000.0}
HOP = 1.15
"""What a map of a fleet takes more to another leaf."""


def constant(small: Floats, large: Floats | None = None, passes: int = 20) -> PairMap:
    """Return the map of factors [units, units], of which those above the diagonal count."""
    units = len(small)
    met = meetings(units, rounds_until_all_met(units), passes, 1)
    factors = {"small": small, "large": np.ones_like(small) if large is None else large}
    none = np.zeros(0, dtype=np.int64)
    return PairMap(
        unit="host",
        names=tuple(f"n{unit}" for unit in range(units)),
        bytes_of={"small": 1, "large": 1 << 20},
        passes=met.passes,
        rounds=met.rounds,
        first=met.first,
        second=met.second,
        times={
            kind: np.log(BASE_NS[kind] * factors[kind][met.first, met.second]) for kind in KINDS
        },
        retest_first=none,
        retest_second=none,
        retests={way: np.zeros(0) for way in (*KINDS, "there", "back")},
    )


def in_groups(*sizes: int, apart: float) -> Floats:
    """Return factors of units in groups of these sizes: `apart` between them, 1 inside."""
    label = np.repeat(np.arange(len(sizes)), sizes)
    return np.where(label[:, None] == label[None, :], 1.0, apart)


def waiting(own: Iterable[float]) -> Floats:
    """Return factors of pairs that wait for the slower unit."""
    factors = np.array([*own])
    return np.maximum(factors[:, None], factors[None, :])


def exact(
    day: float, hosts: Mapping[str, float], level: float = 0.0, leaves: Sequence[str] = ()
) -> MapOfFleet:
    """Return a map of a fleet: hosts that take so many times as long, all times `level` longer."""
    leaf = np.unique([*leaves] or ["one"] * len(hosts), return_inverse=True)[1]
    factors = waiting(hosts.values()) * np.where(leaf[:, None] == leaf[None, :], 1.0, HOP)
    pairs = constant(factors, factors, passes=4)
    times = dict.fromkeys(KINDS, pairs.times["small"] + level)
    switches = tuple(("root", one) for one in leaves) or None
    return MapOfFleet(day, replace(pairs, names=tuple(hosts), times=times), switches)


def units(found: PairJudgement, status: Status) -> set[str]:
    """Return the names of units with a status."""
    return {unit.name for unit in found.with_status(status)}


def links(found: PairJudgement, status: Status) -> set[tuple[str, str]]:
    """Return the ends of links with a status."""
    return {(link.first, link.second) for link in found.links if link.status == status}


def names(count: int, *but: int) -> set[str]:
    """Return the names of so many units, without some."""
    return {f"n{unit}" for unit in range(count) if unit not in but}


def of(found: PairJudgement, what: str) -> list[WayFinding]:
    """Return what is said of groups, uplinks or ways between two groups."""
    return [one for one in found.ways if one.what == what]
