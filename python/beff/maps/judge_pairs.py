"""Which units and links are slow, by the map of pairs; docs/explanation/judging-hosts.md.

Everything is a difference of logarithms of times, so a factor. A pair waits for its slower half,
and contention only adds time: so a unit is judged by the quickest of its own pairs. Between groups
nobody is compared. What was measured alone is compared with nothing but what was measured alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import exp, log

import numpy as np

from beff.maps.at_times import Often, high_entries, often_of_links, often_of_units, slower_later
from beff.maps.baseline import Since, since
from beff.maps.findings import (
    SLOW,
    SLOW_SINCE,
    Evidence,
    PairJudgement,
    Seen,
    Status,
    UnitFinding,
    noise_reason,
)
from beff.maps.hosts import (
    FAR_FROM_ALL,
    NOT_SURE,
    SLOW_BEFORE,
    SLOW_IN_ALL,
    Judged,
    Rules,
    judge_units,
    lone_units,
)
from beff.maps.kind import Kind, kinds_of
from beff.maps.levels import AGREES, FEW, noise_of
from beff.maps.links import SlowLinks, slow_links
from beff.maps.pair_map import FEWEST_UNITS, Mask, PairMap
from beff.maps.topology import Known, Switches
from beff.maps.ways import in_place, ways_of

_MET_FEW = "it met too few others that are not slow: it is slow, or the ways to them"
_NO_HABIT = 1.35
"""A unit that takes so many times as long as others is not called good, even if it always did."""
_WARMER = log(1.2)
"""A unit that takes so much longer in the second half of a map is not called good."""


def judge_pairs(
    pairs: PairMap,
    slow: float | None = None,
    switches: Sequence[Switches] | None = None,
    earlier: Sequence[PairMap] = (),
    doubt: str | None = None,
) -> PairJudgement:
    """Judge a map; a unit is slow from the share `slow` of more time on (SLOW, SLOW_SINCE).

    `switches` are those above each unit, where known. Beside earlier maps of the same units, oldest
    first, everything is compared with itself. By a noisy map nothing is called slow or good, nor
    where there is another `doubt`.
    """
    doubt = doubt or noise_reason(noise_of(pairs))
    if pairs.units < FEWEST_UNITS:
        reason = f"{pairs.units} {pairs.plural} cannot be judged: it takes {FEWEST_UNITS}"
        silent = (UnitFinding(pairs.names[unit], Status.NO_ANSWER) for unit in pairs.silent)
        return PairJudgement(pairs.unit, tuple(silent), why_not=reason)
    known, misplaced = in_place(pairs, switches)
    beside = since(pairs, earlier, known) if earlier else None
    if beside is None:
        rules = Rules(log(1 + (SLOW if slow is None else slow)), far_is_slow=known is not None)
        judged = _judged(pairs, kinds_of(pairs, known), rules, known, None)
    else:
        floor = log(1 + (SLOW_SINCE if slow is None else slow))
        rules = Rules(floor, far_is_slow=True, is_since=True)
        judged = _judged(beside.change[0].pairs, beside.change, rules, known, beside)
        never = {pairs.names[unit] for unit in pairs.silent}
        unknown = (
            UnitFinding(name, Status.NO_ANSWER if name in never else Status.NOT_TRIED)
            for name in beside.unknown
        )
        units, common = (*judged.units, *unknown), tuple(beside.common)
        judged = replace(judged, units=units, common=common, is_since=True)
        judged = _slow_before(judged, judge_pairs(pairs, None, switches))
    judged = replace(judged, misplaced=misplaced)
    return judged if doubt is None else judged.doubted(doubt)


def _judged(
    pairs: PairMap, kinds: list[Kind], rules: Rules, known: Known | None, beside: Since | None
) -> PairJudgement:
    high = [high_entries(kind) for kind in kinds]
    often = [often_of_units(kind, some) for kind, some in zip(kinds, high, strict=True)]
    ways = ways_of(kinds, known, beside)
    if beside is not None:
        for place, by in enumerate(often):  # but what was slow at times before as well
            kinds_before = [of_map[place] for of_map in beside.before]
            before = [often_of_units(one, high_entries(one)).stands_out for one in kinds_before]
            often[place] = replace(by, stands_out=by.stands_out & ~np.any(before, axis=0))
    if any((one.what, one.status) == ("uplink", Status.SLOW) for one in ways):
        # long messages wait for what crosses
        rules = replace(rules, uplink_is_slow=True)
        often[1] = replace(often[1], stands_out=np.zeros_like(often[1].stands_out))
        high[1] = np.zeros_like(high[1])
    by_kind = [
        judge_units(kind, other, by_rounds, rules)
        for kind, other, by_rounds in zip(kinds, reversed(kinds), often, strict=True)
    ]
    in_long = kinds[0].excess < AGREES * kinds[1].excess
    usual = kinds[0] if beside is None else beside.before[-1][0]
    lone = lone_units(usual, in_long, is_known=known is not None)
    if any(one.what == "far group" for one in ways):  # others are as slow
        lone |= in_long
    by_kind = [by.without_lone(lone) for by in by_kind]
    units = [_unit_finding(kinds, by_kind, unit) for unit in range(pairs.units)]
    good = np.array([unit.status == Status.GOOD for unit in units])
    later = slower_later(pairs, kinds, max(rules.floor, _WARMER))
    few = _met_few(kinds, np.array([unit.status == Status.SLOW for unit in units]))
    with_some = (
        slow_unit
        for kind, other in zip(kinds, reversed(kinds), strict=True)
        for slow_unit in SlowLinks(kind, other, good, rules).of_units()
    )
    for unit, evidence in chain(few, with_some, later):
        if units[unit].status in {Status.GOOD, Status.SUSPECT} or evidence.reason == _MET_FEW:
            more = (*units[unit].evidence, evidence)
            units[unit] = UnitFinding(pairs.names[unit], Status.SUSPECT, more)
            good[unit] = False
    of_links = [
        None if by.of_all else often_of_links(kind, some, ~good)
        for kind, some, by in zip(kinds, high, by_kind, strict=True)
    ]
    links = slow_links(pairs, kinds, of_links, good, rules)
    return PairJudgement(
        pairs.unit,
        tuple(units),
        tuple(links.values()),
        tuple(replace(one, switch=_switch(known, pairs, one.names)) for one in ways),
        tuple(sentence for by in by_kind for sentence in by.of_all),
        together=_good_together(pairs, good, list(links)),
        seen=_seen(kinds, by_kind, often, good),
    )


def _met_few(kinds: list[Kind], slow: Mask) -> Iterator[tuple[int, Evidence]]:
    """Yield the units that met too few others, which are not slow and met others themselves.

    A pair takes as long as its slower unit does, or as its way.
    """
    for kind in kinds:
        known = ~np.isnan(kind.levels)
        met = np.zeros((kind.pairs.units, kind.pairs.units), dtype=bool)
        met[kind.links.first[known], kind.links.second[known]] = True
        met |= met.T
        others = max(2, int((met.any(axis=1) & ~slow).sum()) - 1)
        enough = np.where(slow, FEW, min(FEW, others))
        partners = met[:, ~slow & (met.sum(axis=1) >= enough)].sum(axis=1)
        for unit in np.flatnonzero(met.any(axis=1) & (partners < enough)).tolist():
            counts = 0, kind.meetings_of(unit).size
            yield unit, kind.evidence(exp(float(kind.excess[unit])), counts, None, _MET_FEW)


def _slow_before(judged: PairJudgement, now: PairJudgement) -> PairJudgement:
    """Only suspect units that are as they were before, but slow beside the others, surely or not.

    `now` is what the map says without earlier ones.
    """
    slow = {
        unit.name: tuple(replace(one, reason=SLOW_BEFORE) for one in unit.evidence)
        for unit in now.units
        if unit.status == Status.SLOW or NOT_SURE in {one.reason for one in unit.evidence}
        if max(one.factor for one in unit.evidence) > _NO_HABIT
    }
    units = tuple(
        replace(unit, status=Status.SUSPECT, evidence=slow[unit.name])
        if unit.status == Status.GOOD and unit.name in slow
        else unit
        for unit in judged.units
    )
    together = tuple(name for name in judged.together if name not in slow)
    return replace(judged, units=units, together=together)


def _unit_finding(kinds: list[Kind], by_kind: list[Judged], unit: int) -> UnitFinding:
    """Return the verdict on a unit; of one that is slow in long messages it is known why."""
    pairs = kinds[0].pairs
    verdicts = [by.verdicts[unit] for by in by_kind if unit in by.verdicts]
    status = Status.GOOD if any(kind.tried[unit] for kind in kinds) else Status.NOT_TRIED
    if verdicts:
        is_slow = Status.SLOW in [status for status, _ in verdicts]
        status = Status.SLOW if is_slow else Status.SUSPECT
    if unit in pairs.silent:
        status = Status.NO_ANSWER
    evidence = (
        replace(why, reason=SLOW_IN_ALL)
        if status == Status.SLOW and why.reason == FAR_FROM_ALL
        else why
        for _, why in verdicts
    )
    return UnitFinding(pairs.names[unit], status, tuple(evidence))


def _switch(known: Known | None, pairs: PairMap, names: Sequence[str]) -> str | None:
    """Return the switch of a group, where it is known."""
    if known is None:
        return None
    place = {name: unit for unit, name in enumerate(pairs.names)}
    own = {known.names[known.labels[place[name]]] for name in names}
    return own.pop() if len(own) == 1 else None


def _good_together(pairs: PairMap, good: Mask, links: list[tuple[int, int]]) -> tuple[str, ...]:
    """Return the good units without an end of each link that is not good: a maximal set of them.

    Where links share units, those with the most of them go first: the greedy cover of vertices.
    """
    left = [pair for pair in links if good[pair[0]] and good[pair[1]]]
    out: set[int] = set()
    while left:
        ends = [unit for pair in left for unit in pair]
        worst = max(set(ends), key=lambda unit: (ends.count(unit), unit))
        out.add(worst)
        left = [pair for pair in left if worst not in pair]
    return tuple(pairs.names[unit] for unit in np.flatnonzero(good).tolist() if unit not in out)


def _seen(kinds: list[Kind], by_kind: list[Judged], often: list[Often], good: Mask) -> Seen:
    worst = np.where(good, np.fmax(*(kind.excess for kind in kinds)), np.nan)
    slowest = None if np.isnan(worst).all() else int(np.nanargmax(worst))
    pairs, links = kinds[0].pairs, kinds[0].links  # both kinds have those of all meetings
    tried = np.any([kind.tried for kind in kinds], axis=0)
    shares = [float(np.median(by.limit[by.of > 0])) for by in often if (by.of > 0).any()]
    at_times = max(shares, default=1.0)
    return Seen(
        None if slowest is None else pairs.names[slowest],
        1.0 if slowest is None else exp(float(worst[slowest])),
        exp(max(by.seen_from for by in by_kind)),
        at_times if at_times < 1 else None,
        (int(tried.sum()), pairs.units),
        (len(links.first), pairs.units * (pairs.units - 1) // 2),
    )
