"""The exit codes of all commands: one table, shown by --help and kept by each."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from beff.cli.app import PLACES, main
from beff.cli.common import exit_codes

DATA = Path(__file__).resolve().parents[3] / "data"
RESULT = str(DATA / "b_eff_2p_valid.json")


@pytest.mark.parametrize("name", PLACES)
def test_help_shows_the_table(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*name.split(), "--help"]) == 0
    rows = capsys.readouterr().out.split("Exit codes:\n")[1].splitlines()
    codes = [int(row[:7]) for row in rows if row[:7].strip()]
    assert codes == sorted({*codes, 0, 1, 2, 70, 130, 141})


@pytest.mark.parametrize(
    "arguments", [("compare", RESULT, RESULT, "--all"), ("--help",)], ids=" ".join
)
def test_output_that_nobody_reads(arguments: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "beff", *arguments],
            stdout=closed,
            stderr=subprocess.PIPE,
            check=False,
            timeout=240,
        )
    assert (done.returncode, done.stderr) == (exit_codes.CLOSED_PIPE, b"")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("compare", RESULT, RESULT), 2), (("verify", RESULT), 1)],
)
def test_output_that_has_no_place(arguments: tuple[str, ...], code: int) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "beff", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=240,
        )
    assert done.returncode == code
    assert b"cannot be written" in done.stderr


@pytest.mark.parametrize("name", PLACES)
def test_ctrl_c(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("beff.cli.app.import_module", interrupted)
    assert main(name.split()) == exit_codes.STOPPED


READERS = (
    ("verify",),
    ("show", "-o", "all.csv"),
    ("show", "--rmax", "5"),
    ("show", "--history"),
    ("check",),
)


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_folders_are_read_with_all_in_them(
    command: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    deep = Path("results", "one", "more")
    deep.mkdir(parents=True)
    shutil.copy(RESULT, deep / "result.json")
    Path("results", "other.json").write_text("{}", encoding="utf-8")
    assert main([command[0], "results", *command[1:]]) == 3 * (command == ("check",))
    assert "other.json" not in capsys.readouterr().err
    deep.joinpath("result.json").unlink()
    assert main([command[0], "results", *command[1:]]) == exit_codes.WRONG_USAGE
