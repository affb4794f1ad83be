"""Which sections a page has and in which order. A new section is a module and a line here."""

from collections.abc import Iterable, Sequence

from beff.model.b_eff_result import BEffResult
from beff.report.page.section import Section, ShownResult
from beff.report.page.sections.analysis import analysis
from beff.report.page.sections.balance import balance
from beff.report.page.sections.derivation import derivation
from beff.report.page.sections.derivation_io import derivation_io
from beff.report.page.sections.environment import environment
from beff.report.page.sections.figures import figures
from beff.report.page.sections.headline import headline
from beff.report.page.sections.overview import overview
from beff.report.page.sections.patterns import patterns
from beff.report.page.sections.published import published
from beff.report.page.sections.slow_hosts import slow_hosts
from beff.report.page.sections.spread import spread
from beff.report.subject import Subject


def sections_of_page(subject: Subject, results: Sequence[ShownResult]) -> list[Section]:
    """Return all sections of a page of one result; of several, those before the results."""
    sections: list[Section | None]
    if len(results) > 1:
        sections = [overview(results), published(results), balance(results), figures(subject)]
    else:
        (shown,) = results
        sections = [
            headline(shown),
            published(results),
            environment(shown),
            balance(results),
            figures(subject),
            analysis(shown),
            spread(shown),
            slow_hosts(shown),
            _steps(shown),
            patterns(shown),
        ]
    return _present(sections)


def sections_of_result(shown: ShownResult) -> list[Section]:
    """Return the sections of a result that shares its page with others."""
    return _present(
        [
            headline(shown),
            environment(shown),
            analysis(shown),
            spread(shown),
            slow_hosts(shown),
            _steps(shown),
            patterns(shown),
        ]
    )


def _steps(shown: ShownResult) -> Section | None:
    if not len(shown.result.samples):
        return None
    if isinstance(shown.result, BEffResult):
        return derivation(shown, shown.result)
    return derivation_io(shown, shown.result)


def _present(sections: Iterable[Section | None]) -> list[Section]:
    """Leave out what a result has no data for."""
    return [section for section in sections if section is not None]
