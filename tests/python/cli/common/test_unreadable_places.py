"""A place where one may not look, and a name that is too long: one sentence from every command."""

import ctypes
import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.examples import SUM
from support.reports import DATA, VALID, run_beff

from beff.cli.app import COMMANDS, main
from beff.cli.common import exit_codes

_CAPABILITIES_3 = 0x20080522
"""Version of Linux' capget and capset."""
_LOOKS_EVERYWHERE = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
REASONS = {
    "locked/in/x": os.strerror(errno.EACCES),
    "a" * 300: os.strerror(errno.ENAMETOOLONG),
}
TENDER = "job slurm --nodes 2 --tasks-per-node 2 --path /tmp"
RUN = "--engine /bin/true --launcher true --benchmark b_eff"
LINES = (
    "verify {at}.json",
    "show --history {at}.json",
    "show {at}.json",
    "show r.json -o {at}.html",
    "compare {at}.json r.json",
    "compare r.json r.json --history {at}",
    "check {at}.json",
    "check r.json --expect {at}.yaml",
    "check r.json --accepted {at}",
    "check r.json --baseline {at}",
    "check r.json --topology {at}.conf",
    "check r.json --openmetrics {at}.prom",
    "check r.json --bad {at} --overwrite",
    "accept {at}.json --as new --tolerance 10%",
    "accept r.json --as {at} --tolerance 10%",
    "show {at}.json --rmax 5",
    "show r.json --hpl {at}.out",
    "show {at}.journal.jsonl",
    "show j.journal.jsonl -o {at}.json",
    "import {at}.sum",
    "import t.sum -o {at}.json",
    "run --expect {at}.yaml",
    "today --history {at}",
    "run --engine {at}",
    "run --launcher {at}",
    "run --benchmark b_eff_io --path {at}",
    f"run {RUN} --output-dir {{at}}",
    "nodes --topology {at}.yaml",
    "nodes --bad {at}",
    "run -n 4 --simulate {at}.xml",
    "run -n 4 --simulate flat --placement {at}",
    f"{TENDER} -o {{at}}.sh",
    f"{TENDER} --engine {{at}}",
    f"{TENDER} --engine bin --memory-per-process 1GiB --tender {{at}}",
    "list init {at}",
    "list add {at}.json --list there",
    "list add r.json --list {at}",
    "list build {at}",
    "list build there --output-dir {at}",
)


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Keep to the permissions of files, also as root, whose own files may still be read."""
    libc = ctypes.CDLL(None, use_errno=True)
    header, all_sets = (ctypes.c_uint32 * 2)(_CAPABILITIES_3, 0), (ctypes.c_uint32 * 6)()
    if libc.capget(header, all_sets) != 0:
        raise OSError(ctypes.get_errno(), "capget")
    effective = all_sets[0]
    try:
        all_sets[0] &= ~_LOOKS_EVERYWHERE
        if libc.capset(header, all_sets) != 0:
            raise OSError(ctypes.get_errno(), "capset")
        yield
    finally:
        all_sets[0] = effective
        libc.capset(header, all_sets)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with one that nobody may look into."""
    shutil.copy(VALID, tmp_path / "r.json")
    shutil.copy(DATA / "b_eff_io_stopped.journal.jsonl", tmp_path / "j.journal.jsonl")
    (tmp_path / "t.sum").write_text(SUM, encoding="utf-8")
    (tmp_path / "bin").mkdir()
    for program in ("b_eff", "b_eff_io", "b_pairs"):
        (tmp_path / "bin" / program).symlink_to("/bin/true")
    (tmp_path / "locked" / "in").mkdir(parents=True)
    (tmp_path / "locked").chmod(0)
    yield tmp_path
    (tmp_path / "locked").chmod(0o700)


def test_every_command_is_tried() -> None:
    assert {line.split()[0] for line in LINES} == COMMANDS.keys() - {"doctor"}


@pytest.mark.parametrize("at", REASONS, ids=["locked", "long"])
@pytest.mark.parametrize("line", LINES)
def test_one_sentence_says_why(line: str, at: str, folder: Path) -> None:
    if " there" in line:
        assert run_beff("list", "init", "there", folder=folder).returncode == exit_codes.OK
    before = set(folder.iterdir())
    with ordinary_user():
        done = run_beff(*line.format(at=at).split(), folder=folder)
    assert done.returncode == exit_codes.WRONG_USAGE, done.stderr
    assert REASONS[at] in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert set(folder.iterdir()) == before


def test_files_that_cannot_be_looked_at_are_named(folder: Path) -> None:
    """A folder that may be listed, but not entered: its files are not silently passed over."""
    (folder / "listed").mkdir()
    shutil.copy(VALID, folder / "listed" / "r.json")
    (folder / "listed").chmod(0o444)
    try:
        with ordinary_user():
            done = run_beff("show", "listed", folder=folder)
    finally:
        (folder / "listed").chmod(0o755)
    assert done.returncode == exit_codes.WRONG_USAGE
    assert "listed/r.json: cannot be read (Permission denied)" in done.stderr


def test_a_working_folder_that_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.rmdir()
    assert main(["show", str(VALID), "-o", "x.md"]) == exit_codes.FAILED
    assert "x.md cannot be written (No such file or directory)" in capsys.readouterr().err
