"""Which links between good units are slow, and what crosses at once between groups gets.

It gets a part of what pairs inside of groups get.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from math import exp, inf, log, sqrt

import numpy as np

from beff.maps.at_times import HIGH, Often
from beff.maps.findings import Evidence, LinkFinding, Status, UplinkFinding
from beff.maps.kind import Kind
from beff.maps.levels import most_of, quantiles
from beff.maps.pair_map import Floats, Mask, PairMap
from beff.maps.schedule import Ints
from beff.maps.units import AGREES, FARTHEST, Rules

_LEAST = log(1.25)
_SIGMAS = 6.0
"""A link is slow from 25 % more time on, and from so many standard deviations of all links."""
_MOST = 12
"""So many links are measured again; more that look slow are no links, but the way of many."""
_MOST_SHARING = 2
"""More that are slow at times, or not measured alone between groups, wait for what they share."""
_ENOUGH = 10
"""In fewer meetings one of many links is slow by chance."""
_SLOW_ALONE = "slow in all of them"
_NOT_RETESTED = "slow while others are under way; alone it was not measured"
_WITH_SOME = "slow with a part of the others"
_FEWEST, _PART = 3, 0.25
"""A unit that is slow with so many others, and such a part of them, has more than a slow link."""
_SELDOM = "slow whenever it was measured, which was seldom: measure it again"
_FAR = "a longer way than that of other pairs, or slow"
_OR_AN_END = "or one of its two ends is slow: with others they wait for what they share"
_OFTEN = "slow in a part of its rounds, and more often than others"

Link = tuple[int, int]
Said = tuple[Link, Status, Evidence]


def slow_links(
    pairs: PairMap, kinds: Sequence[Kind], often: Sequence[Often | None], good: Mask, rules: Rules
) -> dict[Link, LinkFinding]:
    """Return the links that are slow or suspect; those of a unit that is so are its own matter.

    `often` is None of a kind of messages at which it is open which units are slow.
    """
    found: dict[Link, list[tuple[Status, Evidence]]] = {pair: [] for pair in pairs.waiting}
    for kind, other, by_rounds in zip(kinds, reversed(kinds), often, strict=True):
        if by_rounds is not None:
            links = _Links(kind, other, good, rules)
            for link, status, evidence in chain(links.slow(), links.slow_at_times(by_rounds)):
                found.setdefault(link, []).append((status, evidence))
    ends = Counter(chain(*found))
    return {
        link: _finding(pairs, link, said, is_alone=max(ends[end] for end in link) == 1)
        for link, said in sorted(found.items())
    }


def slow_with_some(
    kinds: Sequence[Kind], good: Mask, rules: Rules
) -> Iterator[tuple[int, Evidence]]:
    """Yield good units that are slow with some others, as by one of two ports.

    The slow links are theirs: no other unit has as many of them.
    """
    for kind, other in zip(kinds, reversed(kinds), strict=True):
        yield from _Links(kind, other, good, rules).of_units()


@dataclass(frozen=True)
class _Links:
    """The links between good units at one kind of messages, beside the other one."""

    kind: Kind
    other: Kind
    good: Mask
    rules: Rules

    def slow(self) -> Iterator[Said]:
        """Yield the links that are slow in all their meetings."""
        kind = self.kind
        places = np.flatnonzero(self._is_slow).tolist()
        worst_first = sorted(places, key=lambda place: -self._excess[place])
        once = {*worst_first[:_MOST]} if kind.pairs.is_foreign else set()
        for place in places:
            link, excess = self._ends(place), float(self._excess[place])
            alone = kind.alone_of_link(*link)
            by_itself = kind.links_at_best[place] if alone is None else log(alone)
            counts_enough = alone is not None or self._counts(place, places)
            if by_itself < AGREES * excess or not (counts_enough or place in once):
                continue
            status, reason = self._judged(place, link, excess, alone)
            if not counts_enough:
                status, reason = Status.SUSPECT, _SELDOM
            counts = (int(kind.links.counts[place]),) * 2
            yield link, status, kind.evidence(exp(excess), counts, alone, reason)

    def of_units(self) -> Iterator[tuple[int, Evidence]]:
        """Yield units that have most of the slow links, a part of their own."""
        kind, links = self.kind, self.kind.links
        slow = self._is_slow & (kind.links_at_best >= AGREES * self._excess)
        ends = np.stack([links.first, links.second])
        while slow.any():
            count = np.bincount(ends[:, slow].ravel(), minlength=kind.pairs.units)
            unit = int(count.argmax())
            mine = (ends == unit).any(axis=0)
            enough = max(_FEWEST, _PART * int((mine & ~np.isnan(kind.levels)).sum()))
            if count[unit] < max(enough, slow.sum() / 2):
                return
            met = int(links.counts[mine & slow].sum()), int(links.counts[mine].sum())
            factor = exp(float(np.median(self._excess[mine & slow])))
            yield unit, kind.evidence(factor, met, None, _WITH_SOME)
            slow &= ~mine

    def slow_at_times(self, often: Often) -> Iterator[Said]:
        """Yield the links that are slow in a part of their meetings, and more often than others."""
        kind = self.kind
        places = np.flatnonzero(often.stands_out & self._kept & ~self._is_slow).tolist()
        for place in places if len(places) <= _MOST_SHARING else ():
            own = kind.times[kind.links.of == place] - max(0.0, kind.beyond[place])
            factor = exp(float(np.median(own[own > HIGH])))
            counts = int(often.slow[place]), int(often.of[place])
            status = Status.SLOW if self.rules.is_since else Status.SUSPECT
            yield self._ends(place), status, kind.evidence(factor, counts, None, _OFTEN)

    @cached_property
    def _kept(self) -> Mask:
        links = self.kind.links
        kept: Mask = self.good[links.first] & self.good[links.second]
        return kept

    @cached_property
    def _excess(self) -> Floats:
        """What links take beyond what their units do."""
        excess: Floats = self.kind.beyond - np.fmax(self.kind.expected, 0)
        return excess

    @cached_property
    def _is_slow(self) -> Mask:
        kind = self.kind
        error = kind.errors * (sqrt(2) if self.rules.is_since else 1)
        limit = np.fmax(max(_LEAST, _SIGMAS * most_of(self._excess).sigma), _SIGMAS * error)
        slow: Mask = self._kept & (np.nan_to_num(self._excess, nan=-inf) > limit)
        return slow

    def _ends(self, place: int) -> Link:
        return int(self.kind.links.first[place]), int(self.kind.links.second[place])

    def _counts(self, place: int, places: Sequence[int]) -> bool:
        """Whether a link counts that was not measured alone; few meetings are slow by chance."""
        kind = self.kind
        is_by_way = not kind.inside[place] and not self.rules.is_since
        most = _MOST_SHARING if is_by_way else _MOST
        return bool(kind.links.counts[place] >= _ENOUGH and len(places) <= most)

    def _judged(
        self, place: int, link: Link, excess: float, alone: float | None
    ) -> tuple[Status, str]:
        kind = self.kind
        if alone is None and (self.rules.is_since or not kind.inside[place]):
            return Status.SUSPECT, _NOT_RETESTED
        if self._hides_its_ends(place) or (self.other.own[[*link]] > AGREES * excess).any():
            return Status.SUSPECT, _OR_AN_END
        if kind.kind == "large" or self.rules.far_is_slow or excess >= FARTHEST:
            return Status.SLOW, _SLOW_ALONE
        long = self.other.alone_of_link(*link)
        if long is None or log(long) < AGREES * excess:
            return Status.SUSPECT, _FAR
        return Status.SLOW, f"{_SLOW_ALONE}, and long messages alone take {long:.2f} times as long"

    def _hides_its_ends(self, place: int) -> bool:
        """Whether it is the only link inside of a group, and its ends are slow with all others."""
        kind, (one, other) = self.kind, self._ends(place)
        if not kind.inside[place] or np.sum(kind.labels == kind.labels[one]) > 2:
            return False
        ends = np.isin([kind.links.first, kind.links.second], [one, other])
        return bool(np.nanmin(kind.levels[ends[0] ^ ends[1]]) >= kind.levels[place])


def _finding(
    pairs: PairMap, link: Link, said: list[tuple[Status, Evidence]], *, is_alone: bool
) -> LinkFinding:
    """Put together what is said of a link: of several that share an end, this may be slow."""
    is_slow = is_alone and Status.SLOW in [status for status, _ in said]
    status = Status.SLOW if is_slow else Status.SUSPECT
    if link in pairs.waiting:
        status = Status.NO_ANSWER
    reasons = tuple(
        replace(entry, reason=_SLOW_ALONE) if is_slow and entry.reason == _FAR else entry
        for _, entry in said
    )
    return LinkFinding(pairs.names[link[0]], pairs.names[link[1]], status, reasons)


_WORTH = log(1.15)
"""What crosses at once and takes so much longer is said; the way there and back takes some."""
_BUSY = 0.9
"""So many of the rounds have less that crosses."""
_QUICK = 0.25
"""Not all of a group's pairs wait for the other end, and other jobs come and go."""
_STANDS_OUT = log(1.33)
"""An uplink of which all that crosses takes so much longer than of others is not as they are."""
_ALIKE = 1.5
"""Of groups whose sizes differ by more it is not known what their uplinks should carry."""
_AS_BAD = 0.8
"""What crosses to a slow uplink is slow at its other end, too."""
_FEWEST_ROUNDS = 5


