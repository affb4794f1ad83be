"""A comparison as a file: pictures, and a page that needs neither scripts nor a network."""
# ruff: noqa: PLC0415 - the drawing library is imported only when something is drawn

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from beff.analysis.compare.report import Comparison, Report, Row
from beff.analysis.compare.sentences import noise_sentences, outcome, percent
from beff.analysis.compare.verdict import Verdict
from beff.charts.numbers import digits
from beff.charts.theme import PAPER
from beff.report.pictures import draw

if TYPE_CHECKING:
    from beff.charts.figure import Figure

ENDINGS = (".html", ".svg", ".png", ".pdf")
_TITLE = "beff compare"


def write_comparison(report: Report, target: Path) -> None:
    """Write the diagrams of a report, which holds a comparison, to a file by its ending.

    The ending must be one of ENDINGS. Raises OSError.
    """
    from beff.charts.compare import change_figures

    figures = change_figures(report)
    if target.suffix.lower() == ".html":
        target.write_text("\n".join(_page(report, figures)), encoding="utf-8")
    else:
        draw(figures, target, _TITLE)


def _page(report: Report, figures: "Sequence[Figure]") -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{_TITLE}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>"
    yield f"<h1>{_sentence(outcome(report))}</h1>"
    yield from _list("Cannot be compared", report.refusals)
    yield from _list("Not compared", report.unpaired)
    yield from _list("Runs that are there twice", report.copies)
    yield from _list("Cautions", report.cautions)
    for comparison, figure in zip(report.comparisons, figures, strict=True):
        yield from _section(comparison, figure)
    yield "</main>\n</body>\n</html>"


def _section(comparison: Comparison, figure: "Figure") -> Iterator[str]:
    from beff.charts.render import svg

    yield f"<section>\n<h2>{escape(comparison.name)}</h2>"
    yield f"<p>A: {_files(comparison.runs_a)}</p>\n<p>B: {_files(comparison.runs_b)}</p>"
    yield from _rows("values, which decide", comparison.values)
    yield from (f"<p>{escape(sentence)}</p>" for sentence in noise_sentences(comparison))
    yield from _list("Should not be compared", comparison.differences)
    yield from _list("Not the same on both sides", comparison.remarks)
    yield from _list("What cannot be compared", comparison.not_compared)
    yield f'<div class="figure" role="img" aria-label="{escape(figure.alt)}">'
    yield f"{svg(figure, PAPER)}</div>"
    for table in comparison.beside_values:
        rows = table.with_verdict(Verdict.SLOWER, Verdict.FASTER)
        name = f"{table.name}: {len(rows)} of {len(table.rows)} slower or faster"
        yield from _rows(name, rows) if rows else (f"<p>{escape(name)}</p>",)
    yield "</section>"


def _rows(caption: str, rows: tuple[Row, ...]) -> Iterator[str]:
    yield f'<div class="table"><table>\n<caption>{escape(caption)}</caption>'
    heads = ("", "A", "B", "unit", "change", "between", "and", "B is")
    yield "<tr>" + "".join(f'<th scope="col">{head}</th>' for head in heads) + "</tr>"
    for row in rows:
        cells = (
            digits(row.a),
            digits(row.b),
            row.quantity.unit,
            *map(percent, row.interval.shares),
            row.verdict.value,
        )
        head = f'<th scope="row">{escape(row.quantity.name)}</th>'
        yield f"<tr>{head}" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
    yield "</table></div>"


def _list(title: str, lines: tuple[str, ...]) -> Iterator[str]:
    if lines:
        items = "".join(f"<li>{escape(line)}</li>" for line in lines)
        yield f"<h3>{title}</h3>\n<ul>{items}</ul>"


def _files(runs: tuple[str, ...]) -> str:
    return ", ".join(f"<code>{escape(run)}</code>" for run in runs)


def _sentence(text: str) -> str:
    return escape(text[:1].upper() + text[1:]) + "."


_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; }
code { overflow-wrap: anywhere; }
.table, .figure { overflow-x: auto; margin: 1rem 0; }
.figure { background: #fff; }
table { border-collapse: collapse; }
caption { text-align: left; font-weight: bold; }
th, td { padding: .15rem .7rem .15rem 0; text-align: right; white-space: nowrap; }
th[scope="row"], td:last-child, th:last-child { text-align: left; font-weight: normal; }
"""
