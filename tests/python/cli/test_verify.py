"""`beff verify`, `beff --help` and what they print."""

import json
from pathlib import Path

import pytest
from support.results import journal_lines, make_result

from beff.cli.app import main


def result_file(folder: Path, name: str, factor: float = 1.0) -> Path:
    document = make_result()
    document["summary"]["b_eff_MBps"] *= factor
    document["summary"]["rings_MBps"] *= factor
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a_good_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = result_file(tmp_path, "good.json")
    assert main(["verify", str(path)]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{path}: verified, ")
    assert " 1008 samples agree" in told


def test_a_changed_file_names_the_first_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = result_file(tmp_path, "good.json"), result_file(tmp_path, "bad.json", 2.0)
    assert main(["verify", str(good), str(bad)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{good}: verified")
    assert lines[1].startswith(f"{bad}: summary.b_eff_MBps is ")
    assert lines[2].startswith(f"{bad}: 1 more ")
    assert main(["verify", "--all", str(bad)]) == 1
    assert "summary.rings_MBps is " in capsys.readouterr().out


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = result_file(tmp_path, "good.json")
    assert main(["verify", str(tmp_path / "none.json"), str(good)]) == 2
    told = capsys.readouterr()
    assert "there is no such file" in told.err
    assert "verified" in told.out


def test_a_journal_is_sent_to_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.journal.jsonl"
    path.write_text("\n".join(journal_lines(loops=2)) + "\n", encoding="utf-8")
    assert main(["verify", str(path)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"{path}: ")
    assert f"`beff show {path} -o NAME.json`" in told.err
    assert told.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["frobnicate"], "frobnicate"),
        (["verify"], "Missing argument 'FILE...'"),
        (["verify", "--frob", "x"], "--frob"),
        (["doctor", "--processes", "1"], "--processes"),
        (["run", "--processes", "two"], "--processes two: 'two' must be a whole number"),
        (["run", "--processes", "4,1"], "--processes 4,1: '1' must be a whole number"),
        (["run", "4"], "'4' is not an option; numbers of processes are given by --processes"),
        (["run", "--", "--output", "x"], "--output cannot be given behind '--'"),
        (["run", "--", "--plan=json"], "--plan measures nothing"),
    ],
)
def test_wrong_usage_is_one_sentence(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("beff: ")
    assert says in told.err
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("command", ["run", "doctor", "verify", "show"])
def test_every_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert f"\n    beff {command}" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("beff ")
