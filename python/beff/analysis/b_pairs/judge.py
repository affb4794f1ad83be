"""Which units and links are slow, by the map of pairs; docs/explanation/judging-hosts.md.

Everything is a difference of logarithms of times, so a factor. A pair waits for its slower half,
and contention only adds time: so a unit is judged by the quickest of its own pairs. What was
measured alone is compared with nothing but what was measured alone.
"""

from dataclasses import replace
from math import exp, inf, isnan, log, pi, sqrt

import numpy as np

from beff.analysis.b_pairs.findings import (
    SLOW,
    Evidence,
    GroupFinding,
    LinkFinding,
    PairJudgement,
    Seen,
    Status,
    UnitFinding,
)
from beff.analysis.b_pairs.kind import Kind, kind_of
from beff.analysis.b_pairs.levels import APART
from beff.analysis.b_pairs.pair_map import KINDS, Floats, Mask, PairMap
from beff.analysis.b_pairs.schedule import Ints

FEWEST_UNITS = 4
"""With three, whoever is not slow waits for who is: nobody can be judged."""
UNIT_SIGMAS = 4.0
"""A unit is slow from so many standard deviations of the levels of most units, and from SLOW."""
OPEN = log(1.5)
"""From here on a unit is a suspect at least, however much the others differ."""
WAITS = 2 / sqrt(2 * pi)
"""The unit in the middle waits for the slower ones of its partners, so that its level lies by the
mean of the positive half of a Gaussian, in standard deviations of the units, above what it takes
itself. As all wait so, levels deviate by half of what the units do."""
LINK_SIGMAS = 6.0
"""A link is slow from 25 % more time on, and from so many of those of all links."""
QUICK_SHARE = 0.25
"""Where most differ much, units are compared with the quickest quarter."""
MOST_LINKS = 12
"""So many links are measured again; more that look slow are no links, but the way of many."""
AGREES = 0.5
"""What was measured alone agrees when it shows half of the logarithm or more."""
MOST_SLOW = 0.4
"""Of more than this share of the units it is open whether they are slow or the others quick."""
FEWEST_QUICK = 0.2
BUSY_SHARE = 0.2
"""A unit that is slow in so many of its rounds is a suspect,"""
BUSY_CHANCE = 1e-4
"""if chance would do that to one unit of all with a probability of at most this."""
FEWEST_ROUNDS = 7
TWO_APART = log(1.8)
"""Between two groups of about the same size so much more time is no usual topology."""

_SLOW_IN_ALL = "its quickest pairs are slow"
_SLOW_ALONE = "slow in all of them"
_NOT_ALONE = "slow while others are under way, but not alone"
_NOT_RETESTED = "slow while others are under way; alone it was not measured"
_NOT_SURE = "slow, but its times differ by more than it lies above the limit"
_WIDE = "slow, but the others differ about as much"
_BUSY = "slow for a part of the time only"
_SIZES = {"small": "short", "large": "long"}

_Found = dict[int, tuple[Status, Evidence]]


def judge_pairs(pairs: PairMap, slow: float = SLOW) -> PairJudgement:
    """Judge a map; a unit is slow from the share `slow` of more time on."""
    if pairs.units < FEWEST_UNITS:
        reason = f"{pairs.units} {pairs.plural} cannot be judged: it takes {FEWEST_UNITS}"
        silent = (UnitFinding(pairs.names[unit], Status.NO_ANSWER) for unit in pairs.silent)
        return PairJudgement(pairs.unit, tuple(silent), why_not=reason)
    kinds = [kind_of(pairs, kind) for kind in KINDS]
    floor = log(1 + slow)
    two_kinds = [_two_kinds(kind, floor) for kind in kinds]
    found = [_slow_units(kind, floor, busy) for kind, busy in zip(kinds, _busy(kinds), strict=True)]
    found = [by if said is None else _open(by) for by, said in zip(found, two_kinds, strict=True)]
    statuses = [_status(pairs, kinds, found, unit) for unit in range(pairs.units)]
    units = tuple(
        UnitFinding(name, status, tuple(by[unit][1] for by in found if unit in by))
        for unit, (name, status) in enumerate(zip(pairs.names, statuses, strict=True))
    )
    good = np.array([status == Status.GOOD for status in statuses])
    alike = [kind for kind, said in zip(kinds, two_kinds, strict=True) if said is None]
    links = _slow_links(pairs, alike, good)
    return PairJudgement(
        pairs.unit,
        units,
        tuple(links.values()),
        tuple(group for kind in kinds for group in _groups(kind)),
        tuple(filter(None, two_kinds)),
        _good_together(pairs, good, list(links)),
        _seen(pairs, kinds, good, floor),
    )


