"""Several maps of pairs as one: what the short messages of all pairs of their hosts took."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from beff.maps.levels import quantiles
from beff.maps.pair_map import Floats, Mask, PairMap
from beff.maps.schedule import Ints

_ROUNDS = 12


@dataclass(frozen=True, eq=False)
class Joined:
    """All pairs of several maps that met, and how often.

    `halves` [half, host, host] are the times of one half of the meetings and of the other, as
    shares of that of the pair in the middle; NaN where a pair did not meet, or did so once.
    """

    names: tuple[str, ...]
    halves: Floats
    counts: Ints

    @property
    def times(self) -> Floats:
        """[host, host], NaN where a pair did not meet."""
        found: Floats = np.where(np.isnan(self.halves[1]), self.halves[0], self.halves.mean(axis=0))
        return found

    def of(self, hosts: Mask) -> "Joined":
        """Return what some hosts show."""
        kept = np.ix_(hosts, hosts)
        names = tuple(np.array(self.names)[hosts].tolist())
        return Joined(names, self.halves[:, kept[0], kept[1]], self.counts[kept])


def met_most(pairs: Joined) -> Mask:
    """Return the hosts that met half of each other or more: of others it is not known who is near.

    The one that met fewest is left out first.
    """
    here, met = np.ones(len(pairs.names), dtype=bool), pairs.counts > 0
    often = met.sum(axis=1)
    while here.any():
        least = int(np.where(here, often, len(here)).argmin())
        if 2 * often[least] >= here.sum() - 1:
            break
        here[least] = False
        often = often - met[least]
    return here


def joined(maps: Sequence[PairMap]) -> Joined:
    """Join the short messages of maps: each at the level that makes shared pairs alike."""
    names = tuple(dict.fromkeys(name for one in maps for name in one.names))
    number = {name: place for place, name in enumerate(names)}
    ends = [
        np.array([number[name] for name in one.names])[np.stack([one.first, one.second])]
        for one in maps
    ]
    first, second = np.sort(np.concatenate(ends, axis=1), axis=0)
    of_map = np.repeat(np.arange(len(maps)), [len(one.first) for one in maps])
    times = np.concatenate([one.times["small"] for one in maps])
    known = ~np.isnan(times)
    keys, of = np.unique((first * len(names) + second)[known], return_inverse=True)
    of_map, times = of_map[known], times[known]
    levels = quantiles(of_map, times, len(maps), 0.5)
    for _ in range(_ROUNDS):
        pairs = quantiles(of, times - levels[of_map], len(keys), 0.5)
        levels = quantiles(of_map, times - pairs[of], len(maps), 0.5)
    order = np.argsort(of, kind="stable")
    counts = np.bincount(of, minlength=len(keys))
    half = np.empty(len(of), dtype=np.int64)
    half[order] = (np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)) % 2
    found = quantiles(2 * of + half, times - levels[of_map], 2 * len(keys), 0.5).reshape(-1, 2)
    halves, often = np.full((2, len(names), len(names)), np.nan), np.zeros((len(names),) * 2, int)
    one, other = keys // len(names), keys % len(names)
    halves[:, one, other] = halves[:, other, one] = np.exp(found - np.median(found[:, 0])).T
    often[one, other] = often[other, one] = counts
    return Joined(names, halves, often)
