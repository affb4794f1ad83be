"""Plain figures over time: `beff import`, `beff show --history` and `beff check` of them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.cli.app import main
from beff.importers import figures_csv
from beff.importers.printed import Printed
from beff.result.plain_figures import PlainFigures, joined
from store_support import OFFICIAL, bytes_of, result_of

HEAD = "figure,value,unit,when"
QUIET = (1.0, 1.01, 0.99, 1.005, 0.995)
Rows = Sequence[str]


def days(name: str, unit: str, factors: Sequence[float], more: str = "") -> list[str]:
    """A row a day around 100, times a factor for each."""
    begin = datetime(2026, 10, 1, 10)
    return [
        f"{name},{100 * factor * QUIET[n % 5]},{unit},{(begin + timedelta(n)).isoformat()}Z{more}"
        for n, factor in enumerate(factors)
    ]


def imported(folder: Path, rows: Rows, head: str = HEAD, name: str = "figures") -> Path:
    table = folder / f"{name}.csv"
    table.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    assert main(["import", str(table)]) == 0
    return folder / f"{name}.figures.json"


@pytest.mark.parametrize(
    ("unit", "factor", "code"),
    [
        ("MiB/s", 0.8, 1),
        ("op/s", 1.25, 0),
        ("us", 1.25, 1),
        ("s", 0.8, 0),
        ("GB/s", 1.0, 0),
    ],
)
def test_the_last_day_beside_those_before(
    unit: str,
    factor: float,
    code: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of rates more is better, of times less; the step is where the figures changed."""
    file = imported(tmp_path, days("write", unit, [1.0] * 8 + [factor] * 3))
    capsys.readouterr()
    assert main(["check", str(file), "--json"]) == code
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["verdict"], finding["about"]) == ("bad" if code else "good", "write")
    assert main(["show", "--history", str(tmp_path), "--json"]) == 0
    (series,) = json.loads(capsys.readouterr().out)
    assert len(series["runs"]) == 11
    words = [
        (series["runs"][step["run"]]["measured_at"][:10], step["verdict"])
        for step in series["steps"]
    ]
    assert words == ([("2026-10-09", "slower" if code else "faster")] if factor != 1 else [])


def test_a_column_says_what_the_unit_does_not(tmp_path: Path) -> None:
    for better, code in (("higher", 1), ("lower", 0)):
        rows = days("score", "points", [1.0] * 8 + [0.7], f",{better}")
        file = imported(tmp_path, rows, f"{HEAD},better", better)
        assert main(["check", str(file)]) == code


@pytest.mark.parametrize("head", [f"\ufeff{HEAD}", '"figure","value","unit","when"'])
def test_tables_of_spreadsheets_and_of_r_are_read(head: str, tmp_path: Path) -> None:
    file = imported(tmp_path, ['"write, 8 B",1,"MB/s","2026-01-01"'], head)
    (series,) = json.loads(file.read_text("utf-8"))["series"]
    assert (series["figure"], series["values"]) == ("write, 8 B", [1.0])


def test_a_baseline_of_figures_alone_holds_no_earlier_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = tmp_path / "result.json"
    result.write_bytes(bytes_of(result_of(plan=OFFICIAL)))
    file = imported(tmp_path, days("write", "MB/s", [1.0] * 6))
    capsys.readouterr()
    assert main(["check", str(result), "--baseline", str(file)]) == 3
    assert "there are no earlier results of b_eff" in capsys.readouterr().out


