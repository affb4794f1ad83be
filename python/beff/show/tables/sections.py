"""The whole report in words and tables: what all text formats show, in its order."""

from collections.abc import Iterator

from beff.definition.b_eff_io_plan import shortest_valid_time_s
from beff.definition.subject import (
    NETWORK,
    Subject,
    by_key,
    summary_figures,
    value_name,
    value_processes,
)
from beff.judge.analysis import analysis_of, load_text
from beff.judge.finding import Verdict
from beff.judge.hardware import carried, far_text, settings_text, wires_text
from beff.maps.network import network_sentences
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.b_eff_result import RULES, BEffFigures
from beff.result.b_pairs_result import BPairsResult, MapResult
from beff.result.contract import AnyResult, MeasuredResult
from beff.result.load import Document
from beff.result.numbers import (
    BYTES_PER_MB,
    change,
    counted,
    format_duration,
    format_size,
    measured,
    percent,
    ranges,
    rate,
    times,
)
from beff.result.result_parts import ImportedHead
from beff.show.parts.answer import Answer
from beff.show.parts.checked import folded
from beff.show.parts.findings import line_of
from beff.show.parts.sentences import cautions_of, found_text, reasons, required_text, verdict
from beff.show.tables.analysis import analysis_tables
from beff.show.tables.balance import balance_tables, published_tables
from beff.show.tables.comparison import side_by_side
from beff.show.tables.table import Row, Section, Table, facts, field_text, fields_of, table

_RARE = {
    "percent_of_peak",
    "rmax_gflops",
    "balance_bytes_per_flop",
    *(figure.name for figure in NETWORK),
}


def sections_of(subject: Subject) -> list[Section]:
    """Return headlines, comparisons, then every result in full."""
    lines: list[str] = []
    for entry in subject.results:
        headline = Answer(entry.document).headline
        lines += [
            f"{entry.label}: {value_name(entry.document.result)} {headline.text}.",
            *headline.lines,
        ]
    sections = [Section("results", "Results", lines, level=1), *common_sections(subject)]
    for label, document in ((entry.label, entry.document) for entry in subject.results):
        why = ", ".join(reasons(document.result)) or "all criteria are met"
        cautions = (f"Caution: {caution}" for caution in cautions_of(document))
        words = (f"{verdict(document.result)}: {why}.", *cautions)
        sections.append(
            Section("result", f"{value_name(document.result)}: {label}", words, level=1)
        )
        sections += own_sections(document)
    return sections


def common_sections(subject: Subject) -> list[Section]:
    """Return what several results have in common, and what was published."""
    beside = [*balance_tables(subject), *published_tables(subject)]
    groups = by_key((value_name(one.document.result), one) for one in subject.results).values()
    side_by_sides = [side_by_side(group) for group in groups if len(group) > 1]
    every = (
        Section("overview", "Side by side", tables=side_by_sides),
        Section("published", "Beside published systems", tables=beside),
    )
    return [one for one in every if one.tables]


def own_sections(document: Document) -> list[Section]:
    """Return what there is to say of a result alone. Raises ResultError."""
    result = document.result
    met = sum(one.met for one in result.criteria)
    criteria = [f"{met} of {len(result.criteria)} criteria are met."]
    derived = analysis_tables(result) + spread_tables(document)
    every = (
        Section("pairs", "Hosts and links", _map_sentences(document), place="open"),
        Section("summary", "Figures", tables=[summary_table(result)], place="open"),
        Section("criteria", "Criteria of validity", criteria, [criteria_table(result)]),
        Section("analysis", "How the number came about", _formula(result), derived, place="alone"),
        Section("environment", "Environment and placement", tables=environment_tables(document)),
    )
    return [one for one in every if one.sentences or one.tables]


def _map_sentences(document: Document) -> list[str]:
    """Say what is known of hosts and links of a map of pairs, the worst first."""
    if not isinstance(document.result, MapResult):
        return []
    from beff.judge.hosts import check_hosts  # noqa: PLC0415 - NumPy

    checked = check_hosts(document)
    findings = folded(checked.judgements)
    judged = [one for verdict in reversed(Verdict) for one in findings if one.verdict == verdict]
    known = (*network_sentences(document.result), *map(line_of, (*judged, *checked.remarks)))
    return [f"{sentence}." for sentence in known]


def _formula(result: AnyResult) -> list[str]:
    if not isinstance(result, BEffFigures) or result.summary.b_eff_MBps is None:
        return []
    s = result.summary
    first = "rings" if RULES[result.definition].rings_first else "cyclic grids"
    each = f"{rate(s.rings_MBps)} · {rate(s.random_MBps)}"
    return [f"b_eff = √({first} · random rings) = √({each}) = {rate(s.b_eff_MBps)}."]


