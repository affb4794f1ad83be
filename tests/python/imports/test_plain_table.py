"""The reader of pairs.csv and figures.csv: however a table is written, the same is read."""

import codecs
import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.examples import import_file
from support.reports import run_beff

from beff.imports.plain_table import figures_in, headings_of
from beff.imports.printed import printed_file
from beff.result.b_pairs_result import ImportedPairs
from beff.result.errors import ResultError

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


PAIR_HEAD, FIGURE_HEAD = "from,to,bytes,seconds", "figure,value,unit,when"
DAY = "s,2026-01-01,1"


def read(folder: Path, text: str) -> list[str]:
    """Read a table and return the remarks on it. Raises ResultError."""
    path = folder / "table.csv"
    path.write_bytes(text.encode())
    printed = printed_file(path)
    if {"figure", "value"} <= headings_of(printed.text):
        figures_in(printed)
    else:
        import_file(path)
    return printed.remarks


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
        (f"{PAIR_HEAD}\n{'n' * 300},b,8,1\n", "is too long for from"),
        ("from,to,bytes\na,b,8\n", "seconds or MBps"),
        (f"{PAIR_HEAD}\n,c,8,1e-6\n", "line 2: names no host"),
        (f"{PAIR_HEAD}\na,c,8,1e-12\n", "line 2: a time of"),
        (f"{PAIR_HEAD}\na,a,8,1e-6\n", "no measurement"),
        (f"{PAIR_HEAD}\n", "no measurement"),
        (f"{PAIR_HEAD},when\na,b,8,1e-6,soon\n", "line 2: 'soon'"),
        ("from,to,bytes,MBps\na,b,8,1\n", "no time of short messages"),
        (f"{FIGURE_HEAD}\na,1,furlong,2026-01-01\n", "line 2: whether more is better, unit"),
        (f"{FIGURE_HEAD}\n# x\na,1,s,soon\n", "line 3: 'soon' is no time"),
        (f"{FIGURE_HEAD}\na,1,s,1066-01-01\n", "line 2: '1066-01-01' is no time"),
        (f"{FIGURE_HEAD}\n,1,s,2026-01-01\n", "line 2: has no figure"),
        (f"{FIGURE_HEAD}\n", "holds no figure"),
        (f"{FIGURE_HEAD}\na,1,s,2026-01-01\na,1,us,2026-01-02\n", "line 3: unit of 'a' is us"),
        (f"{FIGURE_HEAD},better\na,1,s,2026-01-01,faster\n", "line 2: whether more is better"),
        (f"{FIGURE_HEAD},repetition\na,1,s,2026-01-01,x\n", "line 2: repetition is 'x'"),
        (f"{FIGURE_HEAD},repetition\na,1,{DAY}\na,2,{DAY}\n", "line 3: repetition 1 of 'a'"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ResultError) as problem:
        read(tmp_path, text)
    assert said in str(problem.value)
    assert "\n" not in str(problem.value)


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


# --- figures over time: `beff show --history` and `beff check` of them ---

QUIET = (1.0, 1.01, 0.99, 1.005, 0.995)
Rows = Sequence[str]


def days(name: str, unit: str, factors: Sequence[float], more: str = "") -> list[str]:
    """A row a day around 100, times a factor for each."""
    begin = datetime(2026, 10, 1, 10)
    return [
        f"{name},{100 * factor * QUIET[n % 5]},{unit},{(begin + timedelta(n)).isoformat()}Z{more}"
        for n, factor in enumerate(factors)
    ]


def imported(folder: Path, rows: Rows, head: str = FIGURE_HEAD, name: str = "figures") -> Path:
    table = folder / f"{name}.csv"
    table.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    assert run_beff("import", table).returncode == 0
    return folder / f"{name}.figures.json"


def test_series_go_on_in_other_files_and_copies_count_once(tmp_path: Path) -> None:
    """Seven days, then the same and another; those of another host are a series of their own."""
    rows = days("write", "MB/s", [1.0] * 8)
    old = imported(tmp_path, rows[:7], name="old")
    new = imported(tmp_path, rows, name="new")
    other = imported(
        tmp_path, days("write", "MB/s", [1.0] * 2, ",n1"), f"{FIGURE_HEAD},host", "other"
    )
    last = imported(tmp_path, days("write", "MB/s", [0.7] * 9)[8:], name="last")
    found = json.loads(run_beff("show", "--history", old, new, other, "--json").stdout)
    assert [(one["figure"], len(one["runs"])) for one in found] == [("write", 8), ("write, n1", 2)]
    assert run_beff("check", last).returncode == 3  # a first day
    assert run_beff("check", last, "--baseline", old, new).returncode == 1


def test_a_damaged_file_is_one_sentence(tmp_path: Path) -> None:
    file = imported(tmp_path, days("write", "MB/s", [1.0] * 6))
    fields = json.loads(file.read_text("utf-8"))
    fields["measured"]["value"][2] = -1
    for text in (json.dumps(fields), "{}", "[1]", "{"):
        file.write_text(text, encoding="utf-8")
        for command in (["check"], ["show", "--history"]):
            done = run_beff(*command, file)
            assert done.returncode == 2
            (line,) = done.stderr.splitlines()
            assert str(file) in line
