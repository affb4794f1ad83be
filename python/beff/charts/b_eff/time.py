"""Time of a message over its size."""

from typing import Any

from beff.analysis.b_eff.definition import PING_PONG, patterns_for
from beff.charts.b_eff.loops import Loops, average_rows, pattern_rows
from beff.charts.common.axes import log_axis, size_axis
from beff.charts.common.panel import Figure, has_values, line_panel
from beff.model.numbers import duration, format_size

_PAIRS = (37, 38, PING_PONG)
"""Bisections and ping-pong, whose processes do not all send at the same time."""


def time_per_message(loops: Loops) -> Figure | None:
    """Draw the time of a message, which at 1 byte is the latency that the result reports."""
    rows = message_rows(loops)
    if not has_values(rows):
        return None
    series = list(dict.fromkeys(row["series"] for row in rows))
    return Figure(
        "time_per_message",
        "Time per message",
        "Time of one message over its size, best method and repetition: message size divided by the"
        " bandwidth of each process that sends at the same time. At 1 byte it is the latency.",
        f"One line for each pattern. {_ends(rows, series)}",
        line_panel(
            rows,
            size_axis(loops.sizes_bytes),
            log_axis((row["us"] for row in rows), "µs per message", "us"),
            series,
            columns=3,
            size=(560, 380),
        ),
    )


def message_rows(loops: Loops) -> list[dict[str, Any]]:
    """Return the points: averages over rings and random patterns, and single ones, in µs."""
    rows: list[dict[str, Any]] = []
    for group, name in (("ring", "rings, average"), ("random", "random, average")):
        patterns = loops.patterns(group)
        if patterns:
            rows += _timed(average_rows(loops, loops.best, patterns, name), 1.0)
    facts = patterns_for(loops.result.environment.processes)
    for pattern in loops.patterns("additional"):
        if pattern.id in _PAIRS:
            senders = facts[pattern.id].senders
            of_pattern = pattern_rows(loops, loops.best, pattern)
            rows += _timed(of_pattern, senders / pattern.processes)
    return rows


def _timed(rows: list[dict[str, Any]], share: float) -> list[dict[str, Any]]:
    """Turn MB/s per process into µs; `share` of the processes send at the same time."""
    timed = []
    for row in rows:
        us = None if row["MBps"] is None else row["size_bytes"] * share / row["MBps"]
        took = "" if us is None else f"{duration(us / 1e6)} per message; "
        timed.append(row | {"us": us, "text": took + row["text"]})
    return timed


def _ends(rows: list[dict[str, Any]], series: list[str]) -> str:
    parts = []
    for name in series:
        known = [row for row in rows if row["series"] == name and row["us"] is not None]
        if known:
            ends = (
                f"{duration(row['us'] / 1e6)} at {format_size(row['size_bytes'])}"
                for row in (known[0], known[-1])
            )
            parts.append(f"{name}: {', '.join(ends)}")
    return "; ".join(parts) + "."
