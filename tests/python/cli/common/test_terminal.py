"""Tables on a terminal: no width of it cuts a figure."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.reports import DATA, STORED

from beff.cli.common import terminal
from beff.cli.common.terminal import LABEL_WIDTH, answer_lines
from beff.definition.subject import load_subject
from beff.result.load import check_document, load_document
from beff.show.parts.answer import Answer
from beff.show.parts.sentences import MOST_LINES
from beff.show.tables.balance import b_eff_table_1
from beff.show.tables.sections import sections_of
from beff.show.tables.table import Table

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
    monkeypatch.setattr(terminal, "_WIDTH_WITHOUT_TERMINAL", width)
    for table in tables():
        terminal.print_table(table)
        printed = capsys.readouterr().out.split()
        for row in table.shown():
            for column, cell in zip(table.columns, row, strict=True):
                words = [] if column.is_text else cell.split()
                assert set(words) <= set(printed), (table.title, cell)


RESULTS = sorted(DATA.glob("b_eff*[!l].json"))


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_few_lines_that_fit(path: Path, width: int) -> None:
    lines = answer_lines(Answer(load_document(path)), width)
    assert len(lines) <= 1 + 2 * MOST_LINES  # those of 80 columns are broken
    assert all(len(line) <= width for line in lines)
    assert all(line.plain[:LABEL_WIDTH].strip() == "" for line in lines[1:])


def test_the_way_to_a_value_keeps_release_and_procedure() -> None:
    fields = load_document(DATA / "b_eff_io_short.json").fields
    changed = check_document("a.json", fields | {"definition": "2.1", "procedure": "original"})
    glance = Answer(changed).glance
    assert glance is not None
    assert glance.command.endswith(" --procedure original -- --release 2.1")
