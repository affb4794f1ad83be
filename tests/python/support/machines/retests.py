"""Which pairs the program measures again: definitions-b_pairs.md, core/pairs/pair_map.cpp."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from support.machines.ways import Floats, Ints, Mask

PASSES = 4
SLOW_UNIT = 1.15
SLOW_LINK = 1.25
MOST_UNITS = 8
MOST_LINKS = 12
PARTNERS = 2


@dataclass(frozen=True)
class _Kind:
    """The times of one kind of messages, as the choice sees them.

    Each pair that met twice, once from either end, by unit and then the quickest first: `unit`,
    `partner`, and `best`, its best time. `slow` are the units whose quickest pair is slower than
    that of the unit in the middle, the worst first.
    """

    unit: Ints
    partner: Ints
    best: Floats
    slow: Ints

    def partners(self, unit: int, allowed: Mask) -> list[int]:
        """Return those of a unit, the quickest first."""
        begin, end = np.searchsorted(self.unit, [unit, unit + 1])
        ones = self.partner[begin:end]
        found: list[int] = ones[allowed[ones]].tolist()
        return found


def pairs_to_retest(
    units: int, first: Ints, second: Ints, times: dict[str, Floats]
) -> list[tuple[int, int]]:
    """Return what is measured again, in its order; `times` [pairs] by kind of messages."""
    kinds = [_kind(units, first, second, of_kind) for of_kind in times.values()]
    suspect = np.zeros(units, dtype=bool)
    chosen: dict[tuple[int, int], None] = {}

    def add(one: int, other: int) -> None:
        chosen.setdefault((min(one, other), max(one, other)))

    for kind in kinds:
        suspect[kind.slow] = True
        for unit in kind.slow[:MOST_UNITS].tolist():
            for partner in kind.partners(unit, ~suspect)[:PARTNERS]:
                add(unit, partner)
                for other in kind.partners(partner, ~suspect)[:2]:
                    if other != unit:
                        add(partner, other)
                        break
    for kind in kinds:
        for one, other, like_one, like_other in _slow_links(kind, suspect):
            add(one, other)
            add(one, like_one)
            add(other, like_other)
    return list(chosen)


def _kind(units: int, first: Ints, second: Ints, times: Floats) -> _Kind:
    keys, of_pair = np.unique(first * units + second, return_inverse=True)
    best = np.full(len(keys), np.inf)
    np.minimum.at(best, of_pair, times)
    one, other = keys // units, keys % units
    unit, partner, best = (
        np.concatenate((one, other)),
        np.concatenate((other, one)),
        np.tile(best, 2),
    )
    order = np.lexsort((partner, best, unit))
    unit, partner, best = unit[order], partner[order], best[order]
    ones, begins = np.unique(unit, return_index=True)
    quickest = best[begins]
    ratio = quickest / np.sort(quickest)[len(quickest) // 2]
    worst = np.argsort(-ratio, kind="stable")
    return _Kind(unit, partner, best, ones[worst[ratio[worst] > SLOW_UNIT]])


def _slow_links(kind: _Kind, suspect: Mask) -> list[tuple[int, int, int, int]]:
    """Return the pairs that are slower than what is usual of both units, the worst first.

    Behind each stand the partners with which either takes what is usual: as long as with three
    quarters of its partners.
    """
    kept = ~suspect[kind.unit] & ~suspect[kind.partner]
    unit, partner, best = kind.unit[kept], kind.partner[kept], kind.best[kept]
    if not unit.size:
        return []
    counts = np.bincount(unit, minlength=len(suspect))
    place = np.cumsum(counts) - counts + 3 * np.maximum(counts - 1, 0) // 4
    ratio = best / np.maximum(best[place[unit]], best[place[partner]])
    once = np.flatnonzero((unit < partner) & (ratio > SLOW_LINK))
    worst = once[np.argsort(-ratio[once], kind="stable")][:MOST_LINKS]
    ends = unit[worst], partner[worst]
    columns = (*ends, *(partner[place[end]] for end in ends))
    return list(zip(*(column.tolist() for column in columns), strict=True))
