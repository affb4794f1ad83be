#!/usr/bin/env python3
"""Predict b_eff on made-up machines of which all is known, and set what is true beside it.

Messages of an iteration begin together and share links evenly (slow_hosts/flows.py). Prints a table
in Markdown; exit code 1 where a prediction that was offered is off by more than its interval.
Usage: bench/foreign_twin.py
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np
from common import options_of, table
from slow_hosts.flows import QUIET, Routed, iteration_s
from slow_hosts.networks import Network, crossbar, tree
from support.machines.faults import Fault
from support.machines.machine import Machine, broken
from support.machines.result import make_map
from support.results import Plan, make_result

from beff.result.b_eff_result import BEffResult
from beff.result.errors import ResultError
from beff.result.load import check_document
from beff.twin.self_test import self_test
from beff.twin.traffic import traffic_of
from beff.twin.twin import twin_of
from beff.verify.b_eff.definition import Draw
from beff.verify.b_eff.derive import measured_of

INSIDE = 30e9
"""Byte/s of a message within a host."""
RINGS_AND_PAIRS = range(39)
MIB = 1 << 20


@dataclass(frozen=True)
class Case:
    """A network, processes of a host, and hosts with half of the rate of the others."""

    name: str
    network: Network
    per_host: int = 1
    half: tuple[int, ...] = ()


def pods(leaf: float, pod: float, tapers: tuple[float, float]) -> Network:
    """Return two pods of four leaves of four; factors of short messages that leave either."""
    return tree(([4] * 8, leaf, tapers[0]), ([16, 16], pod, tapers[1]))


CASES = (
    Case("crossbar, 8 hosts", crossbar(8)),
    Case("crossbar, 8 hosts, 3 processes each", crossbar(8), 3),
    Case("two leaves of 4, 2:1, 3 processes each", tree(([4, 4], 1.3, 2)), 3),
    Case("two of 8 ports twice as fast", crossbar(8), 1, tuple(range(2, 8))),
    Case("half of 8 ports twice as fast, 2 processes each", crossbar(8), 2, tuple(range(4, 8))),
    Case(
        "one of four leaves with fast ports, 2:1", tree(([4] * 4, 1.3, 2)), 1, tuple(range(4, 16))
    ),
    Case("leaves of 3, 5 and 9, 2:1", tree(([3, 5, 9], 1.3, 2))),
    Case("leaves of 12, 2 and 2, 3:1", tree(([12, 2, 2], 1.3, 3))),
    Case("pods, 1:1 and 4:1", pods(1.2, 1.5, (1, 4))),
    Case("pods, 1:1 and 4:1, 0.1 % farther than leaves", pods(1.2, 1.2012, (1, 4))),
    Case("pods, 2:1 and 2:1", pods(1.2, 1.5, (2, 2))),
    Case("pods, 2:1 and 2:1, 2 and 5 us", pods(2.0, 3.5, (2, 2))),
)


def run_on(machine: Machine, per_host: int, placement: Sequence[int]) -> dict[str, Any]:
    """Return the result of b_eff with the processes on these hosts."""
    took = {}
    for pattern in RINGS_AND_PAIRS:
        traffic = traffic_of(pattern, placement, Draw(Plan.seed), machine.units)
        short, long = (
            iteration_s(machine, traffic.source, traffic.target, np.full(len(traffic.source), size))
            for size in (1e-9, float(MIB))
        )
        took[pattern] = short, (long - short) / MIB, traffic.most_inside() / INSIDE

    def seconds(_: Plan, order: Any) -> float:
        short, byte_s, inside = took.get(order["pattern"], (2e-6, 2e-10, 0.0))
        size = order["size_bytes"]
        return float(max(short + size * byte_s, size * inside, 1e-7))

    hosts = (per_host,) * machine.units
    return make_result(Plan(len(placement), hosts=hosts, iteration_s=seconds))


def value_of(fields: dict[str, Any]) -> float:
    """Return b_eff in MB/s."""
    result = check_document("b_eff", fields).result
    assert isinstance(result, BEffResult)
    return float(measured_of(result).official.b_eff.both or np.nan)


def cells_of(case: Case, counts: Counter[str]) -> Iterator[str]:
    """Yield what the self-test says, and how far two other placements are off."""
    hosts = case.network.hosts
    faults = (Fault(2.0, hosts=case.half, kinds=("large",)),) if case.half else ()
    topology, base = Routed(case.network, np.arange(hosts)), {"small": 1800, "large": 90_000}
    machine = broken(topology, *faults, **QUIET, base_ns=base)
    block = [host for host in range(hosts) for _ in range(case.per_host)]
    run = run_on(machine, case.per_host, block)
    of_all = {**base, "large": base["large"] * case.per_host}
    map_ = make_map(
        broken(topology, *faults, **QUIET, base_ns=of_all), environment=deepcopy(run["environment"])
    )
    document = check_document("b_eff", run)
    assert isinstance(document.result, BEffResult)
    try:
        twin = twin_of(document, check_document("b_pairs", map_))
        test = self_test(twin, document.result)
    except ResultError as problem:
        counts["refused"] += 1
        yield from (f"refused: {problem}", "", "")
        return
    counts["offered" if test.passed else "refused"] += 1
    yield f"{'offered' if test.passed else 'refused'}: {test.words.partition(': ')[2]}"
    dealt = [place // 2 + place % 2 * ((hosts + 1) // 2) for place in range(hosts)]
    shuffled = np.random.default_rng(7).permutation(block).tolist()
    for placement in (dealt * case.per_host, shuffled):
        true, predicted = value_of(run_on(machine, case.per_host, placement)), twin.value(placement)
        low = twin.value(placement, seen=True) * exp(-test.width)
        is_outside = test.passed and not low <= true <= predicted * exp(test.width)
        counts["outside"] += is_outside
        yield f"{100 * (true / predicted - 1):+.1f} %{' **outside**' if is_outside else ''}"


def main() -> None:
    """Print the table."""
    given, counts = options_of(__doc__).parse_args(), Counter[str]()
    cases = CASES[:2] if given.short else CASES
    heads = ["network", "self-test", "dealt: true beyond predicted", "shuffled"]
    table(heads, ([case.name, *cells_of(case, counts)] for case in cases))
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    if counts["outside"]:
        sys.exit("a prediction is off by more than its interval")


if __name__ == "__main__":
    main()
