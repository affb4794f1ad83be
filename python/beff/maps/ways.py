"""The ways between the groups of a map: how far these are apart, and what crosses at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, inf, log

import numpy as np

from beff.maps.constants import APART, CLEAR, FARTHEST, FEW, HIGH, QUICK
from beff.maps.findings import SLOW, GroupFinding, Status, UplinkFinding, WayFinding
from beff.maps.kind import Kind, cells_of, middle_of
from beff.maps.levels import quantiles
from beff.maps.pair_map import Floats

_LONGER = log(1 + SLOW)
"""A way is slower than it was, and what crosses has waited, from here on."""
_BEST = 0.05
"""So many of its times show a way at its best."""
_BUSY = 0.9
"""So many of the rounds have less that crosses."""
_AS_BAD = 0.8
"""What crosses to a slow uplink is slow at its other end, too, but by less."""


def groups_apart(kind: Kind) -> list[GroupFinding]:
    """Return the groups of units between which messages take longer than inside, at their best."""
    inside, crossing = (_of_groups(kind, is_in) for is_in in (True, False))
    # a run that was ended may have left out all pairs of a group with others
    measured = np.flatnonzero(~np.isnan(inside) & ~np.isnan(crossing))
    if kind.groups < 2 or not measured.size:
        return []
    usual, farther = float(np.median(crossing[measured])), crossing - inside
    two_far = kind.groups == 2 and float(np.nanmin(farther)) >= FARTHEST
    found = [
        GroupFinding(
            kind.names_of(group),
            exp(float(farther[group])),
            Status.GOOD if crossing[group] <= usual + CLEAR and not two_far else Status.SUSPECT,
        )
        for group in measured.tolist()
        if farther[group] > APART
    ]
    # of two it cannot be seen which one is far away; a part that is much smaller is
    smaller = min(found, key=lambda group: len(group.names), default=None)
    if len(found) == 2 and smaller and len(smaller.names) <= kind.pairs.units / 3:
        return [smaller]
    return found


def _of_groups(kind: Kind, is_inside: bool, best: float = _BEST) -> Floats:
    """Return of each group what its quickest pairs take, inside of it or with others."""
    ends = np.stack([kind.labels[kind.pairs.first], kind.labels[kind.pairs.second]])
    some = np.where((ends[0] == ends[1]) == is_inside, kind.pairs.times[kind.kind], np.nan)
    return quantiles(ends.ravel(), np.tile(some, 2), kind.groups, best)


def groups_farther(kind: Kind) -> list[GroupFinding]:
    """Return the groups to which short messages take longer than they did."""
    ends = np.stack([kind.labels[kind.links.first], kind.labels[kind.links.second]])
    crosses = np.where(kind.inside, np.nan, kind.levels)
    change = quantiles(ends.ravel(), np.tile(crosses, 2), kind.groups, QUICK) - kind.inside_level()
    return [
        GroupFinding(kind.names_of(group), exp(float(change[group])), Status.SLOW)
        for group in np.flatnonzero(np.nan_to_num(change) > _LONGER).tolist()
    ]


@dataclass(frozen=True)
class _Crossing:
    """How many pairs of a group of `size` cross in busy rounds, and what they take then."""

    group: int
    size: int
    crossing: int
    busy: float

    def finding(self, kind: Kind, usual: float, status: Status) -> UplinkFinding:
        share = exp(usual - self.busy)
        return UplinkFinding(kind.names_of(self.group), self.crossing, share, status)


def uplinks_of(kind: Kind, apart: set[str], *, are_above: bool) -> list[UplinkFinding]:
    """Return what is to be said of the uplinks of the groups; of two groups it is the same way.

    One that is not as those of groups of about its size is suspect, and so is one that has no like,
    of a group whose units are all surely behind one switch (`apart`): a taper, or a slow uplink. Of
    others the narrowest is said. Two groups of groups (`are_above`) are like each other.
    """
    if not kind.inside.any():
        return []
    known, usual = _crossings(kind), kind.inside_level()
    waiting = [uplink for uplink in known if uplink.busy - usual > _LONGER]
    if kind.groups == 2:
        waiting = sorted(waiting, key=lambda uplink: uplink.size)[:1]
    out = []
    for uplink in waiting:
        alike = _of_alike(uplink, known, 1 if are_above and kind.groups == 2 else 2)
        if alike is not None and uplink.busy - alike > CLEAR:
            out.append(uplink.finding(kind, usual, Status.SUSPECT))
        elif alike is None and apart.issuperset(kind.names_of(uplink.group)):
            out.append(replace(uplink.finding(kind, usual, Status.SUSPECT), has_like=False))
    narrowest = sorted(waiting, key=lambda uplink: -uplink.busy)[:1]
    return out or [uplink.finding(kind, usual, Status.GOOD) for uplink in narrowest]


def far_at_best(kind: Kind) -> list[GroupFinding]:
    """Return the groups from which long messages take longer even where hardly anything crosses.

    No number of switches makes them so; where all groups are so, the network is.
    """
    inside, crossing = (_of_groups(kind, is_in, 0.0) for is_in in (True, False))
    usual = inside if kind.groups == 2 else np.full(kind.groups, middle_of(crossing))
    longer = np.nan_to_num(np.fmin(crossing - inside, crossing - usual), nan=-inf)
    found = [
        GroupFinding(
            kind.names_of(group), exp(float(longer[group])), Status.SUSPECT, kind=kind.kind
        )
        for group in np.flatnonzero(longer > CLEAR).tolist()
    ]
    return found if kind.groups > 2 else sorted(found, key=lambda group: len(group.names))[:1]


def slower_uplinks(now: Kind, before: Sequence[Kind]) -> tuple[UplinkFinding, ...]:
    """Return the uplinks of which what crosses takes longer than before, as pairs inside do not."""
    earlier = [{uplink.group: uplink.busy for uplink in _crossings(kind)} for kind in before]
    inside = now.inside_level() - float(np.median([kind.inside_level() for kind in before]))
    usual = {
        uplink: inside + float(np.median(busy))
        for uplink in _crossings(now)
        if (busy := [known[uplink.group] for known in earlier if uplink.group in known])
    }
    worst = max((uplink.busy - before for uplink, before in usual.items()), default=0.0)
    return tuple(
        uplink.finding(now, before, Status.SLOW)
        for uplink, before in usual.items()
        if uplink.busy - before > max(_LONGER, _AS_BAD * worst)
    )


def slow_ways(kind: Kind, apart: set[str]) -> Iterator[WayFinding]:
    """Yield the ways between two groups that take longer than the other ways of both.

    Their units are all surely behind one switch (`apart`): in a torus all ways are shared.
    """
    links, groups = kind.links, kind.groups
    crossing = np.where(kind.inside, np.nan, kind.levels - np.fmax(0, np.nan_to_num(kind.expected)))
    cells = cells_of(kind.labels, links.first, links.second)
    ways = quantiles(cells, crossing, groups**2, 0.5).reshape(groups, groups)
    ways = np.fmin(ways, ways.T)
    ends = np.repeat(np.arange(groups), groups)
    usual = quantiles(ends, ways.ravel(), groups, 0.5)
    longer = np.triu(np.nan_to_num(ways - np.fmax(usual[:, None], usual[None, :])))
    for one, other in np.argwhere(longer > HIGH).tolist():
        names, others = kind.names_of(one), kind.names_of(other)
        if apart.issuperset(names + others):
            yield WayFinding(names, others, exp(float(longer[one, other])))


def _of_alike(uplink: _Crossing, known: Sequence[_Crossing], fewest: int) -> float | None:
    """Return what crosses takes in the middle of other groups of about the size; None of fewer."""
    alike = [
        other.busy
        for other in known
        if other is not uplink and abs(log(other.size / uplink.size)) < HIGH
    ]
    return float(np.median(alike)) if len(alike) >= fewest else None


def _crossings(kind: Kind) -> list[_Crossing]:
    """Return what crosses in the busy rounds of each group that has enough of them.

    A round is as busy for all groups of about a size, or those that had more by chance would seem
    slower. Not all of a group's pairs wait for the other end, so that in a round the quickest
    quarter counts; in a torus or dragonfly two may meet on one link by chance, so that quick rounds
    do.
    """
    pairs, times = kind.pairs, kind.pairs.times[kind.kind]
    ends = kind.labels[pairs.first], kind.labels[pairs.second]
    own = times - np.maximum(0, np.nan_to_num(kind.expected))[kind.links.of]
    sizes = np.bincount(kind.labels, minlength=kind.groups)
    crosses = [
        ((ends[0] == one) ^ (ends[1] == one)) & ~np.isnan(times) for one in range(kind.groups)
    ]
    loads = [np.bincount(pairs.round_numbers[some], minlength=1) for some in crosses]
    busy = {
        group: float(np.quantile(load[load > 0], _BUSY, method="higher")) / sizes[group]
        for group, load in enumerate(loads)
        if load.any()
    }
    found = []
    for group in busy:
        size = int(sizes[group])
        least = min(busy[other] for other in busy if abs(log(sizes[other] / size)) < HIGH)
        crossing = ceil(round(least * size, 9))
        rounds = pairs.round_numbers[crosses[group]]
        many = loads[group][rounds] >= crossing
        of_rounds = quantiles(rounds[many], own[crosses[group]][many], len(loads[group]), QUICK)
        of_rounds = of_rounds[~np.isnan(of_rounds)]
        if of_rounds.size >= FEW:
            took = float(np.quantile(of_rounds, _BEST))
            found.append(_Crossing(group, size, crossing, took))
    return found
