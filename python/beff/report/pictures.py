"""Reports as pictures: .pdf with one diagram to a page, .svg and .png with all in one picture.

The drawing library is imported only when a picture is drawn: it takes longer to start than most
commands take as a whole.
"""
# ruff: noqa: PLC0415 - imports inside functions, for the reason above

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from beff.analysis.subject import Subject
from beff.model.errors import BeffError, WrongUsageError

if TYPE_CHECKING:
    from beff.charts.common.panel import Figure

_PIXELS_PER_CSS_PIXEL = 2


def write_pictures(
    subject: Subject, path: Path, key: str | None = None, *, titled: bool = True
) -> None:
    """Draw all diagrams, or the one with a key, by choice without titles and captions.

    Raises BeffError without any.
    """
    names = ", ".join(entry.label for entry in subject.results)
    draw(chosen_figures(subject, key), path, names, titled=titled)


def draw(figures: "Sequence[Figure]", path: Path, title: str, *, titled: bool = True) -> None:
    """Draw by the file's ending: .pdf with a page for each, or all under each other.

    The title is that of a PDF; `titled` is whether each diagram shows its own. Raises OSError.
    """
    from beff.charts.common.render import pdf, png, sheet, svg
    from beff.charts.common.theme import PAPER

    theme = replace(PAPER, headed=titled)
    ending = path.suffix.lower()
    if ending == ".pdf":
        path.write_bytes(pdf(figures, theme, title))
    elif ending == ".png":
        path.write_bytes(png(sheet(figures, theme), theme, _PIXELS_PER_CSS_PIXEL))
    else:
        path.write_text(svg(sheet(figures, theme), theme), encoding="utf-8")


def chosen_figures(subject: Subject, key: str | None) -> "Sequence[Figure]":
    """Return all diagrams, or the one with a key.

    Raises BeffError where there is none, WrongUsageError where there is none such.
    """
    from beff.charts.table import figures_of

    figures = list(figures_of(subject))
    if not figures:
        names = ", ".join(entry.document.source for entry in subject.results)
        raise BeffError(f"{names}: holds no measurement that a diagram could show")
    chosen = [figure for figure in figures if key in (None, figure.key)]
    if not chosen:
        keys = ", ".join(figure.key for figure in figures)
        raise WrongUsageError(
            f"--figure {key}: these results have no such diagram; they have {keys}"
        )
    return chosen
