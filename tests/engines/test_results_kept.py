"""What was measured is kept where its files cannot be written: elsewhere, and on the screen."""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from beff.cli.app import main
from beff.definition.verify import verify
from beff.result.load import load_document
from engines.b_eff_io.io_support import QUICK
from engines.processes import long_run
from engines.support import (
    ENDLESS,
    MPICH,
    OPENMPI,
    Library,
    disk_in_memory,
    measured,
    result_in,
    system_fault,
)

LAST_LINES = {"b_eff": "b_eff = ", "b_eff_io": "b_eff_io of ", "b_pairs": "b_pairs = "}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def assert_kept(run: subprocess.CompletedProcess[str], program: str, kept: Path) -> None:
    """The value and the protocol are printed, and the result is whole in a place that is named."""
    assert run.returncode == 1, run.stderr
    assert LAST_LINES[program] in run.stdout.splitlines()[-1]
    assert f"the result is in {kept} on " in run.stderr
    assert verify(load_document(kept)).findings == ()
    assert json.loads(kept.read_text())["complete"]


@pytest.mark.parametrize(
    ("library", "program", "fault"),
    [
        (MPICH, "b_eff", ("close", errno.EDQUOT, "place/kept.json.tmp", 0)),
        (MPICH, "b_eff", ("sync", errno.ENOSPC, "place/kept.json.tmp", 0)),
        (OPENMPI, "b_eff", ("write", errno.EDQUOT, "place/kept.json.tmp", 0)),
        (MPICH, "b_eff", ("open", errno.EACCES, "place/kept.json.tmp", 0)),
        (MPICH, "b_eff", ("rename", errno.EIO, "place/kept.json", 0)),
        (MPICH, "b_eff", ("sync", errno.EIO, "place", 1)),  # of the folder
        (MPICH, "b_eff_io", ("close", errno.EDQUOT, "place/kept.json.tmp", 0)),
        (OPENMPI, "b_pairs", ("close", errno.EDQUOT, "place/kept.json.tmp", 0)),
    ],
)
def test_a_result_that_cannot_be_written_goes_elsewhere(
    tmp_path: Path,
    library: Library,
    elsewhere: Path,
    program: str,
    fault: tuple[str, int, str, int],
) -> None:
    """What writes is the same for all programs and libraries."""
    call, error, files, after = fault
    place = tmp_path / "place"
    place.mkdir()
    env = {
        **system_fault(call, error, files, after=after),
        "TMPDIR": str(elsewhere),
    }
    options = [*QUICK[program], "--output", "place/kept"]
    run = library.run(2, *options, cwd=tmp_path, env=env, program=program)
    assert_kept(run, program, elsewhere / "kept.json")
    assert os.strerror(error) in run.stderr
    assert not (place / "kept.json.tmp").exists()
    assert not (place / "kept.roll").exists()


def test_a_file_of_the_users_stays(tmp_path: Path) -> None:
    mine = tmp_path / "b_eff.json.tmp"
    mine.write_text("mine")
    measured(MPICH, tmp_path, *QUICK["b_eff"])
    assert mine.read_text() == "mine"
    assert [path.name for path in tmp_path.glob("*.tmp")] == [mine.name]


def test_a_protocol_that_cannot_be_written_is_printed(tmp_path: Path, library: Library) -> None:
    env = system_fault("close", errno.EDQUOT, "b_eff.txt.tmp")
    run = library.run(2, *QUICK["b_eff"], "--quiet", cwd=tmp_path, env=env)
    assert run.returncode == 1
    assert "b_eff.txt could not be written: Disk quota exceeded" in run.stderr
    assert run.stdout.startswith("Plan of b_eff")
    assert result_in(tmp_path)["complete"]


