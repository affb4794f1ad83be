"""Reports as pictures: .pdf with one diagram to a page, .svg and .png with all in one picture.

The drawing library is imported only when a picture is drawn: it takes longer to start than most
commands take as a whole.
"""
# ruff: noqa: PLC0415 - imports inside functions, for the reason above

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from beff.model.errors import BeffError
from beff.report.subject import Subject

if TYPE_CHECKING:
    from beff.charts.figure import Figure

_PIXELS_PER_CSS_PIXEL = 2


def write_pdf(subject: Subject, path: Path, key: str | None = None) -> None:
    """Write all diagrams, one to a page, or the one with a key. Raises BeffError without any."""
    from beff.charts.render import pdf

    names = ", ".join(entry.label for entry in subject.results)
    path.write_bytes(pdf(chosen_figures(subject, key), names))


def write_svg(subject: Subject, path: Path, key: str | None = None) -> None:
    """Write all diagrams under each other, or the one with a key. Raises BeffError without any."""
    from beff.charts.render import sheet, svg
    from beff.charts.theme import PAPER

    path.write_text(svg(sheet(chosen_figures(subject, key)), PAPER), encoding="utf-8")


def write_png(subject: Subject, path: Path, key: str | None = None) -> None:
    """Write all diagrams under each other, or the one with a key. Raises BeffError without any."""
    from beff.charts.render import png, sheet
    from beff.charts.theme import PAPER

    picture = sheet(chosen_figures(subject, key))
    path.write_bytes(png(picture, PAPER, _PIXELS_PER_CSS_PIXEL))


def chosen_figures(subject: Subject, key: str | None) -> "Sequence[Figure]":
    """Return all diagrams, or the one with a key. Raises BeffError when there is none such."""
    from beff.charts import figures_of

    figures = figures_of(subject)
    if not figures:
        names = ", ".join(entry.document.source for entry in subject.results)
        raise BeffError(f"{names}: holds no measurement that a diagram could show")
    chosen = [figure for figure in figures if key in (None, figure.key)]
    if not chosen:
        keys = ", ".join(figure.key for figure in figures)
        raise BeffError(f"--figure {key}: these results have no such diagram; they have {keys}")
    return chosen
