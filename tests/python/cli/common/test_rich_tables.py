"""Tables on a terminal: no width of it cuts a figure."""

from dataclasses import replace

import pytest
from support.reports import DATA, STORED

from beff.cli.common import rich_tables
from beff.report.tables.published import b_eff_table_1
from beff.report.tables.sections import sections_of
from beff.report.tables.table import Table
from beff.verify.subject import load_subject

WIDE = DATA / "b_eff_2p_valid.json"  # its L_max has nine characters


def tables() -> list[Table]:
    (label, result), *_ = load_subject([WIDE]).b_eff()
    sections = sections_of(load_subject(list(STORED)))
    others = [table for section in sections for table in section.tables]
    return [b_eff_table_1([(label, result)]), *others]


@pytest.mark.parametrize("width", [40, 80, 100, 110, 200])
def test_no_figure_is_cut(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rich_tables, "_WIDTH_WITHOUT_TERMINAL", width)
    for table in tables():
        rich_tables.print_table(table)
        printed = capsys.readouterr().out.split()
        for row in table.shown():
            for column, cell in zip(table.columns, row, strict=True):
                words = [] if column.is_text else cell.split()
                assert set(words) <= set(printed), (table.title, cell)


def test_a_table_without_rows_is_its_heading(capsys: pytest.CaptureFixture[str]) -> None:
    table = replace(tables()[0], rows=(), marks=())
    rich_tables.print_table(table)
    assert "ping-pong" in capsys.readouterr().out
