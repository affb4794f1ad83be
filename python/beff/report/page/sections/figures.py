"""The diagrams, drawn into the page: one to look at first, and the others."""

from dataclasses import dataclass

from markupsafe import Markup

from beff.analysis.common.summary_figures import main_value, value_processes
from beff.charts.common.panel import Figure
from beff.charts.common.render import panels
from beff.charts.common.theme import PAGE
from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.contract import AnyResult
from beff.report.page.sections.contents import Contents, Section
from beff.report.parts.inline_svg import inline_svg

_SCALING = {"b_eff": "b_eff_over_processes", "b_eff_io": "io_value_over_processes"}
"""Diagrams of values over the number of processes."""


@dataclass(frozen=True)
class Part:
    """Pictures under one heading, which may be empty."""

    heading: str
    panels: list[Markup]


@dataclass(frozen=True)
class Diagram:
    """A figure with the words around it, whose panels stand where the page has room.

    `kind` is the class of its look: `single` panels beside those of others, `halves` and
    `thirds` of the width, or `tiles` of their own size.
    """

    key: str
    title: str
    caption: str
    parts: list[Part]
    kind: str


def first_figure(page: Contents) -> Section | None:
    """Build the section of the diagram to look at first; None without one."""
    found = _first(page)
    return None if found is None else _section("picture", "At a glance", [found])


def other_figures(page: Contents) -> Section | None:
    """Build the section of all other diagrams; None without one."""
    first = _first(page)
    return _section("figures", "Diagrams", [one for one in page.figures if one is not first])


def _first(page: Contents) -> Figure | None:
    """Choose it: where a benchmark ran on several numbers of processes, else the first there is."""
    ran_on: dict[str, set[int]] = {}
    for shown in page.results:
        if main_value(shown.result) is not None:
            ran_on.setdefault(shown.document.benchmark, set()).add(_processes(shown.result))
    wanted = [key for name, key in _SCALING.items() if len(ran_on.get(name, ())) > 1]
    found = [one for one in page.figures if one.key in wanted]
    return next(iter([*found, *page.figures]), None)


def _processes(result: AnyResult) -> int:
    """Return of how many processes a result is, not of how many its value is."""
    if isinstance(result, BEffIoFigures):
        return max(partition.processes for partition in result.partitions)
    return value_processes(result)


def _section(key: str, title: str, shown: list[Figure]) -> Section | None:
    diagrams = list(map(diagram_of, shown))
    return Section(key, title, "figures.html.j2", diagrams) if diagrams else None


def diagram_of(figure: Figure) -> Diagram:
    """Draw a figure; its first panel bears the words that stand for all of them."""
    said = f"{figure.title}. {figure.alt}"
    drawn = [
        inline_svg(panel, f"{figure.key}-{number}", figure.title if number else said)
        for number, panel in enumerate(panels(figure, PAGE))
    ]
    kind = {1: "single", 2: "halves", 4: "halves"}.get(len(drawn), "thirds")
    return Diagram(figure.key, figure.title, figure.caption, [Part("", drawn)], kind)
