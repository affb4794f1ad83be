#!/usr/bin/env python3
"""What an order gains on made-up machines of which all is known, beside what was promised.

Hosts are given out by chance. Messages of an iteration begin together and share links evenly; of
routes of a torus or dragonfly, and of rates of single pairs, beff knows nothing. Prints a table in
Markdown; exit code 1 where a promise does not hold.
Usage: bench/foreign.py [SEEDS]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

import numpy as np
from common import options_of, table
from slow_hosts.flows import QUIET, Routed, iteration_s
from slow_hosts.networks import (
    Ints,
    Network,
    crossbar,
    dragonfly,
    rails,
    random_rates,
    torus,
    tree,
)
from support.machines.faults import Fault
from support.machines.machine import Machine, broken
from support.machines.result import make_map

from beff.maps.matrix import matrix_of
from beff.result.b_pairs_result import BPairsResult
from beff.twin.order import Sent, change_of
from beff.twin.self_test import MapTest
from beff.twin.ways import ways_of

KINDS = (("nearest:1", "halo:3d"), ("halo:2d",), ("moe:3",))
"""Messages of an iteration, one order for all that stand together."""
MOST = 1.1
"""So many times what is true a promise may be."""
LEAST = 0.97
"""So much of its speed an order may lose, and lose to hosts sorted by switch."""


def drawn_tree(seed: int) -> Network:
    """Draw 2 to 6 leaves of 2 to 9 hosts, uplinks for all down to a quarter of them."""
    chance = np.random.default_rng((seed, 9))
    sizes = chance.integers(2, 10, chance.integers(2, 7)).tolist()
    return tree((sizes, float(chance.uniform(1.1, 1.6)), float(chance.choice([1, 2, 3, 4]))))


def pods(leaves: list[int], taper: float, above: list[int], above_taper: float) -> Network:
    """Return a tree of three levels."""
    return tree((leaves, 1.2, taper), (above, 1.5, above_taper))


@dataclass(frozen=True)
class Case:
    """A network of a seed, and hosts that are slow."""

    name: str
    network: Callable[[int], Network]
    faults: tuple[Fault, ...] = ()
    pairs: bool = False


SLOW = (Fault(2.0, hosts=(3,)), Fault(1.5, hosts=(8,)))
CASES = (
    Case("crossbar, 16 hosts", lambda _: crossbar(16)),
    Case("crossbar, two of 16 hosts slow", lambda _: crossbar(16), SLOW),
    Case("four leaves of 4, 4:1", lambda _: tree(([4] * 4, 1.3, 4))),
    Case("four leaves of 4, 2:1", lambda _: tree(([4] * 4, 1.3, 2))),
    Case("four leaves of 4, 1:1", lambda _: tree(([4] * 4, 1.3, 1))),
    Case("four leaves of 4, 4:1, two hosts slow", lambda _: tree(([4] * 4, 1.3, 4)), SLOW),
    Case("leaves of 3, 5 and 9, 2:1", lambda _: tree(([3, 5, 9], 1.3, 2))),
    Case("leaves of 12, 2 and 2, 3:1", lambda _: tree(([12, 2, 2], 1.3, 3))),
    Case("eight leaves of 2, 2:1", lambda _: tree(([2] * 8, 1.3, 2))),
    Case("leaves drawn by chance", drawn_tree),
    Case("pods of two leaves of 4, 2:1 and 2:1", lambda _: pods([4] * 4, 2, [8, 8], 2)),
    Case("pods of four leaves of 4, 1:1 and 4:1", lambda _: pods([4] * 8, 1, [16, 16], 4)),
    Case("torus 4x4", lambda _: torus(4, 4)),
    Case("torus 4x4x2", lambda _: torus(4, 4, 2)),
    Case("dragonfly 4x2x2", lambda _: dragonfly(4, 2, 2)),
    Case("dragonfly 4x4x2", lambda _: dragonfly(4, 4, 2)),
    Case("two rails, 16 hosts", lambda _: rails(16, 2, 1.2)),
    Case("each pair its own rate, 5 %", lambda _: random_rates(16, 0.05), pairs=True),
    Case("each pair its own rate, 15 %", lambda _: random_rates(16, 0.15), pairs=True),
    Case("each pair its own rate, 30 %", lambda _: random_rates(16, 0.3), pairs=True),
)


def machine_of(case: Case, seed: int) -> Machine:
    """Return it with hosts given out by chance."""
    network = case.network(seed)
    place = np.random.default_rng((seed, 5)).permutation(network.hosts)
    return broken(Routed(network, place, case.pairs), *case.faults, **QUIET)


def true_s(machine: Machine, traffics: dict[str, Sent], host_of: Ints) -> float:
    """Return how long an iteration of each kind takes, in sum."""
    return sum(
        iteration_s(machine, host_of[one.sender], host_of[one.receiver], one.bytes)
        for one in traffics.values()
    )


@dataclass(frozen=True)
class Gain:
    """What was promised, and what is true of the order found and of hosts sorted by switch."""

    said: str
    promised: float
    is_within: bool
    true: float
    by_switch: float


def gains_of(case: Case, seed: int) -> Iterator[Gain]:
    """Yield a gain for each of the kinds; what is not offered gains nothing."""
    machine = machine_of(case, seed)
    assert isinstance(machine.topology, Routed)
    ways = ways_of(BPairsResult.model_validate(make_map(machine, seed=seed + 1)))
    test, now = MapTest(ways.off), np.arange(machine.units)
    by_switch = np.argsort(machine.topology.leaf, kind="stable")
    for kinds in KINDS:
        traffics = {kind: Sent.of(matrix_of(kind, machine.units)) for kind in kinds}
        change = change_of(ways, traffics, now, test.width)
        before, after, sorted_ = (
            true_s(machine, traffics, on) for on in (now, change.host_of, by_switch)
        )
        said = "refused" if not test.passed else "offered" if change.is_offered else "kept"
        is_within = change.least <= before / after <= change.most
        yield Gain(said, change.gain, is_within, before / after, before / sorted_)


def faults_of(gain: Gain) -> list[str]:
    """Return what is wrong with a promise."""
    wrong = {
        "overstated": gain.promised > MOST * gain.true,
        "slower": gain.true < LEAST,
        "slower than by switch": gain.true < LEAST * gain.by_switch,
        "outside": not gain.is_within,
    }
    return [name for name, is_so in wrong.items() if is_so and gain.said == "offered"]


def rows(cases: list[Case], seeds: int, counts: Counter[str]) -> Iterator[list[str]]:
    """Yield a row for each network, and count what is wrong."""
    for case in cases:
        gains = [gain for seed in range(seeds) for gain in gains_of(case, seed)]
        counts.update(gain.said for gain in gains)
        counts.update(fault for gain in gains for fault in faults_of(gain))
        often = Counter(gain.said for gain in gains)
        offered = [gain for gain in gains if gain.said == "offered"]
        yield [
            case.name,
            ", ".join(f"{count} {said}" for said, count in sorted(often.items())),
            *(
                _span([getattr(gain, name) for gain in offered])
                for name in ("promised", "true", "by_switch")
            ),
            _span([gain.promised / gain.true for gain in offered]),
            f"{median(gain.by_switch for gain in gains):.2f}" if not offered else "",
        ]


def _span(values: list[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}" if values else ""


def main() -> None:
    """Print the table."""
    parser = options_of(__doc__)
    parser.add_argument("seeds", type=int, nargs="?", default=4, help="of each network")
    given = parser.parse_args()
    counts = Counter[str]()
    heads = ["network", "orders", "promised", "true", "sorted by switch", "promised / true"]
    heads.append("not offered: true by switch, middle")
    seeds = 1 if given.short else given.seeds
    table(heads, rows(list(CASES), seeds, counts))
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    if counts.keys() - {"offered", "kept", "refused"}:
        sys.exit("a promise does not hold")


if __name__ == "__main__":
    main()