@dataclass(frozen=True)
class _Crossing:
    """How many pairs of a group of `size` cross in busy rounds, and what they take then."""

    group: int
    size: int
    crossing: int
    busy: float

    def is_alike(self, other: "_Crossing") -> bool:
        sizes = sorted((self.size, other.size))
        return self.group != other.group and sizes[1] < _ALIKE * sizes[0]


def uplinks_of(kind: Kind) -> tuple[UplinkFinding, ...]:
    """Return what is to be said of the uplinks of the groups; of two groups it is the same way.

    One that is not as those of groups of about its size is suspect; else the narrowest is said.
    """
    if not kind.inside.any():
        return ()
    known, usual = _crossings(kind), kind.inside_level()
    waiting = [uplink for uplink in known if uplink.busy - usual > _WORTH]
    out = [uplink for uplink in waiting if uplink.busy - _of_alike(uplink, known) > _STANDS_OUT]
    if out:
        return tuple(_uplink_finding(kind, uplink, usual, Status.SUSPECT) for uplink in out)
    narrowest = sorted(
        waiting, key=lambda uplink: uplink.size if kind.groups == 2 else -uplink.busy
    )[:1]
    return tuple(_uplink_finding(kind, uplink, usual, Status.GOOD) for uplink in narrowest)


def slower_uplinks(now: Kind, before: Sequence[Kind], limit: float) -> tuple[UplinkFinding, ...]:
    """Return the uplinks of which what crosses takes longer than before, as pairs inside do not."""
    earlier = [{uplink.group: uplink.busy for uplink in _crossings(kind)} for kind in before]
    inside = now.inside_level() - float(np.median([kind.inside_level() for kind in before]))
    usual = {
        uplink: inside + float(np.median(busy))
        for uplink in _crossings(now)
        if (busy := [known[uplink.group] for known in earlier if uplink.group in known])
    }
    slower = {
        uplink: uplink.busy - before
        for uplink, before in usual.items()
        if uplink.busy - before > limit
    }
    worst = max(slower.values(), default=0.0)
    return tuple(
        _uplink_finding(now, uplink, usual[uplink], Status.SLOW)
        for uplink, longer in slower.items()
        if longer > _AS_BAD * worst
    )


