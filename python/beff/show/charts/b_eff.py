"""Charts of one result of b_eff: bandwidths, shares and times over the message size."""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from beff.definition.b_eff_plan import OFFICIAL_METHODS, PING_PONG, patterns_for
from beff.definition.common import logavg
from beff.result.b_eff_result import BEffResult, Pattern, loop_samples
from beff.result.numbers import counted, duration, format_size, percent, rate
from beff.show.charts import spec as vl
from beff.show.charts.spec import Chart, Row, Spec

RATE = "MBps_per_process"
_RATE = itemgetter(RATE)
_GROUPS = {"rings": ("ring",), "random rings": ("random",)}
"""Groups of the result by the name of their line."""


class Loops:
    """The best and the worst repetition of each cell, of loops that the clock resolved.

    `sizes` are the message sizes in byte that were measured for any pattern. A size that one of the
    patterns lacks is a gap in its line; a size that the run left out is none.
    """

    def __init__(self, result: BEffResult) -> None:
        self.result = result
        self.best: dict[tuple[int, int, str], Row] = {}
        self.worst: dict[tuple[int, int, str], Row] = {}
        processes = {pattern.id: pattern.processes for pattern in result.patterns}
        for row in loop_samples(result):
            if vl.positive(row["bandwidth_MBps"]) is not None:
                loop = {**row, RATE: row["bandwidth_MBps"] / processes[row["pattern"]]}
                cell = row["pattern"], row["message_size_bytes"], row["method"]
                self.best[cell] = max(self.best.get(cell, loop), loop, key=_RATE)
                self.worst[cell] = min(self.worst.get(cell, loop), loop, key=_RATE)
        self.sizes = sorted({size for _, size, _ in self.best})
        self.is_pair = result.environment.processes == 2
        measured = {method for _, _, method in self.best}
        self.methods = [method for method in result.methods if method in measured]

    def patterns(self, *groups: str) -> list[Pattern]:
        """Patterns of these groups with at least one loop."""
        measured = {pattern for pattern, _, _ in self.best}
        return [p for p in self.result.patterns if p.group in groups and p.id in measured]

    def groups(self) -> dict[str, list[Pattern]]:
        """Patterns of rings and random rings by name, where they were measured.

        With two processes all rings are the same exchange.
        """
        named = {"all rings": ("ring", "random")} if self.is_pair else _GROUPS
        return {name: found for name, of in named.items() if (found := self.patterns(*of))}

    def curve(
        self,
        patterns: Sequence[Pattern],
        series: str,
        methods: Sequence[str] = OFFICIAL_METHODS,
        *,
        worst: bool = False,
    ) -> list[Row]:
        """Return a point for each size: the logarithmic average over patterns of the best method.

        Of a single pattern the point describes its loop.
        """
        rows, of = [], self.worst if worst else self.best
        for size in self.sizes:
            by_method = (
                [of[cell] for one in methods if (cell := (pattern.id, size, one)) in of]
                for pattern in patterns
            )
            loops = [max(of_one, key=_RATE) for of_one in by_method if of_one]
            value = logavg(map(_RATE, loops)) if loops else None
            text = (
                f"{series}, {format_size(size)}: {rate(value)} per process, logarithmic"
                f" average of {counted(len(loops), 'pattern')}"
            )
            if len(patterns) == 1:
                value, text = (loops[0][RATE], describe(loops[0])) if loops else (None, "")
            rows.append({"size_bytes": size, RATE: value, "series": series, "text": text})
        return rows


def describe(loop: Row) -> str:
    """Describe a point that is one loop."""
    host = f" on {loop['slowest_host']}" if loop["slowest_host"] is not None else ""
    return (
        f"{loop['pattern_name']}, {format_size(loop['message_size_bytes'])}: {rate(loop[RATE])} per"
        f" process, {rate(loop['bandwidth_MBps'])} in all; {loop['method']}, repetition"
        f" {loop['repetition'] + 1}, slowest rank {loop['slowest_rank']}{host}"
    )


def over_sizes(
    name: str, rows: Sequence[Row], y: Spec | None = None, layers: Sequence[Spec] = (), **facts: Any
) -> Chart:
    """Draw lines over the message size, or other layers, of bandwidths or by another axis."""
    axes = {"x": vl.size_axis(rows), "y": y or vl.log_axis(rows, RATE, "bandwidth per process")}
    return vl.chart(name, vl.facets(rows, axes, layers or vl.curves()), **facts)


def rings_and_random(loops: Loops) -> Chart:
    """Draw the average of the rings and of the random rings, and the range of their patterns."""
    rows = []
    for name, patterns in loops.groups().items():
        single = [loops.curve([pattern], name) for pattern in patterns]
        for average, *of_size in zip(loops.curve(patterns, name), *single, strict=True):
            known = [row for row in of_size if row[RATE] is not None]
            if known[1:]:
                worst, *_, best = sorted(known, key=lambda row: row[RATE])
                average |= {"low": worst[RATE], "high": best[RATE]}
                average["text"] += f"; best: {best['text']}; worst: {worst['text']}"
            rows.append(average)
    counts = " and ".join(f"{len(of)} patterns of {name}" for name, of in loops.groups().items())
    pair = "two" if loops.is_pair else ""
    return over_sizes("rings_and_random", rows, counts=counts, pair=pair)


