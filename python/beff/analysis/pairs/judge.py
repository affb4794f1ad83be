"""Which units and links are slow, by the map of pairs; docs/explanation/judging-hosts.md.

Everything is a difference of logarithms of times, so a factor. Nothing is said by one look alone:
slow is who is slow in both looks and, where it was measured again, alone as well.
"""

from math import exp, log

import numpy as np

from beff.analysis.pairs.blocks import APART, cell_levels, groups_of, quick_level
from beff.analysis.pairs.findings import (
    Evidence,
    GroupFinding,
    PairJudgement,
    Status,
    UnitFinding,
)
from beff.analysis.pairs.kind import AGREES, BOTH_LOOKS, NOT_ALONE, SLOW, SLOW_ROUND, Kind, Mask
from beff.analysis.pairs.links import slow_links
from beff.analysis.pairs.pair_map import KINDS, LOOKS, Floats, Ints, PairMap
from beff.analysis.pairs.polish import Model, deviation, deviation_of_most, grouped_median, polish

FEWEST_UNITS = 4
"""With three, whoever is not slow waits for who is: nobody can be singled out."""
UNIT_SIGMAS = 6.0
"""A unit is slow from SLOW on, and from so many standard deviations of the effects of most."""
BUSY_SHARE = 0.2
"""A unit that is slow in so many of its rounds of one look is a suspect,"""
BUSY_CHANCE = 1e-4
"""if chance would do that to one unit of all with a probability of at most this."""
FEWEST_ROUNDS = 7
"""One look with fewer rounds of a unit makes no suspect."""
PART_OF_THE_TIME = "slow for a part of the time only"


def judge_pairs(pairs: PairMap) -> PairJudgement:
    """Judge a map."""
    if pairs.units < FEWEST_UNITS:
        return PairJudgement(
            pairs.unit,
            (),
            (),
            (),
            f"{pairs.units} {pairs.plural} cannot be judged: it takes {FEWEST_UNITS}",
        )
    found = [(kind, *_groups(pairs, kind)) for kind in KINDS]
    kinds = [_kind(pairs, kind, labels) for kind, labels, _ in found]
    groups = tuple(group for _, _, some in found for group in some)
    evidence = [_unit_evidence(kind) for kind in kinds]
    units = tuple(
        _unit(pairs, unit, [by[unit] for by in evidence if unit in by], kinds)
        for unit in range(pairs.units)
    )
    return PairJudgement(pairs.unit, units, tuple(slow_links(kinds, units)), groups)


def _kind(pairs: PairMap, kind: str, labels: Ints) -> Kind:
    times = pairs.times[kind]
    cells = np.array([cell_levels(labels, pairs.first, pairs.second, look) for look in times])
    models = [
        polish(pairs.first, pairs.second, look - cell, pairs.units)
        for look, cell in zip(times, cells, strict=True)
    ]
    return Kind(kind, pairs, labels, cells, (models[0], models[1]))


def _slow_units(pairs: PairMap, models: tuple[Model, Model]) -> tuple[Mask, Floats]:
    """Return which units are slow in both looks, and the excess of each, by the smaller look."""
    beyond = np.ones(pairs.units, dtype=bool)
    least = np.full(pairs.units, np.inf)
    known, high = np.ones((2, len(pairs.first)), dtype=bool)
    for model in models:
        effects = model.effects
        excess = effects - np.nanmedian(effects) if not np.isnan(effects).all() else effects
        counts = _counts(pairs, ~np.isnan(model.rests))
        error = 1.2533 * deviation(model.rests) / np.sqrt(np.maximum(counts, 1))
        scale = np.maximum(deviation_of_most(effects), error)
        beyond &= np.nan_to_num(excess, nan=-np.inf) > np.maximum(SLOW, UNIT_SIGMAS * scale)
        known &= ~np.isnan(model.rests)
        high &= model.rests + effects[pairs.first] + effects[pairs.second] > SLOW_ROUND
        least = np.fmin(least, excess)
    # With four partners, a slow link and one outlier are enough for the medians.
    return beyond & (2 * _counts(pairs, high) > _counts(pairs, known)), least


def _counts(pairs: PairMap, chosen: Mask) -> Ints:
    """Return how many of the chosen entries each unit has."""
    ends = np.concatenate([pairs.first[chosen], pairs.second[chosen]])
    return np.bincount(ends, minlength=pairs.units)


def _groups(pairs: PairMap, kind: str) -> tuple[Ints, list[GroupFinding]]:
    """Return the group of each unit, and what is said of groups.

    Slow units that are quick among each other are a group behind a slow uplink, or a part of the
    machine that is far away; slow hosts are slow among each other as well.
    """
    times = pairs.times[kind]
    first, second = pairs.first, pairs.second
    labels = np.zeros(pairs.units, dtype=np.int64)
    best = np.fmin(times[0], times[1])
    if np.isnan(best).all():
        return labels, []
    models = (
        polish(first, second, times[0], pairs.units),
        polish(first, second, times[1], pairs.units),
    )
    slow, least = _slow_units(pairs, models)
    level = quick_level(best)
    inside = np.fmin(least[first], least[second])
    quick = slow[first] & slow[second] & (best - level < inside / 2)
    apart = [
        group
        for group in groups_of(np.flatnonzero(slow).tolist(), first, second, quick)
        if len(group) > 1
    ]
    usual = groups_of(np.flatnonzero(~slow).tolist(), first, second, best - level < APART)
    usual = [group for group in usual if len(group) > 1]
    numbered = [*(usual or [[]]), *apart]
    for number, group in enumerate(numbered):
        labels[group] = number
    if len(usual) + len(apart) > 1:
        grouped = {unit for group in (*usual, *apart) for unit in group}
        for unit in set(range(pairs.units)) - grouped:
            labels[unit], distance = _nearest_group(labels, unit, pairs, best)
            if distance - level < APART:
                numbered[labels[unit]].append(unit)
    shown = [(group, True) for group in usual if len(usual) > 1] + [
        (group, False) for group in apart
    ]
    return labels, [
        GroupFinding(
            tuple(pairs.names[unit] for unit in sorted(group)),
            kind,
            exp(_outside(group, first, second, best)),
            is_usual,
        )
        for group, is_usual in shown
    ]


