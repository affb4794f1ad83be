"""The exit codes of all commands: one table, shown by --help and kept by each."""

import os
import re
import shlex
import shutil
import stat
import tempfile
from pathlib import Path

import pytest
from support.reports import VALID, beff_process, run_beff

from beff.cli.app import PLACES, main
from beff.cli.common import exit_codes, files

RESULT = str(VALID)


@pytest.mark.parametrize("name", PLACES)
def test_help_shows_the_table(name: str) -> None:
    rows = run_beff(*name.split(), "--help").stdout.split("Exit codes:\n")[1].splitlines()
    codes = [int(row[:7]) for row in rows if row[:7].strip()]
    assert codes == sorted({*codes, 0, 1, 2, 70, 130, 141})


@pytest.mark.parametrize(
    "arguments", [("compare", RESULT, RESULT, "--all"), ("--help",)], ids=" ".join
)
def test_output_that_nobody_reads(arguments: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        done = beff_process(*arguments, stdout=closed)
    assert (done.returncode, done.stderr) == (exit_codes.CLOSED_PIPE, "")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("compare", RESULT, RESULT), 2), (("verify", RESULT), 1)],
)
def test_output_that_has_no_place(arguments: tuple[str, ...], code: int) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = beff_process(*arguments, stdout=full)
    assert done.returncode == code
    assert "cannot be written" in done.stderr


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
def test_folders_are_read_with_all_in_them(command: tuple[str, ...], tmp_path: Path) -> None:
    deep = tmp_path / "results" / "one" / "more"
    deep.mkdir(parents=True)
    shutil.copy(RESULT, deep / "result.json")
    (tmp_path / "results" / "other.json").write_text("{}", encoding="utf-8")
    line = (command[0], "results", *command[1:])
    done = run_beff(*line, folder=tmp_path)
    assert done.returncode == 3 * (command == ("check",))
    assert "other.json" not in done.stderr
    deep.joinpath("result.json").unlink()
    assert run_beff(*line, folder=tmp_path).returncode == exit_codes.WRONG_USAGE


# --- an error that nobody foresaw: one sentence that asks for a report, and a file for it ---

SENTENCE = re.compile(
    r"beff: unforeseen ZeroDivisionError, a fault of beff itself; please report it with the"
    r" traceback in (\S+)\n"
)


def test_one_sentence_names_the_file_with_the_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a fault whose words a terminal must not see."""

    def fail(_: object) -> None:
        raise ZeroDivisionError("first line\nsecond \x1b[2J line \ud800")

    monkeypatch.setattr(files.load, "load_document", fail)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert main(["verify", RESULT, "with space"]) == exit_codes.UNFORESEEN
    said = capsys.readouterr()
    assert said.out == ""
    found = SENTENCE.fullmatch(said.err)
    assert found is not None
    file = Path(found[1])
    assert file.parent == tmp_path
    assert stat.S_IMODE(file.stat().st_mode) == 0o600  # it holds names of files
    text = file.read_text(encoding="utf-8")
    assert f"beff verify {shlex.quote(RESULT)} 'with space'" in text
    assert "Traceback (most recent call last)" in text
    assert "ZeroDivisionError: first line" in text
