"""Who met in a round of b_pairs, and who crosses which halves: it follows from plan and seed.

docs/reference/definitions-b_pairs.md has the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beff.definition.b_eff_plan import LARGEST_FIXED_SIZE, largest_message
from beff.definition.compare import Path, UnsoundError, options_as
from beff.result.b_pairs_result import BPairsResult, PairsPlan, PlannedBisection
from beff.result.bounds import Seed
from beff.result.environment import Environment
from beff.result.record import Record

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

_SEED_NUMBER = 49
"""Stands for the id of a pattern of b_eff in the seed of the first pass."""
_MOST_NEAR_ROUNDS = 6
_SHUFFLES = 64
_LARGEST_SEED = np.uint64(2**53 - 1)


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
    seeds = seeds_of(np.full(passes, seed, dtype=np.uint64), _SEED_NUMBER + np.arange(passes))
    # where numbers differ by 2^k at least, pairs are found among more units than that
    with_pairs = (units - 1).bit_length()
    all_meet = rounds >= rounds_until_all_met(units)
    near = 0 if all_meet else min(_MOST_NEAR_ROUNDS, rounds // 2, with_pairs)
    every = np.arange(units)
    for number in range(near):
        drawn = seeds_of(seeds, np.full(passes, number)) % np.uint64(1 << number)
        met = every ^ ((1 << number) + drawn.astype(np.int64))[:, None]
        partner[:, number] = np.where(met < units, met, every)
    unit_at = permutations(seeds, units)
    met_in_circle = _circle(units, np.arange(near, rounds))
    for number in range(passes):
        place_of = np.argsort(unit_at[number])
        partner[number, near:] = unit_at[number][met_in_circle[:, place_of]]
    found = numbers, rounds_, first = np.nonzero(every < partner)
    return Meetings(numbers, rounds_, first, partner[found])


def meetings_of(result: BPairsResult) -> Meetings:
    """Return the pairs of a result, also where its last pass is not whole."""
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
    key_of_run = mix(seeds)
    for number in range(_SHUFFLES):
        key = mix(key_of_run ^ np.uint64(number))[:, None]
        other = (key % n + n - x) % n
        swap = mix(key ^ mix(np.maximum(x, other))) & np.uint64(1)
        x = np.where(swap == 1, other, x)
    return x.astype(np.int64)


def seeds_of(seeds: Words, numbers: Ints) -> Words:
    """Return the seeds of patterns with these numbers."""
    return mix(mix(seeds) ^ numbers.astype(np.uint64)) & _LARGEST_SEED


def mix(state: Words) -> Words:
    """Return the outputs of splitmix64."""
    with np.errstate(over="ignore"):
        z = state + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed: Words = z ^ (z >> np.uint64(31))
    return mixed


_SEED_OF_HALVES = 1000
_GOLDEN = 0.618
MOST_ALONE = 16
MOST_HOSTS_ALONE = 5


def parts_of(plan: PairsPlan, asked: PlannedBisection, seed: int, halves: int) -> tuple[Ints, Ints]:
    """Return the smaller and the larger part of some halves, 0 for the first ones."""
    units = np.arange(plan.units)
    if halves == 0 and asked.first_half is not None:
        given = np.array(asked.first_half, dtype=np.int64)
        parts = given, np.setdiff1d(units, given)
        return parts if len(parts[0]) <= len(parts[1]) else (parts[1], parts[0])
    if halves > 0:
        number = np.array([_SEED_OF_HALVES + halves])
        units = permutations(seeds_of(np.array([seed], dtype=np.uint64), number), plan.units)[0]
    middle = plan.units // 2
    return units[:middle], units[middle:]


def pairs_of_step(parts: tuple[Ints, Ints], step: int) -> list[tuple[int, int]]:
    """Return who meets, the smaller unit first, in the order of the smaller part."""
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


def pairs_alone(parts: tuple[Ints, Ints]) -> list[tuple[int, int]]:
    """Return the pairs of the first step that meet with nothing else under way."""
    return _some_of(pairs_of_step(parts, 0), MOST_ALONE)


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
    """What messages the map has; `halves` are the two parts of each, the smaller first.

    How many rounds, passes and steps there are, the run decides by its time.
    """

    large_bytes: int
    halves: tuple[tuple[Ints, Ints], ...] = ()


def plan(options: Mapping[str, Any], environment: Environment, decided: PairsPlan) -> Plan:
    """Return what follows from options, environment and what the run decided.

    Raises UnsoundError where they make no sense.
    """
    seed, asked = options_as(Options, options).seed, decided.bisection
    memory, nodes = environment.memory_per_process_bytes, environment.nodes
    if largest_message(memory) <= LARGEST_FIXED_SIZE:
        path: Path = ["environment", "memory_per_process_bytes"]
        raise UnsoundError(path, memory, "more than 512 KiB")
    unit, units = ("host", nodes) if nodes > 1 else ("process", environment.processes)
    _same(["plan", "unit"], decided.unit, unit)
    _same(["plan", "units"], decided.units, units)
    most = rounds_until_all_met(units)
    if decided.rounds > most:
        raise UnsoundError(["plan", "rounds"], decided.rounds, f"at most {most}")
    halves: tuple[tuple[Ints, Ints], ...] = ()
    if asked is not None:
        first = asked.first_half
        if first is not None and not (0 < len({*first}) == len(first) < units > max(first)):
            path = ["plan", "bisection", "first_half"]
            raise UnsoundError(path, first, "some of the units, each once")
        numbers = range(asked.random_halves + 1)
        halves = tuple(parts_of(decided, asked, seed, number) for number in numbers)
    return Plan(min(largest_message(memory), LARGEST_BYTES), halves)


@lru_cache(maxsize=8)
def plan_of(result: BPairsResult) -> Plan:
    """Return the plan of a result, in which each time must be of a pair of the plan.

    Raises UnsoundError.
    """
    planned = plan(result.options, result.environment, result.plan)
    units, no_answer = result.plan.units, result.no_answer
    ends = [] if no_answer is None else [*no_answer.silent, *chain.from_iterable(no_answer.waiting)]
    for unit in chain(result.retests.first, result.retests.second, ends):
        if unit >= units:
            raise UnsoundError(["retests"], unit, f"a unit below {units}")
    _compare_passes(result)
    _same(["bisection"], result.bisection is not None, result.plan.bisection is not None)
    _same(["per_host"], result.per_host is not None, result.plan.processes_per_host is not None)
    _compare_bisection(planned, result)
    _compare_per_host(result)
    return planned


def _same(path: Path, stored: Any, planned: Any) -> None:
    if stored != planned:
        raise UnsoundError(path, stored, planned)


def _compare_passes(result: BPairsResult) -> None:
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
            measured = len(rounds) if number == passes - 1 else plan.rounds
            _same(["passes", kind, number], counts, pairs[number, :measured].tolist())


def _compare_bisection(planned: Plan, result: BPairsResult) -> None:
    asked, measured = result.plan.bisection, result.bisection
    if asked is None or measured is None:
        return
    kinds = [one.kind for one in measured.halves]
    first = "order" if asked.first_half is None else "given"
    if first == "given" and kinds[:1] == ["switches"] and result.options.get("halves") is None:
        first = "switches"
    _same(["bisection", "halves", "kind"], kinds, [first, *["random"] * asked.random_halves])
    alone = list(zip(measured.alone.first, measured.alone.second, strict=True))
    _same(["bisection", "alone"], alone, pairs_alone(planned.halves[0])[: len(alone)])
    for number, (halves, parts) in enumerate(zip(measured.halves, planned.halves, strict=True)):
        one, steps = halves.steps, spread_steps(len(parts[1]))
        path: Path = ["bisection", "halves", number]
        if len(one.sum_MBps) > len(steps):
            raise UnsoundError([*path, "steps"], len(one.sum_MBps), f"at most {len(steps)}")
        if halves.mean_ns is not None:
            _same([*path, "mean_ns"], len(halves.mean_ns), len(one.sum_MBps))
        for place, pair in enumerate(zip(one.first, one.second, strict=True)):
            if pair not in pairs_of_step(parts, steps[place]):
                expected = f"a pair of step {steps[place]}"
                raise UnsoundError([*path, "steps", "first", place], pair, expected)


def _compare_per_host(result: BPairsResult) -> None:
    asked, rows, units = result.plan.processes_per_host, result.per_host, result.plan.units
    if asked is None or rows is None:
        return
    planned = [
        (processes, traffic, pairs)
        for processes in asked.processes
        for traffic in ("both ways", "one way", "messages")
        for pairs in dict.fromkeys((1, units // 2))
    ]
    found = list(zip(rows.processes, rows.traffic, rows.pairs, strict=True))
    _same(["per_host", "processes"], found, planned[: len(found)])
    for number, (pairs, text) in enumerate(zip(rows.pairs, rows.ns, strict=True)):
        times, alone = text.count(" ") + 1, len(hosts_alone(units))
        if times != pairs and (pairs, times) != (1, alone):  # older results have one pair alone
            raise UnsoundError(["per_host", "ns", number], times, max(pairs, alone))
