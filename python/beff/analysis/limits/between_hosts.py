"""Which roof is the nearest in most random rings between hosts, by a map of pairs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from beff.analysis.b_eff.averages import Figures
from beff.analysis.b_eff.definition import (
    RANDOM_PATTERNS,
    RING_PATTERNS,
    draw_of,
    in_first_group,
)
from beff.analysis.limits.roofs import (
    EXCEEDED,
    NOT_NEAR,
    REACHED,
    ROOFS,
    Iteration,
    Known,
    Reach,
    Roof,
    host_shares,
)
from beff.analysis.twin.traffic import traffic_of
from beff.analysis.twin.ways import ways_of
from beff.model.b_eff_result import BEffResult
from beff.model.b_pairs_result import BPairsResult
from beff.model.numbers import BYTES_PER_MB, rate

FAR_BELOW_RINGS = 0.6
"""Where random rings reach less than this share of what rings reach, links between limit."""
_MOST_PLACES = 60_000
"""Of random rings; more would take seconds."""


@dataclass(frozen=True)
class Nearest:
    """The nearest roof of an iteration, None where none is reached."""

    iteration: Iteration
    roof: Roof | None
    reach: Reach
    hosts: float
    """Of the busiest host, as a share of what it reaches in the map of pairs."""

    @property
    def name(self) -> str | None:
        """The name of the roof."""
        return None if self.roof is None else self.roof.name


def nearest_roof(known: Known, iteration: Iteration) -> Nearest:
    """Return the nearest roof of an iteration; what it exceeds is none."""
    reaches = [(roof.reach(known, iteration), roof) for roof in ROOFS]
    reach, roof = max(
        (each for each in reaches if each[0].share <= EXCEEDED * each[1].slack),
        key=lambda each: each[0].share,
        default=(NOT_NEAR, ROOFS[0]),
    )
    hosts = float(host_shares(known, iteration).max())
    return Nearest(iteration, roof if reach.share >= REACHED else None, reach, hosts)


def said_between_hosts(known: Known, iterations: Sequence[Iteration]) -> tuple[str | None, str]:
    """Return the name of the roof, None where it is not known, and what to say."""
    nearest = [nearest_roof(known, iteration) for iteration in iterations]
    random = [each for each in nearest if each.iteration.pattern in RANDOM_PATTERNS]
    rings = [each for each in nearest if each.iteration.pattern not in RANDOM_PATTERNS]
    name = _in_most(random)
    if name is not None:
        in_rings = "rings and " if _in_most(rings) == name else ""
        return name, f"{_sentence(known, random, name)} (in {in_rings}random rings)"
    shared = _shared_ways(rings, random)
    if shared is not None:
        return "links of the network", shared
    of_rings = _in_most(rings)
    if of_rings is not None:
        return (
            None,
            f"no limit is near in random rings; in rings {_sentence(known, rings, of_rings)}",
        )
    return None, _why_not(known, random)


def _in_most(group: Sequence[Nearest]) -> str | None:
    """Return the name of the roof that is the nearest in half of a group or more."""
    often = Counter(each.name for each in group if each.name is not None)
    return next((roof.name for roof in ROOFS if 2 * often[roof.name] >= len(group) > 0), None)


def _sentence(known: Known, group: Sequence[Nearest], name: str) -> str:
    """Say it by the pattern in the middle of those that are near."""
    mine = sorted((each for each in group if each.name == name), key=lambda one: one.reach.share)
    typical = mine[len(mine) // 2]
    assert typical.roof is not None
    return typical.roof.sentence(known, typical.iteration, typical.reach)


def _shared_ways(rings: Sequence[Nearest], random: Sequence[Nearest]) -> str | None:
    """Say so where random rings reach much less than rings, with the same hosts and messages."""
    if not rings or not random or any(each.roof is not None for each in random):
        return None
    in_rings = float(np.median([each.hosts for each in rings]))
    in_random = float(np.median([each.hosts for each in random]))
    if in_rings < REACHED or in_random > FAR_BELOW_RINGS * in_rings:
        return None
    first, other = (_typical_rate(group) for group in (random, rings))
    return f"links of the network: {first} leave a host in random rings, {other} in rings"


def _typical_rate(group: Sequence[Nearest]) -> str:
    rates = [float(each.iteration.rates().max()) for each in group]
    return rate(float(np.median(rates)) / BYTES_PER_MB)


def _why_not(known: Known, nearest: Sequence[Nearest]) -> str:
    hosts = float(np.median([each.hosts for each in nearest]))
    each = _typical_rate(nearest)
    if hosts > EXCEEDED:
        return f"{each} leave a host, more than between two hosts in the map of pairs"
    if hosts >= REACHED:
        what = f"{each} leave a host, as much as between two hosts in the map of pairs"
        if np.isnan(known.ways.ports).all():
            return f"{what}, and the rate of the ports is not known"
        port = float(np.nanmedian(known.ways.ports)) / BYTES_PER_MB
        return f"{what}, and its ports have {rate(port)}"
    return f"{each} leave a host, and no known limit is near"


def between_hosts(
    result: BEffResult, figures: Figures, pairs: BPairsResult
) -> tuple[str | None, str]:
    """Return the name of the roof, None where it is not known, and what to say."""
    ways = ways_of(pairs)
    if np.isnan(ways.hosts).any():
        return None, "the map of pairs has no long messages of some host"
    copy = None if pairs.roofs is None else pairs.roofs.copy_MBps_per_process
    placement = result.environment.placement
    alone = figures.pingpong_MBps if placement[0] != placement[1] else None
    known = Known(
        ways,
        copy * BYTES_PER_MB if copy else None,
        alone * BYTES_PER_MB if alone else None,
        result.environment.simulated,
    )
    return said_between_hosts(known, iterations_of(result, figures))


def iterations_of(result: BEffResult, figures: Figures) -> list[Iteration]:
    """Return the averaged rings and random rings at L_max; of many processes not all of these."""
    environment = result.environment
    lmax = result.message_sizes_bytes[-1]
    most = max(3, _MOST_PLACES // environment.processes)
    chosen = [p for p in range(RING_PATTERNS) if in_first_group(result.definition, p)]
    found = []
    for pattern in (*chosen, *RANDOM_PATTERNS[:most]):
        bandwidth = figures.patterns[pattern].by_size[-1]
        if bandwidth is None:
            continue
        traffic = traffic_of(pattern, environment.placement, draw_of(result.options))
        took_s = lmax * len(traffic.sender) / (bandwidth * BYTES_PER_MB)
        found.append(Iteration(pattern, traffic, lmax, took_s))
    return found
