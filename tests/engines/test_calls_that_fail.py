"""Calls of the system that fail in one process: who, why, and what is kept."""

import errno
import json
import socket
from pathlib import Path

import pytest

from engines.b_eff_io.io_support import QUICK, TINY, io_measured, run_folders, tight
from engines.processes import processes_of, wait_until
from engines.support import MPICH, OPENMPI, SHORT, Library, cautions_with, measured, system_fault

QUOTA = 20_000_000


def assert_nothing_is_left(folder: Path, library: Library, program: str) -> None:
    assert list(folder.iterdir()) == []
    engine = library.programs / program
    wait_until(lambda: not processes_of(engine, folder), "processes are left")


@pytest.mark.parametrize(
    ("library", "program"), [(OPENMPI, "b_eff"), (MPICH, "b_eff_io"), (OPENMPI, "b_pairs")]
)
def test_who_is_absent_from_the_start_is_named(
    tmp_path: Path, library: Library, program: str
) -> None:
    env = system_fault("absent", rank=1)
    options = [*QUICK[program], "--hang-limit", "3s"]
    run = library.run(3, *options, cwd=tmp_path, env=env, program=program, timeout_s=120)
    assert run.returncode != 0
    assert "rank 1 " in run.stderr
    assert "rank 2 " not in run.stderr
    assert "nobody can be named" not in run.stderr
    assert "nothing was measured" in run.stderr
    assert_nothing_is_left(tmp_path, library, program)


@pytest.mark.parametrize(
    ("library", "program", "rank"),
    [
        *((MPICH, "b_eff", 0), (OPENMPI, "b_eff", 1), (MPICH, "b_eff_io", 1)),
        *((OPENMPI, "b_pairs", 0), (MPICH, "b_pairs", 1)),
    ],
)
def test_who_cannot_make_a_thread_ends_all_at_once(
    tmp_path: Path, library: Library, program: str, rank: int
) -> None:
    env = system_fault("thread", errno.EAGAIN, rank=rank)
    options = [*QUICK[program], "--hang-limit", "100s"]
    run = library.run(2, *options, cwd=tmp_path, env=env, program=program, timeout_s=240)
    assert run.returncode == 1
    assert "did not end within" not in run.stderr
    assert f"rank {rank} on {socket.gethostname()} cannot make a thread" in run.stderr
    assert "Resource temporarily unavailable" in run.stderr
    assert_nothing_is_left(tmp_path, library, program)


@pytest.mark.parametrize(("library", "program"), [(MPICH, "b_eff"), (OPENMPI, "b_eff_io")])
def test_a_clock_that_is_set_back(tmp_path: Path, library: Library, program: str) -> None:
    """The time of day, an hour while it measures: no figure follows, as a steady clock times."""
    env = system_fault("clock")
    result, _ = measured(library, tmp_path, *QUICK[program], program=program, env=env)
    assert result["complete"]
    times = "time_max_s" if program == "b_eff" else "time_s"
    assert 0 < max(result["samples"][times]) < 50


@pytest.mark.parametrize("error", [errno.ENOSYS, errno.ENOLCK])
def test_a_file_system_without_locks(tmp_path: Path, library: Library, error: int) -> None:
    env = system_fault("lock", error, "/b_eff_io-")
    result, _ = io_measured(library, tmp_path, *tight(2), "--types", "0,1", env=env)
    assert result["complete"]
    assert set(result["samples"]["status"]) == {"measured"}
    if library is MPICH:
        assert cautions_with(result, "no shared pointers")


@pytest.mark.parametrize("types", ["0", "1", "2", "0,3", "0,4"])
def test_a_quota_fails_patterns(tmp_path: Path, library: Library, types: str) -> None:
    env = system_fault("quota", errno.EDQUOT, "/b_eff_io-", after=QUOTA)
    options = [*TINY, "--time", "1s", "--partitions", "2", "--max-data", "256MiB"]
    result, _ = io_measured(library, tmp_path, *options, "--types", types, env=env)
    assert {"failed", "measured"} <= {*result["samples"]["status"]}
    assert not (tmp_path / "b_eff_io.roll").exists()


def test_a_folder_that_cannot_be_listed(tmp_path: Path, library: Library) -> None:
    env = system_fault("readdir", errno.EIO, "/b_eff_io-")
    result, run = measured(library, tmp_path, *QUICK["b_eff_io"], env=env, program="b_eff_io")
    assert result["complete"]
    assert "b_eff_io of " in run.stdout.splitlines()[-1]
    named = str([one for one in result["cautions"] if one["code"] == "file left"])
    assert all(folder.name in named for folder in run_folders(tmp_path))
    assert not (tmp_path / "b_eff_io.roll").exists()


@pytest.mark.parametrize(("blocks", "block"), [(62, 9), (-1, 12), (60, 12), (63, 0)])
def test_more_space_than_63_bits_say(tmp_path: Path, blocks: int, block: int) -> None:
    """2^`blocks` blocks of 2^`block` byte; all bits set for -1."""
    env = system_fault("statvfs", blocks, "/", after=block)
    result, _ = io_measured(MPICH, tmp_path, *QUICK["b_eff_io"], env=env)
    assert result["complete"]
    assert result["environment"]["filesystem"]["total_bytes"] >= 2**62


# --- what many processes ask of a file system at once ---

TYPES = 5


def calls_of(call: str, folder: Path, verify: str = "sample") -> dict[str, int]:
    """Run b_eff_io; return by rank how often it opened, or removed, one of its files by name."""
    folder.mkdir()
    env = {**system_fault(call, 0, "/b_eff_io-"), "BEFF_COUNTS": str(folder / "counts")}
    io_measured(MPICH, folder, *tight(2), "--verify", verify, env=env)
    lines = (folder / "counts").read_text("utf-8").splitlines()
    return {rank: int(count) for rank, count in map(str.split, lines)}


@pytest.mark.thorough
def test_a_check_opens_each_file_once_and_each_process_removes_its_own(tmp_path: Path) -> None:
    without = calls_of("open", tmp_path / "none", "none")
    assert calls_of("open", tmp_path / "sample") == {one: n + TYPES for one, n in without.items()}
    removed = calls_of("remove", tmp_path / "removed")
    assert removed.keys() == without.keys() == {"0", "1"}
    assert min(removed.values()) >= 1  # of type 2


@pytest.mark.thorough
def test_a_slow_file_system_is_not_asked_for_each_line(tmp_path: Path) -> None:
    """Each write into the journal takes a second."""
    env = system_fault("write", -1, ".journal.jsonl")
    options = [*SHORT, "--patterns", "0,5", "--methods", "sendrecv", "--repetitions", "1"]
    result, _ = measured(MPICH, tmp_path, *options, env=env)
    lines = (tmp_path / "b_eff.journal.jsonl").read_text("utf-8").splitlines()
    loops = len(result["samples"]["size"])
    assert len(lines) == loops + 2
    assert [json.loads(line) for line in lines][-1] == {"end": "complete"}
    assert result["environment"]["wall_s"] < loops
