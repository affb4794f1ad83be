"""Drawings: the patterns of b_eff, the file layouts of b_eff_io, the map of pairs of b_pairs."""

from collections.abc import Iterator
from dataclasses import dataclass

from beff.analysis.b_eff.definition import draw_of, is_seed
from beff.analysis.b_pairs.network_text import network_sentences
from beff.analysis.b_pairs.pair_map import pair_map
from beff.analysis.check.finding import Checked, Verdict
from beff.analysis.check.hosts import check_hosts
from beff.analysis.common.summary_figures import value_processes
from beff.charts.common.theme import PAGE
from beff.drawings.canvas import MOST_PROCESSES, Parts
from beff.drawings.files import about_files, file_parts
from beff.drawings.network import network_parts
from beff.drawings.pair_map import about_squares, pair_map_parts
from beff.drawings.patterns import about_patterns, pattern_parts
from beff.model.b_eff_result import BEffFigures
from beff.model.b_pairs_result import BPairsResult
from beff.model.numbers import counted
from beff.model.result_parts import ImportedHead
from beff.report.page.sections.contents import Section, ShownResult
from beff.report.page.sections.figures import Diagram, Part
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
        options = {} if isinstance(result, ImportedHead) else result.options
        draw = draw_of(options) if is_seed(options.get("seed")) else None
        caption = about_patterns(draw)
        drawn = pattern_parts(n, draw, PAGE, result.definition)
    else:
        n = value_processes(result)
        if n > MOST_PROCESSES:
            return None
        title = f"The pattern types with {counted(n, 'process')}"
        m_part = result.schedule.m_part_bytes
        caption = about_files(n, m_part)
        if result.pointer != "shared":
            caption += f" In this run type 1 used {result.pointer} pointers."
        drawn = file_parts(n, PAGE, m_part)
    kind = "tiles" if isinstance(result, BEffFigures) else "halves"
    diagram = _drawing(key, title, caption, drawn, kind)
    return Section(key, "Patterns", "patterns.html.j2", [diagram])


def _drawing(key: str, title: str, caption: str, drawn: Parts, kind: str) -> Diagram:
    parts = [
        Part(heading, [inline_svg(svg, key, name) for name, svg in pictures])
        for heading, pictures in drawn
    ]
    return Diagram(f"{key}-drawing", title, caption, parts, kind)


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
    found = pair_map(shown.result)
    checked = check_hosts(shown.document)
    title = f"The map of pairs of {found.units} {found.plural}"
    drawn = pair_map_parts(found, PAGE, checked.bad_hosts)
    diagrams = [_drawing(key, title, about_squares(found), drawn, "halves")]
    whole = network_parts(shown.result, PAGE)
    if whole:
        caption = (
            "What crosses halves, step by step, what a host reaches by its processes, and messages"
            " of a matrix."
        )
        own = _drawing(f"{key}-network", "The network as a whole", caption, whole, "tiles")
        diagrams = [own, *diagrams]
    data = Pairs([*network_sentences(shown.result), *_sentences(checked)], diagrams)
    return Section(key, "Map of pairs", "pairs.html.j2", data)


def _sentences(checked: Checked) -> Iterator[str]:
    """Say what beff check says of the hosts; what is good last."""
    for verdict in (Verdict.BAD, Verdict.UNKNOWN, Verdict.GOOD):
        for finding in checked.findings:
            if finding.verdict == verdict:
                yield f"{_WORDS[verdict]}{finding.about}: {finding.sentence}"
    yield from checked.notes


_WORDS = {Verdict.BAD: "Bad: ", Verdict.UNKNOWN: "Inconclusive: ", Verdict.GOOD: ""}