def shares_of_pingpong(loops: Loops) -> Chart:
    """Draw by group and size the shares of the ping-pong in per cent.

    The value is that of the best repetition of each loop, `low` that of the worst; both are of the
    ping-pong by its best repetition, and of that all that moves, as one of its processes sends at a
    time: the share at L_max is then that of the summary.
    """
    pingpong = [p for p in loops.patterns("additional") if p.name == "ping-pong"]
    whole = {
        row["size_bytes"]: row[RATE] and row[RATE] * pattern.processes
        for pattern in pingpong
        for row in loops.curve([pattern], "")
    }
    rows = []
    for name, patterns in loops.groups().items():
        worst_rows = loops.curve(patterns, name, worst=True)
        for best, worst in zip(loops.curve(patterns, name), worst_rows, strict=True):
            of = whole.get(best["size_bytes"])
            if best[RATE] and of:
                high, low = 100 * best[RATE] / of, 100 * worst[RATE] / of
                text = f"{high:.0f} % of {rate(of)}, {low:.0f} % by the worst; {best['text']}"
                values = {"percent": high, "low": low, "high": high, "whole": 100, "text": text}
                rows.append({"size_bytes": best["size_bytes"], "series": name} | values)
    y = vl.linear_axis([*rows, {"percent": 100}], "percent", "% of the ping-pong", vl.NUMBER)
    return over_sizes("shares_of_pingpong", rows, y, [*vl.curves(), vl.across("whole")])


def _shares(panel: str, lines: Iterable[Sequence[Row]]) -> list[Row]:
    """Turn values into per cent of the highest at the same size, whose difference is then seen."""
    rows = []
    for of_size in zip(*lines, strict=True):
        best = max(row[RATE] or 0.0 for row in of_size)
        for row in of_size:
            share = row[RATE] and row[RATE] / best
            text = share and f"{percent(share)} of the best; {row['text']}"
            place = {"panel": panel, "size_bytes": row["size_bytes"], "series": row["series"]}
            rows.append({**place, "percent": share and 100 * share, "text": text})
    return rows


def shares_of_best(loops: Loops) -> Chart:
    """Draw each ring pattern and the average of the random ones, where these differ."""
    lines = {pattern.name: [pattern] for pattern in loops.patterns("ring")}
    lines |= {"random, average": random} if (random := loops.patterns("random")) else {}
    is_one = loops.is_pair or len(lines) < 2
    rows = _shares("", [] if is_one else [loops.curve(of, name) for name, of in lines.items()])
    return over_sizes("shares_of_best", rows, vl.share_axis(rows, "% of the best"))


_ALL_DIRECTIONS = (40, 44, 41, 48)
"""Acyclic and cyclic grids of two and of three dimensions whose exchanges are one call of each.

For them the paper (section 2.1) measures whether collective calls are quicker.
"""


def methods(loops: Loops) -> Chart:
    """Draw averages over rings, and grids, by each of several methods."""
    grids = {pattern.id: pattern for pattern in loops.patterns("additional")}
    panels = {
        f"{name}: average of {counted(len(of), 'pattern')}": of
        for name, of in loops.groups().items()
    }
    if not loops.is_pair:
        panels |= {grids[one].name: [grids[one]] for one in _ALL_DIRECTIONS if one in grids}
    rows = [
        row
        for name, of in panels.items()
        for row in _shares(name, [loops.curve(of, one, [one]) for one in loops.methods])
        if loops.methods[1:]
    ]
    return over_sizes("methods", rows, vl.share_axis(rows, "% of the best method"))


_FAMILIES = {
    "cycle, bisections, ping-pong": (36, 37, 38, 39),
    "2-D Cartesian": (40, 42, 43, 44),
    "3-D Cartesian": (41, 45, 46, 47, 48),
}
"""Additional patterns that one panel shows together."""


def additional_patterns(loops: Loops) -> Chart:
    """Draw the patterns that never enter the value, or enter it by definition 3.1 alone.

    Of two processes all but ping-pong are the exchange of the rings.
    """
    patterns = loops.patterns("additional")
    rows = [
        {"panel": family, **row}
        for family, ids in _FAMILIES.items()
        for pattern in patterns
        if pattern.id in ids and not loops.is_pair
        for row in loops.curve([pattern], pattern.name)
    ]
    averaged = "; ".join(pattern.name for pattern in patterns if pattern.averaged)
    return over_sizes("additional_patterns", rows, averaged=averaged)


_BISECTIONS = (37, 38)


def time_per_message(loops: Loops) -> Chart:
    """Draw the time of a message, which at 1 byte is the latency that the result reports.

    Averages over rings and random patterns, and single ones, in µs; not all processes of a pair
    send at the same time.
    """
    facts = patterns_for(loops.result.environment.processes)
    lines = [(of, f"{name}, average", 1.0) for name, of in loops.groups().items()] + [
        ([p], p.name, facts[p.id].senders / p.processes)
        for p in loops.patterns("additional")
        if p.id == PING_PONG or (p.id in _BISECTIONS and not loops.is_pair)
    ]
    rows = []
    for patterns, name, senders in lines:
        for row in loops.curve(patterns, name):
            us = row[RATE] and row["size_bytes"] * senders / row[RATE]
            took = f"{duration(us / 1e6)} per message; {row['text']}" if us else ""
            place = {"size_bytes": row["size_bytes"], "series": name}
            rows.append({**place, "us": us, "text": took})
    y = vl.log_axis(rows, "us", "µs per message", vl.NUMBER)
    return over_sizes("time_per_message", rows, y)


CHARTS = (
    rings_and_random,
    shares_of_pingpong,
    shares_of_best,
    methods,
    additional_patterns,
    time_per_message,
)
"""All charts of one result, in the order of showing."""
