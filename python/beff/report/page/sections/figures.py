"""The diagrams, drawn into the page: one to look at first, and the others."""

from dataclasses import dataclass

from markupsafe import Markup

from beff.analysis.summary_figures import value_processes
from beff.charts.figure import Figure
from beff.charts.render import svg
from beff.charts.theme import PAGE
from beff.report.page.contents import Contents, Section
from beff.report.page.inline_svg import inline_svg, width_of

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


def first_figure(page: Contents) -> Section | None:
    """Build the section of the diagram to look at first; None without one."""
    found = _first(page)
    return None if found is None else _section("picture", "At a glance", [found])


def other_figures(page: Contents) -> Section | None:
    """Build the section of all other diagrams; None without one."""
    first = _first(page)
    return _section("figures", "Diagrams", [one for one in page.figures if one is not first])


def _first(page: Contents) -> Figure | None:
    """Choose it: of several numbers of processes the value over them, else the first there is."""
    counts = {(one.document.benchmark, value_processes(one.result)) for one in page.results}
    benchmarks = {benchmark for benchmark, _ in counts}
    wanted = _SCALING if len(counts) > len(benchmarks) else ()
    found = [one for one in page.figures if one.key in wanted]
    return next(iter([*found, *page.figures]), None)


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
