"""b_eff on machines that are scripts: what measure() asks of them, and how long they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import beff_core_testing as core

Order = dict[str, Any]
"""A loop by name and number: pattern, messages, method, size_bytes, repetition, loop_length,
warm_up, latency."""


def linear_machine(order: Order) -> float:
    """1 µs per iteration and 2 GB/s per process, whatever the pattern."""
    iteration: float = 1e-6 + order["size_bytes"] / 2e9
    return float(order["loop_length"] * iteration)


class Machine(core.Machine):  # type: ignore[misc]
    """The slowest process takes time_of() for a loop, the mean one 0.9 and the fastest 0.8 of it.

    Asks to stop with loop number `stop_after`.
    """

    def __init__(
        self,
        benchmark: Any,
        time_of: Callable[[Order], float] = linear_machine,
        stop_after: int | None = None,
    ) -> None:
        super().__init__()
        self.benchmark = benchmark
        self._time_of = time_of
        self._stop_after = stop_after
        self._done = 0

    def time_loop(self, loop: Any) -> Any:
        report = self.report(self.benchmark.order(loop))
        if not loop.latency:
            self._done += 1
            report.stops = self._done == self._stop_after
        return report

    def report(self, order: Order) -> Any:
        slowest = self._time_of(order)
        return core.LoopReport(
            time_max=slowest,
            time_sum=slowest * 0.9,
            time_min=slowest * 0.8,
            slowest_rank=1,
            least_rate=order["loop_length"] / slowest if slowest > 0 else 0.0,
        )


def run(
    time_of: Callable[[Order], float] = linear_machine, stop_after: int | None = None, **plan: Any
) -> Any:
    """The benchmark after a run on a machine whose loops take time_of()."""
    benchmark = core.scripted_benchmark(**plan)
    benchmark.measure(Machine(benchmark, time_of, stop_after))
    return benchmark
