"""The order of random rings, written from the page of definitions as an oracle for the core."""

from beff.definition.b_eff_plan import splitmix64

ROUNDS = 192


def random_order(seed: int, n: int) -> list[int]:
    """Return the process at each place of a random ring: the swap-or-not shuffle by its seed."""
    key_of_run = splitmix64(seed)
    keys = [splitmix64(key_of_run ^ number) for number in range(ROUNDS)]
    order = list(range(n))
    for key in keys:
        partners = [(key - x) % n for x in order]
        order = [
            partner if splitmix64(key ^ splitmix64(max(x, partner))) & 1 else x
            for x, partner in zip(order, partners, strict=True)
        ]
    return order
