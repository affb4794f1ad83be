"""The reader of pairs.csv and figures.csv: however a table is written, the same is read."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.commands import run
from support.printed import import_file

from beff.importers import figures_csv
from beff.importers.printed import printed_file
from beff.result.errors import ResultError
from beff.result.imported_pairs import ImportedPairs

ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "utf-8": lambda text: text.encode(),
    "utf-8 with a mark": lambda text: text.encode("utf-8-sig"),
    "utf-16, low byte first": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "utf-16, high byte first": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
}


@dataclass(frozen=True)
class Dialect:
    """How a table is written; `order` is that of its columns, of which `more` are not known."""

    separator: str
    decimal: str
    ending: str
    encoding: str
    case: Callable[[str], str]
    order: Sequence[int]
    more: Sequence[str]

    def write(self, path: Path, rows: Sequence[Sequence[str | float]]) -> Path:
        """Write rows, of which the first are the headings; floats have the decimal sign."""
        text = io.StringIO()
        writer = csv.writer(text, delimiter=self.separator, lineterminator=self.ending)
        whole = [[*rows[0], *self.more], *([*row, *("x" for _ in self.more)] for row in rows[1:])]
        for number, row in enumerate(whole):
            cells = [
                repr(cell).replace(".", self.decimal) if isinstance(cell, float) else cell
                for cell in row
            ]
            in_order = [cells[place] for place in self.order if place < len(cells)]
            writer.writerow(map(self.case, in_order) if number == 0 else in_order)
        path.write_bytes(ENCODINGS[self.encoding](text.getvalue()))
        return path


def dialects() -> st.SearchStrategy[Dialect]:
    separators = st.sampled_from([(",", "."), ("\t", "."), (";", "."), (";", ",")])
    return st.builds(
        lambda marks, *others: Dialect(*marks, *others),
        separators,
        st.sampled_from(["\n", "\r\n", "\r"]),
        st.sampled_from(sorted(ENCODINGS)),
        st.sampled_from([str, str.upper, str.lower, str.title]),
        st.permutations(range(6)),
        st.sampled_from([[], ["note"], ["note", ""]]),
    )


HOSTS = st.sampled_from(["n1", "n2", "rack-3.example", "x"])
PAIRS = st.dictionaries(
    st.tuples(HOSTS, HOSTS).filter(lambda ends: ends[0] < ends[1]),
    st.floats(1e-8, 1e5),
    min_size=1,
)
NAMES = st.text(" abcé,;'\"\t", min_size=1).map(str.strip).filter(bool)
FIGURES = st.lists(st.tuples(NAMES, st.floats(1e-6, 1e12)), min_size=1)
in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@in_one_folder
@given(dialects(), PAIRS)
def test_pairs_are_read_in_every_dialect(
    tmp_path: Path, dialect: Dialect, pairs: dict[tuple[str, str], float]
) -> None:
    rows = [(one, other, "8", seconds) for (one, other), seconds in pairs.items()]
    path = dialect.write(tmp_path / "pairs.csv", [("from", "to", "bytes", "seconds"), *rows])
    (document,) = import_file(path)
    result = document.result
    assert isinstance(result, ImportedPairs)
    hosts = [host.name for host in result.environment.hosts]
    assert result.meetings.small_ns is not None
    found = zip(
        result.meetings.first.split(),
        result.meetings.second.split(),
        result.meetings.small_ns.split(),
        strict=True,
    )
    assert {
        tuple(sorted((hosts[int(one)], hosts[int(other)]))): int(ns) for one, other, ns in found
    } == {ends: round(seconds * 1e9) for ends, seconds in pairs.items()}


@in_one_folder
@given(dialects(), FIGURES)
def test_figures_are_read_in_every_dialect(
    tmp_path: Path, dialect: Dialect, figures: list[tuple[str, float]]
) -> None:
    rows = [(name, value, "s", "2026-11-01") for name, value in figures]
    path = dialect.write(tmp_path / "figures.csv", [("figure", "value", "unit", "when"), *rows])
    printed = printed_file(path)
    series = figures_csv.read(printed)
    read = [(one["figure"], value) for one in series for value in one["values"]]
    assert sorted(read) == sorted(figures)
    assert len(printed.remarks) == len(dialect.more)


PAIR_HEAD, FIGURE_HEAD = "from,to,bytes,seconds", "figure,value,unit,when"


def read(folder: Path, text: str) -> list[str]:
    """Read a table and return the remarks on it. Raises ResultError."""
    path = folder / "table.csv"
    path.write_bytes(text.encode())
    printed = printed_file(path)
    if figures_csv.recognises(printed.text):
        figures_csv.read(printed)
    else:
        import_file(path)
    return printed.remarks


@pytest.mark.parametrize("head", [PAIR_HEAD, FIGURE_HEAD])
@pytest.mark.parametrize("number", ["1e5", "1E+2", "+3", "4.", ".5", "0.25"])
def test_numbers_are_read(head: str, number: str, tmp_path: Path) -> None:
    row = f"a,b,8,{number}" if head == PAIR_HEAD else f"a,{number},s,2026-11-01"
    assert read(tmp_path, f"{head}\n{row}\n") == []


@pytest.mark.parametrize("head", [PAIR_HEAD, FIGURE_HEAD])
@pytest.mark.parametrize(
    "number",
    ["1_000", "١٢", "１２", "0x10", "nan", "inf", "-1", "0", "", "1 000", "1e", "²", "9" * 400],  # noqa: RUF001 - digits of others
)
def test_what_is_no_number_in_ascii_is_named(head: str, number: str, tmp_path: Path) -> None:
    good, bad = ("a,b,8,{}", "# x\n\na,c,8,{}")
    if head == FIGURE_HEAD:
        good, bad = ("a,{},s,2026-11-01", "# x\n\na,{},s,2026-11-02")
    with pytest.raises(ResultError, match=r"line 5: ") as problem:
        read(tmp_path, f"{head}\n{good.format(1)}\n{bad.format(number)}\n")
    assert f"'{number[:40]}'" in str(problem.value)


@pytest.mark.parametrize("digits", ["1_0", "\u0661", "1e3", "1.0", "-1"])
def test_lengths_are_whole_numbers_in_ascii(digits: str, tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="line 2: bytes is"):
        read(tmp_path, f"{PAIR_HEAD}\na,b,{digits},1\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("from;to;bytes;seconds\na;b;8;1,5\na;c;8;1.5\n", "line 3: '1.5' has not the decimal sign"),
        ("from;to;bytes;seconds\na;b;8;1.000,5\n", "line 2: '1.000,5'"),
        ("from\tto\tbytes\tseconds\na\tb\t8\t1,5\n", "line 2: '1,5' is no"),
        (f"{PAIR_HEAD}\na,b,8,1,5\n", "line 2: has 5 columns, the headings 4"),
        (f'{PAIR_HEAD}\na,b,8,1\n"a,b,8,1\na,b,8,1\n', "line 3: is no line of a table"),
        (f'{PAIR_HEAD}\na,b,8,"1"1\n', "line 2: is no line of a table"),
        (f'{PAIR_HEAD}\n"a\nb",c,8,1\na,b,8,x\n', "line 4: 'x'"),
        ("from,to,bytes,seconds,To\na,b,8,1,c\n", "line 1: names 'To' twice"),
        ("\n# x\nFrom,to,bytes,seconds,FROM\n", "line 3: names 'FROM' twice"),
        ("from,to,bytes,seconds,MBps\na,b,8,1,1\n", "seconds or MBps, and not both"),
        ("figure,value\na,1\n", "has no column unit and when"),
        ("figure,value,unit,when,host,system\n", "host and system"),
        (f"{PAIR_HEAD}\n{'n' * 300},b,8,1\n", "is no name of a host"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ResultError) as problem:
        read(tmp_path, text)
    assert said in str(problem.value)
    assert "\n" not in str(problem.value)


def test_what_is_left_out_or_taken_as_another_is_said(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(
        "From,TO,bytes,Mbps,rack,\n"
        "Node1,n2,1000000,1000,r1,\n"
        ",,,,,\n"
        "From,TO,bytes,Mbps,rack,\n"
        "n2,node1,1000000,500,r1,\n"
        "node1,NODE1,1000000,9,r1,\n",
        encoding="utf-8",
    )
    code, told = run("import", path)
    assert code == 0
    for remark in (
        "'rack'",
        "column 6",
        "line 5: 'node1' and 'Node1'",
        "line 6: 'NODE1'",
        "'Mbps'",
    ):
        assert told.count(remark) == 1
    fields = (tmp_path / "pairs.json").read_text(encoding="utf-8")
    assert '"Node1"' in fields
    assert '"node1"' not in fields
    assert '"2000000"' in fields  # of 10^9 byte/s and half of that the slower one


def test_figures_of_a_host_are_one_series_however_it_is_spelt(tmp_path: Path) -> None:
    path = tmp_path / "figures.csv"
    rows = "write,1,s,2026-11-01,Node1\nwrite,2,s,2026-11-02,node1\n"
    path.write_text(f"{FIGURE_HEAD},host\n{rows}", encoding="utf-8")
    printed = printed_file(path)
    (series,) = figures_csv.read(printed)
    assert (series["host"], series["values"]) == ("Node1", [1, 2])
    assert [remark[:7] for remark in printed.remarks] == ["line 3:"]


PIECES = st.sampled_from([",", ";", "\t", '"', "\n", "#", "-", "9" * 400, "\x00", "é", "1_0"])


@in_one_folder
@given(st.sampled_from(["pairs", "figures"]), st.integers(0, 60), st.integers(0, 60), PIECES)
def test_damaged_tables_are_read_or_get_a_sentence(
    tmp_path: Path, name: str, begin: int, end: int, piece: str
) -> None:
    table = {
        "pairs": f"{PAIR_HEAD}\nn1,n2,8,1e-6\nn2,n3,8,2e-6\n",
        "figures": f"{FIGURE_HEAD}\nwrite,1.5,s,2026-11-01\n",
    }
    said = ""
    try:
        read(tmp_path, f"{table[name][:begin]}{piece}{table[name][end:]}")
    except ResultError as problem:
        said = str(problem)
    assert "\n" not in said
