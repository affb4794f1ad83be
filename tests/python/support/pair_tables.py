"""Tables of what each two hosts of a made-up machine take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beff.judge.finding import Checked, with_hosts
from beff.judge.hosts import findings_of
from beff.maps.judge_pairs import judge_pairs
from support.machines.machine import Machine
from support.machines.measure import BYTES, map_of, measured_alone

LONG = BYTES["large"]


@dataclass(frozen=True)
class Pair:
    """Two hosts and what they took, in ns: both ways at once, and a long message each way."""

    first: str
    second: str
    small: float
    large: float
    there: float
    back: float


def pairs_of(machine: Machine, seed: int) -> list[Pair]:
    """Return a single measurement of each pair."""
    first, second = (ends.astype(np.int64) for ends in np.triu_indices(machine.units, 1))
    took = measured_alone(machine, seed, first, second)
    rows = zip(
        first, second, *(took[way] for way in ("small", "large", "there", "back")), strict=True
    )
    return [Pair(f"n{row[0]}", f"n{row[1]}", *map(float, row[2:])) for row in rows]


def by_our_own_map(machine: Machine, seed: int) -> Checked:
    """Return what is said of the machine by a map of b_pairs."""
    pairs = map_of(machine, seed)
    return with_hosts(findings_of(pairs, judge_pairs(pairs)))


def times_table(pairs: list[Pair]) -> str:
    """Times of both lengths, with the day; both ways at once."""
    rows = [
        (pair.first, pair.second, size, ns / 1e9)
        for pair in pairs
        for size, ns in ((8, pair.small), (LONG, pair.large))
    ]
    lines = [f"{one},{other},{size},{s:.6e},2026-11-01T10:00:00Z" for one, other, size, s in rows]
    return "\n".join(["from,to,bytes,seconds,when", *lines, ""])


def rates_table(pairs: list[Pair]) -> str:
    """Bandwidths in both directions, with rounds."""
    ways = [
        way
        for pair in pairs
        for way in (
            (pair.first, pair.second, pair.there),
            (pair.second, pair.first, pair.back),
        )
    ]
    lines = [
        f"{one},{other},{LONG},{LONG / ns * 1e3:.3f},{number // 2}"
        for number, (one, other, ns) in enumerate(ways)
    ]
    return "\n".join(["from,to,bytes,MBps,round", *lines, ""])
