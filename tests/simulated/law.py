"""The law that the exact model keeps, from docs/how-to/simulate.md and not from SimGrid.

A pattern whose flows are all alike takes, per iteration, the latencies of one route plus the bytes
that cross the narrowest link, divided by its bandwidth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from simulated.support import MPI_HEADER_BYTES

Law = Callable[[int], float]
"""Seconds of an iteration for a message size in byte."""


@dataclass(frozen=True)
class Route:
    """Latency in seconds of a route, and byte/s of its narrowest link, shared by `flows`."""

    latency: float
    bandwidth: float
    flows: int = 1

    def message(self, size: int) -> float:
        """Seconds of one message while the other flows of the link send one as well."""
        return self.latency + self.flows * (size + MPI_HEADER_BYTES) / self.bandwidth


def one_after_the_other(route: Route, messages: int) -> Law:
    """MPI_Sendrecv: each message starts when the one before has arrived."""
    return lambda size: messages * route.message(size)


def all_at_once(route: Route, messages: int) -> Law:
    """Non-blocking: a process's messages share the route from the start."""
    shared = Route(route.latency, route.bandwidth, route.flows * messages)
    return shared.message


def deviation(result: dict[str, Any], pattern: int, method: str, law: Law) -> float:
    """Largest relative deviation of slowest and fastest process from the law, over all sizes."""
    samples, sizes = result["samples"], result["message_sizes_bytes"]
    wanted = result["methods"].index(method)
    found = [
        abs(time / samples["loop_length"][i] / law(sizes[samples["size"][i]]) - 1)
        for i, key in enumerate(zip(samples["pattern"], samples["method"], strict=True))
        if key == (pattern, wanted)
        for time in (samples["time_max_s"][i], samples["time_min_s"][i])
    ]
    assert len(found) == 2 * len(sizes), f"pattern {pattern} was not measured by {method}"
    return max(found)


def time_at(result: dict[str, Any], pattern: int, method: str, size: int = -1) -> float:
    """Seconds per iteration, slowest process, for a size by its index (the last one: L_max)."""
    samples = result["samples"]
    index = range(len(result["message_sizes_bytes"]))[size]
    wanted = (pattern, index, result["methods"].index(method))
    columns = zip(samples["pattern"], samples["size"], samples["method"], strict=True)
    place = list(columns).index(wanted)
    return float(samples["time_max_s"][place] / samples["loop_length"][place])