def _uplink_finding(kind: Kind, uplink: _Crossing, usual: float, status: Status) -> UplinkFinding:
    names = tuple(np.array(kind.pairs.names)[kind.labels == uplink.group].tolist())
    return UplinkFinding(names, uplink.crossing, exp(usual - uplink.busy), status)


def _of_alike(uplink: _Crossing, known: Sequence[_Crossing]) -> float:
    """Return what crosses takes in the middle of other groups of about the size; else infinite."""
    alike = [other.busy for other in known if uplink.is_alike(other)]
    return float(np.median(alike)) if len(alike) > 1 else inf


def _crossings(kind: Kind) -> list[_Crossing]:
    """Return what crosses, of the groups of which enough rounds are busy; of one group nothing."""
    pairs, times = kind.pairs, kind.pairs.times[kind.kind]
    ends = kind.labels[pairs.first], kind.labels[pairs.second]
    own = times - np.maximum(0, np.nan_to_num(kind.expected))[kind.links.of]
    found = []
    for group in range(kind.groups):
        crosses = ((ends[0] == group) ^ (ends[1] == group)) & ~np.isnan(times)
        rounds = pairs.round_numbers[crosses]
        load: Ints = np.bincount(rounds, minlength=1)
        if not load.any():
            continue
        busy = int(np.quantile(load[load > 0], _BUSY, method="higher"))
        many = load[rounds] >= busy
        of_rounds = quantiles(rounds[many], own[crosses][many], len(load), _QUICK)
        of_rounds = of_rounds[~np.isnan(of_rounds)]
        if of_rounds.size >= _FEWEST_ROUNDS:
            size = int(np.sum(kind.labels == group))
            took = float(np.quantile(of_rounds, _QUICK))
            found.append(_Crossing(group, size, busy, took))
    return found
