"""Which pairs the program measures again: definitions-b_pairs.md, core/pairs/pair_map.cpp."""

import numpy as np
from slow_hosts.networks import Floats, Ints

PASSES = 4
SLOW_UNIT = 1.15
SLOW_LINK = 1.25
MOST_UNITS = 8
MOST_LINKS = 12
PARTNERS = 2


def pairs_to_retest(
    units: int, first: Ints, second: Ints, times: dict[str, Floats]
) -> list[tuple[int, int]]:
    """Return what is measured again, in its order; `times` [pairs] by kind of messages.

    Slow is a unit whose quickest pair is slower than that of the unit in the middle, and a pair
    that is slower than what is usual of both units: what either takes with three quarters of its
    partners.
    """
    suspect, every = np.zeros(units, dtype=bool), np.arange(units)
    chosen: dict[tuple[int, int], None] = {}
    kinds = []
    for of_kind in times.values():
        best = np.full((units, units), np.inf)
        np.minimum.at(best, (first, second), of_kind)
        kinds.append(np.minimum(best, best.T))

    def add(*pair: int) -> None:
        chosen.setdefault((min(pair), max(pair)))

    def partners(best: Floats, unit: int) -> list[int]:
        """Return the two quickest that are no suspects."""
        order = np.argsort(best[unit], kind="stable")
        met = order[~suspect[order] & np.isfinite(best[unit, order])]
        return [int(one) for one in met[:PARTNERS]]

    for best in kinds:
        quickest = best.min(axis=1)
        middle = np.sort(quickest[np.isfinite(quickest)])
        ratio = np.where(np.isfinite(quickest), quickest, 0.0) / middle[len(middle) // 2]
        worst = np.argsort(-ratio, kind="stable")
        slow = worst[ratio[worst] > SLOW_UNIT].tolist()
        suspect[slow] = True
        for unit in slow[:MOST_UNITS]:
            for partner in partners(best, unit):
                add(unit, partner)
                for other in [one for one in partners(best, partner) if one != unit][:1]:
                    add(partner, other)
    for best in kinds:
        best[suspect], best[:, suspect] = np.inf, np.inf
        place = 3 * np.maximum(np.isfinite(best).sum(axis=1) - 1, 0) // 4
        like = np.argsort(best, axis=1, kind="stable")[every, place]
        usual = np.maximum.outer(best[every, like], best[every, like])
        ratio = np.zeros_like(best)
        np.divide(best, usual, out=ratio, where=np.triu(np.isfinite(best), 1))
        worst = np.argsort(-ratio, axis=None, kind="stable")[:MOST_LINKS]
        for one, other in np.stack(np.unravel_index(worst, ratio.shape), 1).tolist():
            if ratio[one, other] > SLOW_LINK:
                add(one, other)
                add(one, int(like[one]))
                add(other, int(like[other]))
    return list(chosen)
