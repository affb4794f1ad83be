"""What belongs to the number itself: its parts, criteria, the papers' last line."""

from dataclasses import dataclass

from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.b_eff_result import BEffFigures
from beff.model.numbers import scaled
from beff.model.result_parts import Criterion
from beff.model.result_parts import Figure as Measured
from beff.model.units import format_duration, format_size
from beff.report.last_line import last_line
from beff.report.page.numbers import MISSING, rounded
from beff.report.page.section import Section, ShownResult


@dataclass(frozen=True)
class Fact:
    """A figure with its name and unit."""

    name: str
    value: str
    unit: str = ""


@dataclass(frozen=True)
class Summary:
    """The figures reported with the value."""

    facts: list[Fact]
    criteria: list[Criterion]
    last_line: str | None
    """None for an imported result, whose system nobody knows in full."""


def summary(shown: ShownResult) -> Section:
    """Build the section."""
    result = shown.result
    data = Summary(
        facts=_b_eff_facts(result) if isinstance(result, BEffFigures) else _io_facts(result),
        criteria=result.criteria,
        last_line=last_line(shown.document),
    )
    return Section(shown.anchor("summary"), "Summary", "summary.html.j2", data)


def _scaled(value_MBps: Measured) -> tuple[str, str]:  # noqa: N803 - the unit of the field
    return (MISSING, "") if value_MBps is None else scaled(value_MBps)


def _b_eff_facts(result: BEffFigures) -> list[Fact]:
    s = result.summary
    first = "rings" if result.definition == "3.5" else "cyclic grids"
    facts = [
        Fact("per process", *_scaled(s.b_eff_per_process_MBps)),
        Fact(first, *_scaled(s.rings_MBps)),
        Fact("random rings", *_scaled(s.random_MBps)),
        Fact("at L_max", *_scaled(s.at_lmax_MBps)),
        Fact("at L_max per process", *_scaled(s.at_lmax_per_process_MBps)),
        Fact("the same, rings only", *_scaled(s.rings_at_lmax_per_process_MBps)),
        Fact("L_max", format_size(s.lmax_bytes)),
        Fact("latency", rounded(s.latency_us), "µs"),
        Fact("ping-pong latency", rounded(s.pingpong_latency_us), "µs"),
        Fact("ping-pong bandwidth", *_scaled(s.pingpong_MBps)),
    ]
    if s.total_memory_exchange_s is not None:
        facts.append(Fact("total memory / b_eff", format_duration(s.total_memory_exchange_s)))
    if s.balance_bytes_per_flop is not None:
        facts.append(Fact("b_eff / R_max", rounded(s.balance_bytes_per_flop), "byte/flop"))
    return facts


def _io_facts(result: BEffIoFigures) -> list[Fact]:
    s = result.summary
    facts = [
        Fact("write", *_scaled(s.write_MBps)),
        Fact("rewrite", *_scaled(s.rewrite_MBps)),
        Fact("read", *_scaled(s.read_MBps)),
        *(Fact(f"by release {release}", *_scaled(value)) for release, value in s.values.items()),
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
