"""Whether the map of pairs can be what it claims to be."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from beff.analysis.finding import Comparison
from beff.model.b_eff_result import BEffResult, Pairs

LOOKS = 2
LARGEST_BYTES = 2**20
MOST_RETESTS = 32
MOST_RETESTS_OF_A_UNIT = 2
SLOW = 1.5
"""Above that ratio to the median of a look, in both looks, a pair is measured again."""


def check_pairs(result: BEffResult, check: Comparison) -> None:
    """Check units, rounds, lengths of the columns, and which pairs were measured again."""
    pairs = result.pairs
    if pairs is None:
        return
    several = len(result.environment.hosts) > 1
    units = len(result.environment.hosts) if several else result.environment.processes
    check.compare(["pairs", "unit"], pairs.unit, "host" if several else "process")
    check.compare(["pairs", "units"], pairs.units, units)
    large_bytes = min(result.summary.lmax_bytes, LARGEST_BYTES)
    check.compare(["pairs", "large_bytes"], pairs.large_bytes, large_bytes)
    looks = len(pairs.small_ns)
    check.require(len(pairs.large_ns) == looks, ["pairs", "large_ns"], len(pairs.large_ns), looks)
    if len(pairs.large_ns) == looks:
        _check_rounds(pairs, check)
        expected = [] if len(pairs.large_ns) < LOOKS else pairs_to_retest(pairs)
        found = list(zip(pairs.retests.first, pairs.retests.second, strict=True))
        check.figures += len(found)
        # A run that was stopped has not come to the retests.
        check.require(found in ([], expected), ["pairs", "retests"], found, expected)


def _check_rounds(pairs: Pairs, check: Comparison) -> None:
    """Check that rounds follow each other, and that a unit meets one other at most in each."""
    steps = [after - before for before, after in pairwise([-1, *pairs.round])]
    check.require(
        all(step in (0, 1) for step in steps), ["pairs", "round"], pairs.round, "0, 1, 2 … in order"
    )
    busy: dict[int, set[int]] = {}
    for index, (number, *both) in enumerate(
        zip(pairs.round, pairs.first, pairs.second, strict=True)
    ):
        met = busy.setdefault(number, set())
        path: list[str | int] = ["pairs", "first", index]
        sound = 0 <= both[0] < both[1] < pairs.units and met.isdisjoint(both)
        check.require(sound, path, tuple(both), "two units that are not in the round yet")
        met.update(both)
    rounds = len(busy)
    if rounds >= pairs.units - 1:
        met_pairs = len(set(zip(pairs.first, pairs.second, strict=True)))
        check.compare(["pairs", "round"], met_pairs, pairs.units * (pairs.units - 1) // 2)


def pairs_to_retest(pairs: Pairs) -> list[tuple[int, int]]:
    """Return the pairs that look slow in both looks, the worst first (definitions.md)."""
    suspects = [
        (ratio, kind, index)
        for kind, looks in enumerate((pairs.small_ns, pairs.large_ns))
        for index, ratio in enumerate(_slower_in_all(looks))
        if ratio > SLOW
    ]
    chosen: list[tuple[int, int]] = []
    for _, _, index in sorted(suspects, key=lambda suspect: (-suspect[0], *suspect[1:])):
        pair = (pairs.first[index], pairs.second[index])
        often = [sum(unit in earlier for earlier in chosen) for unit in pair]
        if pair not in chosen and max(often) < MOST_RETESTS_OF_A_UNIT:
            chosen.append(pair)
    return chosen[:MOST_RETESTS]


def _slower_in_all(looks: Sequence[Sequence[int | None]]) -> list[float]:
    """Of each entry the least ratio to the median of a look; 0 where a look lacks it."""
    medians = [median([ns for ns in look if ns is not None] or [0]) for look in looks]
    return [
        min(
            ns / middle if ns is not None and middle > 0 else 0.0
            for ns, middle in zip(entry, medians, strict=True)
        )
        for entry in zip(*looks, strict=True)
    ]
