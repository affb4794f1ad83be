"""What names, labels and cautions are in files that are written of results."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as older_format
from support.machines.measure import flat
from support.machines.result import make_map
from support.reports import B_EFF, DATA, STORED, VALID, document_of, written
from support.results import Plan, make_result, model_s

from beff.cli.app import main
from beff.cli.common import terminal
from beff.cli.common.terminal import LABEL_WIDTH, answer_lines
from beff.definition.subject import load_subject, short_labels
from beff.judge.finding import Checked, Finding, Verdict
from beff.judge.judge_results import judge_results
from beff.result.load import check_document, load_document
from beff.show.formats import FORMATS
from beff.show.parts.answer import Answer
from beff.show.parts.checked import headline_of
from beff.show.parts.sentences import MOST_LINES, listed
from beff.show.tables.balance import b_eff_table_1
from beff.show.tables.sections import sections_of
from beff.show.tables.table import Table
from scripted_machine import Order


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    document["environment"]["hosts"][0]["name"] = '=HYPERLINK("http://example.org","x")'
    target = tmp_path / "samples.csv"
    file = written(tmp_path, "evil.json", document)
    assert main(["show", str(file), "-o", str(target)]) == 0
    text = target.read_text(encoding="utf-8")
    assert text.count("'=HYPERLINK") == text.count("=HYPERLINK") > 0


def test_names_of_hosts_cannot_break_a_file_of_metrics(tmp_path: Path) -> None:
    """Which is the same in the two formats of Prometheus."""
    fields = make_map(flat(8))
    fields["environment"]["hosts"][0]["name"] = 'n"1\\\n} 1'
    result, file = written(tmp_path, "a.json", fields), tmp_path / "beff.prom"
    main(["check", str(result), "--openmetrics", str(file)])
    text = file.read_text(encoding="utf-8")
    newer, older = (
        [(one.name, one.labels, one.value) for family in parse(text) for one in family.samples]
        for parse in (openmetrics, older_format)
    )
    assert newer == older
    assert 'n"1\\?} 1' in {labels.get("host") for _, labels, _ in newer}


@pytest.mark.parametrize(
    ("paths", "labels"),
    [
        (["/a/x.json"], ["x"]),
        (["/a/x.json", "/a/y.json"], ["x", "y"]),
        (["/a/x.json", "/b/x.json", "/b/y.json"], ["a/x", "b/x", "y"]),
        (["/a/c/x.json", "/b/c/x.json"], ["a/c/x", "b/c/x"]),
    ],
)
def test_labels_are_short_and_unique(paths: list[str], labels: list[str]) -> None:
    assert short_labels([Path(path) for path in paths]) == labels


@pytest.mark.parametrize("files", [STORED[:1], STORED], ids=["one", "all"])
def test_tables_are_rectangular_and_named(files: tuple[Path, ...]) -> None:
    for section in sections_of(load_subject(files)):
        names = [table.name for table in section.tables]
        assert len(names) == len(set(names))
        for table in section.tables:
            assert table.rows
            assert {len(row) for row in table.rows} == {len(table.columns)}
            assert table.own_rows <= len(table.rows)


OWN = "some processes share a core"
"""A code of a newer version is shown as it is."""
ADDED = "which shows no level"
WITHOUT_WORDS = {".pdf", ".png", ".svg", ".csv"}
"""Formats that show figures only."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A result with a caution of the program, and whose first repetitions were lucky."""

    def iteration_s(plan: Plan, order: Order) -> float:
        return model_s(plan, order) * (1 if order["repetition"] == 0 else 1.5)

    document = make_result(Plan(processes=2, methods=("sendrecv",), iteration_s=iteration_s))
    return written(tmp_path, "run.json", document | {"cautions": [{"code": OWN, "facts": {}}]})


@pytest.mark.parametrize(
    "ending", [entry.ending for entry in FORMATS if entry.ending not in WITHOUT_WORDS]
)
def test_every_report_with_words(ending: str, file: Path) -> None:
    target = file.with_name(f"written{ending}")
    assert main(["show", str(file), "-o", str(target)]) == 0
    text = target.read_text(encoding="utf-8")
    assert text.count(OWN) == text.count(ADDED) == 1
    assert "No cautions" not in text


# --- the headline of a verdict ---


def test_what_is_open_does_not_hide_what_is_good() -> None:
    """Of one map something beside its times, of several results one."""
    checked = judge_results([check_document("a.json", make_map(flat(16)))])
    facts = {"device": "mlx5_0 at 8 GT/s"}
    device = Finding("PCIe below maximum", "host node1", Verdict.UNKNOWN, "hardware", facts)
    beside = Checked((*checked, replace(device, source="a.json")))
    assert headline_of(beside).text == "good, but host node1 (PCIe below maximum)"
    noisy = Finding("partial", "b_eff", Verdict.UNKNOWN, "the rules", source="b.json")
    several = Checked((*checked, noisy))
    assert headline_of(several).text == "good, but 1 of 2 results: partial"
    assert any("b.json" in line for line in headline_of(several).lines)


@given(st.lists(st.text("ab, ", min_size=1, max_size=50), min_size=1, max_size=40))
def test_what_is_not_named_is_counted(items: list[str]) -> None:
    text = listed(items, 60)
    assert len(text) <= 60
    more = re.search(r" and (\d+) more$", text)
    named = len(items) - int(more[1]) if more else len(items)
    assert named == 1 or (named and text.startswith(", ".join(items[:named])))


# --- tables on a terminal: no width of it cuts a figure ---


def tables() -> list[Table]:
    (label, result), *_ = load_subject([VALID]).b_eff()  # its L_max has nine characters
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
