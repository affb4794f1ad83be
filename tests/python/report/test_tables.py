"""The tables' figures against the result files, and numbers computed by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from support.io_results import SHORT, make_io_result
from support.reports import B_EFF, B_EFF_3_1, B_EFF_IO, STORED, document_of, written
from support.results import Plan, make_result

from beff.report.tables import b_eff, b_eff_io
from beff.report.tables.comparison import side_by_side
from beff.report.tables.published import b_eff_io_published, b_eff_table_1
from beff.report.tables.sections import comparison_tables, sections_of, summary_table
from beff.report.tables.table import Cell, Column, Table, column, mbps
from beff.result.load import check_document, load_document
from beff.result.numbers import number, rate
from beff.verify.subject import LabelledResult, Subject, load_subject


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


def test_summary_of_b_eff_is_that_of_the_file() -> None:
    summary = document_of(B_EFF)["summary"]
    (_, result), *_ = load_subject([B_EFF]).b_eff()
    rows = rows_by_name(summary_table(result))
    assert rows["b_eff"] == (rate(summary["b_eff_MBps"]),)
    assert rows["random rings"] == (rate(summary["random_MBps"]),)
    assert rows["latency in rings"] == (f"{number(summary['rings_latency_us'])} µs",)
    assert rows["L_max"] == ("1 MiB",)
    assert rows["R_max"] == ("50 GFLOP/s",)
    assert rows["b_eff / R_max"] == (f"{number(summary['balance_bytes_per_flop'])} byte/flop",)


def test_one_method_alone_gives_the_value_of_a_run_with_one_method() -> None:
    (_, result), *_ = load_subject([B_EFF]).b_eff()
    (only,) = b_eff.method_table(result).rows
    _, value, rings, random, at_lmax, best_in = only
    assert value == pytest.approx(result.summary.b_eff_MBps, rel=1e-12)
    assert rings == pytest.approx(result.summary.rings_MBps, rel=1e-12)
    assert random == pytest.approx(result.summary.random_MBps, rel=1e-12)
    assert at_lmax == pytest.approx(result.summary.at_lmax_MBps, rel=1e-12)
    assert best_in == len({*zip(result.samples.pattern, result.samples.size, strict=True)})


def test_worst_average_and_best_by_size() -> None:
    (_, result), *_ = load_subject([B_EFF]).b_eff()
    row = b_eff.size_table(result).rows[20]
    values = [p.bandwidth_by_size_MBps[20] for p in result.patterns if p.group == "ring"]
    known = [value for value in values if value is not None]
    assert row[1] == min(known)
    assert row[3] == max(known)
    assert row[2] == pytest.approx(math.prod(known) ** (1 / len(known)), rel=1e-12)
    assert row[7] == pytest.approx(result.summary.at_lmax_MBps, rel=1e-12)


def test_positions_and_totals_of_b_eff_io() -> None:
    document = check_document("made up", make_io_result(SHORT))
    (_, result), *_ = Subject((LabelledResult("x", document),)).b_eff_io()
    tables = b_eff_io.analysis_tables(result)
    partitions = [table for table in tables if table.name.startswith("partition-")]
    assert len(partitions) == len(result.partitions)
    for index, table in enumerate(partitions):
        stored = document.fields["partitions"][index]["types"]
        totals = [row for row in table.rows if row[0] is None]
        assert [row[2] for row in totals] == ["total-write", "total-rewrite", "total-read"]
        for row, access in zip(totals, ("write", "rewrite", "read"), strict=True):
            assert list(row[3:]) == stored[access]
        positions = sorted({row[0] for row in table.rows if isinstance(row[0], int)})
        assert positions[0] == 1
        for row in table.rows:
            if row[0] == 1 and row[2] == "write":
                assert row[1] == 1024


def test_own_rows_stand_above_table_1() -> None:
    (label, result), *_ = load_subject([B_EFF]).b_eff()
    table = b_eff_table_1([(label, result)])
    assert table.own_rows == 1
    assert table.rows[0][:2] == (f"{label}, NOT VALID", 2)
    shown = table.shown()
    assert shown[1] == [
        *("Cray T3E/900-512", "512", "19919", "39", "1 MiB", "330", "50018", "98", "193")
    ]
    assert shown[-1] == ["Cray T3E hwwt3e †", "256", "9709.549", "37.928", "1 MiB", *"----"]
    assert [head.unit for head in table.heads[2:4]] == ["MB/s", "MB/s"]
    assert shown[0][2] == number(result.summary.b_eff_MBps)
    assert "With shared memory: NEC SX-5/8B, NEC SX-4/32," in table.notes[-2]
    assert any("paper prints 641" in note for note in table.notes)


def test_a_result_by_definition_3_1_is_marked_beside_table_1() -> None:
    marks = {}
    for file in (B_EFF, B_EFF_3_1):
        table = b_eff_table_1(load_subject([file]).b_eff())
        marks[file] = str(table.rows[0][0]).endswith(" †")
        assert any(note.startswith("† by definition 3.1") for note in table.notes)
    assert marks == {B_EFF: False, B_EFF_3_1: True}


def test_published_values_of_b_eff_io() -> None:
    table = b_eff_io_published(load_subject([B_EFF_IO]).b_eff_io())
    assert table.own_rows == 1
    rows = {(row[0], row[1], row[-1]): row[2:-1] for row in table.rows}
    missing = (None, None, None)
    assert rows["Cray T3E", "32 PEs", "1"] == (30, *missing, None, "57", None)
    parts = ("53.256", "68.252", "65.058")
    assert rows["IBM SP", "128 nodes", "1"] == (30, *parts, None, "62.906", None)
    assert rows["IBM SP", "128 nodes", "0.5"] == (10, *missing, "311", None, None)
    measured = load_subject([B_EFF_IO]).b_eff_io()[0][1]
    assert len(measured.partitions) == 2
    assert table.rows[0][2] == measured.schedule.time_s / 2 / 60
    own = measured.summary
    assert table.rows[0][3:6] == (own.write_MBps, own.rewrite_MBps, own.read_MBps)


def changed(folder: Path, name: str, factor: float) -> Path:
    document = document_of(B_EFF)
    document["digest"]["samples"] = f"{round(factor * 1000):016x}"  # that of another run
    document["summary"]["b_eff_MBps"] *= factor
    return written(folder, f"{name}.json", document)


def test_differences_from_the_first(tmp_path: Path) -> None:
    files = [changed(tmp_path, "a", 1.0), changed(tmp_path, "b", 1.1), changed(tmp_path, "c", 0.5)]
    table = side_by_side(load_subject(files).results)
    assert [column.title for column in table.columns] == [
        *("figure", "a", "b", "c", "b against a", "c against a")
    ]
    assert rows_by_name(table)["b_eff"][-2:] == ("+10.0 %", "-50.0 %")
    assert rows_by_name(table)["rings"][-2:] == ("0.0 %", "0.0 %")


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


def test_many_results_stand_below_each_other(tmp_path: Path) -> None:
    files = [changed(tmp_path, f"run{number}", 1 + number / 10) for number in range(6)]
    table = side_by_side(load_subject(files).results)
    assert [row[0] for row in table.rows] == [f"run{number}" for number in range(6)]
    assert [row[-1] for row in table.rows][:3] == ["", "+10.0 %", "+20.0 %"]


def test_one_result_is_not_compared_with_itself() -> None:
    names = [table.name for table in comparison_tables(load_subject([B_EFF]))]
    assert names == ["published", "balance"]  # the stored run holds R_max


def test_a_partial_result_has_gaps_not_zeros(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    document["summary"]["b_eff_MBps"] = None
    subject = load_subject([written(tmp_path, "partial.json", document)])
    table = b_eff_table_1(subject.b_eff())
    assert table.shown()[0][2] == "-"
    assert load_document(tmp_path / "partial.json").benchmark == "b_eff"


@pytest.mark.parametrize(
    ("cell", "column", "shown"),
    [
        (None, Column("x"), "-"),
        (1234.5678, Column("x"), "1235"),
        (12.345, Column("x"), "12.3"),
        (0.012345, Column("x"), "0.0123"),
        (7, Column("x"), "7"),
        (98926800, column("x", "byte"), "94.34 MiB"),
        (200.0, column("x", "s"), "3 min 20 s"),
        ("text", Column("x"), "text"),
    ],
)
def test_cells(cell: float | str | None, column: Column, shown: str) -> None:
    assert column.show(cell) == shown


def test_a_table_has_one_unit_for_its_rates() -> None:
    rows: tuple[tuple[Cell, ...], ...] = (("x", 1268.97, 0.5), ("y", None, 634.8))
    table = Table("t", "t", (Column("name"), mbps("a"), mbps("b")), rows)
    assert [head.heading for head in table.heads] == ["name", "a [GB/s]", "b [GB/s]"]
    assert table.shown() == [["x", "1.27", "0.0005"], ["y", "-", "0.635"]]
