"""Formats .gp and .dat: a script for gnuplot 5 or newer, and the data it draws, side by side."""

from pathlib import Path

from beff.analysis.subject import Subject
from beff.charts.plots import Axis, Plot, plots_of
from beff.model.errors import BeffError
from beff.model.plain_text import one_line

_HEAD = """\
# Diagrams of a report of beff; needs gnuplot 5 or newer and the file {data}.
# Start in this folder:  gnuplot {script}
# Other pictures:        gnuplot -e "ending='svg'" {script}   (png, svg or pdf)
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
set style data linespoints
set key below height 1
set grid
"""


def write_gnuplot(subject: Subject, path: Path) -> None:
    """Write the script and its data, NAME.gp and NAME.dat, whichever of them was named."""
    plots = plots_of(subject)
    if not plots:
        raise BeffError(f"{path.name}: there is nothing to draw, as no result holds a sample")
    script, data = path.with_suffix(".gp"), path.with_suffix(".dat")
    lines = [_HEAD.format(script=_plain(script.name), data=_plain(data.name))]
    blocks: list[str] = []
    for plot in plots:
        lines += _plot_lines(plot, script.stem, data.name, first_block=len(blocks))
        blocks += [_block(plot, place) for place in range(len(plot.lines))]
    script.write_text("\n".join(lines) + "\n", encoding="utf-8")
    data.write_text("\n\n".join(blocks), encoding="utf-8")


def quoted(text: str) -> str:
    """Return a string in single quotes, in which gnuplot replaces and runs nothing."""
    return "'" + _plain(text).replace("'", "''") + "'"


def _plain(text: str) -> str:
    """Return a text without line ends; a backquote would start a command in some versions."""
    return one_line(text).replace("`", "\N{ACUTE ACCENT}")


def _plot_lines(plot: Plot, stem: str, data: str, first_block: int) -> list[str]:
    curves = ", \\\n".join(
        f"  {quoted(data)} index {first_block + place} using 1:2"
        f"{'' if line.is_joined else ' with points'} title {quoted(line.label)}"
        for place, line in enumerate(plot.lines)
    )
    return [
        f"set output {quoted(f'{stem}-{plot.name}.')} . ending",
        f"set title {quoted(plot.title)}",
        *_axis_lines("x", plot.x),
        *_axis_lines("y", plot.y),
        f"plot \\\n{curves}",
        "",
    ]


def _axis_lines(side: str, axis: Axis) -> list[str]:
    ticks = ", ".join(f"{quoted(text)} {place:.10g}" for place, text in axis.ticks)
    return [
        f"set {side}label {quoted(axis.title)}",
        f"{'set' if axis.is_log else 'unset'} logscale {side}",
        f"set {side}tics ({ticks})" if ticks else f"set {side}tics auto",
        f"set {side}range [{axis.low:.10g}:{axis.high:.10g}]",
    ]


def _block(plot: Plot, place: int) -> str:
    line = plot.lines[place]
    points = "\n".join(f"{x!r} {y!r}" for x, y in line.points)
    y = plot.y.title.replace("bandwidth", "MB/s")  # as data are, whatever the ticks say
    heading = f"# {plot.title}: {line.label}\n# {plot.x.title} | {y}"
    return "\n".join(one_line(part) for part in heading.split("\n")) + f"\n{points}\n"
