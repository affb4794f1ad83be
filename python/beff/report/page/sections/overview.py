"""Several results side by side: their values, and how far each is from the first of its kind."""

from collections.abc import Sequence
from dataclasses import dataclass

from beff.analysis.cautions import cautions_of
from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.b_eff_result import BEffFigures
from beff.model.contract import AnyResult
from beff.model.result_parts import Figure, ImportedHead
from beff.model.units import format_size
from beff.report.page.numbers import MISSING, bandwidth, percent, rounded
from beff.report.page.section import Section, ShownResult
from beff.report.page.sections.headline import main_value, value_processes


@dataclass(frozen=True)
class Cell:
    """A figure and its difference from the first result, where there is one."""

    text: str
    difference: str = ""


@dataclass(frozen=True)
class Line:
    """A result of the table; `anchor` is where its part of the page begins."""

    label: str
    anchor: str
    valid: bool
    cautions: int
    cells: list[Cell]


@dataclass(frozen=True)
class Overview:
    """One table for each benchmark: columns as name and unit."""

    benchmark: str
    columns: list[tuple[str, str]]
    lines: list[Line]
    comparable: list[str]
    """In what the results differ, so that a difference is not of the machines alone."""


def overview(results: Sequence[ShownResult]) -> Section:
    """Build the section: values, and differences from the first result of the benchmark."""
    b_eff = [(s, s.result) for s in results if isinstance(s.result, BEffFigures)]
    b_eff_io = [(s, s.result) for s in results if isinstance(s.result, BEffIoFigures)]
    tables = []
    if b_eff:
        columns = [
            ("processes", ""),
            ("b_eff", "MB/s"),
            ("per process", "MB/s"),
            ("rings", "MB/s"),
            ("random rings", "MB/s"),
            ("at L_max", "MB/s"),
            ("latency", "µs"),
            ("L_max", ""),
        ]
        figures = [(shown, _b_eff_figures(result)) for shown, result in b_eff]
        lmax = [format_size(result.summary.lmax_bytes) for _, result in b_eff]
        lines = [
            _line(shown, row, figures[0][1], [Cell(size)], rounded_from=5)
            for (shown, row), size in zip(figures, lmax, strict=True)
        ]
        tables.append(Overview("b_eff", columns, lines, _unlike([s for s, _ in b_eff])))
    if b_eff_io:
        columns = [
            ("processes", ""),
            ("b_eff_io", "MB/s"),
            ("write", "MB/s"),
            ("rewrite", "MB/s"),
            ("read", "MB/s"),
        ]
        figures = [(shown, _b_eff_io_figures(result)) for shown, result in b_eff_io]
        lines = [_line(shown, row, figures[0][1], [], rounded_from=9) for shown, row in figures]
        tables.append(Overview("b_eff_io", columns, lines, _unlike([s for s, _ in b_eff_io])))
    return Section("overview", "The results side by side", "overview.html.j2", tables)


def _b_eff_figures(result: BEffFigures) -> list[Figure]:
    s = result.summary
    return [
        s.b_eff_MBps,
        s.b_eff_per_process_MBps,
        s.rings_MBps,
        s.random_MBps,
        s.at_lmax_MBps,
        s.latency_us,
    ]


def _b_eff_io_figures(result: BEffIoFigures) -> list[Figure]:
    s = result.summary
    return [main_value(result), s.write_MBps, s.rewrite_MBps, s.read_MBps]


def _line(
    shown: ShownResult, row: list[Figure], first: list[Figure], rest: list[Cell], rounded_from: int
) -> Line:
    cells = [
        Cell(
            rounded(figure) if index >= rounded_from else bandwidth(figure),
            "" if row is first else _difference(figure, reference),
        )
        for index, (figure, reference) in enumerate(zip(row, first, strict=True))
    ]
    return Line(
        label=shown.label,
        anchor=shown.anchor("value"),
        valid=shown.result.valid,
        cautions=len(cautions_of(shown.document)),
        cells=[Cell(str(value_processes(shown.result))), *cells, *rest],
    )


def _difference(figure: Figure, reference: Figure) -> str:
    if figure is None or reference is None or reference == 0:
        return MISSING
    return percent(figure / reference - 1)


def _unlike(results: Sequence[ShownResult]) -> list[str]:
    """Name what a reader must know before reading a difference as one of the machines."""
    facts: dict[str, list[str | int]] = {
        "definition": [s.result.definition for s in results],
        "number of processes": [s.result.environment.processes for s in results],
        "memory per process": [s.result.environment.memory_per_process_bytes for s in results],
        "MPI library": [_library(s.result) for s in results],
        "hosts": [s.result.environment.host_list for s in results],
    }
    return [name for name, values in facts.items() if len(set(values)) > 1]


def _library(result: AnyResult) -> str:
    """Name the MPI library, which no print tells."""
    return "" if isinstance(result, ImportedHead) else result.environment.mpi.library
