"""Which links between good units are slow."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from math import exp, inf, log, sqrt

import numpy as np

from beff.maps.at_times import Often
from beff.maps.findings import Evidence, LinkFinding, Status
from beff.maps.hosts import NOT_RETESTED, OFTEN, Rules
from beff.maps.kind import Kind
from beff.maps.levels import AGREES, CLEAR, FARTHEST, FEW, HIGH, QUICK, SIGMAS, deviation_of_most
from beff.maps.pair_map import Floats, Mask, PairMap

_MOST = 12
"""So many links are measured again; more that look slow are no links, but the way of many."""
_SLOW_ALONE = "slow in all of them"
_WITH_SOME = "slow with a part of the others"
_FAR = "a longer way than that of other pairs, or slow"
_OR_AN_END = "or one of its two ends is slow: with others they wait for what they share"

Link = tuple[int, int]
LinkVerdict = tuple[Link, Status, Evidence]


def slow_links(
    pairs: PairMap, kinds: Sequence[Kind], often: Sequence[Often | None], good: Mask, rules: Rules
) -> dict[Link, LinkFinding]:
    """Return the links that are slow or suspect, but none of a unit that is so itself.

    `often` is None of a kind of messages at which it is open which units are slow.
    """
    reasons_of: dict[Link, list[tuple[Status, Evidence]]] = {pair: [] for pair in pairs.waiting}
    for kind, other, by_rounds in zip(kinds, reversed(kinds), often, strict=True):
        if by_rounds is not None:
            links = SlowLinks(kind, other, good, rules)
            for link, status, evidence in chain(links.slow(), links.slow_at_times(by_rounds)):
                reasons_of.setdefault(link, []).append((status, evidence))
    ends = Counter(chain(*reasons_of))
    findings = {}
    for link, verdicts in sorted(reasons_of.items()):
        # of several that share an end, this may be slow
        is_alone = max(ends[end] for end in link) == 1
        is_slow = is_alone and Status.SLOW in [status for status, _ in verdicts]
        status = Status.SLOW if is_slow else Status.SUSPECT
        if link in pairs.waiting:
            status = Status.NO_ANSWER
        reasons = tuple(
            replace(entry, reason=_SLOW_ALONE) if is_slow and entry.reason == _FAR else entry
            for _, entry in verdicts
        )
        names = pairs.names[link[0]], pairs.names[link[1]]
        findings[link] = LinkFinding(*names, status, reasons)
    return findings


@dataclass(frozen=True)
class SlowLinks:
    """The links between good units at one kind of messages, beside the other one."""

    kind: Kind
    other: Kind
    good: Mask
    rules: Rules

    def slow(self) -> Iterator[LinkVerdict]:
        """Yield the links that are slow in all their meetings."""
        kind, places = self.kind, np.flatnonzero(self._is_slow).tolist()
        worst_first = sorted(places, key=lambda place: -self._excess[place])
        for place in worst_first[:_MOST]:
            link, excess = self._ends(place), float(self._excess[place])
            alone = kind.alone_of_link(*link)
            by_itself = kind.links_at_best[place] if alone is None else log(alone)
            # more than two between groups wait for what they share
            by_way = alone is None and not kind.inside[place] and not self.rules.is_since
            is_many = alone is None and len(places) > (FEW - 1 if by_way else _MOST)
            if by_itself < AGREES * excess or (is_many and not kind.pairs.is_foreign):
                continue
            counts = int(kind.links.counts[place])
            status, reason = Status.SUSPECT, NOT_RETESTED
            if alone is not None:
                status, reason = self._judged(link, excess)
            yield link, status, kind.evidence(exp(excess), (counts, counts), alone, reason)

    def of_units(self) -> Iterator[tuple[int, Evidence]]:
        """Yield units that have most of the slow links, and others: one of two ports may be slow.

        No other unit has as many of them.
        """
        kind, links = self.kind, self.kind.links
        slow = self._is_slow & (kind.links_at_best >= AGREES * self._excess)
        ends = np.stack([links.first, links.second])
        while slow.any():
            count = np.bincount(ends[:, slow].ravel(), minlength=kind.pairs.units)
            unit = int(count.argmax())
            mine = (ends == unit).any(axis=0)
            enough = max(FEW, QUICK * int((mine & ~np.isnan(kind.levels)).sum()))
            if count[unit] < max(enough, slow.sum() / 2):
                return
            met = int(links.counts[mine & slow].sum()), int(links.counts[mine].sum())
            factor = exp(float(np.median(self._excess[mine & slow])))
            yield unit, kind.evidence(factor, met, None, _WITH_SOME)
            slow &= ~mine

    def slow_at_times(self, often: Often) -> Iterator[LinkVerdict]:
        """Yield the links that are slow in a part of their meetings, and more often than others.

        More than two wait for what they share.
        """
        kind = self.kind
        places = np.flatnonzero(often.stands_out & self._kept & ~self._is_slow).tolist()
        for place in places if len(places) < FEW else ():
            own = kind.times[kind.links.of == place] - max(0.0, kind.beyond[place])
            factor = exp(float(np.median(own[own > HIGH])))
            counts = int(often.slow[place]), int(often.of[place])
            status = Status.SLOW if self.rules.is_since else Status.SUSPECT
            yield self._ends(place), status, kind.evidence(factor, counts, None, OFTEN)

    @cached_property
    def _kept(self) -> Mask:
        links = self.kind.links
        return self.good[links.first] & self.good[links.second]

    @cached_property
    def _excess(self) -> Floats:
        """What links take beyond what their units do."""
        return self.kind.beyond - np.fmax(self.kind.expected, 0)

    @cached_property
    def _is_slow(self) -> Mask:
        """Which links are clearly slow, by more than chance makes one of many."""
        errors = self.kind.errors * (sqrt(2) if self.rules.is_since else 1)
        chance = 2 * SIGMAS * np.fmax(deviation_of_most(self._excess), errors)
        excess = np.nan_to_num(self._excess, nan=-inf)
        return self._kept & (excess > np.fmax(CLEAR, chance))

    def _ends(self, place: int) -> Link:
        return int(self.kind.links.first[place]), int(self.kind.links.second[place])

    def _judged(self, link: Link, excess: float) -> tuple[Status, str]:
        if (self.other.excess[[*link]] > AGREES * excess).any():
            return Status.SUSPECT, _OR_AN_END
        if self.kind.kind == "large" or self.rules.far_is_slow or excess >= FARTHEST:
            return Status.SLOW, _SLOW_ALONE
        long = self.other.alone_of_link(*link)
        if long is None or log(long) < AGREES * excess:
            return Status.SUSPECT, _FAR
        return Status.SLOW, f"{_SLOW_ALONE}, and long messages alone take {long:.2f} times as long"
