"""The diagrams, drawn into the page: one to look at first, and the others."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup

from beff.analysis.subject import Subject
from beff.charts.figure import Figure
from beff.charts.render import svg
from beff.charts.table import figures_of
from beff.charts.theme import PAGE
from beff.report.page.inline_svg import inline_svg, width_of
from beff.report.page.section import Section

_SCALING = ("b_eff_over_processes", "io_value_over_processes")
"""Diagrams of values over the number of processes."""
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


def first_figure(subject: Subject) -> Section | None:
    """Build the section of the diagram to look at first; None without one.

    Of one result that is the first there is, rings and random rings of b_eff; of several it is the
    one over the number of processes.
    """
    return _section(
        "picture", "At a glance", [*islice(filter(_first_of(subject), figures_of(subject)), 1)]
    )


def other_figures(subject: Subject) -> Section | None:
    """Build the section of all other diagrams; None without one."""
    is_first = _first_of(subject)
    found = list(figures_of(subject))
    place = next((place for place, figure in enumerate(found) if is_first(figure)), len(found))
    return _section("figures", "Diagrams", found[:place] + found[place + 1 :])


def _first_of(subject: Subject) -> Callable[[Figure], bool]:
    several = len(subject.results) > 1
    return lambda figure: not several or figure.key in _SCALING


def _section(key: str, title: str, shown: list[Figure]) -> Section | None:
    diagrams = [_diagram(figure) for figure in shown]
    return Section(key, title, "figures.html.j2", diagrams) if diagrams else None


def _diagram(figure: Figure) -> Diagram:
    drawn = svg(figure, PAGE)
    return Diagram(
        key=figure.key,
        title=figure.title,
        caption=figure.caption,
        picture=inline_svg(drawn, figure.key, f"{figure.title}. {figure.alt}"),
        broad=width_of(drawn) > _BROAD,
    )
