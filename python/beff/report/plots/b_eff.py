"""The diagrams of b_eff: bandwidth per process over message size, both axes logarithmic."""

from collections.abc import Iterable, Sequence

from beff.analysis.b_eff.averages import logavg
from beff.analysis.b_eff.slices import all_figures, measured_of
from beff.model.b_eff_result import BEffResult, Pattern
from beff.model.result_parts import Figure
from beff.report.plots.plot import Plot, Series, process_ticks, series
from beff.report.samples import loop_samples
from beff.report.tables.b_eff import GROUPS, spread_at

_X = "message size [byte]"
_Y = "bandwidth per process [MB/s]"
_NAMES = {"ring": "rings", "random": "random"}


def plots_of(label: str, result: BEffResult, name: str) -> list[Plot]:
    """Draw rings and random, additional patterns, comparison of the methods."""
    n = result.environment.processes
    additional = [_of_pattern(result, p) for p in result.patterns if p.group == "additional"]
    rings = [_of_pattern(result, p) for p in result.patterns if p.group == "ring"]
    titles = (
        "best method, ring and random patterns",
        "best method, additional patterns",
        "comparison of the methods, averages",
    )
    drawn = ([*rings, *_spread(result)], additional, _methods(result))
    return [
        Plot(f"{name}-{what}", f"{label} ({n} processes): {title}", _X, _Y, tuple(lines))
        for what, title, lines in zip(
            ("patterns", "additional", "methods"), titles, drawn, strict=True
        )
    ]


def overlay(results: Sequence[tuple[str, BEffResult]], name: str) -> list[Plot]:
    """Draw the average over rings and random of several results."""
    lines = []
    for label, result in results:
        by_size = all_figures(measured_of(result)).by_size if len(result.samples) else []
        values = [averages.both for averages in by_size]
        lines.append(_line(label, result, values))
    title = "b_eff: average over ring and random patterns"
    return [Plot(name, title, _X, _Y, tuple(lines))]


def scaling(results: Iterable[tuple[str, BEffResult]], name: str) -> list[Plot]:
    """Draw b_eff and b_eff per process over the number of processes, if there are several."""
    ordered = sorted((result for _, result in results), key=lambda r: r.environment.processes)
    total = [(r.environment.processes, r.summary.b_eff_MBps) for r in ordered]
    each = [(r.environment.processes, r.summary.b_eff_per_process_MBps) for r in ordered]
    lines = (series("b_eff", total), series("b_eff per process", each))
    ticks = process_ticks(lines)
    title = "b_eff over the number of processes"
    plot = Plot(name, title, "processes", "bandwidth [MB/s]", lines, ticks)
    return [plot] if len(ticks) > 1 else []


def _of_pattern(result: BEffResult, pattern: Pattern) -> Series:
    return _line(pattern.name, result, pattern.bandwidth_by_size_MBps, pattern.processes)


def _line(
    label: str, result: BEffResult, accumulated: Sequence[Figure], processes: int | None = None
) -> Series:
    """Per process by size; `processes` that take part, where these are not all."""
    n = processes or result.environment.processes
    points = zip(result.message_sizes_bytes, accumulated, strict=False)
    return series(label, ((size, None if v is None else v / n) for size, v in points))


def _spread(result: BEffResult) -> list[Series]:
    sizes = range(len(result.message_sizes_bytes))
    spread = [spread_at(result, "random", size) for size in sizes] if result.patterns else []
    return [
        _line(f"random, {word}", result, [figures[place] for figures in spread])
        for place, word in enumerate(("worst", "average", "best"))
    ]


def _methods(result: BEffResult) -> list[Series]:
    """Logarithmic average over each group of the best repetition by each method."""
    best: dict[tuple[str, str, int], dict[int, float]] = {}
    for sample in loop_samples(result):
        if sample.bandwidth_MBps is not None and sample.pattern.group in GROUPS:
            key = (sample.method, sample.pattern.group, sample.size_bytes)
            of_pattern = best.setdefault(key, {})
            before = of_pattern.get(sample.pattern.id, 0.0)
            of_pattern[sample.pattern.id] = max(before, sample.bandwidth_MBps)
    lines = []
    for method in result.methods:
        for group in GROUPS:
            found = (best.get((method, group, size)) for size in result.message_sizes_bytes)
            values = [logavg(of.values()) if of else None for of in found]
            lines.append(_line(f"{method}, {_NAMES[group]}", result, values))
    return lines
