"""Charts as pictures: .pdf with one chart to a page, .svg and .png with all under each other.

The drawing library is imported only when a picture is drawn: it takes longer to start than most
commands take as a whole.
"""
# ruff: noqa: PLC0415 - imports inside functions, for the reason above

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from beff.charts.chart import Chart
from beff.report.csv_file import write_rows
from beff.result.errors import BeffError, WrongUsageError
from beff.verify.subject import Subject

_PIXELS_PER_CSS_PIXEL = 2


def write_picture(
    subject: Subject, path: Path, key: str | None = None, *, titled: bool = True
) -> list[str]:
    """Draw the chart with a key, or that names the file, else the first of what was measured.

    Returns its key, and behind the first those of the others. Raises BeffError where there is none,
    WrongUsageError where there is none such.
    """
    charts = _charts(subject, path, key)
    title = ", ".join(entry.label for entry in subject.results)
    draw(charts[:1], path, title, titled=titled)
    return [chart.key for chart in charts]


def write_chart_data(subject: Subject, path: Path, key: str | None) -> None:
    """Write what write_picture draws as .csv: a row for each point. Raises as it does."""
    rows: list[dict[str, str | int | float | None]] = []
    for panel in _charts(subject, path, key)[0].panels:
        axes = {"panel": panel.title, "x_axis": panel.x.title, "y_axis": panel.y.title}
        points = dict.fromkeys(row for marks in panel.marks for row in marks.rows)
        rows += [{**axes, **row.fields} for row in points]
    write_rows(rows, path)


def _charts(subject: Subject, path: Path, key: str | None) -> list[Chart]:
    from beff.charts.table import every_chart

    every = list(every_chart(subject))
    measured = [chart for chart in every if chart.key != "patterns"]
    wanted = key or path.stem.replace("-", "_")
    chosen = [chart for chart in every if chart.key == wanted]
    if not measured and not chosen:
        names = ", ".join(entry.document.source for entry in subject.results)
        raise BeffError(f"{names}: holds no measurement that a chart could show")
    if key is not None and not chosen:
        keys = ", ".join(chart.key for chart in every)
        raise WrongUsageError(f"--figure {key}: these results have no such chart; they have {keys}")
    return chosen or measured


def draw(charts: Sequence[Chart], path: Path, title: str, *, titled: bool = True) -> None:
    """Draw by the file's ending: .pdf with a page for each, or all under each other.

    The title is that of a PDF; `titled` is whether each chart shows its own. Raises OSError.
    """
    from beff.charts.render import pdf, png, svg
    from beff.charts.theme import PAPER

    theme = replace(PAPER, headed=titled)
    ending = path.suffix.lower()
    if ending == ".pdf":
        path.write_bytes(pdf(charts, theme, title))
    elif ending == ".png":
        path.write_bytes(png(charts, theme, _PIXELS_PER_CSS_PIXEL))
    else:
        path.write_text(svg(charts, theme), encoding="utf-8")
