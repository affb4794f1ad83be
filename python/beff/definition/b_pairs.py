"""b_pairs by docs/reference/definitions-b_pairs.md: a map of pairs, bisection, pairs of hosts.

Times are those of an exchange, a message each way, in ns; bandwidths are in MB/s.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beff.definition.b_pairs_plan import KINDS, Plan, spread_steps
from beff.definition.common import Column, Judgement, UnsoundError
from beff.result.b_pairs_result import BPairsResult, ImportedPairs, ImportedPlan, Meetings, PerHost
from beff.result.bounds import Figure

FEWEST_PASSES = 3
_FULL = 0.95
"""The fewest processes of a host are those that reach this share of the best rate."""
_WINDOW = 64
"""So many short messages of a process are under way at once."""


def derive(plan: Plan, raw: BPairsResult) -> dict[str, Any]:
    """Return everything in a result file that follows from plan and raw fields.

    Raw are the environment, what was planned by time, all times, and the sums of steps.
    """
    whole = sum(len(rounds) == raw.plan.rounds for rounds in raw.passes.small_ns)
    are_enough = raw.complete and FEWEST_PASSES <= whole == len(raw.passes.small_ns)
    small, large = (median(chain.from_iterable(of)) for _, of in raw.passes)
    bisection, least = _bisection(plan, raw)
    fields = {
        "plan": {"large_bytes": plan.large_bytes},
        "summary": {
            "pair_MBps": plan.large_bytes * 1e3 / large if large else None,
            "latency_us": small / 1e3 if small else None,
            **bisection,
            **_per_host_summary(raw),
        },
        "criteria": {"passes": Judgement(are_enough, FEWEST_PASSES, whole)},
        "digest": {"samples": _digested(raw)},
    }
    if raw.plan.bisection is not None:
        fields["plan"]["bisection"] = {"steps": len(plan.halves[0][1])}
        fields["bisection"] = {"minimum": least}
    if raw.per_host is not None:
        fields["per_host"] = {"rate": _rates_of(raw, raw.per_host)}
    return fields


def numbers_of(columns: Iterable[str]) -> NDArray[np.float64]:
    """Return the numbers of texts, NaN where nothing was measured."""
    text = " ".join(column for column in columns if column)
    return np.array(text.replace("-", "nan").split(), dtype=np.float64)


def median(columns: Iterable[str]) -> Figure:
    """Return the median of what was measured; None where nothing was."""
    numbers = numbers_of(columns)
    known = numbers[~np.isnan(numbers)]
    return float(np.median(known)) if known.size else None


def times_of(text: str) -> list[int]:
    """Return the times of pairs of hosts, all of which were measured."""
    return [int(ns) for ns in text.split(" ")]


def rate_of(result: BPairsResult, processes: int, traffic: str, ns: float) -> float:
    """Return MB/s of a pair that needs `ns` for an exchange, or messages per second."""
    plan = result.plan.bisection or result.plan.processes_per_host
    if plan is None:
        return 0.0
    if traffic == "messages":
        return processes * _WINDOW * 1e9 / ns
    return processes * (2 if traffic == "both ways" else 1) * plan.message_bytes * 1e3 / ns


# --- bisection ---------------------------------------------------------------------------------


def _bisection(plan: Plan, raw: BPairsResult) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return the summary, and where the sum is least; None where no step was measured."""
    planned, measured = raw.plan.bisection, raw.bisection
    if planned is None or measured is None:
        return {}, None
    steps = [
        (mbps, halves, place)
        for halves, half in enumerate(measured.halves)
        for place, mbps in enumerate(half.steps.sum_MBps)
    ]
    sums = [mbps for mbps, _, _ in steps]

    def both_ways(ns: float) -> float:
        return rate_of(raw, planned.processes, "both ways", ns)

    # each step as its pairs would have it if each took their mean time
    by_mean_times = [
        len(parts[0]) * both_ways(ns)
        for half, parts in zip(measured.halves, plan.halves, strict=True)
        for ns in half.mean_ns or []
    ]
    least: dict[str, Any] | None = None
    full = None
    if steps:
        _, halves, place = min(steps)
        smaller, larger = plan.halves[halves]
        of_halves = measured.halves[halves].steps
        alone = [both_ways(ns) for ns in measured.alone.ns]
        full = len(smaller) * float(np.median(alone)) if alone else None
        least = {
            "halves": halves,
            "step": spread_steps(len(larger))[place],
            "first": of_halves.first[place],
            "second": of_halves.second[place],
            "pair_MBps": both_ways(of_halves.slowest_ns[place]),
            "full_MBps": full,
        }
    return {
        "bisection_MBps": min(sums, default=None),
        "bisection_mean_MBps": float(np.mean(sums)) if sums else None,
        "bisection_maximum_MBps": max(sums, default=None),
        "bisection_by_mean_time_MBps": min(by_mean_times, default=None),
        "bisection_percent": 100 * min(sums) / full if full else None,
    }, least


