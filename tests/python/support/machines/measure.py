"""The map of pairs that b_pairs would measure on a machine."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from slow_hosts import beff_judge
from slow_hosts.machine import Fault, Machine, measure, measure_alone
from slow_hosts.networks import Ints, Network, crossbar, tree

from beff.definition.b_pairs_plan import meetings, rounds_until_all_met
from beff.maps.pair_map import PairMap

_ALL_MEET = 65
_MOST_TIMES = 240_000
_DAY, _HOST_DAY = 0.02, 0.003
"""Deviations of the machine, and of each host, from day to day."""


def rounds_of_pass(units: int) -> int:
    """Return how many rounds a pass has where the user says nothing."""
    fit = _MOST_TIMES // 3 // (units // 2)
    return rounds_until_all_met(units) if units <= _ALL_MEET else max(8, min(64, fit))


def earlier_map(machine: Machine, seed: int, day: int = 1) -> PairMap:
    """Return a map of the machine of another day, when it had no fault."""
    return map_of(replace(machine, faults=()), seed, day)


def map_of(machine: Machine, seed: int, day: int = 0) -> PairMap:
    """Return a map; the seed says who the hosts are, seed and day what chance does."""
    rounds = rounds_of_pass(machine.hosts)
    met = meetings(machine.hosts, rounds, machine.passes, seed_of_run(seed, day))
    who = met.first, met.second, met.passes * rounds + met.rounds
    if day and machine.spread:
        chance = np.random.default_rng((seed, 4, day))
        logs = chance.normal(0, _HOST_DAY, machine.hosts) + chance.normal(0, _DAY)
        machine = replace(machine, natural=tuple(np.exp(logs) * (machine.natural or 1.0)))
    table = measure(replace(machine, day=day), seed, beff_judge.again, who)
    return beff_judge.map_of(table, rounds=rounds)


def measured_alone(machine: Machine, seed: int, first: Ints, second: Ints) -> PairMap:
    """Return the map of pairs that another program measures one after the other."""
    return beff_judge.map_of(measure_alone(machine, seed, first, second))


def seed_of_run(seed: int, day: int = 0) -> int:
    """Return the seed with which the program drew who meets."""
    return seed + 1_000_003 * day


# --- machines of one switch or of leaves under one, as tests want them ---

QUIET: dict[str, Any] = {"spread": 0.0, "noise": 0.001}
"""What hardly differs: with it, figures are those that a test computes."""

CALM: dict[str, Any] = {"spread": 0.01, "noise": 0.01}


def flat(
    units: int,
    slow: Mapping[int, float] | None = None,
    links: Mapping[tuple[int, int], float] | None = None,
    faults: Sequence[Fault] = (),
    **more: Any,
) -> Machine:
    """Return a machine with slow hosts and links, by their factors, measured in 20 passes.

    A link alone is slow from the first host to the second.
    """
    of_hosts = (Fault(factor, hosts=(host,)) for host, factor in (slow or {}).items())
    of_links = (Fault(factor, pairs=(link,)) for link, factor in (links or {}).items())
    return Machine(
        crossbar(units), faults=(*of_hosts, *of_links, *faults), **{"passes": 20, **more}
    )


def leaves(*sizes: int, hop: float = 1.0, taper: float = 1.0) -> Network:
    """Return leaves of these sizes under one switch."""
    return tree((sizes, hop, taper))
