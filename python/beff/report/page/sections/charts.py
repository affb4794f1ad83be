"""The charts, drawn into the page: those to look at first, the others, and those of one result."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from markupsafe import Markup

from beff.charts.chart import Chart
from beff.charts.render import panels, why_no_pictures
from beff.charts.table import charts_beside
from beff.charts.theme import PAGE
from beff.judge.finding import Checked, Verdict
from beff.judge.hosts import check_hosts
from beff.maps.network_text import network_sentences
from beff.report.page.sections.contents import Contents, Data, ShownResult
from beff.report.parts.checked import folded
from beff.report.parts.findings import line_of, sentence_of
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.imported_pairs import MapResult
from beff.verify.common.summary_figures import main_value, value_processes

_SCALING = {"b_eff": "b_eff_over_processes", "b_eff_io": "io_value_over_processes"}
"""Charts of values over the number of processes."""
_SHARES = ("shares_of_pingpong", "shares_of_best")
"""Charts that show what differs in a run of b_eff."""


@dataclass(frozen=True)
class DrawnPart:
    """Pictures under one heading, which may be empty."""

    heading: str
    panels: list[Markup]


@dataclass(frozen=True)
class Diagram:
    """A chart with the words around it, whose panels stand where the page has room.

    `kind` is the class of its look: `single` panels beside those of others, `halves` and
    `thirds` of the width, or `tiles` of their own size.
    """

    key: str
    title: str
    caption: str
    parts: list[DrawnPart]
    kind: str


def first_charts(page: Contents) -> list[Diagram]:
    """Draw the charts to look at first, where there are any."""
    return list(map(diagram_of, _first(page)))


def other_charts(page: Contents) -> list[Diagram]:
    """Draw all other charts."""
    first = _first(page)
    return [diagram_of(chart) for chart in page.charts if chart not in first]


def _first(page: Contents) -> list[Chart]:
    """Choose the shares of a single run, else values over numbers of processes, else the first."""
    shares = [chart for chart in page.charts if chart.key in _SHARES]
    if shares and len(page.results) == 1:
        return shares
    ran_on: dict[str, set[int]] = {}
    for shown in page.results:
        result = shown.result
        if main_value(result) is not None:
            processes = value_processes(result)
            if isinstance(result, BEffIoFigures):  # those of the run, not of its value
                processes = max(partition.processes for partition in result.partitions)
            ran_on.setdefault(shown.document.benchmark, set()).add(processes)
    wanted = [key for name, key in _SCALING.items() if len(ran_on.get(name, ())) > 1]
    chosen = [chart for chart in page.charts if chart.key in wanted]
    return [*chosen, *page.charts][:1]


def diagram_of(chart: Chart, anchor: str = "") -> Diagram:
    """Draw a chart; its first panel bears the words that stand for all of them.

    An `anchor` is that of a result whose chart it is, of which a page may have several.
    """
    key = f"{anchor}-{chart.key}-drawing" if anchor else chart.key
    names = iter([f"{chart.title}. {chart.alt}"])
    parts, drawn = [], 0
    for part, svgs in zip(chart.parts, panels(chart, PAGE), strict=True):
        shown = [
            inline_svg(svg, f"{key}-{drawn + number}", next(names, panel.title or chart.title))
            for number, (panel, svg) in enumerate(zip(part.panels, svgs, strict=True))
        ]
        drawn += len(shown)
        parts.append(DrawnPart(part.heading, shown))
    kind = {1: "single", 2: "halves", 4: "halves"}.get(drawn, "thirds")
    return Diagram(key, chart.title, chart.caption, parts, "tiles" if drawn > 9 else kind)


def patterns(shown: ShownResult) -> list[Diagram]:
    """Draw what the names of patterns mean; nothing for too few or too many processes."""
    return [] if isinstance(shown.result, MapResult) else _beside(shown, "patterns")


def _beside(shown: ShownResult, key: str, chosen: slice = slice(None)) -> list[Diagram]:
    charts = () if why_no_pictures() else [*charts_beside(shown.document)][chosen]
    return [diagram_of(chart, shown.anchor(key)) for chart in charts]


def pairs(shown: ShownResult) -> Data | None:
    """Say what is known of hosts and links, the worst first, and draw the map; None without.

    The map is the last of its charts; `network` has the others.
    """
    if not isinstance(shown.result, MapResult):
        return None
    sentences = [*network_sentences(shown.result), *_sentences(check_hosts(shown.document))]
    return {"sentences": sentences, "diagrams": _beside(shown, "pairs", slice(-1, None))}


def network(shown: ShownResult) -> list[Diagram]:
    """Draw what b_pairs measured beside its map."""
    is_map = isinstance(shown.result, MapResult)
    return _beside(shown, "pairs", slice(None, -1)) if is_map else []


def _sentences(checked: Checked) -> Iterator[str]:
    """Say what beff check says of the hosts; what is good last."""
    words = {Verdict.BAD: "Bad: ", Verdict.UNKNOWN: "Inconclusive: ", Verdict.GOOD: ""}
    found = folded(checked.judgements)
    for verdict, word in words.items():
        mine = (one for one in found if one.verdict == verdict)
        yield from (f"{word}{one.about}: {sentence_of(one)}" for one in mine)
    yield from map(line_of, checked.remarks)


_SVG = "http://www.w3.org/2000/svg"
_ELEMENTS = {"svg", "g", "path", "rect", "line", "circle", "text", "tspan", "defs", "clipPath"}
_POINTS = {"point", "bar"}
"""What the drawing library calls the marks that stand for one measured value."""
_REFERENCE = re.compile(r"url\(#([^)]*)\)")


def inline_svg(svg: str, prefix: str, label: str) -> Markup:
    """Return the drawing as an element of an HTML page, named by `label`.

    A mark that stands for a value gets the class `point`, and its description as the title that
    browsers show under the pointer. Marks and entries of legends get the ids of their series as
    `data-series`. Raises ValueError for an element that no diagram needs.
    """
    root = ElementTree.fromstring(svg)
    for element in list(root.iter()):
        _clean(element, prefix)
    root.attrib.update({"role": "img", "aria-label": label})
    ElementTree.register_namespace("", _SVG)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _clean(element: ElementTree.Element, prefix: str) -> None:
    name = element.tag.removeprefix(f"{{{_SVG}}}")
    if name not in _ELEMENTS:
        raise ValueError(f"a diagram has an element {name}")
    attributes = dict(element.attrib)
    element.attrib.clear()
    for key, value in attributes.items():
        if key == "id":
            element.set(key, f"{prefix}-{value}")
        elif key not in {"style", "role"} and not key.startswith(("aria-", "on", "{")):
            element.set(key, _REFERENCE.sub(rf"url(#{prefix}-\1)", value))
    kind, _, series = attributes.get("aria-roledescription", "").partition(": ")
    described = attributes.get("aria-label")
    if kind in _POINTS and described:
        element.set("class", "point")
        title = ElementTree.Element(f"{{{_SVG}}}title")
        title.text = described
        element.insert(0, title)
    if series:
        element.set("data-series", series)
