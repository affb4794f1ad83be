"""How processes are cut into rings (IPDPS paper, section 4)."""

RING_PATTERNS = 6


def standard_ring_sizes(processes: int) -> list[int]:
    """Return the standard ring size of each of the six ring patterns."""
    n = processes
    return [min(m, n) for m in (2, 4, 8, max(16, n // 4), max(32, n // 2), n)]


def ring_sizes(processes: int, standard_size: int) -> list[int]:
    """Sizes of the rings in their order, those of even size first.

    There are ⌊n/m + 0.4⌋ rings, at least one and at most ⌊n/2⌋; for m = 4 and n ≤ 7 one.
    """
    n, m = processes, standard_size
    wanted = (5 * n + 2 * m) // (5 * m)
    count = 1 if m == 4 and n <= 7 else max(1, min(wanted, n // 2))
    size, larger = divmod(n, count)
    sizes = [size] * (count - larger) + [size + 1] * larger
    return sorted(sizes, key=lambda ring: ring % 2)


def ring_messages(sizes: list[int]) -> int:
    """Messages of one iteration: two per process, but one per process in a ring of two."""
    return sum(2 if size == 2 else 2 * size for size in sizes)
