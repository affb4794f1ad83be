"""`beff compare` as a black box: exit codes and sentences."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from support.checks import write
from support.machines.flat import flat
from support.machines.result import make_map
from support.sides import at, slowed

from beff.cli.app import main


def folder_of_runs(folder: Path, factor: float) -> Path:
    for number, noise in enumerate((1.0, 1.001, 0.999)):
        write(folder / f"{number}.json", slowed(factor * noise).fields)
    return folder


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return folder_of_runs(tmp_path / "base", 1.0)


def test_slower_faster_and_the_threshold(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = folder_of_runs(tmp_path / "slow", 1.2)
    assert main(["compare", str(base), str(slow), "--all"]) == 1
    told = capsys.readouterr().out
    assert told.startswith("B is slower: b_eff -16.7 %, ")
    assert main(["compare", str(slow), str(base)]) == 0
    assert "b_eff +20.0 %" in capsys.readouterr().out
    assert main(["compare", str(base), str(slow), "--threshold", "25%"]) == 0
    assert "25 %" in capsys.readouterr().out


def test_single_runs_ask_for_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a = write(tmp_path / "a.json", slowed(1.0).fields)
    b = write(tmp_path / "b.json", slowed(1.2).fields)
    assert main(["compare", str(a), str(b)]) == 3
    told = capsys.readouterr().out
    assert all(part in told for part in ("--run-noise", "63 %", "at least 3"))
    assert "inconclusive" in told
    assert "b_eff -16.7 %" in told
    assert main(["compare", str(a), str(b), "--run-noise", "1%"]) == 1


def test_json_holds_what_the_table_shows(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = folder_of_runs(tmp_path / "slow", 1.2)
    assert main(["compare", str(base), str(slow), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "slower"
    (comparison,) = report["comparisons"]
    assert comparison["runs_a"] == [str(base / f"{number}.json") for number in range(3)]
    assert (comparison["rests_on"], comparison["is_assumed"]) == ("runs", False)
    first = comparison["tables"][0]
    assert [table["name"] for table in comparison["tables"] if table["decides"]] == [
        "values",
        "message sizes",
    ]
    row = first["rows"][0]
    assert row["name"] == "b_eff"
    assert row["change"] == pytest.approx(-1 / 6)
    low, high = row["interval"]
    assert low < row["change"] < high < 0
    assert row["verdict"] == "slower"


def test_folders(base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["compare", str(base), str(empty)]) == 2
    assert "empty: holds no result" in capsys.readouterr().err
    maps = write(tmp_path / "maps" / "b_pairs.json", make_map(flat(4)))
    for map_ in (maps, maps.parent):
        assert main(["compare", str(map_), str(base)]) == 2
        assert "a map of pairs has no value; beff check judges it" in capsys.readouterr().err
    write(base / "plan.json", {"patterns": []})
    assert main(["compare", str(base), str(base)]) == 0
    write(base / "inner" / "broken.json", {"schema_version": 1, "benchmark": "b_eff"})
    capsys.readouterr()
    assert main(["compare", str(base), str(base)]) == 0
    assert capsys.readouterr().err.count("broken.json: ") == 2  # once a side


def test_text_from_files_is_not_markup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = slowed(1.0).fields
    a = write(tmp_path / "a.json", fields)
    fields["environment"]["host_list"] = "[red]node[/]"
    b = write(tmp_path / "b.json", fields)
    assert main(["compare", str(a), str(b), "--all"]) == 3
    assert "[red]node[/] in " in capsys.readouterr().out


def on_days(folder: Path, days: int, factor: float = 1.0, first: int = 1) -> Path:
    """A run a day, of a machine whose days differ by 2 %."""
    for day in range(first, first + days):
        level = factor * (1 + 0.02 * math.sin(5 * day))
        write(folder / f"{day}.json", at(f"2024-05-{day:02}T10:00:00Z", level).fields)
    return folder


def test_history_and_days(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run of today and one of yesterday, a third slower: their history decides."""
    a = on_days(tmp_path / "a", 1, first=20)
    b = on_days(tmp_path / "b", 1, 1.5, first=21)
    assert main(["compare", str(a), str(b)]) == 3
    assert "--history" in capsys.readouterr().out
    days = on_days(tmp_path / "days", 12)
    assert main(["compare", str(a), str(b), "--history", str(days)]) == 1
    assert main(["compare", str(a), str(b), "--history", str(tmp_path / "none")]) == 2
    target = days / "1.json"
    assert main(["compare", str(a), str(b), "--history", str(days), "-o", str(target)]) == 2
