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
JOURNAL = str(DATA / "b_eff_2p_killed.journal.jsonl")
JOB = ("job", "slurm", "--nodes", "2", "--tasks-per-node", "2", "--benchmark", "b_eff")

FLAT = ("run", "-n", "4", "--simulate", "flat")

MISSING = (
    ("verify", "missing.json"),
    ("show", "missing.json"),
    ("compare", RESULT, "missing.json"),
    ("check", "missing.json"),
    ("check", RESULT, "--expect", "missing.yaml"),
    ("check", RESULT, "--baseline", "missing"),
    ("show", RESULT, "--hpl", "missing.out"),
    ("show", "missing.journal.jsonl"),
    ("import", "missing.sum"),
    ("run", "--expect", "missing.yaml"),
    ("run", "--engine", "missing"),
    ("run", "--launcher", "missing"),
    ("nodes", "--launcher", "missing"),
    ("run", "-n", "2", "--simulate", "missing.xml"),
    ("list", "add", "missing.json", "--list", "there"),
)
WRONG = (
    ("rnu",),
    ("list", "rnu"),
    ("run", "--proceses", "2"),
    ("run", "--processes", "2,2"),
    ("run", "--output-dir", "file"),
    ("run", "--output-dir", "file/below"),
    ("run", "--mpi", "lam"),
    ("run", "--mpi", "openmpi", "--engine", "file"),
    ("nodes", "--output-dir", "file"),
    ("run", "-n", "2", "--simulate", "file"),
    ("run", "-n", "2,2", "--simulate", "flat"),
    ("run", "-n", "4", "--simulate", "fat-tree"),
    ("run", "-n", "3", "--simulate", "two-switch"),
    ("run", "--simulate", "flat"),
    ("run", "--model", "smpi"),
    (*FLAT, "--placement", "missing"),
    (*FLAT, "--launcher", "true"),
    (*FLAT, "--quick"),
    (*FLAT, "--benchmark", "b_eff_io"),
    (*FLAT, "--benchmark", "b_eff", "--benchmark", "b_pairs"),
    (*FLAT, "--per-host", "all"),
    ("show", RESULT, "-o", "x.svg", "--figure", "nope"),
    ("job", "slurm", "--nodes", "2", "--tasks-per-node", "2", "--path", ".", "--walltime", "5min"),
    ("check", RESULT, "--accepted", "there", "--expect", "file"),
    ("list", "init", "."),
    ("list", "add", "file", "--list", "there"),
    ("list", "add", RESULT, "--list", "."),
    ("list", "add", RESULT, "--list", "there", "--system", "-"),
    ("list", "build", ".", "--check"),
    ("list", "build", "."),
    ("list", "build", "there", "--output-dir", "."),
)
TAKEN = (
    ("show", RESULT, "-o", "there.html"),
    ("compare", RESULT, RESULT, "-o", "there.svg"),
    ("check", RESULT, "--bad", "there.xml"),
    ("check", RESULT, "--openmetrics", "there.xml"),
    ("show", RESULT, "--rmax", "12", "-o", "there.json"),
    ("show", JOURNAL, "-o", "there.json"),
    (*JOB, "--output", "there.sh"),
)


@pytest.mark.parametrize("name", PLACES)
def test_help_shows_the_table(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*name.split(), "--help"]) == 0
    rows = capsys.readouterr().out.split("Exit codes:\n")[1].splitlines()
    assert [int(row.split()[0]) for row in rows] == list(exit_codes.meanings(name))


@pytest.mark.parametrize("arguments", MISSING, ids=" ".join)
def test_a_missing_file(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["list", "init", "there"]) == exit_codes.OK
    assert main(list(arguments)) == exit_codes.WRONG_USAGE


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_what_cannot_be_meant(
    arguments: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("mine", encoding="utf-8")
    assert main(["list", "init", "there"]) == exit_codes.OK
    capsys.readouterr()
    assert main(list(arguments)) == exit_codes.WRONG_USAGE
    assert capsys.readouterr().err.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"file", "there"}


@pytest.mark.parametrize("arguments", TAKEN, ids=" ".join)
def test_an_existing_target_stays(
    arguments: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    there = [Path(f"there.{ending}") for ending in ("html", "svg", "xml", "json", "sh")]
    for file in there:
        file.write_text("mine", encoding="utf-8")
    assert main(list(arguments)) == exit_codes.WRONG_USAGE
    assert "--overwrite" in capsys.readouterr().err
    assert {file.read_text(encoding="utf-8") for file in there} == {"mine"}
    assert len(list(tmp_path.iterdir())) == len(there)


@pytest.mark.parametrize(
    "arguments",
    [("compare", RESULT, RESULT, "--all"), ("--help",)],
    ids=" ".join,
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
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("beff.cli.app._command", lambda _: interrupted)
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
    assert main([command[0], "results", *command[1:]]) in (exit_codes.OK, exit_codes.NOT_VALID)
    assert "other.json" not in capsys.readouterr().err
    deep.joinpath("result.json").unlink()
    assert main([command[0], "results", *command[1:]]) == exit_codes.WRONG_USAGE


RUBBISH = {
    "text": b"b_eff = 12 MB/s",
    "cut": Path(RESULT).read_bytes()[:5000],
    "foreign": b"{}",
    "journal": Path(JOURNAL).read_bytes(),
}


@pytest.mark.parametrize("content", RUBBISH)
@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_what_is_no_result(
    command: tuple[str, ...], content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_bytes(RUBBISH[content])
    is_shown = command[0] == "show" and content == "journal" and "--history" not in command
    code = exit_codes.OK if is_shown else exit_codes.WRONG_USAGE
    assert main([command[0], "a.json", *command[1:]]) == code
