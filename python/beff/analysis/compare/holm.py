"""Several questions at once: Holm's levels.

S. Holm: A simple sequentially rejective multiple test procedure. Scandinavian Journal of
Statistics 6, 1979.
"""

from collections.abc import Sequence


def holm_levels(chances: Sequence[float], error_rate: float) -> list[float]:
    """Return the level at which each of some chances (p-values) is judged.

    Whoever rejects where the chance is at most its level rejects wrongly, even once among all,
    with a probability of `error_rate` at most. The k-th smallest of n is judged at
    error_rate / (n + 1 - k) as long as all smaller ones were rejected, the others at the level of
    the first that was not.
    """
    levels = [error_rate] * len(chances)
    left = len(chances)
    failed = None
    for index in sorted(range(len(chances)), key=lambda place: chances[place]):
        level = error_rate / left if failed is None else failed
        levels[index] = level
        if failed is None and chances[index] > level:
            failed = level
        left -= 1
    return levels