def _status(pairs: PairMap, kinds: list[Kind], found: list[_Found], unit: int) -> Status:
    if unit in pairs.silent:
        return Status.NO_ANSWER
    said = [by[unit][0] for by in found if unit in by]
    if said:
        return Status.SLOW if Status.SLOW in said else Status.SUSPECT
    return Status.GOOD if any(kind.tried[unit] for kind in kinds) else Status.NOT_TRIED


def _slow_units(kind: Kind, floor: float, busy: set[int]) -> _Found:
    """Return what is to be said of the units that are slow or suspect at one kind."""
    found: _Found = {}
    quickest = float(np.nanmedian(kind.quickest)) if kind.tried.any() else 0.0
    for levels, is_crowded in ((kind.levels, False), (kind.quickest, True)):
        excess, limit = _excess(kind, levels, floor)
        from_here = _seen_from(limit, floor)
        is_slow = excess > limit
        if from_here < limit:  # the one in the middle may be slow as well
            excess = np.fmax(excess, levels - np.nanquantile(levels, QUICK_SHARE))
        for unit in np.flatnonzero(np.nan_to_num(excess, nan=-inf) > from_here).tolist():
            alone = kind.alone_of_unit(unit, excess > from_here)
            agrees = alone is not None and log(alone) >= max(
                AGREES * excess[unit], floor if is_crowded else 0.0
            )
            at_best = kind.quickest[unit] - quickest
            if alone is not None and not agrees and at_best < AGREES * from_here:
                continue  # contention; whether it is busy is seen by its rounds
            status, reason = Status.SLOW, _SLOW_IN_ALL
            if not is_slow[unit]:
                status, reason = Status.SUSPECT, _WIDE
            elif alone is None and is_crowded:
                status, reason = Status.SUSPECT, _NOT_RETESTED
            elif alone is not None and not agrees:
                status, reason = Status.SUSPECT, _NOT_ALONE
            elif not is_crowded and excess[unit] - kind.error_of(unit) < floor:
                status, reason = Status.SUSPECT, _NOT_SURE
            if found.get(unit, (Status.SUSPECT,))[0] != Status.SLOW:
                slow, of = kind.rounds(unit, floor / 2)
                factor = exp(excess[unit])
                found[unit] = status, _evidence(kind, factor, (slow, of), alone, reason)
    for unit in sorted(busy - found.keys()):
        own = (kind.pairs.first == unit) | (kind.pairs.second == unit)
        high = kind.times[own & kind.high]
        counts = high.size, int(np.sum(~np.isnan(kind.times[own])))
        evidence = _evidence(kind, exp(float(np.median(high))), counts, None, _BUSY)
        found[unit] = Status.SUSPECT, evidence
    return found


def _excess(kind: Kind, levels: Floats, floor: float) -> tuple[Floats, float]:
    """Return how far each unit lies above the one in the middle, and from where on it is slow."""
    most = kind.most(levels)
    return levels - most.middle + WAITS * most.sigma, max(floor, (UNIT_SIGMAS + WAITS) * most.sigma)


def _open(found: _Found) -> _Found:
    """Call nobody slow."""
    return {unit: (Status.SUSPECT, evidence) for unit, (_, evidence) in found.items()}


