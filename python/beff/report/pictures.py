"""Reports as pictures: .pdf with one diagram to a page, .svg and .png with one picture."""

from pathlib import Path

from beff.charts import figures_of
from beff.charts.figure import Figure
from beff.charts.render import pdf, png, sheet, svg
from beff.charts.theme import PAPER
from beff.model.errors import BeffError
from beff.report.subject import Subject

_PIXELS_PER_CSS_PIXEL = 2


def write_pdf(subject: Subject, path: Path) -> None:
    """Write all diagrams, one to a page. Raises BeffError when there is none."""
    path.write_bytes(pdf(_figures(subject), ", ".join(entry.label for entry in subject.results)))


def write_svg(subject: Subject, path: Path) -> None:
    """Write one picture with all diagrams. Raises BeffError when there is none."""
    path.write_text(svg(sheet(_figures(subject)), PAPER), encoding="utf-8")


def write_png(subject: Subject, path: Path) -> None:
    """Write one picture with all diagrams. Raises BeffError when there is none."""
    path.write_bytes(png(sheet(_figures(subject)), PAPER, _PIXELS_PER_CSS_PIXEL))


def figure_of(subject: Subject, key: str) -> Figure:
    """Return the diagram with a key. Raises BeffError that names the keys there are."""
    figures = _figures(subject)
    chosen = next((figure for figure in figures if figure.key == key), None)
    if chosen is None:
        keys = ", ".join(figure.key for figure in figures)
        raise BeffError(f"--figure {key}: these results have no such diagram, but {keys}")
    return chosen


def _figures(subject: Subject) -> list[Figure]:
    figures = figures_of(subject)
    if not figures:
        names = ", ".join(entry.document.source for entry in subject.results)
        raise BeffError(f"{names}: holds no measurement that a diagram could show")
    return figures
