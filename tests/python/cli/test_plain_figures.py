"""Plain figures over time: `beff import`, `beff show --history` and `beff check` of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from support.reports import run_beff

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
    assert run_beff("import", table).returncode == 0
    return folder / f"{name}.figures.json"


def test_series_go_on_in_other_files_and_copies_count_once(tmp_path: Path) -> None:
    """Seven days, then the same and another; those of another host are a series of their own."""
    rows = days("write", "MB/s", [1.0] * 8)
    old = imported(tmp_path, rows[:7], name="old")
    new = imported(tmp_path, rows, name="new")
    other = imported(tmp_path, days("write", "MB/s", [1.0] * 2, ",n1"), f"{HEAD},host", "other")
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