def _seen_from(limit: float, floor: float) -> float:
    """Return from where on a unit is not good: slow, or a suspect where most differ much."""
    return min(limit, max(floor, OPEN))


def _evidence(
    kind: Kind, factor: float, slow_of: tuple[int, int], alone: float | None, reason: str
) -> Evidence:
    return Evidence(kind.kind, kind.pairs.bytes_of[kind.kind], factor, *slow_of, alone, reason)


def _two_kinds(kind: Kind, floor: float) -> str | None:
    """Say so where the units have two levels and neither is that of a clear majority."""
    for levels in (kind.quickest, kind.levels):
        ordered = np.sort(levels[~np.isnan(levels)])
        gaps = np.diff(ordered)
        if not gaps.size or gaps.max() <= floor / 2:
            continue
        cut = int(np.argmax(gaps)) + 1
        quick, slow = ordered[:cut], ordered[cut:]
        apart = float(np.median(slow) - np.median(quick))
        at_best = [
            float(np.nanmedian(kind.quickest[some]))
            for some in (levels >= slow[0], levels <= quick[-1])
        ]
        if at_best[0] - at_best[1] < AGREES * apart:
            continue  # contention: at their quickest they are alike
        share = slow.size / ordered.size
        spread = max(kind.most(quick).sigma, kind.most(slow).sigma)
        if apart > max(floor, UNIT_SIGMAS * spread) and MOST_SLOW < share <= 1 - FEWEST_QUICK:
            words = f"{_SIZES[kind.kind]} messages take {exp(apart):.2f} times as long"
            return (
                f"two kinds of {kind.pairs.plural}: with {slow.size} of {ordered.size} {words} as"
                " with the others"
            )
    return None


def _busy(kinds: list[Kind]) -> list[set[int]]:
    """Return of each kind the units that were slow in a part of their rounds.

    Chance seldom makes both kinds slow in the same round, so fewer of these are enough.
    """
    known = [~np.isnan(kind.times) for kind in kinds]
    in_all = np.all(known, axis=0), np.all([kind.high for kind in kinds], axis=0)
    return [
        _often(kind, *in_all) | _often(kind, mine, kind.high)
        for kind, mine in zip(kinds, known, strict=True)
    ]


def _often(kind: Kind, known: Mask, high: Mask) -> set[int]:
    """Return the units that have more high entries among the known ones than chance gives.

    The partner with which it has most is left out: that may be the link. What chance and contention
    do is seen at the entries of the others, and at those of its own group.
    """
    from scipy.special import bdtrc  # noqa: PLC0415 - takes 0.3 s, only where there is a map

    total, counts = _but_of_one_partner(kind, known)
    total_high, slow = _but_of_one_partner(kind, known & high)
    shares = slow / np.maximum(counts, 1)
    others = (np.sum(known & high) - total_high) / np.maximum(np.sum(known) - total, 1)
    least = 0.5 / max(1, int(np.sum(known)))
    usual = np.maximum(np.maximum(others, kind.usual_of_group(shares)), least)
    chance = bdtrc(np.maximum(slow - 1, 0), np.maximum(counts, 1), usual) * kind.pairs.units
    of_all = total_high / np.maximum(total, 1)
    busy = (counts >= FEWEST_ROUNDS) & (of_all >= BUSY_SHARE) & (slow > 1) & (chance < BUSY_CHANCE)
    return set(np.flatnonzero(busy).tolist())


def _but_of_one_partner(kind: Kind, some: Mask) -> tuple[Ints, Ints]:
    """Count some entries of each unit: all, and all but those with the partner that has most."""
    pairs = kind.pairs
    of_link = np.bincount(kind.link_of[some], minlength=len(kind.link_counts))
    ends = np.concatenate(kind.links)
    total = np.bincount(ends, np.tile(of_link, 2), minlength=pairs.units).astype(np.int64)
    most = np.zeros(pairs.units, dtype=np.int64)
    np.maximum.at(most, ends, np.tile(of_link, 2))
    return total, total - most


