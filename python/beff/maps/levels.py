"""Levels: what two units take for an exchange, by all their meetings, and how sure it is."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from beff.definition.b_pairs_plan import Ints
from beff.maps.pair_map import Floats, PairMap

ERROR_OF_QUICK = 1.36
"""Standard error of the 25 % quantile of k Gaussian values, times the root of k."""
SIGMAS_FROM_TENTH_TO_HALF = 1.28
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

    def find(self, values: Floats, first: Ints, second: Ints) -> Floats:
        """Return of the values of all links those between two units; NaN where none met."""
        base = 1 + max(int(ends.max(initial=0)) for ends in (self.second, second))
        keys, wanted = self.first * base + self.second, first * base + second
        if not keys.size:
            return np.full(len(wanted), np.nan)
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[place] == wanted, values[place], np.nan)


def links_of(pairs: PairMap) -> Links:
    """Return the pairs of a map."""
    keys, of, counts = np.unique(
        pairs.first * pairs.units + pairs.second, return_inverse=True, return_counts=True
    )
    return Links(keys // pairs.units, keys % pairs.units, counts, of)


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
    """Return of each group the largest value that the share of its values does not exceed.

    That is the lower one of two; NaN are left out, and stand for groups without a value.
    """
    return _placed(groups, values, count, lambda most: np.floor(share * most))


def lowest_but_one(groups: Ints, values: Floats, count: int) -> Floats:
    """Return of each group the second value, or the quickest tenth of many; of three, the first.

    A unit's quickest partners show what it takes itself: the others wait for it or it for them.
    The first of many values is a lucky one.
    """
    return _placed(
        groups, values, count, lambda most: np.where(most > 2, np.fmax(1, np.floor(0.1 * most)), 0)
    )


def _placed(groups: Ints, values: Floats, count: int, place_of: Callable[[Ints], Floats]) -> Floats:
    """Return of each group the value at a place, by that of its last one; NaN are left out."""
    known = ~np.isnan(values)
    groups, values = groups[known], values[known]
    by_value = np.argsort(values)
    # sorted in linear time where the numbers of groups fit 16 bits
    small = groups[by_value].astype(np.min_scalar_type(count))
    ordered = values[by_value[np.argsort(small, kind="stable")]]
    sizes = np.bincount(groups, minlength=count)
    some = sizes > 0
    places = (np.cumsum(sizes) - sizes + place_of(sizes - 1).astype(np.int64))[some]
    found = np.full(count, np.nan)
    found[some] = ordered[places]
    return found


@dataclass(frozen=True)
class Most:
    """Median of all values, and standard deviation without a minority that lies far off."""

    middle: float
    sigma: float


def most_of(values: Floats) -> Most:
    """Return the median, and the deviation of the shortest half and what lies within four of it.

    Least median of squares, reweighted (P. J. Rousseeuw and A. M. Leroy: Robust Regression and
    Outlier Detection, Wiley 1987). NaN are left out.
    """
    known = np.sort(values[~np.isnan(values)])
    if known.size < 2:
        return Most(float(known[0]) if known.size else 0.0, 0.0)
    size = known.size // 2 + 1
    start = int(np.argmin(known[size - 1 :] - known[: known.size - size + 1]))
    half = known[start : start + size]
    sigma = _SIGMA_PER_HALF * float(half.std())
    reach = _FAR_OFF * sigma
    near = known[(known >= half[0] - reach) & (known <= half[-1] + reach)]
    if known.size >= _FEWEST_NEAR:
        sigma = max(float(near.std(ddof=1)), sigma / 2)
    return Most(float(np.median(known)), sigma)
