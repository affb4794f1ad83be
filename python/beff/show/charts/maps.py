"""What b_pairs measured: maps of units, and what a network gives as a whole.

The darker a square of a map, the slower two units are. Each stands for two hosts, or processes, of
many for several of them.
"""

from collections.abc import Collection, Sequence
from itertools import groupby
from math import ceil, exp, log

import numpy as np

from beff.definition.b_pairs_plan import KINDS, Ints, parts_of, spread_steps
from beff.maps.kind import kinds_of
from beff.maps.levels import quick_level
from beff.maps.network import FIRST_HALVES, halves_name, unit_name
from beff.maps.pair_map import Floats, PairMap
from beff.result.b_pairs_result import BPairsResult
from beff.result.numbers import format_size, measured, rate
from beff.show.charts import spec as vl
from beff.show.charts.spec import Chart, Row, Spec

_SIDE = 284.0
"""Of a map, which fits a telephone."""
_MOST_SQUARES = 64
"""In a row: beyond, a square stands for several units."""
_NAME_SIZE, _NAME_LENGTH = 12.0, 12
_FACTORS = (1.1, 1.25, 1.5, 2.0, 3.0, 5.0)
"""Fixed steps of time over that of quick pairs: noise is not stretched to fill the colours."""
LEVELS = 7
"""As many vl.strengths as a colour has."""


def pairs_chart(pairs: PairMap, bad: Collection[str] = ()) -> Chart:
    """Draw latency and bandwidth of all pairs, by rank and by the groups that the map shows.

    Units with the names of `bad` are always labelled.
    """
    each = ceil(pairs.units / _MOST_SQUARES)
    short, long = kinds_of(pairs)
    slower = np.nan_to_num(np.fmax(short.excess, long.excess))
    # units of a group are neighbours, its slowest the last
    by_group = np.lexsort((slower, long.labels, short.labels))
    orders = {
        "in the order of the result": np.arange(pairs.units),
        f"similar {pairs.plural} beside each other": by_group,
    }
    kinds = [kind for kind in KINDS if pairs.bytes_of[kind]]
    quick = {kind: quick_level(pairs.times[kind]) for kind in kinds}
    panels = [_map(pairs, kind, *order, bad) for order in orders.items() for kind in kinds]
    return vl.chart(
        "pairs",
        panels,
        columns=2,
        count=pairs.units,
        units=pairs.plural,
        each=each if each > 1 else None,
        each_way=_bandwidth(pairs, quick["large"]) if "large" in quick else None,
        **{kind: format_size(pairs.bytes_of[kind]) for kind in kinds},
        **{f"{kind}_took": _time(level) for kind, level in quick.items()},
    )


_MEANS = {"small": "Latency", "large": "Bandwidth"}


def _map(pairs: PairMap, kind: str, title: str, order: Ints, bad: Collection[str]) -> Spec:
    """Return a map of squares by their level; squares of one beside each other are one row."""
    beyond = pairs.times[kind] - quick_level(pairs.times[kind])
    each = ceil(pairs.units / _MOST_SQUARES)
    squares = _squares(pairs, beyond, order, each)
    levels = np.searchsorted(np.log(_FACTORS), squares, side="right")
    levels[np.isnan(squares)] = LEVELS
    names = _level_names(pairs, kind)
    rows: list[Row] = []
    for place, line in enumerate(levels.tolist()):
        start = 0
        for level, equal in groupby(line):
            ends = {"column": start, "end": (start := start + len([*equal]))}
            rows.append({"row": place, "below": place + 1, **ends, "series": names[level]})
    shown = _labels([pairs.names[unit] for unit in order], each, bad)
    ticks = {
        square + 0.5: name if len(name) <= _NAME_LENGTH else f"{name[: _NAME_LENGTH - 1]}…"
        for square, name in shown.items()
    }
    bold = [square + 0.5 for square, name in shown.items() if name in bad]
    weight = {"expr": f"indexof({bold}, datum.value) < 0 ? 'normal' : 'bold'"}
    look = {"grid": False, "ticks": False, "labelOverlap": False, "labelFontWeight": weight}
    axis, count = vl.labels(ticks) | look, len(levels)
    axes = {
        "x": vl.places("column", count, {**axis, "orient": "top", "labelAngle": -90}),
        "x2": {"field": "end"},
        "y": vl.places("row", count, axis, down=True),
        "y2": {"field": "below"},
        **vl.strengths(names),
    }
    named = [{"panel": f"{_MEANS[kind]}, {title}", **row} for row in rows]
    (panel,) = vl.facets(named, axes, [vl.layer("rect", {})], width=_SIDE, height=_SIDE)
    return panel


