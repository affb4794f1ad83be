"""Which units of a map are slow: what is usual of them, and the rules by which each is judged."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import exp, inf, log, sqrt

import numpy as np

from beff.maps.at_times import Often
from beff.maps.findings import SIZES, SLOW, Evidence, Status
from beff.maps.kind import Kind, middle_of
from beff.maps.levels import (
    AGREES,
    APART,
    CLEAR,
    ERROR_OF_QUICK,
    FARTHEST,
    FEW,
    HIGH,
    MOST_SLOW,
    QUICK,
    SIGMAS,
    deviation_of_most,
    lowest_but_one,
    quantiles,
)
from beff.maps.pair_map import Floats, Mask
from beff.result.host_list import fold_host_list

SURE = 1.645
"""Of units that take longer by just a limit, 95 % lie above it less so many deviations."""
_RETESTS = 4
"""Passes over what is measured alone."""

_FARTHER = 3.0
"""A unit that is slow in long messages alone may be a switch away by so many deviations."""
_DAYS = 3.0
"""So many deviations of what units changed in the other kind of messages are no more than days
differ by."""
_UNEVEN, _FAINT = 0.006, 5.0
"""Where the nearest but one of most units is nearer by so much than noise makes it, or groups are
apart by fewer standard errors, nobody knows by the map who is alone behind a switch."""
_NO_NEARER = 0.75
"""It is no nearer to its group where it is so by less than this share of what is usual, and no
farther than others by less than this share of the least distance of groups."""

SLOW_IN_ALL = "its quickest pairs are slow"
SLOW_BEFORE = "slow beside the others, as in earlier maps"
FAR_FROM_ALL = "as far from everybody: behind a switch of its own, or slow"
_LONE = "nobody else is behind its switch, or others are as slow: it is slow, or what leads to it"
_OF_THE_SLOWER = "of two kinds of hosts the slower one"
_NOT_ALONE = "slow while others are under way, but not alone"
NOT_RETESTED = "slow while others are under way; alone it was not measured"
_NOT_AT_BEST = "slow alone and with most, but not with its quickest partner"
_NOT_ONCE = "slow while others are under way, but not in its quickest meeting"
NOT_SURE = "slow, but its times differ by more than it lies above the limit"
OFTEN = "slow in a part of its rounds, and more often than others"
_AT_ITS_BEST = "slow at its best: it is slow, or all ways to it are"


@dataclass(frozen=True)
class Judged:
    """Verdicts by one kind of messages on units and on all; `seen_from` is the least that shows."""

    verdicts: dict[int, tuple[Status, Evidence]]
    of_all: tuple[str, ...]
    seen_from: float

    def without_lone(self, lone: Mask) -> "Judged":
        """Only suspect units alone behind their switch, whose uplink may be slow, or busy."""
        verdicts = {
            unit: (Status.SUSPECT, replace(why, reason=_LONE))
            if lone[unit] and status == Status.SLOW
            else (status, why)
            for unit, (status, why) in self.verdicts.items()
        }
        return replace(self, verdicts=verdicts)


def lone_units(short: Kind, in_long: Mask, *, is_known: bool) -> Mask:
    """Return the units that are alone behind their switch, by the short messages of a map.

    Where it is not known, those that are farther away by a switch, and no nearer to their group
    than to others: they are with it for want of a nearer one. Without groups, those that are
    farther than most. `in_long` are those that are slow in long messages only.
    """
    units, links, labels = short.pairs.units, short.links, short.labels
    inner, outer = (
        quantiles(links.ends, np.tile(np.where(some, short.levels, np.nan), 2), units, QUICK)
        for some in (short.inside, ~short.inside)
    )
    nearer = outer - inner
    known = nearer[~np.isnan(nearer)]
    usual = float(np.median(known)) if known.size else 0.0
    no_nearer = np.where(in_long, max(AGREES * usual, min(usual, 2 * APART) * _NO_NEARER), 0.0)
    is_far = np.nan_to_num(nearer, nan=inf) < np.fmax(no_nearer, AGREES * usual)
    is_far &= (usual > APART) & (short.excess < usual + log(1 + SLOW)) & (not is_known)
    error = ERROR_OF_QUICK * short.scatter / sqrt(max(1.0, middle_of(links.counts.astype(float))))
    step = AGREES * usual if usual > APART else _FARTHER * deviation_of_most(short.excess)
    hop = max(APART, step)
    if usual < _FAINT * error if short.groups > 1 else _is_uneven(short, error):
        hop = -inf if _FAINT * error > 2 * APART else _NO_NEARER * APART
    by_a_hop = in_long & (short.excess > hop) & (not is_known)
    return (np.bincount(labels, minlength=2)[labels] == 1) | is_far | by_a_hop


def _is_uneven(kind: Kind, error: float) -> bool:
    """Whether most units have pairs quicker than noise explains; `error` is that of a level."""
    from scipy.special import ndtri  # noqa: PLC0415 - takes 0.3 s, only where there is a map

    beyond = kind.levels - np.nan_to_num(kind.expected)
    ends = kind.links.ends
    partners = np.bincount(ends, np.tile(~np.isnan(beyond), 2), kind.pairs.units)
    some = partners > FEW
    if not some.any():
        return False
    low = lowest_but_one(ends, np.tile(beyond - np.nanmedian(beyond), 2), kind.pairs.units)[some]
    return bool(np.median(low - error * ndtri(1.5 / partners[some])) < -_UNEVEN)


@dataclass(frozen=True)
class Rules:
    """From which excess on a unit is slow, in logarithms, and what is known besides.

    `far_is_slow`: where it is known which switch a unit is behind, one that is far is slow in short
    messages, too. `is_since`: times are changes since earlier maps, so that all should be as quick
    as the quickest kind, and what is slow at times was not. `uplink_is_slow`: one is named already.
    """

    floor: float
    far_is_slow: bool = False
    is_since: bool = False
    uplink_is_slow: bool = False


@dataclass(frozen=True)
class _Usual:
    """Middle and deviation of most units; where there are two kinds, of the slower one.

    `slower` are the units of this, `apart` by how much it is slower.
    """

    middle: float
    sigma: float
    slower: tuple[int, ...] = ()
    apart: float = 0.0


def _usual(kind: Kind, other: Kind, floor: float) -> _Usual:
    """Return what is usual; two kinds are apart by `floor` and leave no clear majority.

    They are so at their quickest, too; who only waits for others is not. Several that are slow in
    long messages alone have another port: these are of another kind where they are half as many.
    """
    two = _two_usual(kind, floor, MOST_SLOW)
    if two is None and kind.kind == "large":
        two = _two_usual(kind, floor, MOST_SLOW / 2 - 1e-9)
        if two and (
            len(two.slower) < FEW or np.nanmedian(other.excess[[*two.slower]]) > AGREES * two.apart
        ):
            two = None
    return two or _Usual(0.0, deviation_of_most(kind.excess))


def _two_usual(kind: Kind, floor: float, most_slow: float) -> _Usual | None:
    """Return two kinds of which the slower are more than a share of all; None of one kind."""
    ordered = np.sort(kind.excess[kind.tried])
    gaps = np.diff(ordered)
    slow_share = 1 - np.arange(1, len(ordered)) / max(1, len(ordered))
    gaps[(slow_share <= most_slow) | (slow_share > 1 - MOST_SLOW / 2)] = 0.0
    if not gaps.size or gaps.max() <= floor / 2:
        return None
    is_slow = np.nan_to_num(kind.excess, nan=-inf) > ordered[int(gaps.argmax())]
    quick, slow = kind.excess[kind.tried & ~is_slow], kind.excess[is_slow]
    # of slow units in long messages alone a few do not show it
    of_slow = deviation_of_most(slow) if most_slow == MOST_SLOW or len(slow) > 2 * FEW else 0.0
    sigma = max(deviation_of_most(quick), of_slow, sqrt(2) * float(np.median(kind.unit_errors)))
    apart = middle_of(slow) - middle_of(quick)
    at_best = middle_of(kind.at_best[is_slow]) - middle_of(kind.at_best[kind.tried & ~is_slow])
    if apart <= max(floor, SIGMAS * sigma) or at_best < AGREES * apart:
        return None
    return _Usual(middle_of(slow), sigma, tuple(np.flatnonzero(is_slow).tolist()), apart)


def _scattered(kind: Kind, rules: Rules, doubtful: float, limits: Floats) -> Iterator[str]:
    """Yield a sentence where units are so slow that some may be faulty, or all so by nature."""
    excess = np.nan_to_num(kind.excess, nan=-inf)
    beyond = np.flatnonzero((excess > doubtful) & (excess <= limits))
    if beyond.size:
        names = fold_host_list([kind.pairs.names[unit] for unit in beyond])
        yield (
            f"{kind.pairs.plural} differ so much in {SIZES[kind.kind]} messages (standard deviation"
            f" {np.nanstd(kind.excess):.0%}) that it may be by nature that {names} take more than"
            f" {exp(rules.floor):.2f} times as long as the median"
        )


def judge_units(kind: Kind, other: Kind, often: Often, rules: Rules) -> Judged:
    """Judge the units by one kind of messages, beside the other one.

    Who is slow is above all that are not by half of the limit, and twice as far from the middle:
    else units are spread.
    """
    usual = _usual(kind, other, rules.floor)
    excess = kind.excess - usual.middle
    if rules.is_since:  # the slower ones are not of another kind: they have changed
        excess += usual.apart
    others = np.nan_to_num(other.excess)
    in_both = (others >= AGREES * excess) & (excess >= AGREES * others)
    reach = SIGMAS * usual.sigma
    # without a fault it may take less than the unit in the middle does
    in_two = max(rules.floor - SURE * usual.sigma, reach)
    if rules.is_since:  # their days differ, too
        in_two = max(in_two, _DAYS * deviation_of_most(other.excess))
    # what units differ by is known better by both lengths: waiting for the slower one hides it
    in_one = max(rules.floor, reach + max(reach, SIGMAS * deviation_of_most(other.excess)))
    limits, doubtful = np.where(in_both, in_two, in_one), max(rules.floor, HIGH - reach)
    slow = np.nan_to_num(excess, nan=-inf) > limits
    if not rules.is_since:
        most = float(np.max(excess[kind.tried & ~slow], initial=0.0))
        next_to = excess < most + max(most, AGREES * rules.floor)
        limits = np.where(next_to, inf, limits)
        slow &= ~next_to
    at_their_best = _at_their_best(kind, other, rules)
    no_partners = slow | np.isin(np.arange(len(excess)), list(at_their_best))
    unit_of = _Units(kind, other, rules, excess, no_partners)
    verdicts = {
        unit: verdict
        for unit in np.flatnonzero(slow).tolist()
        if (verdict := unit_of.judged(unit)) is not None
    }
    of_all: list[str] = []
    if not rules.is_since:
        if usual.slower:
            of_all.append(
                f"two kinds of {kind.pairs.plural}: with {len(usual.slower)} of"
                f" {int(kind.tried.sum())} {SIZES[kind.kind]} messages take {exp(usual.apart):.2f}"
                " times as long as with the others"
            )
        else:
            of_all += _scattered(kind, rules, doubtful, limits)
        for unit in usual.slower:
            why = unit_of.evidence(unit, kind.excess[unit], None, _OF_THE_SLOWER)
            verdicts.setdefault(unit, (Status.SUSPECT, why))
    for unit in np.flatnonzero(often.stands_out).tolist():
        status = Status.SLOW if rules.is_since else Status.SUSPECT
        high = (times := kind.meetings_of(unit))[times > HIGH]
        factor = exp(float(np.median(high))) if high.size else exp(HIGH)
        counts = int(often.slow[unit]), int(often.of[unit])
        verdicts.setdefault(unit, (status, kind.evidence(factor, counts, None, OFTEN)))
    for unit, longer in at_their_best.items():
        why = unit_of.evidence(unit, longer, kind.alone_of_unit(unit, no_partners), _AT_ITS_BEST)
        verdicts.setdefault(unit, (Status.SUSPECT, why))
    seen_from = max(in_two, rules.floor, min(doubtful, in_one)) + SURE * usual.sigma
    return Judged(verdicts, tuple(of_all), seen_from)


def _at_their_best(kind: Kind, other: Kind, rules: Rules) -> dict[int, float]:
    """Return the units that are slow with all others, and by how much.

    By their group they may look as usual, which several slow ones make so, or ways that are shared
    hide that they are slow: of long messages it counts what they take alone, where it was measured.
    """
    if kind.kind == "small" and rules.far_is_slow:
        return {}  # no way is shared, and how long each is was taken out
    floor = max(rules.floor, log(1 + SLOW))
    at_best = np.nan_to_num(kind.at_best)
    own, best = (SIGMAS * deviation_of_most(each) for each in (kind.excess, kind.at_best))
    # of few units half may be slow, so that these make the difference at their best
    slow = at_best > max(floor, min(best, max(own, CLEAR)))
    if kind.kind == "large":
        known = [kind.alone_of_unit(u, slow, at_best=True) for u in range(kind.pairs.units)]
        alone = np.array([np.nan if one is None else log(one) for one in known])
        slow = slow & ~(alone < AGREES * at_best) | (alone > floor + 2 * _error_alone(kind, other))
        at_best = np.fmax(at_best, alone)
    return {unit: float(at_best[unit]) for unit in np.flatnonzero(slow).tolist()}


def _error_alone(kind: Kind, other: Kind) -> float:
    """Return the standard error of what was measured alone; company makes either scatter more."""
    return ERROR_OF_QUICK * min(kind.scatter, other.scatter) / sqrt(_RETESTS)


@dataclass(frozen=True)
class _Units:
    """`excess` is what units take beyond what is usual; for those in `slow` their partners wait."""

    kind: Kind
    other: Kind
    rules: Rules
    excess: Floats
    slow: Mask

    def judged(self, unit: int) -> tuple[Status, Evidence] | None:
        """Return the verdict on a unit beyond the limit; None where it only waits for others."""
        kind, rules, excess = self.kind, self.rules, float(self.excess[unit])
        alone = kind.alone_of_unit(unit, self.slow)
        at_best = kind.at_best[unit] >= AGREES * excess
        waits = alone is None and kind.at_once[unit] < AGREES * excess
        is_alone = at_best if alone is None else log(alone) >= AGREES * excess
        status, reason = Status.SUSPECT, SLOW_IN_ALL
        if not is_alone and not at_best:
            if excess < HIGH or rules.uplink_is_slow or (alone and log(alone) < rules.floor):
                return None
            return status, self.evidence(unit, excess, alone, _NOT_AT_BEST)
        # who is on no group's switch shares a way with others in long messages
        may_share = kind.groups > 1 and self.other.excess[unit] < AGREES * excess
        if not is_alone:
            reason = _NOT_ALONE
        elif not at_best:
            reason = _NOT_AT_BEST
        elif alone is None and may_share and not rules.far_is_slow:
            reason = NOT_RETESTED
        elif waits and not rules.is_since:
            reason = _NOT_ONCE
        elif excess - SIGMAS * kind.unit_errors[unit] < AGREES * rules.floor:
            reason = NOT_SURE
        elif kind.far[unit] and (rules.far_is_slow or excess < FARTHEST):
            status, reason = self._far(unit)
        else:
            status = Status.SLOW
        return status, self.evidence(unit, excess, alone, reason)

    def _far(self, unit: int) -> tuple[Status, str]:
        """Return what short messages say where long ones in company do not."""
        # beside units that are slow in neither
        slow = self.slow | (np.nan_to_num(self.other.at_best) > self.rules.floor)
        long = self.other.alone_of_unit(unit, slow)
        error = _error_alone(self.other, self.kind)
        if long is None or log(long) - error < self.rules.floor:
            return Status.SUSPECT, FAR_FROM_ALL
        return Status.SLOW, f"{SLOW_IN_ALL}, and long messages alone take {long:.2f} times as long"

    def evidence(self, unit: int, excess: float, alone: float | None, reason: str) -> Evidence:
        """Return the evidence, in which meetings are slow from half of the limit on."""
        times = self.kind.meetings_of(unit)
        counts = int(np.sum(times > self.rules.floor / 2)), times.size
        return self.kind.evidence(exp(excess), counts, alone, reason)
