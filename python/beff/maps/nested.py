"""Which hosts are behind the same switch, and these behind the next: by what pairs of maps take.

A short message takes T(i, j) = level(switches passed) + host i + host j: switches within switches
explain the pairs where nothing else is left over. The meetings of a pair are put in two halves:
what both show alike is no chance.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from beff.maps.constants import APART
from beff.maps.groups import groups_of
from beff.maps.joined import Joined
from beff.maps.levels import ERROR_OF_QUICK, Links, quantiles
from beff.maps.pair_map import Floats, Mask
from beff.maps.schedule import Ints

FEWEST_HOSTS = 6
"""Of fewer all pairs are explained by as many hosts and levels."""
SURE = 4.0
"""A host is surely nearer to its switch than to another by so many standard errors."""
_LEFT_OVER = 0.1
"""Of the least step between switches so much may be left over, as cables differ in length: of trees
0.07 was seen at 5 % of noise, of dragonflies 0.12 or more."""
_LEFT_OVER_FLAT = 0.015
"""As much where no groups are seen: of one switch 0.005 was seen, of tori 0.04 or more."""
_QUICKER = 6.0
"""No pair is so many standard deviations quicker than all others say."""
_ENOUGH = 6
"""Pairs that are as far apart tell what is left over."""
_FEWEST_BELOW = 3
"""Of two switches it is not seen whether one is above both."""
_AS_GOOD = 1.02
_ROUNDS, _MOST_MOVES = 12, 6
_LEAST_SIGMA = 1e-6
_SIGMA_PER_MEDIAN = 1.4826
_SIGMAS_IN_FOUR_FIFTHS = 2.563


@dataclass(frozen=True, eq=False)
class Nested:
    """Hosts behind switches within switches, and how surely.

    `labels` [level, host] are the numbers of switches, those that hosts are plugged into first; the
    one above all is not there. `steps` are what pairs take longer, as a share of those behind one
    switch, for each level that they pass. `sigmas` [host]: by how many standard errors a host is
    nearer to its switch than to the next best place. `left_over`: standard deviation of what both
    halves show alike beyond this model, as a share of those behind one switch. `some_quicker`:
    whether pairs are far quicker than it says, as no fault makes them.
    """

    names: tuple[str, ...]
    labels: Ints
    steps: Floats
    sigmas: Floats
    left_over: float
    some_quicker: bool

    @property
    def is_told(self) -> bool:
        """Whether pairs can tell: enough met twice, and no switch stands beside single hosts alone.

        Such ones explain as well what two switches do.
        """
        is_alone = len(self.labels) > 0 and (np.bincount(self.labels[0]) > 1).sum() < 2
        return self.left_over < np.inf and not is_alone

    @property
    def placed(self) -> Mask:
        """Which hosts are surely where they are said to be."""
        return self.sigmas >= SURE

    @property
    def explains(self) -> bool:
        """Whether nothing is left over that is no chance."""
        most = _LEFT_OVER * float(self.steps.min()) if self.steps.size else _LEFT_OVER_FLAT
        return self.left_over <= most and not self.some_quicker

    @property
    def is_known(self) -> bool:
        """Whether most hosts are surely somewhere."""
        return bool(2 * self.placed.sum() > len(self.placed))


def nested(pairs: Joined) -> Nested:
    """Return the switches that explain the pairs best; all hosts have met most of the others."""
    times, hosts = pairs.times, len(pairs.names)
    first, second = np.nonzero(np.triu(pairs.counts, 1))
    counts = pairs.counts[first, second]
    links = Links(first, second, counts, np.arange(len(first)))
    error = _sigma((pairs.halves[0] - pairs.halves[1])[first, second]) / 2
    scatter = error * sqrt(float(np.median(counts))) / ERROR_OF_QUICK
    alone = _Fit.of(times, np.empty((0, hosts), dtype=np.int64)).without_own
    begins = [
        groups_of(hosts, links, np.log(one[first, second]), scatter) for one in (times, alone)
    ]
    near = _parts(alone)
    found = [_settled(times, leaves) for leaves in (*begins, *([] if near is None else [near]))]
    # one of two leaves is as well explained by as many switches as hosts, and unlike hosts
    costs = [float(np.nansum(abs(fit.rest))) for fit in found]
    good = (fit for fit, cost in zip(found, costs, strict=True) if cost <= _AS_GOOD * min(costs))
    return min(good, key=lambda fit: int(fit.labels.max(initial=0))).checked(pairs)


def _settled(times: Floats, leaves: Ints) -> "_Fit":
    """Return the fit that moving hosts one after the other does not make better."""
    for _ in range(_MOST_MOVES):
        fit = _Fit.of(times, _with_levels_above(times, leaves))
        moved = fit.moved()
        if (moved == leaves).all():
            break
        leaves = moved
    return fit


@dataclass(frozen=True, eq=False)
class _Fit:
    """Hosts at their switches: what each adds, and the level by how many switches differ."""

    times: Floats
    labels: Ints
    own: Floats
    levels: Floats

    @classmethod
    def of(cls, times: Floats, labels: Ints) -> "_Fit":
        """Fit hosts and levels in turn, by medians."""
        hosts, depth = len(times), _apart(labels, labels)
        upper = np.triu(np.ones((hosts, hosts), dtype=bool), 1)
        own, levels = np.zeros(hosts), np.zeros(len(labels) + 1)
        for _ in range(_ROUNDS):
            rest = times - own[:, None] - own[None, :]
            levels = quantiles(depth[upper], rest[upper], len(levels), 0.5)
            own += _medians(_no_self(rest - levels[depth]))
            own -= np.median(own)
        return cls(times, labels, own, levels)

    @property
    def without_own(self) -> Floats:
        """[host, host] what pairs took beyond what each host adds."""
        return self.times - self.own[:, None] - self.own[None, :]

    @property
    def model(self) -> Floats:
        """[host, host] what pairs should take; NaN of a host and itself."""
        between = self.levels[_apart(self.labels, self.labels)]
        return _no_self(between + self.own[:, None] + self.own[None, :])

    @property
    def rest(self) -> Floats:
        """[host, host] what is left over."""
        return self.times - self.model

    def moved(self) -> Ints:
        """Return the switch of each host where that explains its pairs best."""
        if not len(self.labels):
            return np.zeros(len(self.own), dtype=np.int64)
        labels, places = self.labels.copy(), _with_new(self.labels)
        for host in range(len(self.own)):
            rest = self.times[host] - self.own - self.levels[_apart(places, labels)]
            rest[:, host] = np.nan
            cost = np.nansum(abs(rest - _medians(rest)[:, None]), axis=1)
            is_now = (places == labels[:, [host]]).all(axis=0)
            if cost.min() < cost[is_now][0]:
                best = places[:, cost.argmin()]
                labels[:, host] = np.where(best < 0, labels.max(axis=1) + 1, best)
                places = _with_new(labels)
        found: Ints = np.unique(labels[0], return_inverse=True)[1]
        return found

    def sigmas(self) -> Floats:
        """Return by how many standard errors each host is nearer to its place than to any other.

        So are the switches that it is behind. Who met less than half of its mates is not.
        """
        hosts = len(self.own)
        found, rest = np.full(hosts, np.inf), self.rest
        sigma = max(_sigma(rest[np.triu_indices(hosts, 1)]), _LEAST_SIGMA)
        for level, units in enumerate((np.arange(hosts), *self.labels)[: len(self.labels)]):
            labels = self.labels[level:]
            at = self.levels[level + _apart(_with_new(labels), labels)]
            for unit in np.unique(units):
                here = units == unit
                mates = ~here & (labels[0] == labels[0, here][0])
                if 2 * np.isfinite(rest[here][:, mates]).sum() < here.sum() * mates.sum():
                    found[here] = 0.0
                    continue
                now = self.levels[level + _apart(labels[:, here][:, :1], labels)]
                apart = (at - now)[:, ~here]
                apart = apart[(apart != 0).any(axis=1)]
                found[here] = np.fmin(found[here], _nearer(rest[here][:, ~here], apart) / sigma)
        return found

    def checked(self, pairs: Joined) -> Nested:
        """Return what was found, with how sure it is."""
        upper = np.triu_indices(len(self.own), 1)
        one, other = ((half - self.model)[upper] for half in pairs.halves)
        depth = _apart(self.labels, self.labels)[upper]
        both = [(one[depth == level], other[depth == level]) for level in np.unique(depth)]
        alike = [
            (_width(one + other) ** 2 - _width(one - other) ** 2) / 4
            for one, other in both
            if np.isfinite(one + other).sum() >= _ENOUGH
        ]
        # of two slow hosts each may wait for the other, or both add what they take
        own = self.own[:, None], self.own[None, :]
        least = self.levels[_apart(self.labels, self.labels)] + np.fmin(sum(own), np.fmax(*own))
        quicker = np.log(least / self.times)[upper]
        reach = max(APART, _QUICKER * _sigma(self.rest[upper]) / float(self.levels[0]))
        return Nested(
            pairs.names,
            self.labels,
            np.diff(self.levels) / self.levels[0],
            self.sigmas(),
            sqrt(max(0.0, *alike)) / float(self.levels[0]) if alike else np.inf,
            bool((np.nan_to_num(quicker) > reach).any()),
        )


def _with_new(labels: Ints) -> Ints:
    """Return [level, place] the places of hosts, and those behind new switches, numbered -1."""
    level, places = np.arange(len(labels))[:, None], np.unique(labels, axis=1)
    return np.concatenate(
        [places, *(np.where(level < new, -1, places) for new in range(1, len(labels) + 1))], axis=1
    )


def _nearer(rest: Floats, apart: Floats) -> float:
    """Return how far what is left over is from what would be left over elsewhere, at least.

    `rest` [host, other] is of hosts that move together, each with a level of its own, `apart`
    [place, other] how much farther others would be. Infinite without another place; 0 where no pair
    tells one from this.
    """
    most = float(abs(apart).max(initial=0.0))
    mine = np.clip(rest - _medians(rest)[:, None], -most, most)
    known = ~np.isnan(mine)
    away = np.where(known, apart[:, None, :], 0.0)
    away -= away.sum(axis=2, keepdims=True) / np.fmax(1, known.sum(axis=1))[:, None]
    away *= known
    size = (away**2).sum(axis=(1, 2))
    if (size < (APART / 2) ** 2).any():
        return 0.0
    along = (away * np.nan_to_num(mine)).sum(axis=(1, 2))
    return float(((0.5 - along / size) * np.sqrt(size)).min(initial=np.inf))


def _medians(rows: Floats) -> Floats:
    """Return the median of each row, the lower one of two; NaN are left out."""
    place = np.fmax(0, (~np.isnan(rows)).sum(axis=1) - 1) // 2
    found: Floats = np.sort(rows, axis=1)[np.arange(len(rows)), place]
    return found


def _apart(places: Ints, others: Ints) -> Ints:
    """Return [place, other] at how many levels the switches of two differ."""
    found: Ints = (places[:, :, None] != others[:, None, :]).sum(axis=0)
    return found


def _no_self(square: Floats) -> Floats:
    np.fill_diagonal(square, np.nan)
    return square


def _sigma(values: Floats) -> float:
    """Return the standard deviation without a minority that lies far off; NaN are left out."""
    known = values[~np.isnan(values)]
    if not known.size:
        return 0.0
    return _SIGMA_PER_MEDIAN * float(np.median(abs(known - np.median(known))))


def _width(values: Floats) -> float:
    """Return the standard deviation by the middle four fifths; NaN are left out."""
    known = values[~np.isnan(values)]
    return float(np.ptp(np.quantile(known, (0.1, 0.9)))) / _SIGMAS_IN_FOUR_FIFTHS


def _with_levels_above(times: Floats, leaves: Ints) -> Ints:
    """Return [level, host] the switches of hosts, and those above as far as pairs show them."""
    found: list[Ints] = []
    rest = times.copy()
    inside = {}
    for leaf in np.unique(leaves):  # others see the hosts of a leaf at the same distance
        here = leaves == leaf
        own = np.nan_to_num(_medians(times[here] - _medians(times[here].T)))
        rest[here] -= own[:, None]
        rest[:, here] -= own[None, :]
        inside[leaf] = _medians(rest[np.ix_(here, here)].reshape(1, -1))[0]
    usual = np.median([level for level in inside.values() if level > 0] or [0.0])
    for leaf, level in inside.items():  # where all are slow, they are so inside, too
        slow = np.nan_to_num(level - usual) / 2
        rest[leaves == leaf] -= slow
        rest[:, leaves == leaf] -= slow
    labels: Ints | None = leaves
    while labels is not None and labels.any():
        found.append(labels)
        labels = _above(rest, labels)
    return np.array(found, dtype=np.int64).reshape(-1, len(leaves))


def _above(times: Floats, labels: Ints) -> Ints | None:
    """Return the switch above that of each host where some are nearer to each other than others."""
    sizes = np.bincount(labels)
    several, switches = np.flatnonzero(sizes > 1), range(len(sizes))
    if len(several) < _FEWEST_BELOW:
        return None
    rows = np.stack([_medians(times[labels == one].T) for one in switches])
    square = np.stack([_medians(rows[:, labels == one]) for one in switches])
    np.fill_diagonal(square, 0.0)
    square[np.isnan(square)] = np.median(square[square > 0])
    square = (square + square.T) / 2
    above = _parts(square[np.ix_(several, several)])
    if above is None:
        return None
    # a host that is alone may be slow, and no farther than others
    of_all = above[square[:, several].argmin(axis=1)]
    of_all[several] = above
    found: Ints = of_all[labels]
    return found


def _parts(square: Floats) -> Ints | None:
    """Return the part of each by average linkage, cut where the next is far; None without it."""
    from scipy.cluster.hierarchy import fcluster, linkage  # noqa: PLC0415 - takes 0.3 s
    from scipy.spatial.distance import squareform  # noqa: PLC0415

    known = np.where(np.isnan(square), np.nanmedian(square), square)
    np.fill_diagonal(known, 0.0)
    merged: Any = linkage(squareform(known, checks=False), "average")
    gaps = np.diff(np.log(merged[:, 2]))
    far = np.flatnonzero(gaps > APART)
    if not far.size:
        return None
    cut = float(merged[far[0] : far[0] + 2, 2].mean())
    return np.asarray(fcluster(merged, cut, "distance") - 1, dtype=np.int64)
