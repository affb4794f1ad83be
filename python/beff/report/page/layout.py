"""Which sections a page has and in which order. A new section is a function and a row here."""

from collections.abc import Callable
from typing import Any, NamedTuple

from beff.report.page.sections.charts import (
    first_charts,
    network,
    other_charts,
    pairs,
    patterns,
)
from beff.report.page.sections.contents import Contents, Place, Section, ShownResult
from beff.report.page.sections.derivation import derivation, derivation_io
from beff.report.page.sections.headline import answers, headline, summary, summary_of_map
from beff.report.page.sections.tables import (
    analysis,
    balance,
    environment,
    published,
    side_by_side,
    spread,
)


class Shared(NamedTuple):
    """A section that a page has once; `data` returns what its template shows, or nothing."""

    key: str
    title: str
    template: str
    data: Callable[[Contents], Any]
    place: Place = Place.FOLDED


class OfResult(NamedTuple):
    """A section that each result has for which `data` returns what its template shows."""

    key: str
    title: str
    template: str
    data: Callable[[ShownResult], Any]
    place: Place = Place.FOLDED


SECTIONS: tuple[Shared | OfResult, ...] = (
    Shared("answer", "The answer", "answers", answers, Place.FIRST),
    OfResult("value", "Validity and cautions", "headline", headline, Place.FIRST),
    Shared("picture", "At a glance", "figures", first_charts, Place.FIRST),
    Shared("overview", "The results side by side", "tables", side_by_side, Place.OPEN),
    OfResult("summary", "Summary", "summary", summary, Place.OPEN),
    OfResult("pairs", "Map of pairs", "pairs", pairs, Place.OPEN),
    OfResult("summary", "Summary", "summary", summary_of_map),
    OfResult("network", "The network as a whole", "patterns", network),
    Shared("figures", "Diagrams", "figures", other_charts),
    OfResult("patterns", "Patterns", "patterns", patterns),
    OfResult("analysis", "Analysis", "tables", analysis),
    OfResult("spread", "Spread of the repetitions", "tables", spread),
    Shared("balance", "Balance", "tables", balance),
    OfResult("environment", "Environment and placement", "environment", environment),
    OfResult("derivation", "How the number came about", "derivation", derivation),
    OfResult("derivation", "How the number came about", "derivation_io", derivation_io),
)
"""All sections in the order of a page of one result; several follow the shared ones in full."""
_CLOSING = Shared("published", "Beside published systems", "tables", published)
"""What stands last on every page: the systems that were published long ago."""


def sections_of_page(page: Contents) -> list[Section]:
    """Return all sections of a page of one result; of several, those before the results."""
    sections = []
    for row in SECTIONS:
        if isinstance(row, Shared):
            sections += _shared(page, row)
        elif len(page.results) == 1:
            sections += _of_result(page.results[0], row)
    return sections


def sections_of_result(shown: ShownResult) -> list[Section]:
    """Return the sections of a result that shares its page with others."""
    rows = (row for row in SECTIONS if isinstance(row, OfResult))
    return [section for row in rows for section in _of_result(shown, row)]


def closing_sections(page: Contents) -> list[Section]:
    """Return what stands behind all results."""
    return _shared(page, _CLOSING)


def _shared(page: Contents, row: Shared) -> list[Section]:
    data = row.data(page)
    return [Section(row.key, row.title, f"{row.template}.html.j2", data, row.place)] if data else []


def _of_result(shown: ShownResult, row: OfResult) -> list[Section]:
    data = row.data(shown)
    key = shown.anchor(row.key)
    return [Section(key, row.title, f"{row.template}.html.j2", data, row.place)] if data else []
