"""Groups: units that are nearer to each other than to the rest, as those behind one switch."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from beff.maps.levels import APART, ERROR_OF_QUICK, SIGMAS, Links
from beff.result.bounds import Floats, Ints

_MOST_NODES = 1024
"""Of more units, neighbours by number are taken together: they share a switch."""
_TIE = 1e-9
"""So much of what two units take in the mean is added, so that no two distances are equal."""


def groups_of(units: int, links: Links, levels: Floats, scatter: float) -> Ints:
    """Return the number of the group of each unit.

    The tree of average linkage is cut where both parts are apart: pairs between them take longer
    than those inside of either. Where only units are slow, pairs between quick and slow ones never
    take longer than those among the slow, whether a pair waits for its slower half or adds both. A
    unit that is apart from everybody is in the group that is the nearest to it.
    """
    bundle = -(-units // _MOST_NODES)
    nodes = -(-units // bundle)
    first, second = links.first // bundle, links.second // bundle
    known = ~np.isnan(levels)
    if units < 4 or not known.any():
        return np.zeros(units, dtype=np.int64)
    total, often, met = (
        np.bincount(first * nodes + second, weights * known, nodes * nodes).reshape(nodes, nodes)
        for weights in (np.nan_to_num(levels), np.ones(len(levels)), links.counts)
    )
    total, often, met = total + total.T, often + often.T, met + met.T
    with np.errstate(invalid="ignore"):
        square = np.where(often > 0, total / often, np.nan)
    error = ERROR_OF_QUICK * scatter / np.sqrt(max(1.0, float(np.median(met[often > 0]))))
    labels = np.zeros(nodes, dtype=np.int64)
    for number, group in enumerate(_Tree(square, error).cut()):
        labels[group] = number
    return np.repeat(labels, bundle)[:units]


def groups_above(labels: Ints, links: Links, levels: Floats, scatter: float) -> Iterator[Ints]:
    """Yield the number of the group of groups of each unit, and of groups of these, from below."""
    while labels.max(initial=0) > 0:
        first, second = labels[links.first], labels[links.second]
        crossing = np.where(first == second, np.nan, levels)
        groups = int(labels.max()) + 1
        above = groups_of(groups, replace(links, first=first, second=second), crossing, scatter)
        if above.max() == 0:
            return
        labels = above[labels]
        yield labels


@dataclass(frozen=True)
class _Tree:
    """Levels of every two nodes, NaN where not known, and the standard error of one."""

    square: Floats
    error: float
    known: dict[tuple[int, int], float] = field(default_factory=dict)
    """Levels inside of parts that were looked at, by first member and size: parts only grow."""

    def cut(self) -> list[list[int]]:
        """Return the groups, the largest first."""
        # SciPy takes 0.3 s to load
        from scipy.cluster.hierarchy import linkage  # noqa: PLC0415
        from scipy.spatial.distance import squareform  # noqa: PLC0415

        nodes = len(self.square)
        if nodes < 2:
            return [list(range(nodes))]
        # who did not meet may be as far apart as the one that is farther from the others
        usual = np.array([_median(row) for row in self.square])
        farther = np.nan_to_num(np.fmax(usual[:, None], usual[None, :]), nan=_median(usual))
        filled = np.where(np.isnan(self.square), farther, self.square)
        # of equal ones, those of units with quicker partners join first, however they are numbered
        mean = np.nan_to_num(filled.mean(axis=1))
        filled += _TIE * (mean[:, None] + mean[None, :])
        filled -= min(0.0, float(filled.min()))
        np.fill_diagonal(filled, 0.0)
        merged: Any = linkage(squareform(filled, checks=False), "average")
        groups: dict[int, list[list[int]]] = {node: [[node]] for node in range(nodes)}
        for step, (one, other, _, _) in enumerate(merged):
            groups[nodes + step] = self._joined(groups.pop(int(one)), groups.pop(int(other)))
        (found,) = groups.values()
        return sorted(found, key=lambda group: (-len(group), group))

    def _joined(self, ones: list[list[int]], others: list[list[int]]) -> list[list[int]]:
        """Put two parts of the tree together: what is apart from none joins the nearest."""
        kept, more = sorted((ones, others), key=lambda part: -max(map(len, part)))
        kept = list(kept)
        for other in more:
            near = [place for place, one in enumerate(kept) if not self._are_apart(one, other)]
            if not near:
                kept.append(other)
                continue
            nearest = min(near, key=lambda place: self._between(kept[place], other))
            kept[nearest] = kept[nearest] + other
        return kept

    def _are_apart(self, first: list[int], second: list[int]) -> bool:
        """Whether two parts, each of two units or more, are farther apart than by chance.

        By chance the parts of the best cut of a machine, of which the smaller has m units, seem
        apart by 2.8 standard errors of a pair over the root of m / 2 at most (4 900 cuts of flat
        machines).
        """
        smaller = min(len(first), len(second))
        if smaller < 2:
            return False
        inside = np.maximum(self._inside(first), self._inside(second))
        contrast = self._between(first, second) - inside  # NaN where they did not meet: not apart
        return bool(contrast > max(APART, SIGMAS * self.error / float(np.sqrt(smaller))))

    def _between(self, first: list[int], second: list[int]) -> float:
        return _median(self.square[np.ix_(first, second)])

    def _inside(self, group: list[int]) -> float:
        key = group[0], len(group)
        if key not in self.known:
            own = self.square[np.ix_(group, group)]
            self.known[key] = _median(own[np.triu_indices(len(group), 1)])
        return self.known[key]


def _median(values: Floats) -> float:
    known = values[~np.isnan(values)]
    if not known.size:
        return float("nan")
    # as np.median, which takes ten times as long for a few values
    low, high = (known.size - 1) // 2, known.size // 2
    ordered = np.partition(known, (low, high))
    return float((ordered[low] + ordered[high]) / 2)
