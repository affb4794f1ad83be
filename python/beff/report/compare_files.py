"""A comparison as a file: pictures, and a page that needs neither scripts nor a network."""
# ruff: noqa: PLC0415 - the drawing library is imported only when something is drawn

from pathlib import Path

from beff.judge.compare import ComparedTable as Compared
from beff.judge.compare import Report
from beff.judge.day_rule import Word
from beff.report.parts.comparison import basis_text, headline_of_report, order_sentences
from beff.report.pictures import draw
from beff.report.tables.comparison import changes_table
from beff.report.tables.table import Table

ENDINGS = (".html", ".svg", ".png", ".pdf")
_TITLE, _VALUES = "beff compare", "values, which decide"


def write_comparison(report: Report, target: Path, *, titled: bool = True) -> None:
    """Write the diagrams of a report, which holds a comparison, to a file by its ending.

    The ending must be one of ENDINGS; `titled` is of pictures. Raises OSError.
    """
    from beff.charts.compare import change_charts

    if target.suffix.lower() == ".html":
        target.write_text(_page(report), encoding="utf-8")
    else:
        draw(change_charts(report, headline_of_report(report).text), target, _TITLE, titled=titled)


def _page(report: Report) -> str:
    from markupsafe import Markup

    from beff.charts.compare import change_charts
    from beff.report.page.html_file import style_sheet, templates
    from beff.report.page.sections.charts import diagram_of

    headline = headline_of_report(report)
    return (
        templates()
        .get_template("compare.html.j2")
        .render(
            title=_TITLE,
            style=Markup(style_sheet()),
            heading=f"{headline.text[:1].upper()}{headline.text[1:]}",
            lines=headline.lines,
            report=report,
            diagrams=list(map(diagram_of, change_charts(report, headline.text))),
            values_table=lambda one: changes_table(_VALUES, one.values),
            rests_on=basis_text,
            order=order_sentences,
            beside=_beside,
        )
    )


def _beside(table: Compared) -> Table:
    """Return the rows of a table that are slower or faster."""
    rows = tuple(row for row in table.rows if row.word in {Word.SLOWER, Word.FASTER})
    name = f"{table.name}: {len(rows)} of {len(table.rows)} slower or faster"
    return changes_table(name, rows)
