"""What a network gives as a whole: the steps of a bisection, and rates over processes per host."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from beff.analysis.b_pairs.network import usual_rate_MBps
from beff.analysis.b_pairs.network_text import FIRST_HALVES, halves_name, shown_matrix, unit_name
from beff.analysis.b_pairs.schedule import parts_of, spread_steps
from beff.charts.common.theme import Theme
from beff.drawings.canvas import Canvas, Parts
from beff.drawings.matrix import draw_matrix
from beff.model.b_pairs_result import BPairsResult, PlannedBisection
from beff.model.numbers import number, percent, rate

_WIDTH, _HEIGHT = 984.0, 400.0
_TOP, _FOOT = 74.0, 52.0
_LEFT, _RIGHT = 92.0, 24.0
_QUARTERS = 4


@dataclass(frozen=True)
class _Frame:
    """An area with a scale from 0 to `most` upwards."""

    left: float
    width: float
    most: float

    @property
    def floor(self) -> float:
        """Where 0 is."""
        return _HEIGHT - _FOOT

    def up(self, value: float) -> float:
        """Return how far from above a value is."""
        return self.floor - (self.floor - _TOP) * value / self.most

    def draw(self, canvas: Canvas, unit: str) -> None:
        """Draw the scale: MB/s, or the unit of thousands of thousands."""
        for quarter in range(_QUARTERS + 1):
            value = self.most * quarter / _QUARTERS
            y = self.up(value)
            canvas.line((self.left, y), (self.left + self.width, y), canvas.theme.grid, width=1)
            words = rate(value) if unit == "MB/s" else f"{number(value / 1e6)} M/s"
            shown = words if value else "0"
            canvas.text((self.left - 6, y + 4), shown, anchor="end", colour=canvas.theme.soft_ink)
        canvas.flush()


def has_bisection(result: BPairsResult) -> bool:
    """Whether a step was measured."""
    return result.bisection is not None and result.bisection.minimum is not None


def has_per_host(result: BPairsResult) -> bool:
    """Whether some number of processes was measured."""
    return result.per_host is not None and bool(result.per_host.rate)


def network_parts(result: BPairsResult, theme: Theme) -> Parts:
    """Draw for a page what was measured of the network as a whole."""
    plain = replace(theme, headed=False)
    parts: Parts = []
    if has_bisection(result):
        name = "The sum over all pairs of each step, both ways, and the least one"
        parts.append((f"Bisection. {name}", [(name, draw_bisection(result, plain))]))
    if has_per_host(result):
        name = "Bandwidth and messages of a host by the number of its processes"
        parts.append((f"Processes per host. {name}", [(name, draw_per_host(result, plain))]))
    matrix = shown_matrix(result)
    if matrix is not None:
        name = f"Bytes of an iteration between each two {matrix.plural}"
        parts.append((f"Matrix {matrix.name}. {name}", [(name, draw_matrix(matrix, plain))]))
    return parts


def draw_bisection(result: BPairsResult, theme: Theme) -> str:
    """Draw each step as a dot, by halves, with the least one named. Needs a measured step."""
    asked, found = result.plan.bisection, result.bisection
    if asked is None or found is None or found.minimum is None:
        raise ValueError("no step was measured")
    canvas = Canvas(_WIDTH, theme)
    least = found.minimum
    full = least.full_MBps or 0.0
    frame = _Frame(
        _LEFT, _WIDTH - _LEFT - _RIGHT, 1.05 * max(full, result.summary.bisection_maximum_MBps or 0)
    )
    title = "Bisection: the sum over all pairs of each step, both ways"
    pair = f"{unit_name(result, least.first)} and {unit_name(result, least.second)}"
    words = (
        f"Least: {rate(result.summary.bisection_MBps)} in step {least.step + 1} of"
        f" {halves_name(result, least.halves)}; its slowest pair: {pair}, {rate(least.pair_MBps)}"
    )
    _head(canvas, title, words)
    frame.draw(canvas, "MB/s")
    if full:
        y = frame.up(full)
        canvas.line((frame.left, y), (frame.left + frame.width, y), theme.ink, width=1)
        share = percent((result.summary.bisection_percent or 0) / 100)
        words = f"what these pairs have alone, {rate(full)}: the least step has {share} of it"
        canvas.text((frame.left + frame.width, y - 5), words, anchor="end", size=10)
    _draw_steps(canvas, frame, result, asked)
    return canvas.svg(_HEIGHT, title)


def _head(canvas: Canvas, title: str, words: str) -> None:
    if canvas.theme.headed:
        canvas.text((12, 24), title, size=17, bold=True)
        canvas.text((12, 44), words, colour=canvas.theme.soft_ink)


def _draw_steps(
    canvas: Canvas, frame: _Frame, result: BPairsResult, asked: PlannedBisection
) -> None:
    halves = () if result.bisection is None else result.bisection.halves
    least = None if result.bisection is None else result.bisection.minimum
    slot = frame.width / len(halves)
    for place, one in enumerate(halves):
        left = frame.left + place * slot
        parts = parts_of(result.plan, asked, result.options["seed"], place)
        steps = spread_steps(len(parts[1]))
        canvas.text(
            (left + slot / 2, frame.floor + 18),
            FIRST_HALVES.get(one.kind, f"drawn {place}"),
            anchor="middle",
            colour=canvas.theme.soft_ink,
        )
        for step, mbps in zip(steps, one.steps.sum_MBps, strict=False):
            at = left + slot * (0.08 + 0.84 * (step + 0.5) / len(steps)), frame.up(mbps)
            is_least = least is not None and (place, step) == (least.halves, least.step)
            canvas.dot(at, 6.0 if is_least else 2.6, canvas.series(1 if is_least else 0))
            if is_least:
                anchor = "end" if place > len(halves) / 2 else "start"
                beside = at[0] + (-10 if anchor == "end" else 10), at[1] + 4
                canvas.text(beside, f"step {step + 1}: {rate(mbps)}", anchor=anchor, bold=True)
    canvas.text(
        (frame.left + frame.width / 2, frame.floor + 40),
        "halves of the hosts; within each, the steps in their order"
        if result.plan.unit == "host"
        else "halves of the processes; within each, the steps in their order",
        anchor="middle",
        colour=canvas.theme.soft_ink,
    )


def draw_per_host(result: BPairsResult, theme: Theme) -> str:
    """Draw bandwidth and message rate of a host over its processes. Needs measured rows."""
    rows = result.per_host
    if rows is None or not rows.rate:
        raise ValueError("nothing was measured")
    canvas = Canvas(_WIDTH, theme)
    title = "What a host reaches by the number of its processes"
    words = "Alone: one pair of hosts. All: all hosts in pairs at once, and the pair in the middle."
    _head(canvas, title, words)
    port = 0.0 if result.roofs is None else usual_rate_MBps(result.roofs.hosts)
    half = _WIDTH / 2
    for left, unit, kinds in (
        (_LEFT, "MB/s", ("one way", "both ways")),
        (half + _LEFT, "1/s", ("messages",)),
    ):
        curves = {
            (kind, alone): _curve(result, kind, alone=alone)
            for kind in kinds
            for alone in (True, False)
        }
        values = [value for curve in curves.values() for _, value in curve]
        if not values:
            continue
        is_port = unit == "MB/s" and port > 0
        frame = _Frame(left, half - _LEFT - _RIGHT, 1.1 * max([*values, port * is_port]))
        frame.draw(canvas, unit)
        if is_port:
            y = frame.up(port)
            canvas.line((left, y), (left + frame.width, y), theme.ink, width=1)
            canvas.text((left + frame.width, y - 5), f"ports: {rate(port)}", anchor="end", size=10)
        _draw_curves(canvas, frame, curves, sorted(set(rows.processes)))
    return canvas.svg(_HEIGHT, title)


_Curve = Sequence[tuple[int, float]]


def _curve(result: BPairsResult, traffic: str, *, alone: bool) -> _Curve:
    """Return rates by processes; of two hosts, where one pair is all, only those alone."""
    rows = result.per_host
    if rows is None:
        return []
    columns = zip(rows.processes, rows.traffic, rows.pairs, rows.rate, strict=True)
    return [
        (n, value) for n, kind, pairs, value in columns if kind == traffic and (pairs == 1) == alone
    ]


def _draw_curves(
    canvas: Canvas,
    frame: _Frame,
    curves: dict[tuple[str, bool], _Curve],
    counts: list[int],
) -> None:
    slot = frame.width / len(counts)
    across = {n: frame.left + (place + 0.5) * slot for place, n in enumerate(counts)}
    for n, x in across.items():
        canvas.text((x, frame.floor + 18), str(n), anchor="middle", colour=canvas.theme.soft_ink)
    canvas.text(
        (frame.left + frame.width / 2, frame.floor + 40),
        "processes of each host",
        anchor="middle",
        colour=canvas.theme.soft_ink,
    )
    drawn = [(name, curve) for name, curve in curves.items() if curve]
    for place, ((kind, alone), curve) in enumerate(drawn):
        colour = canvas.series(place)
        points = [(across[n], frame.up(value)) for n, value in curve]
        for a, b in pairwise(points):
            canvas.line(a, b, colour)
        for point in points:
            canvas.dot(point, 3.2, colour)
        key = frame.left + place * frame.width / len(drawn)
        canvas.dot((key + 4, _TOP - 16), 4, colour)
        canvas.text((key + 12, _TOP - 12), f"{kind}, {'alone' if alone else 'all'}", size=10)
    canvas.flush()
