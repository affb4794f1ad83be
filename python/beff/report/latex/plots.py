"""A diagram as a picture of pgfplots."""

from collections.abc import Iterable

from beff.charts.plots import Axis, Line, Plot, Point
from beff.report.latex.escape import escape

_LONGEST_LABEL = 44
"""Signs for which there is room beside the diagram."""
_AXES = {
    (True, True): "loglogaxis",
    (True, False): "semilogxaxis",
    (False, True): "semilogyaxis",
    (False, False): "axis",
}
"""Environments by whether the horizontal and the vertical axis are logarithmic."""


def plot_lines(plot: Plot) -> list[str]:
    """Return the picture with its legend to the right."""
    axis = _AXES[plot.x.is_log, plot.y.is_log]
    options = [
        "width=0.62\\textwidth",
        "height=0.46\\textwidth",
        "grid=major",
        "cycle list name=beff",
        "legend style={at={(1.02,1)},anchor=north west,draw=none,font=\\small}",
        "legend cell align=left",
        f"title={{{escape(plot.title)}}}",
        *_axis_options("x", plot.x),
        *_axis_options("y", plot.y),
    ]
    return [
        r"\begin{center}",
        r"\begin{tikzpicture}",
        rf"\begin{{{axis}}}[",
        *(f"  {option}," for option in options),
        "]",
        *(text for line in plot.lines for text in _line(line)),
        rf"\end{{{axis}}}",
        r"\end{tikzpicture}",
        r"\end{center}",
    ]


def _axis_options(side: str, axis: Axis) -> list[str]:
    options = [
        f"{side}label={{{escape(axis.title)}}}",
        f"{side}min={axis.low:.10g}",
        f"{side}max={axis.high:.10g}",
    ]
    if axis.ticks:
        options += [
            f"{side}tick={{{','.join(f'{place:.10g}' for place, _ in axis.ticks)}}}",
            f"{side}ticklabels={{{','.join(f'{{{escape(text)}}}' for _, text in axis.ticks)}}}",
            f"minor {side} tick style={{draw=none}}",
        ]
    return options


def _line(line: Line) -> list[str]:
    marks = "" if line.is_joined else "+[only marks]"
    label = line.label
    if len(label) > _LONGEST_LABEL:
        label = f"{label[: _LONGEST_LABEL - 3]}..."
    return [
        rf"\addplot{marks} coordinates {{{_coordinates(line.points)}}};",
        rf"\addlegendentry{{{escape(label)}}}",
    ]


def _coordinates(points: Iterable[Point]) -> str:
    return " ".join(f"({x:.10g},{y:.10g})" for x, y in points)
