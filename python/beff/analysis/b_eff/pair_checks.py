"""Whether the map of pairs can be what it claims to be."""

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from statistics import median

from beff.analysis.b_eff.definition import pattern_seed, processes_at
from beff.analysis.verification import Recheck
from beff.model.b_eff_result import BEffResult, Pairs, Retests

LOOKS = 2
LARGEST_BYTES = 2**20
MOST_RETESTS = 32
MOST_RETESTS_OF_A_UNIT = 2
PASSES = 4
"""So often all of these are measured again, one after the other."""
SEED_NUMBER = 49
"""Stands for the id of a pattern in the seed of the map; no random ring has it."""
SLOW = 1.5
"""Above that ratio to the median of a look, in both looks, a pair is measured again."""


def check_units(result: BEffResult, check: Recheck) -> None:
    """Check that each pair is two units that there are; without that nothing can be computed."""
    pairs = result.pairs
    if pairs is None:
        return
    several = len(result.environment.hosts) > 1
    units = len(result.environment.hosts) if several else result.environment.processes
    check.compare(["pairs", "unit"], pairs.unit, "host" if several else "process")
    check.compare(["pairs", "units"], pairs.units, units)
    tables: list[tuple[list[str | int], Pairs | Retests]]
    tables = [(["pairs"], pairs), (["pairs", "retests"], pairs.retests)]
    for path, table in tables:
        for index, (one, other) in enumerate(zip(table.first, table.second, strict=True)):
            check.require(one < units, [*path, "first", index], one, f"less than {units}")
            check.require(other < units, [*path, "second", index], other, f"less than {units}")
            if one == other:
                check.report([*path, "second", index], other, f"another unit than {one}")


def check_pairs(result: BEffResult, check: Recheck) -> None:
    """Check rounds, lengths of the columns, and which pairs were measured again.

    Needs sound units.
    """
    pairs = result.pairs
    if pairs is None:
        return
    large_bytes = min(result.summary.lmax_bytes, LARGEST_BYTES)
    check.compare(["pairs", "large_bytes"], pairs.large_bytes, large_bytes)
    looks = len(pairs.small_ns)
    check.require(len(pairs.large_ns) == looks, ["pairs", "large_ns"], len(pairs.large_ns), looks)
    if len(pairs.large_ns) == looks:
        _check_rounds(pairs, result.options["seed"], check)
        expected = [] if len(pairs.large_ns) < LOOKS else pairs_to_retest(pairs)
        found = list(zip(pairs.retests.first, pairs.retests.second, strict=True))
        check.figures += len(found)
        # A run that was stopped has not come to the retests; early results have one pass.
        passes = expected * PASSES
        check.require(found in ([], expected, passes), ["pairs", "retests"], found, passes)


def _check_rounds(pairs: Pairs, run_seed: int, check: Recheck) -> None:
    """Check which units met in each round."""
    found = list(zip(pairs.round, pairs.first, pairs.second, strict=True))
    expected = list(islice(rounds_of(pairs.units, len(set(pairs.round)), run_seed), len(found) + 1))
    check.figures += len(found)
    for index, (entry, planned) in enumerate(zip_longest(found, expected)):
        if entry != planned:
            path: list[str | int] = ["pairs", "round", index]
            check.require(False, path, entry, planned or "no further pair")
            return


def rounds_of(units: int, rounds: int, run_seed: int) -> Iterator[tuple[int, int, int]]:
    """Return round, first and second unit of all pairs in their order (definitions.md).

    Where all meet, units whose numbers add up to the round do, modulo all but the last of an even
    number of units; the last one meets who would meet itself (of an odd number, that one rests).
    Else distances 1, 2, 4 … come first, and then random rounds of these.
    """
    places = units - 1 + units % 2
    distances = (units - 1).bit_length() if rounds < places else 0
    seed = pattern_seed(run_seed, SEED_NUMBER)
    for number in range(rounds):
        by_distance = number < distances
        circle = number if rounds >= places else processes_at([number], seed, places)[0]
        for one in range(places):
            other = one ^ 1 << number if by_distance else (circle - one) % places
            if other == one:
                other = units - 1 + units % 2
            if one < other < units:
                yield number, one, other


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
