"""The whole report in words and tables: what all text formats show, in its order."""

from collections.abc import Sequence

from beff.report.parts.answer import answer_of
from beff.report.parts.sentences import cautions_of
from beff.report.tables import b_eff, b_eff_io
from beff.report.tables.balance import balance_tables
from beff.report.tables.comparison import side_by_side
from beff.report.tables.environment import environment_table
from beff.report.tables.published import b_eff_io_published, b_eff_table_1
from beff.report.tables.spread import spread_sections
from beff.report.tables.table import Column, Table, TableGroup, text
from beff.report.tables.validity import criteria_table, verdict_sentence
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_result import BEffFigures, why_alone
from beff.result.contract import AnyResult
from beff.result.imported_pairs import MapResult
from beff.result.numbers import counted, format_duration, measured
from beff.verify.common.summary_figures import NETWORK, summary_figures, value_processes
from beff.verify.subject import LabelledResult, Subject


def sections_of(subject: Subject) -> list[TableGroup]:
    """Return headlines, comparisons, then every result in full."""
    return [
        overview(subject),
        *(section for r in subject.results for section in sections_of_result(r)),
    ]


def title_of(subject: Subject) -> str:
    """Name the report: by its result, or by how many it holds."""
    if len(subject.results) == 1:
        (only,) = subject.results
        return f"{only.document.benchmark}: {only.label}"
    return f"Report of {len(subject.results)} results"


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
        ]
    return Table("summary", "Summary", (text("figure"), Column("value")), tuple(rows))


_RARE = {"rmax_gflops", "balance_bytes_per_flop", *(figure.name for figure in NETWORK)}


def analysis_tables(result: AnyResult, partitions: Sequence[int] | None = None) -> list[Table]:
    """Return what the samples show; of b_eff_io by choice those of some partitions alone."""
    if isinstance(result, BEffFigures):
        return b_eff.analysis_tables(result)
    if isinstance(result, MapResult):
        return []
    return b_eff_io.analysis_tables(result, partitions)


def side_by_side_tables(subject: Subject) -> list[Table]:
    """Return a table for each benchmark that has several results."""
    benchmarks = dict.fromkeys(entry.document.benchmark for entry in subject.results)
    groups = ([r for r in subject.results if r.document.benchmark == name] for name in benchmarks)
    return [side_by_side(group) for group in groups if len(group) > 1]


def published_tables(subject: Subject) -> list[Table]:
    """Return a table with the published systems for each benchmark that has a result."""
    b_eff_results = [one for one in subject.b_eff() if not why_alone(one[1].definition)]
    io_results = subject.b_eff_io()
    return [
        *([b_eff_table_1(b_eff_results)] if b_eff_results else []),
        *([b_eff_io_published(io_results)] if io_results else []),
    ]


def comparison_tables(subject: Subject) -> list[Table]:
    """Return the tables that hold several results, or results beside published ones."""
    return [
        *side_by_side_tables(subject),
        *published_tables(subject),
        *balance_tables(subject.b_eff(), subject.b_eff_io()),
    ]


def overview(subject: Subject) -> TableGroup:
    """Return the headline of each result with its lines, and what compares them."""
    lines: list[str] = []
    for entry in subject.results:
        found = answer_of(entry.document).headline
        lines += [f"{entry.label}: {entry.document.benchmark} {found.text}.", *found.lines]
    return TableGroup("Results", tuple(lines), tuple(comparison_tables(subject)))


def sections_of_result(entry: LabelledResult) -> list[TableGroup]:
    """Return everything on one result."""
    document = entry.document
    result = document.result
    analysis = analysis_tables(result)
    remarks = [f"Caution: {caution}" for caution in cautions_of(document)]
    return [
        TableGroup(
            f"{document.benchmark}: {entry.label}",
            (verdict_sentence(result), *remarks),
            (summary_table(result), criteria_table(result)),
        ),
        TableGroup("Environment", tables=(environment_table(result),), level=2),
        *([TableGroup("Analysis", tables=tuple(analysis), level=2)] if analysis else []),
        *spread_sections(document),
    ]
