"""The ways between the groups of a map: how far these are apart, and what crosses at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, inf, log, prod, sqrt

import numpy as np

from beff.definition.b_pairs_plan import Ints
from beff.maps import levels
from beff.maps.baseline import Since
from beff.maps.findings import SLOW, MisplacedFinding, Status, WayFinding
from beff.maps.kind import Kind, above_of, cells_of, middle_of
from beff.maps.pair_map import Floats, PairMap
from beff.maps.topology import Known, Switches, known_groups

_LONGER = log(1 + SLOW)
"""A way is slower than it was, and what crosses has waited, from here on."""
_BEST = 0.05
"""So many of its times show a way at its best."""
_BUSY = 0.9
"""In this share of the rounds less crosses than in busy ones."""
_AS_BAD = 0.8
"""What crosses to a slow uplink is slow at its other end, too, but by less."""
_MOST_APART = 0.75
"""Groups are those of a tree where so many of the units are in one that is apart."""


def ways_of(kinds: list[Kind], known: Known | None, beside: Since | None) -> list[WayFinding]:
    """Return the findings on the ways between groups, at each level of these."""
    short, long = kinds
    names = long.pairs.names
    groupings = [long.labels, *above_of(kinds, known)] if beside is None else beside.levels
    groups = _groups_apart(short if beside is None else beside.before[-1][0])
    apart = {name for group in groups for name in group.names}
    is_given = known is not None or (short.groups == 2 and (short.labels == long.labels).all())
    if is_given or len(apart) < _MOST_APART * len(names):  # no tree, or none that the map shows
        apart = {*names} if is_given else set()
    by_level = [replace(long, labels=labels) for labels in groupings]
    ways = [way for kind in by_level for way in _slow_ways(kind, apart)]
    if beside is None:
        far = [group for kind in by_level for group in _far_at_best(kind)]
        uplinks = [
            uplink
            for place, kind in enumerate(by_level)
            for uplink in _uplinks_of(kind, apart, are_above=place > 0)
        ]
        return [*groups, *far, *uplinks, *ways]
    uplinks = [uplink for labels in groupings for uplink in _slower_uplinks(beside, labels)]
    slow = [replace(way, status=Status.SLOW) for way in ways]
    return [*_groups_farther(short), *uplinks, *slow]


def _groups_apart(kind: Kind) -> list[WayFinding]:
    """Return the groups of units between which messages take longer than inside, at their best."""
    inside, crossing = (_of_groups(kind, is_in) for is_in in (True, False))
    # a run that was ended may have left out all pairs of a group with others
    measured = np.flatnonzero(~np.isnan(inside) & ~np.isnan(crossing))
    if kind.groups < 2 or not measured.size:
        return []
    usual, farther = float(np.median(crossing[measured])), crossing - inside
    two_far = kind.groups == 2 and float(np.nanmin(farther)) >= levels.FARTHEST
    most = -inf if two_far else usual + levels.CLEAR
    groups = [
        WayFinding("group", kind.names_of(group), exp(float(farther[group])), status)
        for group in measured.tolist()
        for status in [Status.GOOD if crossing[group] <= most else Status.SUSPECT]
        if farther[group] > levels.APART
    ]
    # of two it cannot be seen which one is far away; a part that is much smaller is
    smaller = min(groups, key=lambda group: len(group.names), default=None)
    if len(groups) == 2 and smaller and len(smaller.names) <= kind.pairs.units / 3:
        return [smaller]
    return groups


def _of_groups(kind: Kind, is_inside: bool, best: float = _BEST) -> Floats:
    """Return for each group what its quickest pairs take, inside of it or with others."""
    ends = np.stack([kind.labels[kind.pairs.first], kind.labels[kind.pairs.second]])
    some = np.where((ends[0] == ends[1]) == is_inside, kind.pairs.times[kind.kind], np.nan)
    return levels.quantiles(ends.ravel(), np.tile(some, 2), kind.groups, best)


def _groups_farther(kind: Kind) -> list[WayFinding]:
    """Return the groups to which short messages take longer than they did."""
    ends, crosses = kind.labels[kind.links.ends], np.where(kind.inside, np.nan, kind.levels)
    change = (
        levels.quantiles(ends, np.tile(crosses, 2), kind.groups, levels.QUICK) - kind.inside_level()
    )
    return [
        WayFinding("group", kind.names_of(group), exp(float(change[group])), Status.SLOW)
        for group in np.flatnonzero(np.nan_to_num(change) > _LONGER).tolist()
    ]


@dataclass(frozen=True)
class _Crossing:
    """How many pairs of a group of `size` cross in busy rounds, and what they take then."""

    group: int
    size: int
    crossing: int
    busy: float

    def finding(self, kind: Kind, usual: float, status: Status, what: str = "uplink") -> WayFinding:
        names, factor = kind.names_of(self.group), exp(self.busy - usual)
        return WayFinding(what, names, factor, status, crossing=self.crossing)


def _uplinks_of(kind: Kind, apart: set[str], *, are_above: bool) -> list[WayFinding]:
    """Return the findings on the uplinks of the groups; two groups share one.

    One that is not as those of groups of about its size is suspect, and so is one that has no like,
    of a group whose units are all surely behind one switch (`apart`): a taper, or a slow uplink. Of
    others the narrowest is reported. Two groups of groups (`are_above`) are like each other.
    """
    if not kind.inside.any():
        return []
    known, usual = _crossings(kind), kind.inside_level()
    waiting = [uplink for uplink in known if uplink.busy - usual > _LONGER]
    if kind.groups == 2:
        waiting = sorted(waiting, key=lambda uplink: uplink.size)[:1]
    out = []
    for uplink in waiting:
        alike = [
            other.busy
            for other in known
            if other is not uplink and abs(log(other.size / uplink.size)) < levels.HIGH
        ]
        has_like = len(alike) >= (1 if are_above and kind.groups == 2 else 2)
        if has_like and uplink.busy - float(np.median(alike)) > levels.CLEAR:
            out.append(uplink.finding(kind, usual, Status.SUSPECT))
        elif not has_like and apart.issuperset(kind.names_of(uplink.group)):
            out.append(uplink.finding(kind, usual, Status.SUSPECT, "unlike uplink"))
    narrowest = sorted(waiting, key=lambda uplink: -uplink.busy)[:1]
    return out or [uplink.finding(kind, usual, Status.GOOD) for uplink in narrowest]


def _far_at_best(kind: Kind) -> list[WayFinding]:
    """Return the groups from which long messages take longer even where hardly anything crosses.

    No number of switches makes them so; where all groups are so, the network is.
    """
    inside, crossing = (_of_groups(kind, is_in, 0.0) for is_in in (True, False))
    usual = inside if kind.groups == 2 else np.full(kind.groups, middle_of(crossing))
    longer = np.nan_to_num(np.fmin(crossing - inside, crossing - usual), nan=-inf)
    groups = [
        WayFinding("far group", kind.names_of(group), exp(float(longer[group])), Status.SUSPECT)
        for group in np.flatnonzero(longer > levels.CLEAR).tolist()
    ]
    return groups if kind.groups > 2 else sorted(groups, key=lambda group: len(group.names))[:1]


def _slower_uplinks(beside: Since, labels: Ints) -> list[WayFinding]:
    """Return the uplinks of groups that slow what crosses more than before, but no pairs inside."""
    now, *before = (replace(kind, labels=labels) for kind in (beside.ways, *beside.ways_before))
    earlier = [{uplink.group: uplink.busy for uplink in _crossings(kind)} for kind in before]
    inside = now.inside_level() - float(np.median([kind.inside_level() for kind in before]))
    usual = {
        uplink: inside + float(np.median(busy))
        for uplink in _crossings(now)
        if (busy := [known[uplink.group] for known in earlier if uplink.group in known])
    }
    worst = max((uplink.busy - level for uplink, level in usual.items()), default=0.0)
    return [
        uplink.finding(now, level, Status.SLOW)
        for uplink, level in usual.items()
        if uplink.busy - level > max(_LONGER, _AS_BAD * worst)
    ]


def _slow_ways(kind: Kind, apart: set[str]) -> Iterator[WayFinding]:
    """Yield the ways between two groups that take longer than the other ways of both.

    Their units are all surely behind one switch (`apart`): in a torus all ways are shared.
    """
    links, groups = kind.links, kind.groups
    crossing = np.where(kind.inside, np.nan, kind.levels - np.fmax(0, np.nan_to_num(kind.expected)))
    cells = cells_of(kind.labels, links.first, links.second)
    ways = levels.quantiles(cells, crossing, groups**2, 0.5).reshape(groups, groups)
    ways = np.fmin(ways, ways.T)
    ends = np.repeat(np.arange(groups), groups)
    usual = levels.quantiles(ends, ways.ravel(), groups, 0.5)
    longer = np.triu(np.nan_to_num(ways - np.fmax(usual[:, None], usual[None, :])))
    for group, other_group in np.argwhere(longer > levels.HIGH).tolist():
        names, others = kind.names_of(group), kind.names_of(other_group)
        if apart.issuperset(names + others):
            factor = exp(float(longer[group, other_group]))
            yield WayFinding("way", names, factor, Status.SUSPECT, others)


def _crossings(kind: Kind) -> list[_Crossing]:
    """Return what crosses in the busy rounds of each group that has enough of them.

    A round is as busy for all groups of about a size, or those that had more by chance would seem
    slower. Not all of a group's pairs wait for the other end, so that in a round the quickest
    quarter counts; in a torus or dragonfly two may meet on one link by chance, so that quick rounds
    do.
    """
    pairs, times = kind.pairs, kind.pairs.times[kind.kind]
    ends = kind.labels[pairs.first], kind.labels[pairs.second]
    beyond = times - np.maximum(0, np.nan_to_num(kind.expected))[kind.links.of]
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
    crossings = []
    for group in busy:
        size = int(sizes[group])
        least = min(busy[other] for other in busy if abs(log(sizes[other] / size)) < levels.HIGH)
        crossing = ceil(round(least * size, 9))
        rounds = pairs.round_numbers[crosses[group]]
        many = loads[group][rounds] >= crossing
        of_rounds = levels.quantiles(
            rounds[many], beyond[crosses[group]][many], len(loads[group]), levels.QUICK
        )
        of_rounds = of_rounds[~np.isnan(of_rounds)]
        if of_rounds.size >= levels.FEW:
            took = float(np.quantile(of_rounds, _BEST))
            crossings.append(_Crossing(group, size, crossing, took))
    return crossings


_MEDIAN_OF_SIGMA = 1.25
"""Standard error of the median of k Gaussian values, times the root of k."""
_FEWEST_OTHERS = 2
"""So many others show where a host is."""


def in_place(
    pairs: PairMap, switches: Sequence[Switches] | None
) -> tuple[Known | None, tuple[MisplacedFinding, ...]]:
    """Return the groups that switches make, with units moved to where the map shows them.

    Moved are those that are surely nearer to others; none where groups are not apart.
    """
    if switches is None:
        return None, ()
    known = known_groups(switches)
    links = levels.links_of(pairs)
    took = levels.quantiles(links.of, pairs.times["small"], len(links.first), levels.QUICK)
    # [group, unit]: what messages to those of a group take, and to how many
    labels, other_ends = known.labels, np.concatenate([links.second, links.first])
    cells, shape = labels[other_ends] * pairs.units + links.ends, (len(known.switches), pairs.units)
    near = levels.quantiles(cells, np.tile(took, 2), prod(shape), levels.QUICK).reshape(shape)
    met = np.bincount(cells, np.tile(~np.isnan(took), 2), prod(shape)).reshape(shape)
    near[met < _FEWEST_OTHERS] = np.nan
    every, others = np.arange(pairs.units), np.maximum(1, met)
    at_home = near[labels, every]
    elsewhere = near.copy()
    elsewhere[labels, every] = np.inf
    elsewhere[np.isnan(elsewhere)] = np.inf
    nearest, gain = elsewhere.argmin(axis=0), at_home - elsewhere.min(axis=0)
    known_gain = gain[np.isfinite(gain)]
    apart = -float(np.median(known_gain)) if known_gain.size else 0.0
    if apart < levels.APART:
        return known, ()
    error = levels.ERROR_OF_QUICK * levels.scatter(links, pairs.times["small"])
    error *= _MEDIAN_OF_SIGMA / sqrt(float(np.median(links.counts)))
    sure = levels.SIGMAS * error * np.sqrt(1 / others[labels, every] + 1 / others[nearest, every])
    moved = np.flatnonzero(np.nan_to_num(gain, neginf=-1.0) > np.fmax(levels.AGREES * apart, sure))
    seen = labels.copy()
    seen[moved] = nearest[moved]
    switch, factor = known.names, [exp(each) for each in gain.tolist()]
    return replace(known, labels=seen), tuple(
        MisplacedFinding(pairs.names[unit], switch[labels[unit]], switch[seen[unit]], factor[unit])
        for unit in moved.tolist()
    )
