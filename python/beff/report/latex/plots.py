"""A diagram as a picture of pgfplots."""

from collections.abc import Iterable

from beff.report.latex.escape import escape
from beff.report.plots.plot import Plot


def plot_lines(plot: Plot) -> list[str]:
    """Return the figure with its legend to the right."""
    low, high = plot.x_range
    bottom, top = plot.y_range
    axis = "loglogaxis" if plot.log_x else "semilogyaxis"
    options = [
        "width=0.62\\textwidth",
        "height=0.46\\textwidth",
        "grid=major",
        "cycle list name=beff",
        "legend style={at={(1.02,1)},anchor=north west,draw=none,font=\\small}",
        "legend cell align=left",
        f"title={{{escape(plot.title)}}}",
        f"xlabel={{{escape(plot.x_label)}}}",
        f"ylabel={{{escape(plot.y_label)}}}",
        f"xmin={low:g}",
        f"xmax={high:g}",
        f"ymin={bottom:g}",
        f"ymax={top:g}",
    ]
    if plot.ticks:
        options += [
            f"xtick={{{','.join(f'{place:g}' for place, _ in plot.ticks)}}}",
            f"xticklabels={{{','.join(f'{{{escape(label)}}}' for _, label in plot.ticks)}}}",
            "minor x tick style={draw=none}",
        ]
    lines = [
        r"\begin{figure}[p]\centering",
        r"\begin{tikzpicture}",
        rf"\begin{{{axis}}}[",
        *(f"  {option}," for option in options),
        "]",
    ]
    for series in plot.series:
        lines.append(rf"\addplot coordinates {{{_coordinates(series.points)}}};")
        lines.append(rf"\addlegendentry{{{escape(series.label)}}}")
    return [*lines, rf"\end{{{axis}}}", r"\end{tikzpicture}", r"\end{figure}"]


def _coordinates(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"({x:.10g},{y:.10g})" for x, y in points)
