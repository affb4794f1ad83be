"""The user's index: made anew where it is damaged, and no verdict rests on it."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from support.results import SHORT, Plan, make_result

from beff.cli.app import main
from beff.store import index

MANY = 9


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "results"
    folder.mkdir()
    for number in range(MANY):
        fields = make_result(Plan(**{**SHORT.__dict__, "slower": 1 + number / 10}))
        fields["environment"]["started_at"] = f"2026-11-22T1{number}:00:00Z"
        fields["environment"]["finished_at"] = f"2026-11-22T1{number}:01:00Z"
        (folder / f"{number}.json").write_text(json.dumps(fields), encoding="utf-8")
    return folder


def file_of(results: Path) -> Path:
    return results.parent / "cache" / "beff" / "index.sqlite3"


def tables(kept: sqlite3.Connection) -> list[str]:
    return [name for (name,) in kept.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]


def in_rows(*texts: object) -> Callable[[Path], None]:
    """Put something in place of what is kept of each file, one after the other."""

    def damage(file: Path) -> None:
        with sqlite3.connect(file) as kept:
            for table in tables(kept):
                keys = [key for (key,) in kept.execute(f"SELECT rowid FROM {table}")]
                assert keys
                for place, key in enumerate(keys):
                    text = texts[place % len(texts)]
                    kept.execute(f"UPDATE {table} SET entry = ? WHERE rowid = ?", (text, key))

    return damage


def lose_columns(file: Path) -> None:
    with sqlite3.connect(file) as kept:
        for table in tables(kept):
            kept.execute(f"DROP TABLE {table}")
            kept.execute(f"CREATE TABLE {table} (other TEXT)")


def write_over(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[200:] = b"\xff" * (len(content) - 200)
    file.write_bytes(content)


def be_a_folder(file: Path) -> None:
    file.unlink()
    (file / "inside").mkdir(parents=True)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "no entries": in_rows("{", "", "null", "[]", "7", '{"benchmark": 1}', '{"value_MBps": "x"}'),
    "no texts": in_rows(b"\xff\xfe", 7, None, "[" * 100_000, '{"problem"', '{"path": "x"}'),
    "lost columns": lose_columns,
    "no database": lambda file: file.write_bytes(b"x" * 5000),
    "cut": lambda file: os.truncate(file, 5000),
    "written over": write_over,
    "a folder": be_a_folder,
    "may not be read": lambda file: file.chmod(0),
    "its folder may not be written": lambda file: file.parent.chmod(0o555),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_it_is_made_anew_in_silence(
    damage: str, results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said() -> tuple[str, ...]:
        assert main(["history", str(results)]) == 0
        return tuple(capsys.readouterr())

    before = said()
    DAMAGES[damage](file_of(results))
    assert said() == before
    assert said() == before
    file_of(results).parent.chmod(0o755)


def test_a_changed_row_changes_no_verdict(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All rows say that nothing is to be said of any file."""
    assert main(["history", str(results)]) == 0
    assert main(["list", "init", str(tmp_path / "list")]) == 0
    assert main(["list", "add", str(results / "5.json"), "--list", str(tmp_path / "list")]) == 0
    listed = next((tmp_path / "list").rglob("results/*.json.gz"))
    code = main(["list", "check", str(tmp_path / "list")])
    with sqlite3.connect(file_of(results)) as kept:
        (entries,) = (name for name in tables(kept) if name.startswith("entries"))
        kept.execute(f"UPDATE {entries} SET recomputed = 1, entry = NULL, reason = 'is fine'")
    assert main(["list", "check", str(tmp_path / "list")]) == code
    assert listed.exists()

    def never(*_: object) -> None:
        raise AssertionError("the index was asked")

    monkeypatch.setattr(index.Index, "__init__", never)
    wrong = json.loads((results / "0.json").read_text("utf-8"))
    wrong["summary"]["b_eff_MBps"] *= 2
    (results / "0.json").write_text(json.dumps(wrong), encoding="utf-8")
    assert main(["verify", str(results / "1.json")]) == 0
    assert main(["verify", str(results / "0.json")]) == 1
    assert main(["check", str(results / "1.json")]) == 3
    assert main(["check", str(results / "0.json"), "--baseline", str(results / "1.json")]) == 3
    accept = ["accept", str(results / "0.json"), "--as", str(tmp_path / "a"), "--tolerance", "10%"]
    assert main(accept) == 2
