"""Benchmarks on machines that are scripts: what measure() asks of them, and how long they take."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from program_core import core, pairs

Order = dict[str, Any]
"""A loop by name and number: pattern, messages, method, size_bytes, repetition, loop_length,
warm_up, latency."""


def linear_machine(order: Order) -> float:
    """1 µs per iteration and 2 GB/s per process, whatever the pattern."""
    iteration: float = 1e-6 + order["size_bytes"] / 2e9
    return float(order["loop_length"] * iteration)


def times_of(order: Order, slowest: float) -> Order:
    """What processes report of a loop: the mean one takes 0.9, the fastest 0.8 of the slowest."""
    return {
        "time_max": slowest,
        "time_sum": slowest * 0.9,
        "time_min": slowest * 0.8,
        "slowest_rank": 1,
        "least_rate": order["loop_length"] / slowest if slowest > 0 else 0.0,
    }


def b_eff(report: Callable[[Order], Order], processes: int, **plan: Any) -> Any:
    """What b_eff makes of these reports: result, protocol and the number of planned loops."""
    usual = {"memory_per_process": 512 << 20, "seed": 1, "processes": processes}
    return core.run(usual | plan, ask=report)


def run(
    time_of: Callable[[Order], float] = linear_machine, stop_after: int | None = None, **plan: Any
) -> Any:
    """The same of a machine whose loops take time_of(), and which stops with that loop."""
    done = 0

    def report(order: Order) -> Order:
        nonlocal done
        done += not order["latency"]
        stops = done == stop_after and not order["latency"]
        return times_of(order, time_of(order)) | {"stops": stops}

    return b_eff(report, **plan)


def b_pairs(script: Any, hardware: Any = (), **plan: Any) -> Any:
    """What b_pairs makes of a script, a method for each verb: result, protocol and journal.

    `stops` says after each verb whether the run is to end.
    """

    def ask(question: tuple[str, list[Any]]) -> tuple[Any, bool]:
        verb, arguments = question
        found = getattr(script, verb)(*map(_with_tuples, arguments))
        return found, script.stops()

    return pairs.run(plan, [*hardware], ask=ask)


def _with_tuples(argument: Any) -> Any:
    return [*map(tuple, argument)] if isinstance(argument, list) else argument


def journal_of(begun: Any, lines: str) -> str:
    """The journal of b_pairs, from the result at its begin."""
    head = {"journal": 1, "benchmark": "b_pairs", "loops": 1, "result": begun}
    return f"{json.dumps(head)}\n{lines}"


def write_pairs(folder: Path, script: Any, **plan: Any) -> Path:
    """Write result and journal of b_pairs in a folder; return the result."""
    made = b_pairs(script, **plan)
    journal = journal_of(pairs.begun(plan), made.journal)
    (folder / "run.journal.jsonl").write_text(journal, encoding="utf-8")
    path = folder / "b_pairs.json"
    path.write_text(json.dumps(made.result), encoding="utf-8")
    return path
