"""b_pairs by docs/reference/definitions-b_pairs.md: a map of pairs, bisection, pairs of hosts.

Times are those of an exchange, a message each way, in ns; bandwidths are in MB/s.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beff.definition.b_pairs_plan import Plan, spread_steps
from beff.definition.criteria import Judgement, criteria_fields
from beff.definition.digest import Column, columns_digest
from beff.result.b_pairs_result import BPairsResult, PerHost
from beff.result.bounds import Figure

FEWEST_PASSES = 3
_FULL = 0.95
"""So much of the best rate the fewest processes of a host must reach."""
_WINDOW = 64
"""Short messages under way."""


def derive(plan: Plan, raw: BPairsResult) -> dict[str, Any]:
    """Return everything in a result file that follows from plan and raw fields.

    Raw are the environment, what was planned by time, all times, and the sums of steps.
    """
    whole = sum(len(rounds) == raw.plan.rounds for rounds in raw.passes.small_ns)
    small, large = (median(chain.from_iterable(of)) for _, of in raw.passes)
    fields = {
        "plan": {"large_bytes": plan.large_bytes},
        "summary": {
            "pair_MBps": plan.large_bytes * 1e3 / large if large else None,
            "latency_us": small / 1e3 if small else None,
            **_bisection_summary(plan, raw),
            **_per_host_summary(raw),
        },
        **criteria_fields(raw, {"passes": Judgement(raw.complete, FEWEST_PASSES, whole)}),
        "digest": {"samples": columns_digest(_digested(raw))},
    }
    if raw.plan.bisection is not None:
        fields["plan"]["bisection"] = {"steps": len(plan.halves[0][1])}
        fields["bisection"] = {"minimum": least_step(plan, raw)}
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


def _bisection_summary(plan: Plan, raw: BPairsResult) -> dict[str, Any]:
    asked, measured = raw.plan.bisection, raw.bisection
    if asked is None or measured is None:
        return {}
    sums = [mbps for one in measured.halves for mbps in one.steps.sum_MBps]
    # each step as its pairs would have it if each took their mean time
    by_mean_times = [
        len(parts[0]) * rate_of(raw, asked.processes, "both ways", ns)
        for one, parts in zip(measured.halves, plan.halves, strict=True)
        for ns in one.mean_ns or []
    ]
    least = least_step(plan, raw)
    full = None if least is None else least["full_MBps"]
    return {
        "bisection_MBps": min(sums, default=None),
        "bisection_mean_MBps": float(np.mean(sums)) if sums else None,
        "bisection_maximum_MBps": max(sums, default=None),
        "bisection_by_mean_time_MBps": min(by_mean_times, default=None),
        "bisection_percent": 100 * min(sums) / full if sums and full else None,
    }


def least_step(plan: Plan, raw: BPairsResult) -> dict[str, Any] | None:
    """Return where the sum is least, as the result has it; None where no step was measured."""
    asked, measured = raw.plan.bisection, raw.bisection
    if asked is None or measured is None:
        return None
    steps = [
        (mbps, halves, place)
        for halves, one in enumerate(measured.halves)
        for place, mbps in enumerate(one.steps.sum_MBps)
    ]
    if not steps:
        return None
    _, halves, place = min(steps)
    smaller, larger = plan.halves[halves]
    of_halves = measured.halves[halves].steps
    alone = [rate_of(raw, asked.processes, "both ways", ns) for ns in measured.alone.ns]
    return {
        "halves": halves,
        "step": spread_steps(len(larger))[place],
        "first": of_halves.first[place],
        "second": of_halves.second[place],
        "pair_MBps": rate_of(raw, asked.processes, "both ways", of_halves.slowest_ns[place]),
        "full_MBps": len(smaller) * float(np.median(alone)) if alone else None,
    }


# --- processes per host ------------------------------------------------------------------------


def _per_host_summary(raw: BPairsResult) -> dict[str, Any]:
    rows = raw.per_host
    if rows is None:
        return {}
    one_way, both, messages = (
        _best_alone(raw, rows, traffic) for traffic in ("one way", "both ways", "messages")
    )
    return {
        "host_MBps": one_way[0],
        "host_processes": one_way[1],
        "host_both_ways_MBps": both[0],
        "host_messages_per_s": messages[0],
        "host_messages_processes": messages[1],
    }


def _best_alone(raw: BPairsResult, rows: PerHost, traffic: str) -> tuple[Figure, int | None]:
    """Return the best rate of the pair in the middle, and the fewest processes that come near."""
    columns = zip(rows.traffic, rows.pairs, _rates_of(raw, rows), rows.processes, strict=True)
    alone = [row for kind, pairs, *row in columns if (kind, pairs) == (traffic, 1)]
    best = max((rate for rate, _ in alone), default=None)
    if best is None:
        return None, None
    return best, next(int(processes) for rate, processes in alone if rate >= _FULL * best)


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
    yield "slowest_ns", [ns for one in halves for ns in one.steps.slowest_ns]
    if halves and halves[0].mean_ns is not None:
        yield "mean_ns", [ns for one in halves for ns in one.mean_ns or []]
    yield "sum_MBps", [float(mbps) for one in halves for mbps in one.steps.sum_MBps]
    texts = [] if raw.per_host is None else raw.per_host.ns
    yield "per_host", [ns for text in texts for ns in times_of(text)]