def test_without_any_place_the_result_is_printed(tmp_path: Path, library: Library) -> None:
    env = system_fault("write", errno.ENOSPC, ".json")
    run = library.run(2, *QUICK["b_eff"], cwd=tmp_path, env=env)
    assert run.returncode == 1
    assert "the result is printed" in run.stderr
    document, _ = json.JSONDecoder().raw_decode(run.stdout)
    assert document["complete"]
    assert "b_eff = " in run.stdout.splitlines()[-1]


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A journal fills it."""
    with disk_in_memory(tmp_path / "tiny", "24k") as folder:
        yield folder


def test_a_full_disk_loses_neither_result_nor_journal(
    tmp_path: Path, library: Library, elsewhere: Path, tiny_disk: Path
) -> None:
    env = {"TMPDIR": str(elsewhere)}
    options = [*QUICK["b_eff"], "--output", str(tiny_disk / "kept")]
    run = library.run(2, *options, cwd=tmp_path, env=env)
    assert_kept(run, "b_eff", elsewhere / "kept.json")
    assert run.stderr.count("the journal") == 1
    moved = elsewhere / "kept.journal.jsonl"
    lines = [json.loads(line) for line in moved.read_text().splitlines()]
    samples = sum("sample" in line for line in lines)
    assert samples == len(json.loads((elsewhere / "kept.json").read_text())["samples"]["pattern"])
    assert lines[-1] == {"end": "complete"}
    begin = (tiny_disk / "kept.journal.jsonl").read_text()
    assert begin.endswith("\n")  # no line is cut
    assert moved.read_text().startswith(begin)
    assert main(["show", str(moved), "-o", str(tmp_path / "recovered.json")]) == 0


def test_a_folder_that_is_removed_under_way(
    tmp_path: Path, library: Library, elsewhere: Path
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    env = {"TMPDIR": str(elsewhere)}
    with long_run(
        library, "b_eff", ENDLESS, tmp_path, samples=20, env=env, prefix="place/b_eff"
    ) as run:
        shutil.rmtree(place)
        printed = run.send(signal.SIGTERM)
    assert run.process.returncode == 1
    assert "b_eff = " in printed.splitlines()[-1]
    assert len(result_in(elsewhere)["samples"]["pattern"]) >= 20
    assert verify(load_document(elsewhere / "b_eff.json")).findings == ()


def test_nothing_that_is_there_is_replaced(
    tmp_path: Path, library: Library, elsewhere: Path
) -> None:
    (elsewhere / "b_eff.json").write_text("mine")
    (tmp_path / "place").mkdir()
    env = {**system_fault("close", errno.EDQUOT, "place/"), "TMPDIR": str(elsewhere)}
    run = library.run(2, *QUICK["b_eff"], "--output", "place/b_eff", cwd=tmp_path, env=env)
    found = re.search(r"the result is in (\S+) on ", run.stderr)
    assert found is not None, run.stderr
    assert load_document(Path(found[1]))
    assert (elsewhere / "b_eff.json").read_text() == "mine"


@pytest.mark.parametrize(
    ("library", "program"), [(MPICH, "b_eff"), (OPENMPI, "b_eff_io"), (OPENMPI, "b_pairs")]
)
def test_closed_streams_are_no_files(tmp_path: Path, library: Library, program: str) -> None:
    """Nothing that is opened later gets their numbers, and what is printed."""
    closed = tmp_path / "closed"
    closed.write_text('#!/bin/sh\nexec "$@" <&- >&- 2>&-\n', encoding="utf-8")
    closed.chmod(0o755)
    *launch, path = library.command(2, program)
    command = [*launch, str(closed), path, *QUICK[program]]
    run = library.launch(command, cwd=tmp_path, timeout_s=240)
    assert run.returncode in {0, 3}
    assert run.stdout == ""
    assert f"{program}: " not in run.stderr  # a launcher may name the code
    assert verify(load_document(tmp_path / f"{program}.json")).findings == ()
    journal = (tmp_path / f"{program}.journal.jsonl").read_text().splitlines()
    assert all(isinstance(json.loads(line), dict) for line in journal)
