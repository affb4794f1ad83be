"""Both kinds of messages of a map: its groups, and what is usual between them."""

from collections.abc import Sequence

import numpy as np

from beff.definition.b_pairs_plan import Ints
from beff.definition.imported_pairs import KINDS
from beff.maps.constants import APART, FEW, QUICK
from beff.maps.groups import groups_above, groups_of
from beff.maps.kind import Kind, cells_of, middle_of
from beff.maps.levels import Links, links_of, lowest_but_one, quantiles, scatter
from beff.maps.pair_map import Floats, Mask, PairMap
from beff.maps.topology import Known


def kinds_of(pairs: PairMap, known: Known | None = None) -> list[Kind]:
    """Return both kinds of messages; where no groups are known, in those that the map shows.

    Short messages show what is behind more switches, long ones, while many are under way, what
    shares an uplink: these are judged in the groups that are more. But in a torus or dragonfly all
    ways are shared; behind one switch pairs are as quick in company as at other times.
    """
    if known is not None:
        return kinds_in(pairs, [known.labels, known.labels], known)
    links = links_of(pairs)
    short, quick, busy = (
        quantiles(links.of, pairs.times[kind], len(links.first), share)
        for kind, share in (("small", QUICK), ("large", QUICK), ("large", 1 - QUICK))
    )
    errors = [scatter(links, pairs.times[kind]) for kind in KINDS]
    near = groups_of(pairs.units, links, short, errors[0])
    sharing = groups_of(pairs.units, links, busy, errors[1])
    if sharing.max() <= near.max():
        return kinds_in(pairs, [near, near])
    longer = (busy - quick)[sharing[links.first] == sharing[links.second]]
    is_quick = bool(np.nanmedian(longer) < 2 * max(APART, errors[1]))
    return kinds_in(pairs, [near, sharing if is_quick else near])


def above_of(pairs: PairMap, kinds: Sequence[Kind], known: Known | None) -> list[Ints]:
    """Return the groups of groups of both kinds of messages, level by level, the lowest first.

    They are those of the switches, where these are known; else short messages show them.
    """
    if known is not None:
        return [*known.above()]
    short, long = kinds
    own = np.fmax(0, np.nan_to_num(short.expected))
    errors = scatter(short.links, pairs.times["small"])
    return [*groups_above(long.labels, short.links, short.levels - own, errors)]


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
    cells = _cells_of_links(labels, links, units if is_change else FEW, known)
    usual, compared = _usual(cells, inside, links, levels, units)
    if known is not None:
        usual, compared = _as_far_as(known, labels, links, usual, compared)
    some_compared = np.bincount(ends, np.tile(compared, 2), units) > 0
    far = (kind == "small" and not is_change) & ~(some_compared & (known is not None))
    beyond = levels - usual
    of_all = lowest_but_one(ends, np.tile(beyond, 2), units)
    of_group = lowest_but_one(ends, np.tile(np.where(inside, beyond, np.nan), 2), units)
    grouped = np.bincount(ends, np.tile(inside & ~np.isnan(levels), 2), units) >= FEW
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
    as_all = is_inner & (of_one | (abs(of_cell - in_all) < APART))
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
