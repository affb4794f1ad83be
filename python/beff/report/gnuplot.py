"""Format .gp: a script for gnuplot 5 or newer, which draws the samples of the .csv beside it."""

from dataclasses import dataclass
from pathlib import Path

from beff.analysis.subject import Subject
from beff.model.plain_text import one_line
from beff.report.csv_file import rows_of, write_rows

_HEAD = """\
# The samples of a report of beff; needs gnuplot 5 or newer and the file {data}.
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
set datafile separator comma
set key autotitle columnhead  # the first line names the columns
set key below height 1
set style data points
set logscale x 2
set logscale y 10
set format x '%.0b %BB'
set ylabel 'bandwidth, MB/s'
set grid
"""


@dataclass(frozen=True)
class _Diagram:
    """Bandwidths of a benchmark over a column, with a colour for each word of another."""

    benchmark: str
    across: str
    title: str
    colour: str


_DIAGRAMS = (
    _Diagram("b_eff", "message_size_bytes", "message size", "group"),
    _Diagram("b_eff_io", "chunk_size_bytes", "contiguous chunk", "access"),
)


def write_gnuplot(subject: Subject, path: Path) -> None:
    """Write the script and its data, NAME.gp and NAME.csv. Raises BeffError without samples."""
    data = path.with_suffix(".csv")
    rows = rows_of(subject, path.name)
    write_rows(rows, data)
    lines = [_HEAD.format(script=_plain(path.name), data=_plain(data.name))]
    for diagram in _DIAGRAMS:
        drawn = (
            str(row[diagram.colour])
            for row in rows
            if row["benchmark"] == diagram.benchmark
            and row[diagram.across]
            and row["bandwidth_MBps"]
        )
        words = list(dict.fromkeys(drawn))
        if words:
            lines += _lines(diagram, words, path.stem, data.name)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def quoted(text: str) -> str:
    """Return a string in single quotes, in which gnuplot replaces and runs nothing."""
    return "'" + _plain(text).replace("'", "''") + "'"


def _plain(text: str) -> str:
    """Return a text without line ends; a backquote would start a command in some versions."""
    return one_line(text).replace("`", "\N{ACUTE ACCENT}")


def _lines(diagram: _Diagram, words: list[str], stem: str, data: str) -> list[str]:
    curves = ", \\\n".join(
        f"  {quoted(data)} using (strcol('benchmark') eq {quoted(diagram.benchmark)} &&"
        f" strcol({quoted(diagram.colour)}) eq {quoted(word)} ? column({quoted(diagram.across)})"
        f" : NaN):(column('bandwidth_MBps')) title {quoted(word)}"
        for word in words
    )
    return [
        f"set output {quoted(f'{stem}-{diagram.benchmark}.')} . ending",
        f"set title {quoted(f'{diagram.benchmark}, every sample')}",
        f"set xlabel {quoted(diagram.title)}",
        f"plot \\\n{curves}",
        "",
    ]
