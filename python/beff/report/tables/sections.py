"""The whole report in words and tables: what all text formats show, in its order."""

from beff.analysis.cautions import cautions_of
from beff.analysis.signature import signature_sentence
from beff.analysis.subject import LabelledResult, Subject
from beff.model.b_eff_result import BEffFigures
from beff.model.contract import AnyResult
from beff.model.numbers import rate
from beff.report.tables import b_eff, b_eff_io
from beff.report.tables.balance import balance_tables
from beff.report.tables.environment import environment_table
from beff.report.tables.published import b_eff_io_published, b_eff_table_1
from beff.report.tables.side_by_side import b_eff_io_side_by_side, b_eff_side_by_side
from beff.report.tables.spread import spread_sections
from beff.report.tables.table import Section, Table
from beff.report.tables.validity import criteria_table, verdict, verdict_sentence


def sections_of(subject: Subject) -> list[Section]:
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


def headline(result: AnyResult) -> str:
    """Return the value with its unit, what it was measured on, and its validity."""
    if isinstance(result, BEffFigures):
        name, value = "b_eff", result.summary.b_eff_MBps
        processes = result.environment.processes
    else:
        name, value = "b_eff_io", result.summary.b_eff_io_MBps
        processes = result.summary.processes or result.environment.processes
    return (
        f"{name} = {rate(value)} on {processes} process{'' if processes == 1 else 'es'}"
        f" ({result.environment.host_list}), {verdict(result)}"
    )


def comparison_tables(subject: Subject) -> list[Table]:
    """Return the tables that hold several results, or results beside published ones."""
    tables = []
    if len(subject.b_eff()) > 1:
        tables.append(b_eff_side_by_side(subject.b_eff()))
    if len(subject.b_eff_io()) > 1:
        tables.append(b_eff_io_side_by_side(subject.b_eff_io()))
    if subject.b_eff():
        tables.append(b_eff_table_1(subject.b_eff()))
    if subject.b_eff_io():
        tables.append(b_eff_io_published(subject.b_eff_io()))
    return [*tables, *balance_tables(subject.b_eff(), subject.b_eff_io())]


def overview(subject: Subject) -> Section:
    """Return each result in one sentence, and what compares them."""
    lines = [f"{label}: {headline(result)}." for label, result in subject.b_eff()]
    lines += [f"{label}: {headline(result)}." for label, result in subject.b_eff_io()]
    return Section("Results", tuple(lines), tuple(comparison_tables(subject)))


def sections_of_result(entry: LabelledResult) -> list[Section]:
    """Return everything on one result."""
    document = entry.document
    result = document.result
    if isinstance(result, BEffFigures):
        summary, analysis = b_eff.summary_table(result), b_eff.analysis_tables(result)
    else:
        summary, analysis = b_eff_io.summary_table(result), b_eff_io.analysis_tables(result)
    remarks = [f"Caution: {caution}" for caution in cautions_of(document)]
    signed = signature_sentence(document)
    if signed:
        remarks.append(f"{signed[:1].upper()}{signed[1:]}.")
    return [
        Section(
            f"{document.benchmark}: {entry.label}",
            (verdict_sentence(result), *remarks),
            (summary, criteria_table(result)),
        ),
        Section("Environment", tables=(environment_table(result),), level=2),
        *([Section("Analysis", tables=tuple(analysis), level=2)] if analysis else []),
        *spread_sections(document),
    ]
