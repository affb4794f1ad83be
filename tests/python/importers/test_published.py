"""The published Table 1 against itself, where its figures allow it."""

import pytest

from beff.definition.b_eff_io import value_1
from beff.importers.published import (
    PublishedRow,
    as_printed,
    published_io_results,
    published_results,
)

ROWS = published_results().rows
MIB = 1 << 20


def agrees(total: float, processes: int, per_process: float) -> bool:
    """Whether a rounded total and a rounded share of it can belong together."""
    return abs(total / processes - per_process) <= 0.5 + 0.5 / processes


def name(row: PublishedRow) -> str:
    return f"{row.system} {row.processes}"


@pytest.mark.parametrize("row", [row for row in ROWS if row.note is None], ids=name)
def test_per_process_figures_follow_from_the_totals(row: PublishedRow) -> None:
    assert agrees(row.b_eff_MBps, row.processes, row.b_eff_per_process_MBps)
    assert agrees(row.at_lmax_MBps, row.processes, row.at_lmax_per_process_MBps)


@pytest.mark.parametrize("row", [row for row in ROWS if row.note is not None], ids=name)
def test_a_note_stands_only_where_printed_figures_disagree(row: PublishedRow) -> None:
    value = agrees(row.b_eff_MBps, row.processes, row.b_eff_per_process_MBps)
    at_lmax = agrees(row.at_lmax_MBps, row.processes, row.at_lmax_per_process_MBps)
    assert not (value and at_lmax)


@pytest.mark.parametrize(
    ("value", "printed"),
    [(98, "98"), (10056.0, "10056"), (9709.549, "9709.549"), (21.53, "21.530"), (None, None)],
)
def test_rates_are_written_as_they_are_printed(value: float | None, printed: str | None) -> None:
    assert as_printed(value) == printed


def test_the_line_by_definition_3_1_agrees_with_itself() -> None:
    line = published_results().earlier
    assert (line.processes, line.memory_per_process_bytes) == (256, 128 * MIB)
    assert line.b_eff_MBps / line.processes == pytest.approx(37.928, abs=0.0005)
    assert line.b_eff_per_process_MBps == 37.928


def test_printed_parts_give_the_printed_value_of_b_eff_io() -> None:
    values = [
        (f"{value_1(row.write_MBps, row.rewrite_MBps, row.read_MBps):.3f}", row.b_eff_io_MBps)
        for row in published_io_results().rows
        if row.write_MBps is not None
    ]
    assert values == [("59.552", 59.552), ("62.906", 62.906)]


def test_every_value_of_b_eff_io_has_its_source() -> None:
    published = published_io_results()
    assert {row.source for row in published.rows} == set(published.sources)
    for row in published.rows:
        assert published.sources[row.source].year == (2000 if row.release == "0.5" else 2001)
