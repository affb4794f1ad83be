"""Which sections a page has and in which order. A new section is a module and a row here."""

from collections.abc import Callable
from dataclasses import dataclass

from beff.report.page.sections.answers import answers
from beff.report.page.sections.charts import first_chart, other_charts, pairs, patterns
from beff.report.page.sections.contents import Contents, Section, ShownResult
from beff.report.page.sections.derivation import derivation
from beff.report.page.sections.derivation_io import derivation_io
from beff.report.page.sections.environment import environment
from beff.report.page.sections.headline import headline, summary
from beff.report.page.sections.tables import analysis, balance, published, side_by_side, spread
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_result import BEffResult, ImportedBEff
from beff.result.b_pairs_result import BPairsResult


@dataclass(frozen=True)
class Shared:
    """A section that a page has once; None where its results have no data for it."""

    build: Callable[[Contents], Section | None]


@dataclass(frozen=True)
class OfResult:
    """A section that each result has; None where it has no data for it."""

    build: Callable[[ShownResult], Section | None]


def _steps(shown: ShownResult) -> Section | None:
    if isinstance(shown.result, ImportedBEff | BPairsResult) or not len(shown.result.samples):
        return None
    if isinstance(shown.result, BEffResult):
        return derivation(shown, shown.result)
    return derivation_io(shown, shown.result)


def _has_types(shown: ShownResult) -> bool:
    """Whether the drawing explains the names of pattern types, which stand all over the page."""
    return isinstance(shown.result, BEffIoFigures)


SECTIONS: tuple[Shared | OfResult, ...] = (
    Shared(answers),
    Shared(first_chart),
    Shared(side_by_side),
    OfResult(headline),
    OfResult(summary),
    OfResult(lambda shown: patterns(shown) if _has_types(shown) else None),
    Shared(other_charts),
    OfResult(pairs),
    OfResult(analysis),
    OfResult(spread),
    Shared(balance),
    OfResult(environment),
    OfResult(_steps),
    OfResult(lambda shown: None if _has_types(shown) else patterns(shown)),
)
"""All sections in the order of a page of one result; several follow the shared ones in full."""


def sections_of_page(page: Contents) -> list[Section]:
    """Return all sections of a page of one result; of several, those before the results."""
    sections = []
    for row in SECTIONS:
        if isinstance(row, Shared):
            sections.append(row.build(page))
        elif len(page.results) == 1:
            sections.append(row.build(page.results[0]))
    return [section for section in sections if section is not None]


def sections_of_result(shown: ShownResult) -> list[Section]:
    """Return the sections of a result that shares its page with others."""
    built = (row.build(shown) for row in SECTIONS if isinstance(row, OfResult))
    return [section for section in built if section is not None]


def closing_sections(page: Contents) -> list[Section]:
    """Return what stands last on every page: the systems that were published long ago."""
    found = published(page)
    return [] if found is None else [found]
