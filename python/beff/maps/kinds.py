"""Both kinds of messages of a map: which groups there are, and what is usual between them.

Units of a group are nearer to each other than to the rest, as those behind one switch.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from beff.maps.kind import Kind, cells_of, middle_of
from beff.maps.levels import (
    ERROR_OF_QUICK,
    QUICK,
    Links,
    links_of,
    lowest_but_one,
    quantiles,
    scatter,
)
from beff.maps.pair_map import KINDS, Floats, Mask, PairMap
from beff.maps.schedule import Ints
from beff.maps.topology import Known

LEAST_APART = float(np.log(1.05))
"""Groups less far apart cannot be mistaken for a fault: these begin at a tenth more time."""
_SIGMAS = 4.0
"""Of the best of all ways to cut a flat machine's units in two parts, of which the smaller has m,
the parts seem apart by 2.8 standard errors of a pair over the root of m / 2 at most (seen in 4 900
such cuts); these are 4 over the root of m."""
_ROUNDS = 3
_MOST_NODES = 1024
"""Of more units, neighbours by number are taken together: they share a switch."""


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
    return np.repeat(_at_the_nearest(square, labels), bundle)[:units]


def _at_the_nearest(square: Floats, labels: Ints) -> Ints:
    """Put each node into the group to which it is the nearest: chance may have joined it early.

    What the others of a group add to all their pairs makes the group no farther, and nobody leaves
    one other alone: what is slow would drive its neighbours away.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of nodes that met nobody of a group
        for _ in range(_ROUNDS):
            of_groups = _medians_by(labels, _medians_by(labels, square))
            adds = np.nanmedian(square - of_groups[labels][:, labels], axis=1)
            near = np.nan_to_num(_medians_by(labels, square - adds), nan=np.inf)
            own = near[labels, np.arange(len(labels))]
            moved = np.where(near.min(axis=0) < own - LEAST_APART / 2, near.argmin(axis=0), labels)
            few = np.bincount(moved, minlength=len(near)) < 2
            moved = np.where(few[labels], labels, moved)
            if (moved == labels).all():
                break
            labels = moved
    return labels


def _medians_by(labels: Ints, values: Floats) -> Floats:
    """Return [groups, rows] the median of each row over the columns of a group."""
    groups = range(int(labels.max()) + 1)
    return np.stack([np.nanmedian(values[:, labels == one], axis=1) for one in groups])


@dataclass(frozen=True)
class _Tree:
    """Levels of every two nodes, NaN where not known, and the standard error of one."""

    square: Floats
    error: float

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
        np.fill_diagonal(filled, 0.0)
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

    def _are_apart(self, one: list[int], other: list[int]) -> bool:
        smaller = min(len(one), len(other))
        if smaller < 2:
            return False
        inside = np.maximum(self._inside(one), self._inside(other))
        contrast = self._between(one, other) - inside  # NaN where they did not meet: not apart
        return bool(contrast > max(LEAST_APART, _SIGMAS * self.error / float(np.sqrt(smaller))))

    def _between(self, one: list[int], other: list[int]) -> float:
        return _median(self.square[np.ix_(one, other)])

    def _inside(self, group: list[int]) -> float:
        own = self.square[np.ix_(group, group)]
        return _median(own[np.triu_indices(len(group), 1)])


