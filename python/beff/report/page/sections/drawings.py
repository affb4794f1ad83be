"""Drawings: the patterns of b_eff, the file layouts of b_eff_io, the map of pairs of b_pairs."""

from collections.abc import Iterator
from dataclasses import dataclass

from beff.analysis.b_pairs.pair_map import pair_map
from beff.analysis.check.finding import Verdict
from beff.analysis.check.hosts import check_hosts
from beff.analysis.common.summary_figures import value_processes
from beff.charts.common.theme import PAGE
from beff.drawings.canvas import MOST_PROCESSES
from beff.drawings.files import draw_files
from beff.drawings.pair_map import draw_pair_map
from beff.drawings.patterns import draw_patterns
from beff.model.b_eff_result import BEffFigures
from beff.model.b_pairs_result import BPairsResult
from beff.model.load import Document
from beff.model.numbers import counted
from beff.model.result_parts import ImportedHead
from beff.report.page.sections.contents import Section, ShownResult
from beff.report.page.sections.figures import Diagram
from beff.report.parts.inline_svg import inline_svg


def patterns(shown: ShownResult) -> Section | None:
    """Build the section for the processes of a result; None for too few or too many."""
    key, result = shown.anchor("patterns"), shown.result
    if isinstance(result, BPairsResult):
        return None
    if isinstance(result, BEffFigures):
        n = result.environment.processes
        if not 2 <= n <= MOST_PROCESSES:
            return None
        title = f"The patterns with {n} processes"
        caption = "Which processes exchange messages, by id and name of the pattern."
        given = None if isinstance(result, ImportedHead) else result.options.get("seed")
        seed = given if isinstance(given, int) and not isinstance(given, bool) else None
        drawn = draw_patterns(n, seed, PAGE, definition=result.definition)
    else:
        n = value_processes(result)
        if n > MOST_PROCESSES:
            return None
        title = f"The pattern types with {counted(n, 'process')}"
        caption = "What one call of each process moves, and where it lies in the files."
        if result.pointer != "shared":
            caption += f" In this run type 1 used {result.pointer} pointers."
        drawn = draw_files(n, PAGE, result.schedule.m_part_bytes)
    diagram = Diagram(key, title, caption, inline_svg(drawn, key, f"{title}. {caption}"), True)
    return Section(key, "Patterns", "patterns.html.j2", [diagram])


@dataclass(frozen=True)
class Pairs:
    """What is said of hosts and links, the worst first, and the map."""

    sentences: list[str]
    diagrams: list[Diagram]


def pairs(shown: ShownResult) -> Section | None:
    """Build the section; None for a result without a map."""
    if not isinstance(shown.result, BPairsResult):
        return None
    key = shown.anchor("pairs")
    found = pair_map(shown.document.fields)
    title = f"The map of pairs of {found.units} {found.plural}"
    caption = "How long an exchange of short and of long messages takes, for each pair."
    picture = inline_svg(draw_pair_map(found, PAGE), key, f"{title}. {caption}")
    data = Pairs(list(_sentences(shown.document)), [Diagram(key, title, caption, picture, True)])
    return Section(key, "Map of pairs", "pairs.html.j2", data)


def _sentences(document: Document) -> Iterator[str]:
    """Say what beff check says of the hosts; what is good last."""
    checked = check_hosts(document)
    for verdict in (Verdict.BAD, Verdict.UNKNOWN, Verdict.GOOD):
        for finding in checked.findings:
            if finding.verdict == verdict:
                yield f"{_WORDS[verdict]}{finding.about}: {finding.sentence}"
    yield from checked.notes


_WORDS = {Verdict.BAD: "Bad: ", Verdict.UNKNOWN: "Inconclusive: ", Verdict.GOOD: ""}
