"""The tables' figures against the result files, and numbers computed by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.reports import B_EFF, B_EFF_3_1, STORED, document_of, written
from support.results import Plan, make_result

from beff.report.tables.comparison import side_by_side
from beff.report.tables.published import b_eff_table_1
from beff.report.tables.sections import sections_of
from beff.report.tables.table import Table
from beff.verify.subject import load_subject


def rows_by_name(table: Table) -> dict[object, tuple[object, ...]]:
    return {row[0]: row[1:] for row in table.rows}


@pytest.mark.parametrize("files", [STORED[:1], STORED], ids=["one", "all"])
def test_tables_are_rectangular_and_named(files: tuple[Path, ...]) -> None:
    for section in sections_of(load_subject(files)):
        names = [table.name for table in section.tables]
        assert len(names) == len(set(names))
        for table in section.tables:
            assert table.rows
            assert {len(row) for row in table.rows} == {len(table.columns)}
            assert table.own_rows <= len(table.rows)


def test_a_result_by_definition_3_1_is_marked_beside_table_1() -> None:
    marks = {}
    for file in (B_EFF, B_EFF_3_1):
        table = b_eff_table_1(load_subject([file]).b_eff())
        marks[file] = str(table.rows[0][0]).endswith(" †")
        assert any(note.startswith("† by definition 3.1") for note in table.notes)
    assert marks == {B_EFF: False, B_EFF_3_1: True}


def changed(folder: Path, name: str, factor: float) -> Path:
    document = document_of(B_EFF)
    document["digest"]["samples"] = f"{round(factor * 1000):016x}"  # that of another run
    times = document["samples"]["time_max_s"]
    document["samples"]["time_max_s"] = [seconds * (1 + factor / 1e9) for seconds in times]
    document["summary"]["b_eff_MBps"] *= factor
    return written(folder, f"{name}.json", document)


def test_no_difference_where_compare_gives_none(tmp_path: Path) -> None:
    """By definition 3.1 the value is another figure; the third run can be compared."""
    other = make_result(Plan(definition="3.1"))
    files = [
        changed(tmp_path, "a", 1.0),
        written(tmp_path, "b.json", other),
        changed(tmp_path, "c", 0.5),
    ]
    table = side_by_side(load_subject(files).results)
    assert {row[-2] for row in table.rows} == {""}
    assert rows_by_name(table)["b_eff"][-1] == "-50.0 %"
    longer = [*files, *(changed(tmp_path, f"run{number}", 2.0 + number) for number in range(3))]
    below = side_by_side(load_subject(longer).results)
    assert [row[-1] for row in below.rows][:3] == ["", "", "-50.0 %"]
