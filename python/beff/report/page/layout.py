"""Which sections a page has and in which order. A new section is a module and a line here."""

from collections.abc import Iterator, Sequence

from beff.model.b_eff_result import BEffResult
from beff.report.page.section import Section, ShownResult
from beff.report.page.sections.analysis import analysis
from beff.report.page.sections.derivation import derivation
from beff.report.page.sections.derivation_io import derivation_io
from beff.report.page.sections.environment import environment
from beff.report.page.sections.headline import headline
from beff.report.page.sections.overview import overview
from beff.report.page.sections.published import published


def shared_sections(results: Sequence[ShownResult]) -> list[Section]:
    """Return the sections that show all results of the page together."""
    return [published(results)]


def sections_of_page(results: Sequence[ShownResult]) -> list[Section]:
    """Return all sections of a page of one result; of several, those before the results."""
    if len(results) > 1:
        return [overview(results), *shared_sections(results)]
    (shown,) = results
    return [
        headline(shown),
        *shared_sections(results),
        environment(shown),
        *_explanations(shown),
    ]


def sections_of_result(shown: ShownResult) -> list[Section]:
    """Return the sections of a result that shares its page with others."""
    return [headline(shown), environment(shown), *_explanations(shown)]


def _explanations(shown: ShownResult) -> Iterator[Section]:
    for section in (analysis(shown), _steps(shown)):
        if section is not None:
            yield section


def _steps(shown: ShownResult) -> Section:
    if isinstance(shown.result, BEffResult):
        return derivation(shown, shown.result)
    return derivation_io(shown, shown.result)
