"""Who meets in each round of b_pairs, and which pairs cross which halves, by plan and seed.

docs/reference/definitions-b_pairs.md has the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beff.definition.b_eff_plan import LARGEST_FIXED_SIZE, largest_message, pattern_seed, splitmix64
from beff.definition.common import Path, UnsoundError, options_as, require_rows, require_same
from beff.result.b_pairs_result import BPairsResult, PairsPlan, PlannedBisection
from beff.result.bounds import Record, Seed
from beff.result.environment import Environment

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

KINDS = ("small", "large")
"""The kinds of messages, by their size."""
_SEED_NUMBER = 49
"""Stands for the id of a pattern of b_eff in the seed of the first pass."""
_MOST_NEAR_ROUNDS = 6
_SHUFFLES = 64


@dataclass(frozen=True)
class Meetings:
    """Pass, round, first and second unit of each pair, in the order of the result's times."""

    passes: Ints
    rounds: Ints
    first: Ints
    second: Ints


def rounds_until_all_met(units: int) -> int:
    """Return after how many rounds of a round robin each has met each."""
    return units - 1 + units % 2


def meetings(units: int, rounds: int, passes: int, seed: int) -> Meetings:
    """Return all pairs of so many whole passes."""
    # passes by rounds by units; where nobody is met, the unit itself
    partner = np.empty((passes, rounds, units), dtype=np.int64)
    numbers = np.arange(_SEED_NUMBER, _SEED_NUMBER + passes, dtype=np.uint64)
    seeds: Words = pattern_seed(np.full(passes, seed, dtype=np.uint64), numbers)
    # where numbers differ by 2^k at least, pairs are found among more units than that
    with_pairs = (units - 1).bit_length()
    all_meet = rounds >= rounds_until_all_met(units)
    near = 0 if all_meet else min(_MOST_NEAR_ROUNDS, rounds // 2, with_pairs)
    every = np.arange(units)
    for number in range(near):
        drawn: Words = pattern_seed(seeds, np.uint64(number)) % np.uint64(1 << number)
        met = every ^ ((1 << number) + drawn.astype(np.int64))[:, None]
        partner[:, number] = np.where(met < units, met, every)
    unit_at = permutations(seeds, units)
    met_in_circle = _circle(units, np.arange(near, rounds))
    for number in range(passes):
        place_of = np.argsort(unit_at[number])
        partner[number, near:] = unit_at[number][met_in_circle[:, place_of]]
    where = numbers_, rounds_, first = np.nonzero(every < partner)
    return Meetings(numbers_, rounds_, first, partner[where])


def meetings_of(result: BPairsResult) -> Meetings:
    """Return the pairs of a result, even where its last pass is not whole."""
    plan, passes = result.plan, result.passes.small_ns
    planned = meetings(plan.units, plan.rounds, len(passes), result.options["seed"])
    whole = np.array([len(rounds) for rounds in passes], dtype=np.int64)
    kept = planned.rounds < whole[planned.passes]
    return Meetings(*(column[kept] for column in vars(planned).values()))


def _circle(units: int, rounds: Ints) -> Ints:
    """Return for each round and place of a round robin by the circle method who is met."""
    places = rounds_until_all_met(units)
    place = np.arange(units)
    met = (rounds[:, None] - place) % places
    met = np.where(met == place, places if units % 2 == 0 else place, met)
    if units % 2 == 0:
        met[:, places] = rounds * ((places + 1) // 2) % places
    return met


def permutations(seeds: Words, units: int) -> Ints:
    """Return for each seed the swap-or-not shuffle of the units (Hoang, Morris, Rogaway 2012)."""
    n = np.uint64(units)
    x = np.broadcast_to(np.arange(units, dtype=np.uint64), (len(seeds), units)).copy()
    key_of_run = splitmix64(seeds)
    for number in range(_SHUFFLES):
        key = splitmix64(key_of_run ^ np.uint64(number))[:, None]
        other = (key % n + n - x) % n
        swap = splitmix64(key ^ splitmix64(np.maximum(x, other))) & np.uint64(1)
        x = np.where(swap == 1, other, x)
    return x.astype(np.int64)


_SEED_OF_HALVES = 1000
_GOLDEN = 0.618
MOST_ALONE = 16
MOST_HOSTS_ALONE = 5


def parts_of(
    plan: PairsPlan, bisection: PlannedBisection, seed: int, halves: int
) -> tuple[Ints, Ints]:
    """Return the smaller and the larger part of a pair of halves; number 0 is the first one."""
    units = np.arange(plan.units)
    if halves == 0 and bisection.first_half is not None:
        given = np.array(bisection.first_half, dtype=np.int64)
        parts = given, np.setdiff1d(units, given)
        return parts if len(parts[0]) <= len(parts[1]) else (parts[1], parts[0])
    if halves > 0:
        seeds = np.array([pattern_seed(seed, _SEED_OF_HALVES + halves)], dtype=np.uint64)
        units = permutations(seeds, plan.units)[0]
    middle = plan.units // 2
    return units[:middle], units[middle:]


def pairs_of_step(parts: tuple[Ints, Ints], step: int) -> list[tuple[int, int]]:
    """Return the pairs that meet in a step, in the order of the smaller part; small units first."""
    smaller, larger = parts
    met = larger[(np.arange(len(smaller)) + step) % len(larger)]
    both = np.sort(np.stack([smaller, met]), axis=0)
    return [(one, other) for one, other in both.T.tolist()]


def spread_steps(steps: int) -> list[int]:
    """Return all steps in the order in which they are measured: far ones follow each other."""
    stride = max(1, int(_GOLDEN * steps))
    while gcd(stride, steps) > 1:
        stride -= 1
    return [place * stride % steps for place in range(steps)]


def hosts_alone(units: int) -> list[tuple[int, int]]:
    """Return the pairs of hosts that meet one after the other by each number of processes."""
    return _some_of([(unit, units // 2 + unit) for unit in range(units // 2)], MOST_HOSTS_ALONE)


def _some_of(pairs: list[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    count = min(len(pairs), most)
    return [pairs[i * len(pairs) // count] for i in range(count)]


# --- the plan of a result ----------------------------------------------------------------------

LARGEST_BYTES = 2**20


class Options(Record):
    """The options from which who meets follows."""

    seed: Seed


@dataclass(frozen=True)
class Plan:
    """The size of long messages, and the two parts of each pair of halves, the smaller one first.

    How many rounds, passes and steps there are, the run decides by its time.
    """

    large_bytes: int
    halves: tuple[tuple[Ints, Ints], ...] = ()


def plan(options: Mapping[str, Any], environment: Environment, decided: PairsPlan) -> Plan:
    """Return what follows from options, environment and what the run decided.

    Raises UnsoundError where they make no sense.
    """
    seed, bisection = options_as(Options, options).seed, decided.bisection
    memory, nodes = environment.memory_per_process_bytes, environment.nodes
    if largest_message(memory) <= LARGEST_FIXED_SIZE:
        raise UnsoundError(["environment", "memory_per_process_bytes"], memory, "more than 512 KiB")
    unit, units = ("host", nodes) if nodes > 1 else ("process", environment.processes)
    require_same(["plan", "unit"], decided.unit, unit)
    require_same(["plan", "units"], decided.units, units)
    most = rounds_until_all_met(units)
    if decided.rounds > most:
        raise UnsoundError(["plan", "rounds"], decided.rounds, f"at most {most}")
    halves: tuple[tuple[Ints, Ints], ...] = ()
    if bisection is not None:
        first = bisection.first_half
        if first is not None and not (0 < len({*first}) == len(first) < units > max(first)):
            path: Path = ["plan", "bisection", "first_half"]
            raise UnsoundError(path, first, "some of the units, each once")
        numbers = range(bisection.random_halves + 1)
        halves = tuple(parts_of(decided, bisection, seed, number) for number in numbers)
    return Plan(min(largest_message(memory), LARGEST_BYTES), halves)


@lru_cache(maxsize=8)
def plan_of(result: BPairsResult) -> Plan:
    """Return the plan of a result, each time of which must be of a pair that the plan has.

    Raises UnsoundError.
    """
    decided, no_answer = result.plan, result.no_answer
    planned, units = plan(result.options, result.environment, decided), decided.units
    ends = [] if no_answer is None else [*no_answer.silent, *chain.from_iterable(no_answer.waiting)]
    retested = chain(result.retests.first, result.retests.second)
    for name, unit in (*product(["retests"], retested), *product(["no_answer"], ends)):
        if unit >= units:
            raise UnsoundError([name], unit, f"a unit below {units}")
    require_same(["bisection"], result.bisection is not None, decided.bisection is not None)
    require_same(["per_host"], result.per_host is not None, decided.processes_per_host is not None)
    _require_passes(result)
    _require_bisection(planned, result)
    _require_per_host(result)
    return planned


def _require_passes(result: BPairsResult) -> None:
    """Raise UnsoundError unless each round of each pass has a time of each pair, but the last."""
    plan, passes = result.plan, len(result.passes.small_ns)
    if passes > plan.most_passes:
        raise UnsoundError(["passes", "small_ns"], passes, plan.most_passes)
    met = meetings(plan.units, plan.rounds, passes, result.options["seed"])
    pairs = np.zeros((passes, plan.rounds), dtype=np.int64)
    np.add.at(pairs, (met.passes, met.rounds), 1)
    for kind, column in result.passes:
        for number, rounds in enumerate(column):
            counts = [times.count(" ") + 1 if times else 0 for times in rounds]
            whole = number < passes - 1
            require_rows(["passes", kind, number], counts, pairs[number].tolist(), whole=whole)


def _require_bisection(planned: Plan, result: BPairsResult) -> None:
    """Raise UnsoundError unless the steps of the bisection have the pairs that meet in them."""
    bisection, measured = result.plan.bisection, result.bisection
    if bisection is None or measured is None:
        return
    kinds = [half.kind for half in measured.halves]
    first = "order" if bisection.first_half is None else "given"
    if first == "given" and kinds[:1] == ["switches"] and result.options.get("halves") is None:
        first = "switches"
    path: Path = ["bisection", "halves"]
    require_same([*path, "kind"], kinds, [first, *["random"] * bisection.random_halves])
    alone = list(zip(measured.alone.first, measured.alone.second, strict=True))
    # pairs of the first step, with nothing else under way
    pairs_alone = _some_of(pairs_of_step(planned.halves[0], 0), MOST_ALONE)
    require_rows(["bisection", "alone"], alone, pairs_alone, whole=False)
    for number, (halves, parts) in enumerate(zip(measured.halves, planned.halves, strict=True)):
        steps, most = halves.steps, len(parts[1])
        if len(steps) > most:
            raise UnsoundError([*path, number, "steps"], len(steps), f"at most {most}")
        if halves.mean_ns is not None:
            require_same([*path, number, "mean_ns"], len(halves.mean_ns), len(steps))
        met = zip(steps.first, steps.second, strict=True)
        for place, (pair, step) in enumerate(zip(met, spread_steps(most), strict=False)):
            if pair not in pairs_of_step(parts, step):
                where = [*path, number, "steps", "first", place]
                raise UnsoundError(where, pair, f"a pair of step {step}")


def _require_per_host(result: BPairsResult) -> None:
    """Raise UnsoundError unless each row has times of the pairs by so many processes of a host."""
    units, wanted, rows = result.plan.units, result.plan.processes_per_host, result.per_host
    if wanted is None or rows is None:
        return
    planned = [
        (processes, traffic, pairs)
        for processes in wanted.processes
        for traffic in ("both ways", "one way", "messages")
        for pairs in dict.fromkeys((1, units // 2))
    ]
    stored = list(zip(rows.processes, rows.traffic, rows.pairs, strict=True))
    require_rows(["per_host", "processes"], stored, planned, whole=result.complete)
    for number, (pairs, text) in enumerate(zip(rows.pairs, rows.ns, strict=True)):
        times, alone = text.count(" ") + 1, len(hosts_alone(units))
        if times != pairs and (pairs, times) != (1, alone):  # older results have one pair alone
            raise UnsoundError(["per_host", "ns", number], times, max(pairs, alone))
