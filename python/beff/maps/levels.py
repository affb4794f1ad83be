"""Levels: what two units take for an exchange, by all their meetings, and how sure it is."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import expm1, log, sqrt

import numpy as np

from beff.definition.b_pairs_plan import Ints
from beff.maps.pair_map import Floats, PairMap
from beff.result.numbers import percent

# The constants by which maps are judged; factors of time are logarithms. What each does to
# the verdicts on made-up machines: bench/RESULTS.md. Two more are what a user may choose
# (findings.SLOW, findings.SLOW_SINCE). What serves one rule only stands beside that rule.
APART = log(1.05)
"""Groups less far apart cannot be mistaken for a fault: these begin at a tenth more time."""
CLEAR = log(1.25)
"""What links, groups and their uplinks take longer than others alike from here on is a finding.

The program measures links again from the same factor on (core/pairs/pair_map.cpp)."""
HIGH = log(1.5)
"""A meeting is slow if it takes so much longer than its pair usually does; a unit as slow as that
is never called good; and groups are of a size if one has fewer than so many times the units."""
FARTHEST = log(2.2)
"""Short messages that pass more switches than others take up to about twice as long: four more hops
of 0.15 us and 100 m of cable of 0.5 us on top of 1 us; and hosts differ by nature."""
SIGMAS = 3.5
"""Chance hardly ever reaches so many standard deviations: once in 4300 Gaussian values. One pair of
many needs twice as many, and what only messages of one length show so many of either length, as
there nothing is sure to be Gaussian."""
AGREES = 0.5
"""What was measured otherwise agrees when it shows half of the logarithm or more: alone, at its
best, or in messages of the other length."""
QUICK = 0.25
"""A pair's level: so many of its meetings are quicker. Noise and contention only add time."""
MOST_SLOW = 0.4
"""If more than this share of the units is slower, it is open whether these are slow or the others
quick, unless the others are fewer than half of that."""
CHANCE = 1e-4
"""Chance makes one of all stand out in its rounds with a probability of at most this."""
FEW = 3
"""So many others show what is usual; from fewer nothing is concluded."""

ERROR_OF_QUICK = 1.36
"""Standard error of the 25 % quantile of k Gaussian values, times the root of k."""
_SIGMA_PER_HALF = 2.75
"""Standard deviation over that of the shortest half, for Gaussian noise and 8 values or more."""
_FAR_OFF = 4.0
_FEWEST_NEAR = 12
"""Of fewer values the shortest half may be so long that the reach takes in what is far off."""
_SIGMA_PER_MEDIAN = 1.4826
"""Standard deviation over the median of the absolute values of Gaussian noise around 0."""


@dataclass(frozen=True)
class Links:
    """The pairs that met, in the order of the numbers of their units, and how often each did.

    `of` is the pair of each entry of the map.
    """

    first: Ints
    second: Ints
    counts: Ints
    of: Ints

    @cached_property
    def ends(self) -> Ints:
        """The first units of all links, and behind them the second ones."""
        return np.concatenate([self.first, self.second])

    def find(self, values: Floats, first: Ints, second: Ints) -> Floats:
        """Return the values of the links between given units; NaN where these did not meet."""
        base = 1 + max(int(ends.max(initial=0)) for ends in (self.second, second))
        keys, wanted = self.first * base + self.second, first * base + second
        if not keys.size:
            return np.full(len(wanted), np.nan)
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[place] == wanted, values[place], np.nan)


def links_of(pairs: PairMap) -> Links:
    """Return the pairs of a map."""
    return links_between(pairs.first, pairs.second, pairs.units)