def _median(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if known.size else float("nan")


_IN_COMPANY = 0.75
"""Where uplinks are shared, pairs between groups are slow in the rounds in which many cross."""
_QUIET = log(1.1)
_ENOUGH_INSIDE = 3
"""With so many others in its group a unit is judged by these alone: no uplink lies between."""


def kinds_of(pairs: PairMap, known: Known | None = None) -> list[Kind]:
    """Return both kinds of messages; where no groups are known, in those that the map shows.

    Short messages show what is behind more switches, long ones what shares an uplink: long ones are
    judged in the groups that are more.
    """
    if known is not None:
        return kinds_in(pairs, [known.labels, known.labels], known)
    links = links_of(pairs)
    short, long = (_Levels.of(links, pairs.times[kind]) for kind in KINDS)
    near = groups_of(pairs.units, links, short.usual, short.scatter)
    sharing = groups_of(pairs.units, links, long.in_company, long.scatter)
    kept = sharing.max() > near.max() and _share_nothing_inside(sharing, links, long)
    return kinds_in(pairs, [near, sharing if kept else near])


def kinds_in(
    pairs: PairMap,
    labels: Sequence[Ints],
    known: Known | None = None,
    *,
    at_best: Sequence[Floats] | None = None,
) -> list[Kind]:
    """Return both kinds of messages in groups, by the number of that of each unit.

    Times are changes where it is given what units take longer `at_best` than they did; all are as
    usual that are as usual inside of groups.
    """
    links = links_of(pairs)
    return [
        _kind_of(pairs, kind, links, own, known, None if at_best is None else at_best[place])
        for place, (kind, own) in enumerate(zip(KINDS, labels, strict=True))
    ]


def _share_nothing_inside(labels: Ints, links: Links, long: "_Levels") -> bool:
    """Whether pairs inside of groups are as quick in company as at other times.

    They are behind one switch; in a torus or dragonfly all ways are shared: there are no groups.
    """
    inside = labels[links.first] == labels[links.second]
    longer = (long.in_company - long.usual)[inside]
    return bool(np.nanmedian(longer) < max(_QUIET, 2 * long.scatter)) if longer.size else False


@dataclass(frozen=True)
class _Levels:
    """Of each link: what it takes usually, and while many others are under way; see `Kind`."""

    usual: Floats
    in_company: Floats
    scatter: float

    @classmethod
    def of(cls, links: Links, times: Floats) -> "_Levels":
        usual, in_company = (
            quantiles(links.of, times, len(links.first), share) for share in (QUICK, _IN_COMPANY)
        )
        return cls(usual, in_company, scatter(links, times))


def _kind_of(  # noqa: PLR0917 - what it consists of
    pairs: PairMap,
    kind: str,
    links: Links,
    labels: Ints,
    known: Known | None,
    longer: Floats | None,
) -> Kind:
    """Take the groups out of the times."""
    is_change = longer is not None
    times, units = pairs.times[kind], pairs.units
    levels = quantiles(links.of, times, len(links.first), QUICK)
    ends = np.concatenate([links.first, links.second])
    inside = labels[links.first] == labels[links.second]
    cells = _cells_of_links(labels, links, units if is_change else _ENOUGH_INSIDE, known)
    usual, compared = _usual(cells, inside, links, levels, units)
    if known is not None:
        usual, compared = _as_far_as(known, labels, links, usual, compared)
    some_compared = np.bincount(ends, np.tile(compared, 2), units) > 0
    far = (kind == "small" and not is_change) & ~(some_compared & (known is not None))
    beyond = levels - usual
    of_all = lowest_but_one(ends, np.tile(beyond, 2), units)
    of_group = lowest_but_one(ends, np.tile(np.where(inside, beyond, np.nan), 2), units)
    grouped = np.bincount(ends, np.tile(inside & ~np.isnan(levels), 2), units) >= _ENOUGH_INSIDE
    own = np.where(grouped, of_group, np.fmin(of_group, of_all))
    own -= middle_of(own)
    return Kind(kind, pairs, links, labels, levels, scatter(links, times), beyond, own, far, longer)


def _usual(
    cells: Ints, inside: Mask, links: Links, levels: Floats, units: int
) -> tuple[Floats, Mask]:
    """Return for each link what the unit in the middle takes between the same two groups.

    Inside of a group it is what it is inside of all, unless the group's own is another. Where one
    unit has a part in all links these show what that unit takes: what is usual of others counts.
    Also return where this is not so.
    """
    count = int(cells.max(initial=-1)) + 1
    keys = np.concatenate([cells * units + links.first, cells * units + links.second])
    each, of_unit = np.unique(keys, return_inverse=True)
    cell, known = each // units, ~np.isnan(levels)
    own = lowest_but_one(of_unit, np.tile(levels, 2), len(each))
    of_cell = quantiles(cell, own, count, 0.5)
    links_of_unit = np.bincount(of_unit, np.tile(known, 2), len(each))
    of_one, is_inner = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    of_one[cell[links_of_unit == np.bincount(cells, known, count)[cell]]] = True
    is_inner[cells[inside]] = True
    in_all = middle_of(own[is_inner[cell]])
    as_all = is_inner & (of_one | (abs(of_cell - in_all) < LEAST_APART))
    others = of_cell[~is_inner & ~of_one], own[is_inner[cell]], of_cell
    of_cell[~is_inner & of_one] = middle_of(next((one for one in others if one.size), of_cell))
    return np.where(as_all, in_all, of_cell)[cells], ~of_one[cells]


def _as_far_as(
    known: Known, labels: Ints, links: Links, usual: Floats, compared: Mask
) -> tuple[Floats, Mask]:
    """Take for units that are alone behind their switch what others as far apart take.

    Also return which links are compared with others.
    """
    ends = labels[links.first], labels[links.second]
    apart, of_alone = known.apart(*ends), _of_alone(labels, links)
    others = np.where(of_alone | (ends[0] == ends[1]), np.nan, usual)
    as_far = quantiles(apart, others, int(apart.max(initial=-1)) + 1, 0.5)[apart]
    are_others = of_alone & ~np.isnan(as_far)
    return np.where(are_others, as_far, usual), compared | are_others


def _of_alone(labels: Ints, links: Links) -> Mask:
    """Return which links are of units that are alone in their group."""
    alone = np.bincount(labels)[labels] == 1
    of_alone: Mask = alone[links.first] | alone[links.second]
    return of_alone


def _cells_of_links(labels: Ints, links: Links, most: int, known: Known | None) -> Ints:
    """Return a number for each link that only those between the same two groups have.

    Inside of groups of so many units at most there are too few links to compare; they are one cell,
    as are those of units that are alone where it is known that they are as far apart.
    """
    cells = cells_of(labels, links.first, links.second)
    small = np.bincount(labels)[labels] <= most
    inside = labels[links.first] == labels[links.second]
    cells[inside & small[links.first]] = -1
    if known is not None:
        apart = known.apart(labels[links.first], labels[links.second])
        cells = np.where(_of_alone(labels, links), -2 - apart, cells)
    return np.unique(cells, return_inverse=True)[1]
