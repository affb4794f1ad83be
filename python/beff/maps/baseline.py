"""A map beside earlier ones of the same hosts: what takes longer than it did."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log, sqrt

import numpy as np

from beff.definition.b_pairs_plan import KINDS, Ints
from beff.maps.findings import CommonFinding, Status
from beff.maps.kind import Kind, above_of, kinds_in, kinds_of, middle_of
from beff.maps.levels import quick_level
from beff.maps.pair_map import FEWEST_UNITS, Floats, PairMap
from beff.maps.topology import Known


@dataclass(frozen=True)
class Since:
    """The map of the hosts that earlier ones have as well.

    `change` are both kinds of messages with changes as times, in the groups of the last earlier
    map: structure, tapers and old habits are in both and cancel. `before` are the kinds of messages
    of each earlier map. `ways` are long messages now, in the groups of whichever map shows more of
    them, `ways_before` those of each earlier map in the same, and `levels` these groups and the
    groups of them. `unknown` are the names that no earlier map has. `common` is what all units take
    longer, which cancels in `change`.
    """

    change: list[Kind]
    before: list[list[Kind]]
    ways: Kind
    ways_before: list[Kind]
    levels: list[Ints]
    unknown: tuple[str, ...]
    common: list[CommonFinding]


def since(pairs: PairMap, earlier: Sequence[PairMap], known: Known | None) -> Since | None:
    """Put a map beside earlier ones, the oldest first; None where these share too few hosts."""
    in_all = set(pairs.names).intersection(*(old.names for old in earlier))
    if len(in_all) < FEWEST_UNITS:
        return None
    shared = [name for name in pairs.names if name in in_all]
    now, maps = only(pairs, shared), [only(old, shared) for old in earlier]
    if known is not None:
        known = replace(known, labels=known.labels[[name in in_all for name in pairs.names]])
    here, last = kinds_of(now, known), kinds_of(maps[-1], known)
    labels = [kind.labels for kind in last]
    before = [*(kinds_in(old, labels) for old in maps[:-1]), last]
    finest = [labels[0], max((last[1], here[1]), key=lambda kind: kind.groups).labels]
    usual = {kind: [_usual(old[i], now) for old in before] for i, kind in enumerate(KINDS)}
    times = {kind: now.times[kind] - _in_the_middle(usual[kind]) for kind in KINDS}
    at_best = [
        kind.quickest - _in_the_middle([old[place].quickest for old in before])
        for place, kind in enumerate(here)
    ]
    change = kinds_in(
        replace(now, times=times, retests=_retests_without(now, before)), labels, at_best=at_best
    )
    ways = kinds_in(now, finest)
    return Since(
        change,
        before,
        ways[1],
        [kinds_in(old, finest)[1] for old in maps],
        [finest[1], *above_of(ways, known)],
        tuple(name for name in pairs.names if name not in in_all),
        [found for kind in change for found in _common(kind, usual[kind.kind])],
    )


SLOWER = log(1.3)
"""The same machine may be slower by less on another day."""
_ENOUGH = 3
_SURE = 0.99
"""So many of the maps that the same machine gives are quicker."""


def _common(change: Kind, usual: list[Floats]) -> Iterator[CommonFinding]:
    """Yield what all or most units take longer than in earlier maps, in which pairs took `usual`.

    These are slower with their quickest partner, too. It is sure beyond the prediction interval
    that the levels of enough earlier maps give.
    """
    longer, maps = middle_of(change.quickest), len(usual)
    if longer <= SLOWER:
        return
    reach = reach_of([float(np.nanmedian(one)) for one in usual])
    status = Status.SLOW if longer > reach else Status.SUSPECT
    factor = exp(float(np.nanmedian(change.levels)))
    are_all, kind = quick_level(change.quickest) > SLOWER, change.kind
    yield CommonFinding(kind, change.pairs.bytes_of[kind], factor, are_all, maps, status)


def reach_of(levels: Sequence[float]) -> float:
    """Return by how much a map is surely slower than those of these levels; infinite for few."""
    if len(levels) < _ENOUGH:
        return inf
    from scipy.special import stdtrit  # noqa: PLC0415 - takes 0.3 s, only for what is slower

    reach = float(stdtrit(len(levels) - 1, _SURE)) * float(np.std(levels, ddof=1))
    return reach * sqrt(1 + 1 / len(levels))


def only(pairs: PairMap, names: Sequence[str]) -> PairMap:
    """Return the part of a map about some units, which are numbered in the order given."""
    number = {name: place for place, name in enumerate(names)}
    place = np.array([number.get(name, -1) for name in pairs.names], dtype=np.int64)
    first, second, kept = _renumbered(place, pairs.first, pairs.second)
    first_again, second_again, again = _renumbered(place, pairs.retest_first, pairs.retest_second)
    return replace(
        pairs.part(kept),
        names=tuple(names),
        first=first,
        second=second,
        retest_first=first_again,
        retest_second=second_again,
        retests={way: times[again] for way, times in pairs.retests.items()},
        silent=tuple(int(place[unit]) for unit in pairs.silent if place[unit] >= 0),
        waiting=tuple(
            (int(min(place[a], place[b])), int(max(place[a], place[b])))
            for a, b in pairs.waiting
            if min(place[a], place[b]) >= 0
        ),
    )


def _renumbered(place: Ints, first: Ints, second: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the units of the pairs that are kept, the lower number first, and which these are."""
    ends = np.stack([place[first], place[second]]) if first.size else np.zeros((2, 0), np.int64)
    kept = np.flatnonzero((ends >= 0).all(axis=0))
    return ends.min(axis=0)[kept], ends.max(axis=0)[kept], kept


def _in_the_middle(maps: list[Floats]) -> Floats:
    """Return the median over earlier maps, each relative to its own level."""
    if len(maps) == 1 or not maps[0].size:
        return maps[0]
    levels = [np.nanmedian(one) for one in maps]
    together: Floats = np.nanmedian(
        [one - level for one, level in zip(maps, levels, strict=True)], axis=0
    )
    return together + float(np.median(levels))


def _usual(before: Kind, now: PairMap) -> Floats:
    """Return what the pairs of a map took before; if they did not meet, what they should have."""
    met = before.links.find(before.levels, now.first, now.second)
    return np.where(np.isnan(met), before.modelled(now.first, now.second), met)


def _retests_without(now: PairMap, before: list[list[Kind]]) -> dict[str, Floats]:
    """Take from what pairs took alone what their units add and, in short messages, their way.

    Earlier maps have other pairs alone, and long messages took longer in company.
    """
    ends = now.retest_first, now.retest_second
    taken = dict(now.retests)
    for place, kind in enumerate(KINDS):
        of_maps = [
            kinds[place].modelled(*ends) if kind == "small" else kinds[place].slower(*ends)
            for kinds in before
        ]
        taken[kind] = now.retests[kind] - np.nan_to_num(_in_the_middle(of_maps))
    return taken