def links_between(first: Ints, second: Ints, units: int) -> Links:
    """Return the pairs of so many units that met."""
    keys, of, counts = np.unique(first * units + second, return_inverse=True, return_counts=True)
    return Links(keys // units, keys % units, counts, of)


def scatter(links: Links, times: Floats) -> float:
    """Return the standard deviation of a meeting around the level of its pair.

    By the differences between one meeting of a pair and its next one, which neither drift nor a
    minority of slow ones moves; where hardly a pair met twice, by those between any two meetings of
    one unit, which are larger.
    """
    ends = np.stack([links.first, links.second], axis=1)[links.of].ravel()
    for key, taken in ((links.of, times), (ends, np.repeat(times, 2))):
        order = np.argsort(key, kind="stable")
        apart = np.diff(taken[order])[np.diff(key[order]) == 0]
        known = np.abs(apart[~np.isnan(apart)])
        if 4 * known.size >= times.size:
            break
    return _SIGMA_PER_MEDIAN * float(np.median(known)) / np.sqrt(2) if known.size else 0.0


def quick_level(times: Floats) -> float:
    """Return the level of the quick pairs: a tenth is still quicker."""
    known = times[~np.isnan(times)]
    return float(np.quantile(known, 0.1)) if known.size else 0.0


def quantiles(groups: Ints, values: Floats, count: int, share: float) -> Floats:
    """Return for each group the largest value that the share of its values does not exceed.

    That is the lower one of two; NaN are left out, and stand for groups without a value.
    """
    return _placed(groups, values, count, lambda most: np.floor(share * most))


def lowest_but_one(groups: Ints, values: Floats, count: int) -> Floats:
    """Return for each group the second value, or the quickest tenth of many; of three, the first.

    A unit's quickest partners show what it takes itself: the others wait for it or it for them.
    The first of many values is a lucky one.
    """
    return _placed(
        groups, values, count, lambda most: np.where(most > 2, np.fmax(1, np.floor(0.1 * most)), 0)
    )


def _placed(groups: Ints, values: Floats, count: int, place_of: Callable[[Ints], Floats]) -> Floats:
    """Return for each group the value at a place, by the place of its last one; NaN are left out.

    Between two places it lies in between.
    """
    known = ~np.isnan(values)
    groups, values = groups[known], values[known]
    by_value = np.argsort(values)
    # sorted in linear time where the numbers of groups fit 16 bits
    small = groups[by_value].astype(np.min_scalar_type(count))
    ordered = values[by_value[np.argsort(small, kind="stable")]]
    sizes = np.bincount(groups, minlength=count)
    some = sizes > 0
    begin, place = (np.cumsum(sizes) - sizes)[some], place_of(sizes - 1)[some]
    below, above = (ordered[begin + at(place).astype(np.int64)] for at in (np.floor, np.ceil))
    placed = np.full(count, np.nan)
    placed[some] = below + (place - np.floor(place)) * (above - below)
    return placed


_FEWEST_MEETINGS = 3


def noise_of(pairs: PairMap) -> dict[str, float]:
    """Return, for short and long messages, by how much the times of a pair differ, as a share.

    Upper quartile / lower quartile - 1 of a pair's meetings, the median over the pairs. Empty where
    none met three times.
    """
    links, noise = links_of(pairs), {}
    for kind, times in pairs.times.items():
        count = len(links.first)
        often = np.bincount(links.of[~np.isnan(times)], minlength=count) >= _FEWEST_MEETINGS
        if often.any():
            upper = _placed(links.of, times, count, lambda most: 0.75 * most.astype(np.float64))
            lower = _placed(links.of, times, count, lambda most: 0.25 * most.astype(np.float64))
            noise[kind] = expm1(float(np.median((upper - lower)[often])))
    return noise


def alone_levels(pairs: PairMap, kind: str) -> tuple[Ints, Ints, Floats]:
    """Return pairs that were measured with nothing else under way, and what they took."""
    links = links_between(pairs.retest_first, pairs.retest_second, pairs.units)
    levels = quantiles(links.of, pairs.retests[kind], len(links.first), QUICK)
    return links.first, links.second, levels


def deviation_of_most(values: Floats) -> float:
    """Return the deviation of the shortest half and what lies within four of it.

    Least median of squares, reweighted (P. J. Rousseeuw and A. M. Leroy: Robust Regression and
    Outlier Detection, Wiley 1987): a minority that lies far off does not count, nor do NaN.
    """
    known = np.sort(values[~np.isnan(values)])
    if known.size < 2:
        return 0.0
    size = known.size // 2 + 1
    start = int(np.argmin(known[size - 1 :] - known[: known.size - size + 1]))
    half = known[start : start + size]
    sigma = _SIGMA_PER_HALF * float(half.std())
    reach = _FAR_OFF * sigma
    near = known[(known >= half[0] - reach) & (known <= half[-1] + reach)]
    if known.size >= _FEWEST_NEAR:
        sigma = max(float(near.std(ddof=1)), sigma / 2)
    return sigma


_LARGEST_ERROR = 0.15


def why_too_seldom(pairs: PairMap) -> str | None:
    """Say why a map of another program shows nothing about hosts that other maps hold."""
    links = links_of(pairs)
    most = max(scatter(links, times) for times in pairs.times.values())
    error = ERROR_OF_QUICK * most / sqrt(float(np.median(links.counts)))
    text = f"its few measurements of each pair differ so much, by {percent(error)}"
    return text if error > _LARGEST_ERROR else None
