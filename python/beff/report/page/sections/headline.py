"""The value on top: number, unit, validity with reasons, cautions, and the papers' last line."""

from dataclasses import dataclass

from beff.analysis.cautions import cautions_of
from beff.analysis.verification import Verification
from beff.model.b_eff_io_result import BEffIoFigures, BEffIoResult
from beff.model.b_eff_result import BEffFigures
from beff.model.contract import AnyResult
from beff.model.result_parts import Criterion, Figure, Imported, ImportedHead
from beff.model.units import format_duration, format_size
from beff.report.last_line import last_line
from beff.report.page.numbers import bandwidth, count, rounded
from beff.report.page.section import Section, ShownResult


@dataclass(frozen=True)
class Fact:
    """A figure with its name and unit."""

    name: str
    value: str
    unit: str = ""


@dataclass(frozen=True)
class Headline:
    """Everything that belongs to the number itself."""

    benchmark: str
    value: str
    per: str
    """What the value is of, as in 'on 4 processes'."""
    valid: bool
    complete: bool
    criteria: list[Criterion]
    cautions: list[str]
    medium: str | None
    verified: str
    agrees: bool
    facts: list[Fact]
    imported: Imported | None
    last_line: str | None
    """None for an imported result, whose system nobody knows in full."""


def headline(shown: ShownResult) -> Section:
    """Build the section."""
    result = shown.result
    data = Headline(
        benchmark=shown.document.benchmark,
        value=bandwidth(main_value(result)),
        per=f"on {count(value_processes(result), 'process', 'processes')}",
        valid=result.valid,
        complete=result.complete,
        criteria=result.criteria,
        cautions=cautions_of(shown.document),
        medium=result.medium if isinstance(result, BEffIoResult) else None,
        verified=_verified(shown.verification),
        agrees=shown.verification.agrees,
        facts=_b_eff_facts(result) if isinstance(result, BEffFigures) else _io_facts(result),
        imported=result.imported if isinstance(result, ImportedHead) else None,
        last_line=last_line(shown.document),
    )
    return Section(shown.anchor("value"), "The value", "headline.html.j2", data)


def main_value(result: AnyResult) -> Figure:
    """Return b_eff or b_eff_io in MB/s."""
    if isinstance(result, BEffFigures):
        return result.summary.b_eff_MBps
    return result.summary.b_eff_io_MBps


def value_processes(result: AnyResult) -> int:
    """Return the number of processes that the value is of."""
    if isinstance(result, BEffIoFigures) and result.summary.processes is not None:
        return result.summary.processes
    return result.environment.processes


def _verified(verification: Verification) -> str:
    if verification.agrees:
        return (
            f"Recomputed from {count(verification.samples, 'sample')} when this page was made:"
            f" all {count(verification.figures, 'derived figure')} agree."
        )
    found = len(verification.findings)
    more = "" if found == 1 else f", and {count(found - 1, 'more disagreement')}"
    return f"Does not agree with its own samples: {verification.findings[0]}{more}."


def _b_eff_facts(result: BEffFigures) -> list[Fact]:
    s = result.summary
    first = "rings" if result.definition == "3.5" else "cyclic grids"
    facts = [
        Fact("per process", bandwidth(s.b_eff_per_process_MBps), "MB/s"),
        Fact(first, bandwidth(s.rings_MBps), "MB/s"),
        Fact("random rings", bandwidth(s.random_MBps), "MB/s"),
        Fact("at L_max", bandwidth(s.at_lmax_MBps), "MB/s"),
        Fact("at L_max per process", bandwidth(s.at_lmax_per_process_MBps), "MB/s"),
        Fact("the same, rings only", bandwidth(s.rings_at_lmax_per_process_MBps), "MB/s"),
        Fact("L_max", format_size(s.lmax_bytes)),
        Fact("latency", rounded(s.latency_us), "µs"),
        Fact("ping-pong latency", rounded(s.pingpong_latency_us), "µs"),
        Fact("ping-pong bandwidth", bandwidth(s.pingpong_MBps), "MB/s"),
    ]
    if s.total_memory_exchange_s is not None:
        facts.append(Fact("total memory / b_eff", format_duration(s.total_memory_exchange_s)))
    if s.balance_bytes_per_flop is not None:
        facts.append(Fact("b_eff / R_max", rounded(s.balance_bytes_per_flop), "byte/flop"))
    return facts


def _io_facts(result: BEffIoFigures) -> list[Fact]:
    s = result.summary
    facts = [
        Fact("write", bandwidth(s.write_MBps), "MB/s"),
        Fact("rewrite", bandwidth(s.rewrite_MBps), "MB/s"),
        Fact("read", bandwidth(s.read_MBps), "MB/s"),
        *(
            Fact(f"by release {release}", bandwidth(value), "MB/s")
            for release, value in s.values.items()
        ),
        Fact("scheduled time T", format_duration(result.schedule.time_s)),
        *_written(s.bytes_per_access["write"]),
        Fact("of the total memory", rounded(s.percent_of_memory, 3), "%"),
    ]
    if s.total_memory_write_min is not None:
        facts.append(
            Fact("total memory / b_eff_io", format_duration(60 * s.total_memory_write_min))
        )
    return facts


def _written(size_bytes: int | None) -> list[Fact]:
    return [] if size_bytes is None else [Fact("initially written", format_size(size_bytes))]
