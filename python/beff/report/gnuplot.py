"""Format .gp: a script for gnuplot 5 or newer, which draws charts with numbers on both axes."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from beff.charts.chart import Axis, Marks, Panel, Row
from beff.charts.table import every_chart
from beff.result.errors import BeffError
from beff.result.plain_text import one_line
from beff.verify.subject import Subject

_HEAD = """\
# Charts of beff; needs gnuplot 5 or newer. Start:  gnuplot {script}
# Other pictures:  gnuplot -e "ending='svg'" {script}   (png, svg or pdf)
if (!exists("ending")) ending = 'png'
if (ending eq 'svg') {{
  set terminal svg size 1000,700 noenhanced font ',14' background rgb 'white'
}} else {{
  if (ending eq 'pdf') {{
    set terminal pdfcairo size 10,7 noenhanced font ',14'
  }} else {{
    set terminal pngcairo size 1000,700 noenhanced font ',14'
  }}
}}
set key below height 1
set grid
"""
_LOOKS = {
    "line": "linespoints",
    "dashed": "lines dashtype 2",
    "dashes": "linespoints",
    "point": "points pointtype 7",
    "hollow": "points pointtype 6",
    "beside": "points pointtype 6 linecolor 'gray40'",
    "column": "boxes fill solid 0.5",
}
"""How gnuplot draws kinds of marks; others are left out."""
_SHAPES = (6, 4, 8, 10, 12, 14)
"""Of points, all of them hollow, so that a curve is seen below another."""
_BEAR_POINTS = {"line", "dashes"}


def write_gnuplot(subject: Subject, path: Path) -> None:
    """Write the script. Raises BeffError where the results have no chart that it draws."""
    lines = [_HEAD.format(script=_plain(path.name))]
    for chart in every_chart(subject):
        panels = [panel for panel in chart.panels if panel.x.ticks and panel.y.ticks]
        for number, panel in enumerate(panels):
            curves = list(_curves(panel))
            if curves:
                name = f"{path.stem}-{chart.key}{f'-{number}' if panels[1:] else ''}."
                title = f"{chart.title}: {panel.title}" if panel.title else chart.title
                lines += [f"set output {quoted(name)} . ending", f"set title {quoted(title)}"]
                lines += [*_axis("x", panel.x), *_axis("y", panel.y), *_plot(panel, curves)]
    if not lines[1:]:
        raise BeffError(f"{path.name}: there is no chart to draw, as no result holds a sample")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _curves(panel: Panel) -> Iterator[tuple[Marks, str, Sequence[Row]]]:
    """Yield marks, name and rows of all that has one look; lines bear their points themselves."""
    has_lines = not _BEAR_POINTS.isdisjoint(marks.kind for marks in panel.marks)
    for marks in panel.marks:
        if marks.kind in _LOOKS and not (has_lines and marks.kind == "point"):
            curves: dict[str, list[Row]] = {}
            for row in marks.rows:
                name = f"{row.series}, {row.look}" if marks.kind == "dashes" else row.series
                curves.setdefault(name, []).append(row)
            yield from ((marks, name, rows) for name, rows in curves.items())


def _axis(name: str, axis: Axis) -> list[str]:
    ticks = ", ".join(f"{quoted(text)} {at!r}" for at, text in axis.ticks.items())
    return [
        f"set {name}label {quoted(axis.title or '')}",
        f"{'set' if axis.is_log else 'unset'} logscale {name}",
        f"set {name}range [{axis.ends[0]!r}:{axis.ends[1]!r}]",
        f"set {name}tics ({ticks})",
    ]


def _plot(panel: Panel, curves: Sequence[tuple[Marks, str, Sequence[Row]]]) -> Iterator[str]:
    """Yield the data of each curve, and the command that draws all; each name stands once.

    Points become smaller from curve to curve, so that none hides those below.
    """
    drawn, named = [], {""}
    for number, (marks, name, rows) in enumerate(curves):
        yield f"$curve{number} << END"
        yield from (_point(row) for row in rows)
        yield "END"
        look = _LOOKS[marks.kind]
        if marks.kind in _BEAR_POINTS:
            size = 2 - 1.2 * number / len(curves)
            look += f" pointtype {_SHAPES[number % len(_SHAPES)]} pointsize {size:.1f}"
        if rows[0].series in panel.series:
            look += f" linecolor {panel.series.index(rows[0].series) + 1}"
        title = "notitle" if name in named else f"title {quoted(name)}"
        named.add(name)
        drawn.append(f"  $curve{number} with {look} {title}")
    yield "plot \\\n" + ", \\\n".join(drawn) + "\n"


def _point(row: Row) -> str:
    """Write a place, of a column that of its middle; a gap breaks a line."""
    across = float(row.x) if row.x2 is None else (float(row.x) + row.x2) / 2
    return f"{across!r} {'NaN' if row.y is None else row.y}"


def quoted(text: str) -> str:
    """Return a string in single quotes, in which gnuplot replaces and runs nothing."""
    return "'" + _plain(text).replace("'", "''") + "'"


def _plain(text: str) -> str:
    """Return a text without line ends; a backquote would start a command in some versions."""
    return one_line(text).replace("`", "\N{ACUTE ACCENT}")
