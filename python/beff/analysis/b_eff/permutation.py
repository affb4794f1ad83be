"""The order of a random ring: the swap-or-not shuffle (Hoang, Morris, Rogaway, CRYPTO 2012)."""

from beff.analysis.b_eff.seeds import splitmix64

ROUNDS = 192


def random_order(seed: int, n: int) -> list[int]:
    """Return the process at each place of the random ring with this pattern seed."""
    key_of_run = splitmix64(seed)
    keys = [splitmix64(key_of_run ^ number) for number in range(ROUNDS)]
    return [_element(keys, n, place) for place in range(n)]


def _element(keys: list[int], n: int, place: int) -> int:
    x = place
    for key in keys:
        partner = (key - x) % n
        if splitmix64(key ^ splitmix64(max(x, partner))) & 1:
            x = partner
    return x
