"""A robust additive model on logarithms: level + effect of one host + effect of the other + rest.

J. W. Tukey: Exploratory Data Analysis, Addison-Wesley 1977 (median polish). A pair waits for its
slower half, so two slow hosts are not twice as slow together; the median of a host's pairs does not
mind as long as fewer than half of its partners are slow.
"""

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from beff.analysis.pairs.pair_map import Floats, Ints

_STEPS = 60
_DAMPING = 0.5
"""All effects move at once, each pair has two: whole steps would overshoot."""
_CLOSE = 1e-4
SIGMA_PER_MAD = 1.4826
"""Standard deviation over median absolute deviation, for Gaussian noise."""
SIGMA_PER_HALF = 2.75
"""Standard deviation over that of the tightest half, for Gaussian noise and 8 values or more."""
_FAR_OFF = 3.0


@dataclass(frozen=True)
class Model:
    """Level, effect of each unit (NaN without a measurement), and the rest of each entry."""

    level: float
    effects: Floats
    rests: Floats


def polish(first: Ints, second: Ints, times: Floats, units: int) -> Model:
    """Fit the model to entries of ln(time), of which NaN are left out."""
    known = ~np.isnan(times)
    effects = np.zeros(units)
    level = float(np.median(times[known])) if known.any() else 0.0
    for _ in range(_STEPS):
        rests = times - level - effects[first] - effects[second]
        step = by_unit(first, second, rests, units)
        moved = np.nan_to_num(step) * _DAMPING
        effects += moved
        middle = float(np.median(effects))
        effects -= middle
        level += 2 * middle
        if np.max(np.abs(moved - middle), initial=0.0) < _CLOSE:
            break
    rests = times - level - effects[first] - effects[second]
    tried = np.bincount(np.concatenate([first[known], second[known]]), minlength=units) > 0
    return Model(level, np.where(tried, effects, np.nan), rests)


def by_unit(first: Ints, second: Ints, values: Floats, units: int) -> Floats:
    """Return the median of the values of each unit's entries; NaN where there is none."""
    return grouped_median(np.concatenate([first, second]), np.concatenate([values, values]), units)


def grouped_median(groups: Ints, values: Floats, count: int) -> Floats:
    """Return the median of the values of each group; NaN where there is none."""
    known = ~np.isnan(values)
    groups, values = groups[known], values[known]
    values = values[np.lexsort((values, groups))]
    sizes = np.bincount(groups, minlength=count)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    found = np.full(count, np.nan)
    some = sizes > 0
    low = values[(starts + (sizes - 1) // 2)[some]]
    high = values[(starts + sizes // 2)[some]]
    found[some] = (low + high) / 2
    return found


def deviation(values: Floats) -> float:
    """Return the standard deviation by the median absolute deviation; NaN are left out."""
    known = values[~np.isnan(values)]
    if not known.size:
        return 0.0
    return SIGMA_PER_MAD * float(np.median(np.abs(known - np.median(known))))


def deviation_of_most(values: Floats) -> float:
    """Return the standard deviation of all but a minority that lies far off; NaN are left out.

    That of the tightest half, then that of all within three of its ends: least trimmed squares,
    reweighted (P. J. Rousseeuw and A. M. Leroy: Robust Regression and Outlier Detection, Wiley
    1987).
    """
    known = np.sort(values[~np.isnan(values)])
    if known.size < 2:
        return 0.0
    halves = sliding_window_view(known, known.size // 2 + 1)
    half = halves[np.argmin(halves.std(axis=1))]
    sigma = SIGMA_PER_HALF * float(half.std())
    reach = _FAR_OFF * sigma
    near = known[(known >= half[0] - reach) & (known <= half[-1] + reach)]
    return max(float(near.std(ddof=1)), sigma / 2)