def test_series_go_on_in_other_files_and_copies_count_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seven days, then the same and another; those of another host are a series of their own."""
    rows = days("write", "MB/s", [1.0] * 8)
    old = imported(tmp_path, rows[:7], name="old")
    new = imported(tmp_path, rows, name="new")
    other = imported(tmp_path, days("write", "MB/s", [1.0] * 2, ",n1"), f"{HEAD},host", "other")
    last = imported(tmp_path, days("write", "MB/s", [0.7] * 9)[8:], name="last")
    capsys.readouterr()
    main(["show", "--history", str(old), str(new), str(other), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [(one["figure"], len(one["runs"])) for one in found] == [("write", 8), ("write, n1", 2)]
    assert main(["check", str(last)]) == 3  # a first day
    assert main(["check", str(last), "--baseline", str(old), str(new)]) == 1


def test_it_is_no_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Other commands refuse it, and leave it out of folders without a word."""
    file = imported(tmp_path, days("b_eff", "MB/s", [1.0] * 6))
    for command in ("show", "verify", "compare", "accept"):
        capsys.readouterr()
        more = {"compare": [str(file)], "accept": ["--as", str(tmp_path / "x")]}.get(command, [])
        assert main([command, str(file), *more]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert main(["import", str(tmp_path / "figures.csv"), "-o", str(tmp_path / "x.json")]) == 2


@pytest.mark.parametrize(
    ("head", "rows", "said"),
    [
        (HEAD, ["a,1,furlong,2026-01-01"], "line 2: whether more is better, unit 'furlong'"),
        (HEAD, ["a,0,s,2026-01-01"], "line 2: '0' is no positive"),
        (HEAD, ["a,nan,s,2026-01-01"], "line 2: 'nan' is no positive"),
        (HEAD, ["# x", "a,1,s,soon"], "line 3: 'soon' is no time"),
        (HEAD, ["a,1,s,1066-01-01"], "line 2: '1066-01-01' is no time"),
        (HEAD, ["a,1,s"], "line 2: has 3 columns"),
        (HEAD, [",1,s,2026-01-01"], "line 2: has no figure"),
        (HEAD, [], "holds no figure"),
        (HEAD, ["a,1,s,2026-01-01", "a,1,us,2026-01-02"], "line 3: unit of 'a' is us"),
        (f"{HEAD},better", ["a,1,s,2026-01-01,faster"], "line 2: whether more is better"),
        (f"{HEAD},repetition", ["a,1,s,2026-01-01,x"], "line 2: repetition is 'x'"),
        (
            f"{HEAD},repetition",
            ["a,1,s,2026-01-01,1", "a,2,s,2026-01-01,1"],
            "line 3: repetition 1 of 'a'",
        ),
    ],
)
def test_a_wrong_table_is_one_sentence(
    head: str, rows: Rows, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "figures.csv"
    table.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    assert main(["import", str(table)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"figures.csv: {said}" in line
    assert not (tmp_path / "figures.figures.json").exists()


def test_a_damaged_file_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = imported(tmp_path, days("write", "MB/s", [1.0] * 6))
    fields = json.loads(file.read_text("utf-8"))
    fields["series"][0]["values"][2] = -1
    for text in (json.dumps(fields), "{}", "[1]", "{"):
        file.write_text(text, encoding="utf-8")
        for command in (["check"], ["show", "--history"]):
            capsys.readouterr()
            assert main([*command, str(file)]) == 2
            (line,) = capsys.readouterr().err.splitlines()
            assert str(file) in line


DATES = st.dates(date(1970, 1, 1), date(2299, 12, 31))
ROWS = st.lists(
    st.tuples(st.sampled_from(["a", "b b", "c/d"]), st.floats(1e-6, 1e12), DATES), min_size=1
)


@given(ROWS)
def test_what_is_read_is_what_stands_there(rows: list[tuple[str, float, date]]) -> None:
    """In any order, each measurement once."""
    text = "\n".join([HEAD, *(f"{name},{value!r},MB/s,{when}" for name, value, when in rows)])
    series = figures_csv.read(Printed("x", "x", text))
    fields = {"figures_version": 1, "source": "x", "series": series}
    found = list(joined([PlainFigures.model_validate(fields)] * 2))
    values = [(one.figure, value) for one in found for value in one.values]
    once = {(name, value, when) for name, value, when in rows}
    assert sorted(values) == sorted((name, value) for name, value, _ in once)
    assert all(list(one.starts) == sorted(one.starts) for one in found)


def test_many_series_without_a_change_are_seldom_bad(tmp_path: Path) -> None:
    """Twenty figures of 20 days, 25 times: of 100 checks one is bad."""
    chance = random.Random(20261128)
    bad = 0
    for trial in range(25):
        rows = [
            row
            for figure in range(20)
            for row in days(f"f{figure}", "s", [1 + chance.gauss(0, 0.03) for _ in range(20)])
        ]
        bad += main(["check", str(imported(tmp_path, rows, name=str(trial)))]) == 1
    assert bad <= 2