def _labels(units: Sequence[str], each: int, bad: Collection[str]) -> dict[int, str]:
    """Return names by square: all bad ones, of the others what has room.

    A square of several units has the name of its first bad one, else of its first one.
    """
    of_squares = [units[start : start + each] for start in range(0, len(units), each)]
    slow = {
        square: next(name for name in names if name in bad)
        for square, names in enumerate(of_squares)
        if any(name in bad for name in names)
    }
    room = ceil(_NAME_SIZE * len(of_squares) / _SIDE)
    others = range(0, len(of_squares), room)
    free = [square for square in others if all(abs(square - other) >= room for other in slow)]
    return slow | {square: of_squares[square][0] for square in free}


def _level_names(pairs: PairMap, kind: str) -> list[str]:
    """Return what the legend says of each level, and of what was not measured."""
    quick = quick_level(pairs.times[kind])

    def value(factor: float) -> str:
        at = quick + log(factor)
        return _time(at) if kind == "small" else _bandwidth(pairs, at)

    to, above = ("to", "above") if kind == "small" else ("down to", "below")
    names = [f"to x {factor:g}: {to} {value(factor)}" for factor in _FACTORS]
    return [*names, f"above x {_FACTORS[-1]:g}: {above} {value(_FACTORS[-1])}", "not measured"]


def _time(logarithm: float) -> str:
    return measured(exp(logarithm) * 1e-3, "us")


def _bandwidth(pairs: PairMap, logarithm: float) -> str:
    return rate(pairs.bytes_of["large"] / exp(logarithm) * 1e3)


def _squares(pairs: PairMap, beyond: Floats, order: Ints, each: int) -> Floats:
    """Return the slowest pair of each square; a median would hide a slow host among others."""
    place = np.empty(pairs.units, dtype=np.int64)
    place[order] = np.arange(pairs.units) // each
    count = ceil(pairs.units / each)
    known = ~np.isnan(beyond)
    rows, columns = place[pairs.first[known]], place[pairs.second[known]]
    # of rounds in which the same two meet, the quickest
    low = np.minimum(pairs.first[known], pairs.second[known])
    high = np.maximum(pairs.first[known], pairs.second[known])
    _, same = np.unique(low * pairs.units + high, return_inverse=True)
    least = np.full(int(same.max(initial=-1)) + 1, np.inf)
    np.minimum.at(least, same, beyond[known])
    squares = np.full((count, count), -np.inf)
    np.maximum.at(squares, (rows, columns), least[same])
    np.maximum.at(squares, (columns, rows), least[same])
    squares[np.isneginf(squares)] = np.nan
    return squares


def bisection(result: BPairsResult) -> Chart | None:
    """Draw each step as a point, by halves, the least one larger; None without a measured step."""
    plan, measured = result.plan.bisection, result.bisection
    if plan is None or measured is None or measured.minimum is None:
        return None
    least = measured.minimum
    names: dict[float, str] = {}
    rows: list[Row] = []
    for place, halves in enumerate(measured.halves):
        steps = spread_steps(len(parts_of(result.plan, plan, result.options["seed"], place)[1]))
        names[place + 0.5] = FIRST_HALVES.get(halves.kind, f"drawn {place}")
        for step, total in zip(steps, halves.steps.sum_MBps, strict=False):
            row: Row = {"place": place + 0.08 + 0.84 * (step + 0.5) / len(steps), "MBps": total}
            is_least = (place, step) == (least.halves, least.step)
            row |= {"series": "least" if is_least else "step", "alone": least.full_MBps}
            rows.append(row | {"text": f"{names[place + 0.5]}, step {step + 1}: {rate(total)}"})
    pair = f"{unit_name(result, least.first)} and {unit_name(result, least.second)}"
    units = "hosts" if result.plan.unit == "host" else "processes"
    x = vl.places("place", len(names), vl.labels(names))
    x |= {"title": f"halves of the {units}; within each, the steps in their order"}
    ends = [*rows, {"MBps": least.full_MBps}]
    axes = {"x": x, "y": vl.linear_axis(ends, "MBps", "sum over all pairs, both ways")}
    size = {"condition": {"test": "datum.series == 'least'", "value": 110}, "value": 28}
    points = vl.layer("point", {"size": size, **vl.DESCRIBED})
    return vl.chart(
        "bisection",
        vl.facets(rows, axes | vl.coloured(("step", "least")), [points, vl.across("alone")]),
        least_MBps=result.summary.bisection_MBps,
        alone_MBps=least.full_MBps,
        of_alone=(result.summary.bisection_percent or 0) / 100,
        step=least.step + 1,
        halves=halves_name(result, least.halves),
        pair=pair,
        pair_MBps=least.pair_MBps,
    )
