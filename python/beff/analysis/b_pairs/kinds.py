"""Both kinds of messages of a map: which groups there are, and what is usual between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from beff.analysis.b_pairs.groups import LEAST_APART, groups_of
from beff.analysis.b_pairs.kind import Kind, cells_of, middle_of
from beff.analysis.b_pairs.levels import (
    QUICK,
    Links,
    links_of,
    lowest_but_one,
    quantiles,
    scatter,
)
from beff.analysis.b_pairs.pair_map import KINDS, Floats, Mask, PairMap
from beff.analysis.b_pairs.schedule import Ints
from beff.analysis.b_pairs.topology import Known

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
    before: Sequence[Kind] | None = None,
) -> list[Kind]:
    """Return both kinds of messages in groups, by the number of that of each unit.

    Times are changes where `before` is given; all are as usual that are as usual inside of groups.
    """
    links = links_of(pairs)
    return [
        _kind_of(pairs, kind, links, own, known, None if before is None else before[place].own)
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
    before: Floats | None,
) -> Kind:
    """Take the groups out of the times."""
    is_change = before is not None
    times, units = pairs.times[kind], pairs.units
    levels = quantiles(links.of, times, len(links.first), QUICK)
    ends = np.concatenate([links.first, links.second])
    inside = labels[links.first] == labels[links.second]
    cells = _cells_of_links(labels, links, units if is_change else _ENOUGH_INSIDE)
    usual = _usual(cells, inside, links, levels, units)
    if known is not None:
        usual = _as_far_as(known, labels, links, usual)
    beyond = levels - usual
    of_all = lowest_but_one(ends, np.tile(beyond, 2), units)
    of_group = lowest_but_one(ends, np.tile(np.where(inside, beyond, np.nan), 2), units)
    grouped = np.bincount(ends, np.tile(inside & ~np.isnan(levels), 2), units) >= _ENOUGH_INSIDE
    own = np.where(grouped, of_group, np.fmin(of_group, of_all))
    # of long messages it is seen when a unit is alone
    if kind == "small" and known is None and not is_change:
        own = np.minimum(own, _as_groups(links, levels, labels, inside))
    own -= middle_of(own)
    return Kind(kind, pairs, links, labels, levels, scatter(links, times), beyond, own, before)


def _usual(cells: Ints, inside: Mask, links: Links, levels: Floats, units: int) -> Floats:
    """Return for each link what the unit in the middle takes between the same two groups.

    Inside of a group it is what it is inside of all, unless the group's own is another.
    """
    keys = np.concatenate([cells * units + links.first, cells * units + links.second])
    each, of_unit = np.unique(keys, return_inverse=True)
    own = lowest_but_one(of_unit, np.tile(levels, 2), len(each))
    of_cell = quantiles(each // units, own, int(cells.max(initial=-1)) + 1, 0.5)
    inner = np.unique(cells[inside])
    in_all = middle_of(own[np.isin(each // units, inner)])
    of_cell[inner] = np.where(abs(of_cell[inner] - in_all) < LEAST_APART, in_all, of_cell[inner])
    return of_cell[cells]


def _as_far_as(known: Known, labels: Ints, links: Links, usual: Floats) -> Floats:
    """Take for units that are alone behind their switch what others as far apart take."""
    alone = (np.bincount(labels) == 1)[labels]
    ends = labels[links.first], labels[links.second]
    apart = known.apart(*ends)
    of_alone = (alone[links.first] | alone[links.second]) & (ends[0] != ends[1])
    others = np.where(of_alone | (ends[0] == ends[1]), np.nan, usual)
    as_far = quantiles(apart, others, int(apart.max(initial=-1)) + 1, 0.5)[apart]
    return np.where(of_alone & ~np.isnan(as_far), as_far, usual)


def _as_groups(links: Links, levels: Floats, labels: Ints, inside: Mask) -> Floats:
    """Return what a unit takes longer with all others than groups do with each other.

    None of it where a unit has a switch of its own; infinite of those that are nearer to their own
    group than groups are to each other.
    """
    units = len(labels)
    none = np.full(units, np.inf)
    if inside.all() or not inside.any():
        return none
    between = float(np.nanmedian(levels[~inside]))
    ends = np.concatenate([links.first, links.second])
    most = quantiles(ends, np.tile(levels, 2), units, 0.75) - between
    nearest = lowest_but_one(ends, np.tile(levels, 2), units)
    limit = between - log(1.05)
    return np.where(nearest > limit, np.maximum(most, 0.0), none)


def _cells_of_links(labels: Ints, links: Links, most: int) -> Ints:
    """Return a number for each link that only those between the same two groups have.

    Inside of groups of so many units at most there are too few links to compare; they are one cell.
    """
    cells = cells_of(labels, links.first, links.second)
    small = np.bincount(labels)[labels] <= most
    inside = labels[links.first] == labels[links.second]
    cells[inside & small[links.first]] = -1
    return np.unique(cells, return_inverse=True)[1]