def _slow_links(
    pairs: PairMap, kinds: list[Kind], good: np.ndarray
) -> dict[tuple[int, int], LinkFinding]:
    """Return the links that are slow or suspect; those of a unit that is so are its own matter."""
    found: dict[tuple[int, int], list[tuple[Status, Evidence]]] = {
        pair: [] for pair in pairs.waiting
    }
    for kind in kinds:
        excess = kind.link_excess()
        limit = max(APART, LINK_SIGMAS * kind.most(excess).sigma)
        ones, others = kind.links
        slow = good[ones] & good[others] & (np.nan_to_num(excess, nan=-inf) > limit)
        places = np.flatnonzero(slow).tolist()
        for place in places:
            pair = int(ones[place]), int(others[place])
            alone = kind.alone_of_link(*pair)
            agrees = alone is not None and log(alone) >= AGREES * excess[place]
            # so many are slow by contention or topology, as is one that is not slow alone
            if not agrees and (alone is not None or len(places) > MOST_LINKS):
                continue
            reason = _SLOW_ALONE if agrees else _NOT_RETESTED
            counts = (kind.link_counts[place],) * 2
            evidence = _evidence(kind, exp(excess[place]), counts, alone, reason)
            status = Status.SLOW if agrees else Status.SUSPECT
            found.setdefault(pair, []).append((status, evidence))
    links = {}
    for (one, other), entries in sorted(found.items()):
        said = [status for status, _ in entries]
        status = Status.SLOW if Status.SLOW in said else Status.SUSPECT
        status = Status.NO_ANSWER if (one, other) in pairs.waiting else status
        reasons = tuple(entry for _, entry in entries)
        links[one, other] = LinkFinding(pairs.names[one], pairs.names[other], status, reasons)
    return links


def _groups(kind: Kind) -> list[GroupFinding]:
    """Return the groups of units between which messages take longer than inside."""
    members = [np.flatnonzero(kind.labels == number) for number in range(kind.groups)]
    levels = [(group, kind.outside(group), kind.crossing(group)) for group in members]
    # a run that was ended may have left out all pairs of a group with others
    measured = [entry for entry in levels if not isnan(entry[1])]
    if len(members) < 2 or not measured:
        return []
    usual = float(np.median([crossing for _, _, crossing in measured]))
    inside = max(crossing - factor for _, factor, crossing in measured)
    found = [
        GroupFinding(
            tuple(kind.pairs.names[unit] for unit in group),
            kind.kind,
            exp(factor),
            crossing <= usual + APART and not (len(members) == 2 and factor >= TWO_APART),
        )
        for group, factor, crossing in measured
    ]
    # of two it cannot be seen which one is far away; a part that is much smaller is, unless the
    # others are as far from each other
    smaller = min(found, key=lambda group: len(group.names))
    if len(found) == 2 and len(smaller.names) <= kind.pairs.units / 3:
        return [replace(smaller, is_usual=usual <= inside + APART)]
    return found


def _good_together(
    pairs: PairMap, good: np.ndarray, links: list[tuple[int, int]]
) -> tuple[str, ...]:
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


def _seen(pairs: PairMap, kinds: list[Kind], good: np.ndarray, floor: float) -> Seen:
    excesses, limits = zip(*(_excess(kind, kind.levels, floor) for kind in kinds), strict=True)
    worst = np.where(good, np.fmax(*excesses), np.nan)
    slowest = None if np.isnan(worst).all() else int(np.nanargmax(worst))
    met = {pair for kind in kinds for pair in zip(*map(np.ndarray.tolist, kind.links), strict=True)}
    tried = np.any([kind.tried for kind in kinds], axis=0)
    return Seen(
        None if slowest is None else pairs.names[slowest],
        1.0 if slowest is None else exp(float(worst[slowest])),
        exp(_seen_from(max(limits), floor)),
        (int(tried.sum()), pairs.units),
        (len(met), pairs.units * (pairs.units - 1) // 2),
    )
