"""The map of pairs: which hosts and links are slow, then the picture."""

from collections.abc import Iterator
from dataclasses import dataclass

from beff.analysis.check.finding import Verdict
from beff.analysis.check.hosts import check_hosts
from beff.analysis.pairs.pair_map import pair_map
from beff.charts.theme import PAGE
from beff.drawings.pair_map import draw_pair_map
from beff.model.b_pairs_result import BPairsResult
from beff.model.load import Document
from beff.report.page.inline_svg import inline_svg
from beff.report.page.section import Section, ShownResult
from beff.report.page.sections.figures import Diagram


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
                yield f"{_WORDS[verdict]}: {finding.about}, {finding.sentence}"
    yield from checked.notes


_WORDS = {Verdict.BAD: "Bad", Verdict.UNKNOWN: "Inconclusive", Verdict.GOOD: "Good"}