def _nearest_group(labels: Ints, unit: int, pairs: PairMap, best: Floats) -> tuple[int, float]:
    """Return the number of the group to which a unit is quickest, and how long that takes."""
    own = ((pairs.first == unit) | (pairs.second == unit)) & ~np.isnan(best)
    partners = np.where(pairs.first == unit, pairs.second, pairs.first)[own]
    levels = grouped_median(labels[partners], best[own], int(labels.max()) + 1)
    if np.isnan(levels).all():
        return 0, np.inf
    nearest = int(np.nanargmin(levels))
    return nearest, float(levels[nearest])


def _outside(group: list[int], first: Ints, second: Ints, best: Floats) -> float:
    """Return how much longer pairs of a group with others take than inside it."""
    ends = np.isin(first, group).astype(int) + np.isin(second, group).astype(int)
    return float(np.nanmedian(best[ends == 1]) - np.nanmedian(best[ends == 2]))


def _unit_evidence(kind: Kind) -> dict[int, tuple[Status, Evidence]]:
    """Return what is to be said of the units that are slow or suspect at one kind."""
    slow, _ = _slow_units(kind.pairs, kind.models)
    found = {}
    for unit in np.flatnonzero(slow).tolist():
        factors = _factors(kind, unit)
        alone = _retest_of_unit(kind, unit, slow)
        least = min(map(log, factors))
        agrees = alone is None or log(alone) >= AGREES * least
        status = Status.SLOW if agrees else Status.SUSPECT
        reason = BOTH_LOOKS if agrees else NOT_ALONE
        found[unit] = status, _evidence_of_unit(kind, unit, factors, alone, reason)
    for unit in _busy(kind):
        if unit not in found:
            factors = _factors(kind, unit)
            evidence = _evidence_of_unit(kind, unit, factors, None, PART_OF_THE_TIME)
            found[unit] = Status.SUSPECT, evidence
    return found


def _factors(kind: Kind, unit: int) -> tuple[float, float]:
    first, second = (float(kind.excess(look)[unit]) for look in range(LOOKS))
    return exp(first), exp(second)


def _evidence_of_unit(
    kind: Kind, unit: int, factors: tuple[float, float], alone: float | None, reason: str
) -> Evidence:
    counts = [kind.rounds(unit, look) for look in range(LOOKS)]
    return Evidence(
        kind.kind,
        kind.pairs.bytes_of(kind.kind),
        factors,
        (counts[0][0], counts[1][0]),
        (counts[0][1], counts[1][1]),
        alone,
        reason,
    )


def _retest_of_unit(kind: Kind, unit: int, slow: Mask) -> float | None:
    """Return the factor in the retests of a unit with others that are not slow; None if none."""
    excess = kind.retest_excess()
    first, second = kind.pairs.retest_first, kind.pairs.retest_second
    partner = np.where(first == unit, second, first)
    own = ((first == unit) | (second == unit)) & ~slow[partner] & ~np.isnan(excess)
    return exp(float(np.median(excess[own]))) if own.any() else None


def _busy(kind: Kind) -> list[int]:
    """Return the units that were slow in a part of their rounds of one look or both."""
    from scipy.special import bdtrc  # noqa: PLC0415 - takes 0.3 s, only where there is a map

    pairs = kind.pairs
    busy = np.zeros(pairs.units, dtype=bool)
    for look, model in enumerate(kind.models):
        rests = model.rests
        ends = np.concatenate([pairs.first, pairs.second])
        high = np.concatenate([rests > APART] * 2) | np.concatenate(
            [
                rests + kind.excess(look)[pairs.first] > APART,
                rests + kind.excess(look)[pairs.second] > APART,
            ]
        )
        known = np.concatenate([~np.isnan(rests)] * 2)
        counts = np.bincount(ends[known], minlength=pairs.units)
        slow = np.bincount(ends[known & high], minlength=pairs.units)
        shares = slow / np.maximum(counts, 1)
        usual = max(float(np.mean(shares)), float(np.median(shares)), 0.5 / max(1, counts.max()))
        chance = bdtrc(np.maximum(slow - 1, 0), np.maximum(counts, 1), usual) * pairs.units
        busy |= (
            (counts >= FEWEST_ROUNDS) & (shares >= BUSY_SHARE) & (slow > 1) & (chance < BUSY_CHANCE)
        )
    return np.flatnonzero(busy).tolist()


def _unit(
    pairs: PairMap, unit: int, found: list[tuple[Status, Evidence]], kinds: list[Kind]
) -> UnitFinding:
    evidence = tuple(entry for _, entry in found)
    if any(status == Status.SLOW for status, _ in found):
        return UnitFinding(pairs.names[unit], Status.SLOW, evidence)
    if found:
        return UnitFinding(pairs.names[unit], Status.SUSPECT, evidence)
    tried = any(kind.tried[unit] for kind in kinds)
    return UnitFinding(pairs.names[unit], Status.GOOD if tried else Status.NOT_TRIED)