def criteria_table(result: AnyResult) -> Table:
    """All criteria with what was required and found."""
    rows = [
        (one.code, required_text(one), found_text(one, result), "yes" if one.met else "NO")
        for one in result.criteria
    ]
    marks = ["" if one.met else "bad" for one in result.criteria]
    return table("criteria", rows, marks=marks)


def summary_table(result: AnyResult) -> Table:
    """List the value and what is reported with it; R_max and balance where they are known."""
    rows = [
        (figure.label_in(result), measured(figure.of(result), figure.unit))
        for figure in summary_figures(result)
        if figure.of(result) is not None or figure.name not in _RARE
    ]
    if isinstance(result, BEffIoFigures):
        rows += [
            ("value by", f"release {result.definition}"),
            ("on", counted(value_processes(result), "process")),
            ("scheduled time T", format_duration(result.schedule.time_s)),
            *_conclusions(result),
        ]
    return table("summary", rows)


def _conclusions(result: BEffIoFigures) -> Iterator[tuple[str, str]]:
    """Yield what the Euro-Par paper concludes from: how much faster the read is (section 5).

    And the least that an access method must move: the initial write in a third of the shortest T
    of a partition, 300 s of release 1 and 200 s of release 0.5 (IPDPS paper, section 5.1).
    """
    write, rewrite, read = (getattr(result.summary, f"{access}_MBps") for access in ACCESSES)
    for name, slower in (("initial write", write), ("rewrite", rewrite)):
        if read and slower:
            yield f"read / {name}", times(read / slower)
    if write and result.definition != "2.1":
        least_s = shortest_valid_time_s(result.definition, 1) / len(ACCESSES)
        size = format_size(int(write * BYTES_PER_MB * least_s))
        yield "least size of the files", f"{size}, {least_s:.0f} s of the initial write"


_MOST_HOSTS = 64
"""Hosts whose ranks are listed; a page of thousands of lines would be read by nobody."""
_ELSEWHERE = {
    *("uname", "hosts", "placement", "kernels", "environment variables of mpi"),
    *("host list", "processes", "nodes"),
}
"""Rows of an environment that are left out: those of each host, and what other rows say."""


def environment_tables(document: Document) -> list[Table]:
    """Return what is known of where and how it ran, which ranks ran where, and settings of MPI."""
    result, e = document.result, document.result.environment
    rows: list[tuple[str, str | None]] = [
        ("program", " ".join(text for _, text in fields_of(result.program))),
        ("definition", result.definition),
        ("processes", f"{e.processes}: {e.host_list}"),
        *(row for row in fields_of(e) if row[0] not in _ELSEWHERE),
    ]
    file = ("file", document.source)
    if isinstance(result, ImportedHead):
        rows += [*fields_of(result.imported), file]
        return [facts("environment", rows, printed="as printed")]
    e = result.environment
    if isinstance(result, BPairsResult):
        rows.append(("roofs", "not known" if result.roofs is None else field_text(result.roofs)))
    if (use := carried(result)) is not None:
        wires = wires_text(use) + settings_text(e.environment_variables_of_mpi)
        far = far_text(use, [host.processes for host in e.hosts])
        rows += [("wires", wires), ("far from ports", far)]
    rows += [file] if result.load is None else [("load", load_text(result.load)), file]
    variables = sorted(e.environment_variables_of_mpi.items())
    tables = [facts("environment", rows), placement_table(result), facts("variables", variables)]
    return [table for table in tables if table.rows]


def placement_table(result: MeasuredResult) -> Table:
    """Show which ranks ran on the first hosts."""
    ranks = by_key((node, rank) for rank, node in enumerate(result.environment.placement))
    hosts = result.environment.hosts
    rows = [
        (host.name, host.processes, ranges(ranks.get(node, [])))
        for node, host in enumerate(hosts[:_MOST_HOSTS])
    ]
    return table("hosts", rows, more=len(hosts) - len(rows))


_SPREAD = ("official", "median", "worst")


def spread_tables(document: Document) -> list[Table]:
    """Show each value by other repetitions than the best; no table where nothing was repeated.

    Raises ResultError.
    """
    rows: list[Row] = []
    for spread in analysis_of(document).spread:
        values = (measured(getattr(spread, name), spread.value.unit) for name in _SPREAD)
        less = change(spread.median / spread.official - 1)
        rows.append((spread.value.label, *values, less, percent(spread.range, 1)))
    return [table("spread", rows)] if rows else []
