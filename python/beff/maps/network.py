"""What a network gives as a whole, from the raw part of a result of b_pairs: second implementation.

Bisection and processes per host; docs/reference/definitions-b_pairs.md.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from beff.definition.compare import Recheck
from beff.definition.digest import Column
from beff.maps.schedule import hosts_alone, pairs_alone, pairs_of_step, parts_of, spread_steps
from beff.result.b_pairs_result import BPairsResult, HostHardware, PerHost
from beff.result.bounds import Figure
from beff.verify.common.checks import expand_host_list, hosts_in_list

_FULL = 0.95


def rate_of(result: BPairsResult, processes: int, traffic: str, ns: float) -> float:
    """Return MB/s of a pair that needs `ns` for an exchange, or messages per second."""
    plan = result.plan.bisection or result.plan.processes_per_host
    if plan is None:
        return 0.0
    if traffic == "messages":
        return processes * 64 * 1e9 / ns
    return processes * (2 if traffic == "both ways" else 1) * plan.message_bytes * 1e3 / ns


def network_summary(result: BPairsResult) -> dict[str, Any]:
    """Return what the summary has of the network as a whole; of what was not measured nothing."""
    summary: dict[str, Any] = {}
    least = least_step(result)
    if result.bisection is not None:
        sums = [mbps for one in result.bisection.halves for mbps in one.steps.sum_MBps]
        full = None if least is None else least["full_MBps"]
        summary |= {
            "bisection_MBps": min(sums, default=None),
            "bisection_mean_MBps": float(np.mean(sums)) if sums else None,
            "bisection_maximum_MBps": max(sums, default=None),
            "bisection_by_mean_time_MBps": min(_by_mean_times(result), default=None),
            "bisection_percent": 100 * min(sums) / full if sums and full else None,
        }
    if result.per_host is not None:
        one_way, both, messages = (
            _best_alone(result, traffic) for traffic in ("one way", "both ways", "messages")
        )
        summary |= {
            "host_MBps": one_way[0],
            "host_processes": one_way[1],
            "host_both_ways_MBps": both[0],
            "host_messages_per_s": messages[0],
            "host_messages_processes": messages[1],
        }
    return summary


def least_step(result: BPairsResult) -> dict[str, Any] | None:
    """Return where the sum is least, as the result has it; None where no step was measured."""
    asked, found = result.plan.bisection, result.bisection
    if asked is None or found is None:
        return None
    steps = [
        (mbps, halves, place)
        for halves, one in enumerate(found.halves)
        for place, mbps in enumerate(one.steps.sum_MBps)
    ]
    if not steps:
        return None
    _, halves, place = min(steps)
    parts = parts_of(result.plan, asked, result.options["seed"], halves)
    of_halves = found.halves[halves].steps
    alone = [rate_of(result, asked.processes, "both ways", max(1, ns)) for ns in found.alone.ns]
    return {
        "halves": halves,
        "step": spread_steps(len(parts[1]))[place],
        "first": of_halves.first[place],
        "second": of_halves.second[place],
        "pair_MBps": rate_of(result, asked.processes, "both ways", of_halves.slowest_ns[place]),
        "full_MBps": len(parts[0]) * float(np.median(alone)) if alone else None,
    }


def _by_mean_times(result: BPairsResult) -> Iterator[float]:
    """Yield the sum of each step as its pairs would have it if each took their mean time."""
    asked, found = result.plan.bisection, result.bisection
    if asked is None or found is None:
        return
    for number, halves in enumerate(found.halves):
        pairs = len(parts_of(result.plan, asked, result.options["seed"], number)[0])
        for ns in halves.mean_ns or []:
            yield pairs * rate_of(result, asked.processes, "both ways", ns)


def _best_alone(result: BPairsResult, traffic: str) -> tuple[Figure, int | None]:
    """Return the best rate of the pair in the middle, and the fewest processes that come near."""
    rows = result.per_host
    if rows is None:
        return None, None
    found = [
        (rate, processes)
        for processes, kind, pairs, rate in zip(
            rows.processes, rows.traffic, rows.pairs, _rates_of(result, rows), strict=True
        )
        if kind == traffic and pairs == 1
    ]
    best = max((rate for rate, _ in found), default=None)
    if best is None:
        return None, None
    return best, next(processes for rate, processes in found if rate >= _FULL * best)


def _rates_of(result: BPairsResult, rows: PerHost) -> list[float]:
    """Return the rate of the pair in the middle of each row."""
    medians = [float(np.median(_times(text))) for text in rows.ns]
    columns = zip(rows.processes, rows.traffic, medians, strict=True)
    return [rate_of(result, processes, traffic, ns) for processes, traffic, ns in columns]


def _times(text: str) -> list[int]:
    return [int(ns) for ns in text.split(" ")]


def alone_one_way(result: BPairsResult, processes: int) -> list[float]:
    """Return MB/s one way of each pair of hosts_alone() by so many processes that was measured."""
    rows = result.per_host
    if rows is None:
        return []
    return [
        rate_of(result, processes, "one way", ns)
        for *row, text in zip(rows.processes, rows.traffic, rows.pairs, rows.ns, strict=True)
        if row == [processes, "one way", 1]
        for ns in _times(text)
    ]


def network_fields(result: BPairsResult) -> dict[str, Any]:
    """Return the derived part of bisection and processes per host."""
    fields: dict[str, Any] = {}
    if result.bisection is not None:
        fields["bisection"] = {"minimum": least_step(result)}
    if result.per_host is not None:
        fields["per_host"] = {"rate": _rates_of(result, result.per_host)}
    return fields


def network_digest(result: BPairsResult) -> Iterator[tuple[str, Column]]:
    """Yield the raw columns that the digest takes, in its order."""
    if result.plan.bisection is None and result.plan.processes_per_host is None:
        return
    halves = [] if result.bisection is None else result.bisection.halves
    yield "alone", [] if result.bisection is None else result.bisection.alone.ns
    yield "slowest_ns", [ns for one in halves for ns in one.steps.slowest_ns]
    if halves and halves[0].mean_ns is not None:
        yield "mean_ns", [ns for one in halves for ns in one.mean_ns or []]
    yield "sum_MBps", [float(mbps) for one in halves for mbps in one.steps.sum_MBps]
    texts = [] if result.per_host is None else result.per_host.ns
    yield "per_host", [ns for text in texts for ns in _times(text)]


def check_network(result: BPairsResult, check: Recheck) -> None:
    """Check that what was measured is what was planned, and can be true."""
    plan = result.plan
    for name, asked, found in (
        ("bisection", plan.bisection, result.bisection),
        ("per_host", plan.processes_per_host, result.per_host),
    ):
        check.compare([name], found is not None, asked is not None)
    if plan.bisection is not None and result.bisection is not None:
        _check_bisection(result, check)
    if plan.processes_per_host is not None and result.per_host is not None:
        _check_per_host(result, check)


def _check_bisection(result: BPairsResult, check: Recheck) -> None:
    asked, found = result.plan.bisection, result.bisection
    if asked is None or found is None:
        return
    seed, units = result.options["seed"], result.plan.units
    first = asked.first_half
    is_part = first is None or (0 < len(set(first)) == len(first) < units and max(first) < units)
    check.require(
        is_part, ["plan", "bisection", "first_half"], first, "some of the units, each once"
    )
    if not is_part:
        return
    kinds = [one.kind for one in found.halves]
    is_by_switches = kinds[:1] == ["switches"] and result.options.get("halves") is None
    given = "switches" if is_by_switches else "given"
    planned = ["order" if first is None else given, *["random"] * asked.random_halves]
    check.compare(["bisection", "halves", "kind"], kinds, planned)
    parts = parts_of(result.plan, asked, seed, 0)
    check.compare(["plan", "bisection", "steps"], asked.steps, len(parts[1]))
    alone = list(zip(found.alone.first, found.alone.second, strict=True))
    check.compare(["bisection", "alone"], alone, pairs_alone(parts)[: len(alone)])
    for number, halves in enumerate(found.halves):
        one = halves.steps
        parts = parts_of(result.plan, asked, seed, number)
        path: list[str | int] = ["bisection", "halves", number, "steps"]
        most, steps = len(parts[1]), len(one.sum_MBps)
        check.require(steps <= most, [*path, "sum_MBps"], f"{steps} steps", f"at most {most}")
        if halves.mean_ns is not None and len(halves.mean_ns) != steps:
            check.compare([*path[:-1], "mean_ns"], len(halves.mean_ns), steps)
            continue
        for place, step in enumerate(spread_steps(most)[:steps]):
            pair = one.first[place], one.second[place]
            known = pair in pairs_of_step(parts, step)
            check.require(known, [*path, "first", place], pair, f"a pair of step {step}")


def _check_per_host(result: BPairsResult, check: Recheck) -> None:
    asked, rows = result.plan.processes_per_host, result.per_host
    if asked is None or rows is None:
        return
    pairs = result.plan.units // 2
    planned = [
        (processes, traffic, count)
        for processes in asked.processes
        for traffic in ("both ways", "one way", "messages")
        for count in dict.fromkeys((1, pairs))
    ]
    found = list(zip(rows.processes, rows.traffic, rows.pairs, strict=True))
    check.compare(["per_host", "processes"], found, planned[: len(found)])
    alone = len(hosts_alone(result.plan.units))
    for number, (count, text) in enumerate(zip(rows.pairs, rows.ns, strict=True)):
        times = len(_times(text))
        known = times == count or (count, times) == (1, alone)  # older results have one pair alone
        check.require(known, ["per_host", "ns", number], f"{times} pairs", str(max(count, alone)))


ACTIVE = {"active", "up"}
"""The states of a port in use."""


def network_rate_MBps(host: HostHardware) -> float:  # noqa: N802 - the unit
    """Add up the active ports: those of InfiniBand, if the host has any; 0 where not known."""
    rates = {"infiniband": 0.0, "ethernet": 0.0}
    for port in host.network:
        rates[port.kind] += port.rate_MBps or 0.0
    return rates["infiniband"] or rates["ethernet"]


def hosts_by_rate(groups: Sequence[HostHardware]) -> "Counter[float]":
    """Return how many hosts have each rate in MB/s; 0 stands for not known."""
    hosts: Counter[float] = Counter()
    for group in groups:
        hosts[network_rate_MBps(group)] += hosts_in_list(group.hosts)
    return hosts


def usual_rate_MBps(groups: Sequence[HostHardware]) -> float:  # noqa: N802 - the unit
    """Return the rate that most hosts have, the higher one of two that are as frequent."""
    hosts = hosts_by_rate(groups)
    return max(hosts, key=lambda rate: (hosts[rate], rate), default=0.0)


def check_roofs(result: BPairsResult, check: Recheck) -> None:
    """Check that each host is in one group of equal hardware, where anything is known of it."""
    groups = [] if result.roofs is None else result.roofs.hosts
    names = sorted(host.name for host in result.environment.hosts)
    listed = [name for group in groups for name in expand_host_list(group.hosts, len(names))]
    check.compare(["roofs", "hosts"], sorted(listed), names if groups else [])
