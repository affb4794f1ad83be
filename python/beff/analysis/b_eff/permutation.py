"""The order of a random ring: the swap-or-not shuffle (Hoang, Morris, Rogaway, CRYPTO 2012)."""

from collections.abc import Iterable

from beff.analysis.b_eff.seeds import splitmix64

ROUNDS = 192


def random_order(seed: int, n: int) -> list[int]:
    """Return the process at each place of the random ring with this pattern seed."""
    return processes_at(range(n), seed, n)


def processes_at(places: Iterable[int], seed: int, n: int) -> list[int]:
    """Return the processes at some places of the random ring of n; each costs the same time."""
    key_of_run = splitmix64(seed)
    keys = [splitmix64(key_of_run ^ number) for number in range(ROUNDS)]
    return [_element(keys, n, place) for place in places]


def _element(keys: list[int], n: int, place: int) -> int:
    x = place
    for key in keys:
        partner = (key - x) % n
        if splitmix64(key ^ splitmix64(max(x, partner))) & 1:
            x = partner
    return x
