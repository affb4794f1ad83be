"""The map of pairs that b_pairs would measure on a machine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from beff.definition.b_pairs_plan import Meetings, meetings
from beff.definition.imported_pairs import KINDS
from beff.maps.pair_map import PairMap
from support.machines.course import Course, course_of
from support.machines.flows import Flows
from support.machines.machine import Machine
from support.machines.plan import passes_within, rounds_of_pass
from support.machines.retests import PASSES, pairs_to_retest
from support.machines.ways import Floats, Ints

BYTES = {"small": 1, "large": 1 << 20}


def earlier_map(machine: Machine, seed: int, day: int = 1) -> PairMap:
    """Return a map of the machine of another day, when it had no fault."""
    return map_of(replace(machine, faults=()), seed, day)


def map_of(machine: Machine, seed: int, day: int = 0) -> PairMap:
    """Return a map; the seed says who the hosts are, seed and day what chance does."""
    units = machine.units
    rounds = rounds_of_pass(units)
    passes = machine.passes or passes_within(units, machine.duration_s)
    met = meetings(units, rounds, passes, seed_of_run(seed, day))
    chance = np.random.default_rng((seed, 2, day))
    nature = _nature(machine, seed, chance)
    course = _course(machine, nature, passes * rounds, chance)
    times = _crowded(machine, course, met, rounds, chance)
    chosen = pairs_to_retest(units, met.first, met.second, times)
    first, second = np.array(chosen * PASSES, dtype=np.int64).reshape(-1, 2).T
    again = _alone(machine, nature, first, second, chance)
    return PairMap(
        unit="host",
        names=tuple(f"n{unit}" for unit in range(units)),
        bytes_of=BYTES,
        passes=met.passes,
        rounds=met.rounds,
        first=met.first,
        second=met.second,
        times={kind: np.log(ns) for kind, ns in times.items()},
        retest_first=first,
        retest_second=second,
        retests={way: np.log(ns) for way, ns in again.items()},
    )


def measured_alone(machine: Machine, seed: int, first: Ints, second: Ints) -> dict[str, Floats]:
    """Return the times in ns of pairs that another program measures one after the other."""
    chance = np.random.default_rng((seed, 3))
    return _alone(machine, _nature(machine, seed, chance), first, second, chance)


def seed_of_run(seed: int, day: int = 0) -> int:
    """Return the seed with which the program drew who meets."""
    return seed + 1_000_003 * day


def _nature(machine: Machine, seed: int, chance: np.random.Generator) -> dict[str, Floats]:
    """Return the factors of hosts on this day, by kind."""
    own = np.random.default_rng((seed, 1))
    found = {}
    for kind in KINDS:
        logs = own.normal(0, machine.spread, machine.units)
        logs += chance.normal(0, machine.host_day, machine.units) + chance.normal(0, machine.day)
        found[kind] = np.exp(logs) * np.asarray(machine.nature.get(kind, 1.0))
    return found


def _course(
    machine: Machine, nature: dict[str, Floats], rounds: int, chance: np.random.Generator
) -> Course:
    return course_of(
        nature,
        machine.topology.capacities,
        machine.faults,
        rounds,
        chance,
        drift=machine.drift,
    )


def _crowded(
    machine: Machine, course: Course, met: Meetings, rounds: int, chance: np.random.Generator
) -> dict[str, Floats]:
    """Return the times in ns of pairs that meet while others do."""
    at = met.passes * rounds + met.rounds
    there = machine.topology.ways(met.first, met.second, chance)
    ways = there.and_back(machine.topology.ways(met.second, met.first, chance))
    flows = Flows(machine, course, met.first, met.second, at, chance)
    rates = machine.sharing(flows.rates(), ways.links, at, course.capacities)
    times = {"small": flows.small_ns(ways.latency), "large": flows.large_ns(rates, ways.latency)}
    return {kind: np.rint(ns) for kind, ns in times.items()}


def _alone(
    machine: Machine,
    nature: dict[str, Floats],
    first: Ints,
    second: Ints,
    chance: np.random.Generator,
) -> dict[str, Floats]:
    """Return the times in ns of pairs with nothing else under way, also of each direction."""
    # they follow the passes, so that it has drifted as far as it does
    course = _course(replace(machine, drift=0), nature, len(first), chance)
    at = np.arange(len(first))
    flows = Flows(machine, course, first, second, at, chance)
    there = machine.topology.ways(first, second, chance)
    back = machine.topology.ways(second, first, chance)
    both = there.and_back(back)
    again = {"small": flows.small_ns(both.latency)}
    for way, taken in (("large", both), ("there", there), ("back", back)):
        rates = machine.sharing(flows.rates(way), taken.links, at, course.capacities)
        again[way] = flows.large_ns(rates, taken.latency)
    return {way: np.rint(ns * (1 + machine.drift)) for way, ns in again.items()}