# --- processes per host ------------------------------------------------------------------------


_BEST = {
    "one way": ("host_MBps", "host_processes"),
    "both ways": ("host_both_ways_MBps", None),
    "messages": ("host_messages_per_s", "host_messages_processes"),
}
"""By traffic the best rate of the pair in the middle, and the fewest processes that come near."""


def _per_host_summary(raw: BPairsResult) -> dict[str, Any]:
    if (rows := raw.per_host) is None:
        return {}
    summary: dict[str, Any] = {}
    columns = [*zip(rows.traffic, rows.pairs, _rates_of(raw, rows), rows.processes, strict=True)]
    for traffic, (name, fewest) in _BEST.items():
        alone = [row for kind, pairs, *row in columns if (kind, pairs) == (traffic, 1)]
        summary[name] = best = max((rate for rate, _ in alone), default=None)
        near = (int(count) for rate, count in alone if best and rate >= _FULL * best)
        if fewest is not None:
            summary[fewest] = next(near, None)
    return summary


def _rates_of(raw: BPairsResult, rows: PerHost) -> list[float]:
    """Return the rate of the pair in the middle of each row."""
    return [
        rate_of(raw, processes, traffic, float(np.median(times_of(text))))
        for processes, traffic, text in zip(rows.processes, rows.traffic, rows.ns, strict=True)
    ]


def _digested(raw: BPairsResult) -> Iterator[tuple[str, Column]]:
    """Yield the raw columns that the digest takes, in its order."""
    for name, column in raw.passes:
        yield name, [times for rounds in column for times in rounds]
    if raw.plan.bisection is None and raw.plan.processes_per_host is None:
        return
    halves = [] if raw.bisection is None else raw.bisection.halves
    yield "alone", [] if raw.bisection is None else raw.bisection.alone.ns
    yield "slowest_ns", [ns for half in halves for ns in half.steps.slowest_ns]
    if halves and halves[0].mean_ns is not None:
        yield "mean_ns", [ns for half in halves for ns in half.mean_ns or []]
    yield "sum_MBps", [float(mbps) for half in halves for mbps in half.steps.sum_MBps]
    texts = [] if raw.per_host is None else raw.per_host.ns
    yield "per_host", [ns for text in texts for ns in times_of(text)]


# --- a map that another program measured -------------------------------------------------------


def require_pairs(raw: ImportedPairs) -> None:
    """Raise UnsoundError where a time is not of two hosts."""
    plan, met, nodes = raw.plan, raw.meetings, raw.environment.nodes
    if plan.units != nodes:
        raise UnsoundError(["plan", "units"], plan.units, f"{nodes} as hosts")
    first, second = numbers_of([met.first]), numbers_of([met.second])
    if not (first < second).all() or second.max() >= plan.units:
        raise UnsoundError(["meetings"], "other units", f"pairs of {plan.units} units")
    for kind in KINDS:
        size, column = getattr(plan, f"{kind}_bytes"), getattr(met, f"{kind}_ns")
        if (size is None) != (column is None):
            raise UnsoundError(["meetings", f"{kind}_ns"], "times", f"times of {size} byte")


def derive_imported(_: None, raw: ImportedPairs) -> dict[str, Any]:
    """Return all fields of the summary."""
    none = dict.fromkeys(type(raw.summary).model_fields)
    return {"summary": none | figures_of(raw.plan, raw.meetings)}


def figures_of(plan: ImportedPlan, met: Meetings) -> dict[str, Figure]:
    """Return the figures that pairs have: medians over all measurements."""
    small, large = (median(filter(None, [getattr(met, f"{kind}_ns")])) for kind in KINDS)
    return {
        "pair_MBps": plan.large_bytes * 1e3 / large if large and plan.large_bytes else None,
        "latency_us": small / 1e3 if small else None,
    }
