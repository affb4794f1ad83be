"""The diagrams, drawn into the page."""

from dataclasses import dataclass

from markupsafe import Markup

from beff.analysis.subject import Subject
from beff.charts.figure import Figure
from beff.charts.render import svg
from beff.charts.table import figures_of
from beff.charts.theme import PAGE
from beff.report.page.inline_svg import inline_svg, width_of
from beff.report.page.section import Section

_BROAD = 700
"""Width in CSS pixels above which a diagram is unreadable on the width of a telephone."""


@dataclass(frozen=True)
class Diagram:
    """A figure with the words around it. A `broad` one is rather scrolled than made small."""

    key: str
    title: str
    caption: str
    picture: Markup
    broad: bool


def figures(subject: Subject) -> Section | None:
    """Build the section; None where the results have nothing to draw."""
    diagrams = [_diagram(figure) for figure in figures_of(subject)]
    return Section("figures", "Diagrams", "figures.html.j2", diagrams) if diagrams else None


def _diagram(figure: Figure) -> Diagram:
    drawn = svg(figure, PAGE)
    return Diagram(
        key=figure.key,
        title=figure.title,
        caption=figure.caption,
        picture=inline_svg(drawn, figure.key, f"{figure.title}. {figure.alt}"),
        broad=width_of(drawn) > _BROAD,
    )
