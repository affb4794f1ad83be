"""File systems, libraries and users that fail: b_eff_io says so, removes its files and ends."""

import fcntl
import json
import os
import shlex
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.b_eff_io.io_support import (
    PROGRAM,
    TINY,
    faulty,
    io_measured,
    io_result,
    run_folders,
    tight,
)
from engines.processes import long_run, processes_of, send, wait_until
from engines.support import (
    AFTER_A_HANG,
    MPICH,
    OPENMPI,
    Library,
    cautions_with,
    disk_in_memory,
    unmet,
)

pytestmark = pytest.mark.thorough

LONG = [*TINY, "--time", "60s", "--partitions", "2", "--max-data", "2GiB"]
JOURNAL = f"{PROGRAM}.journal.jsonl"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with disk_in_memory(tmp_path / "small", "160m") as folder:
        yield folder


CORRUPT = "p0-scatter, offset 1234 (pattern 0, rank 0, call 0)"


@pytest.mark.parametrize(
    ("fault", "missed", "told"),
    [
        ("flip --types 0,2", {"data", "no error"}, "expected 0x"),
        ("corrupt --types 0 --verify sample", {"data"}, CORRUPT),
        ("corrupt --types 0 --verify full", {"data"}, CORRUPT),
        # although reported as success
        ("short --types 0,2", {"no error", "measured in full"}, "MPI_File_write "),
    ],
)
def test_wrong_and_missing_bytes_are_noticed(
    tmp_path: Path, library: Library, fault: str, missed: set[str], told: str
) -> None:
    name, *options = fault.split()
    env = faulty(library, tmp_path, name)
    result, run = io_measured(library, tmp_path, *tight(2), *options, env=env)
    assert missed <= unmet(result)
    wrong, check = "data" in missed, result["data_check"]
    assert told in str(check["first_error"] if wrong else result["samples"]["error"])
    assert wrong == (check["wrong_chunks"] > 0) == bool(cautions_with(result, "wrong data"))
    assert "NOT VALID" in run.stdout.splitlines()[-1]


def test_calls_of_more_than_2_gib(tmp_path: Path) -> None:
    """A node whose M_PART is that large, as the system is made to say."""
    chunk = 2200 << 20
    if (
        shutil.disk_usage(tmp_path).free < 4 * chunk
        or os.sysconf("SC_PAGESIZE") * os.sysconf("SC_AVPHYS_PAGES") < chunk * 5 // 4
    ):
        pytest.skip("chunks of 2.15 GiB need 8.6 GiB of disk and 2.7 GiB of memory that are free")
    env = faulty(OPENMPI, tmp_path, "much-memory")
    options = ["--path", ".", "--types", "0", "--partitions", "1", "--time", "10min"]
    options += ["--max-chunk", "2200MiB", "--max-data", "3GiB", "--verify", "full"]
    run = OPENMPI.run(1, *options, cwd=tmp_path, env=env, program=PROGRAM)
    assert run.returncode == 3, run.stderr
    result = io_result(tmp_path)
    assert result["complete"]
    assert result["schedule"]["m_part_bytes"] == chunk
    assert result["samples"]["bytes"].count(chunk) == 3  # the three access methods
    assert result["data_check"]["wrong_chunks"] == 0
    assert result["data_check"]["chunks_checked"] > 1000


def test_full_disk_ends_without_a_hang(tmp_path: Path, library: Library, small_disk: Path) -> None:
    """Without shared pointers: MPICH ends the processes where it cannot write its file of these."""
    env = {**faulty(library, tmp_path, "fill"), "BEFF_TEST_FOLDER": str(small_disk)}
    options = [*TINY, "--path", str(small_disk), "--time", "10s", "--partitions", "2"]
    options += ["--types", "0,2,3,4"]
    run = library.run(2, *options, cwd=tmp_path, env=env, program=PROGRAM)
    assert run.returncode in {1, 3}, run.stderr
    result = io_result(tmp_path)
    assert not result["complete"]
    assert "failed" in result["samples"]["status"]
    assert "no error" in unmet(result)
    assert cautions_with(result, "failed")
    assert run_folders(small_disk) == []


def test_too_small_a_disk_is_refused(tmp_path: Path, library: Library, small_disk: Path) -> None:
    options = [*TINY, "--path", str(small_disk), "--partitions", "2,4"]
    run = library.run(4, *options, cwd=tmp_path, program=PROGRAM)
    assert run.returncode == 2
    assert "one call of each" in run.stderr
    assert list(small_disk.iterdir()) == []
    assert list(tmp_path.glob(f"{PROGRAM}.*")) == []


def test_a_folder_that_one_host_does_not_see(tmp_path: Path, library: Library) -> None:
    """As with a disk of each node: what rank 0 makes is not there for rank 1."""
    for host in ("here", "there"):
        (tmp_path / host).mkdir()
    wrapped = tmp_path / "wrapped"
    program = library.programs / PROGRAM
    rank = '"$PMI_RANK$OMPI_COMM_WORLD_RANK"'
    wrapped.write_text(f'#!/bin/sh\ntest {rank} = 1 && cd there || cd here\nexec {program} "$@"\n')
    wrapped.chmod(0o755)
    command = [*library.mpiexec, "-n", "2", str(wrapped), *tight(2), "--types", "2"]
    command += ["--output", str(tmp_path / PROGRAM)]
    run = library.launch(command, cwd=tmp_path, timeout_s=240)
    assert run.returncode == 2, run.stderr
    assert run.stderr.count("does not see the folder") == 1, run.stderr
    assert socket.gethostname() in run.stderr
    assert run_folders(tmp_path / "here") == run_folders(tmp_path / "there") == []
    assert not (tmp_path / f"{PROGRAM}.roll").exists()


def test_missing_shared_pointers_are_replaced_and_said(tmp_path: Path, library: Library) -> None:
    options, env = [*tight(2), "--types", "0-2"], faulty(library, tmp_path, "no-pointer")
    result, run = io_measured(library, tmp_path, *options, env=env)
    assert "shared file pointers" in run.stderr
    assert result["pointer"] == "individual"
    assert "shared file pointers" in unmet(result)
    assert result["complete"]
    assert result["data_check"]["wrong_chunks"] == 0


def test_files_removed_under_way_are_named(tmp_path: Path) -> None:
    """Open MPI makes them anew."""
    options = [*TINY, "--time", "6s", "--partitions", "2", "--types", "0,2"]
    with long_run(MPICH, PROGRAM, options, tmp_path, samples=1) as run:
        for file in run_folders(tmp_path)[0].iterdir():
            file.unlink()
        run.process.communicate(timeout=240)
    assert run.process.returncode == 3
    told = [one["facts"] for one in io_result(tmp_path)["cautions"] if one["code"] == "failed file"]
    assert {fact["type"] for fact in told} == {"scatter"}
    assert "MPI_File_open" in told[0]["error"]


def test_hanging_process_is_named(tmp_path: Path, library: Library) -> None:
    env = faulty(library, tmp_path, "hang")
    options = [*tight(2), "--types", "2", "--overwrite", "--hang-limit"]
    for limit in ("3s", "60s"):  # on a busy machine an earlier step may take longer
        run = library.run(2, *options, limit, cwd=tmp_path, env=env, program=PROGRAM)
        if "closing the file" in run.stderr:
            break
    assert run.returncode in AFTER_A_HANG
    assert "closing the file" in run.stderr
    assert "rank 1 did not arrive" in run.stderr
    result = io_result(tmp_path)
    assert not result["complete"]
    assert cautions_with(result, "rank 1 did not arrive")
    assert run_folders(tmp_path) == []


def test_a_launcher_that_ends_the_others_leaves_no_roll(tmp_path: Path, library: Library) -> None:
    """Launchers kill all processes as soon as one ends with a code other than 0."""
    env = faulty(library, tmp_path, "slow-roll")
    refused = library.run(2, "--path", "missing", cwd=tmp_path, env=env, program=PROGRAM)
    assert refused.returncode == 2
    not_valid = library.run(2, *tight(2), "--types", "0", cwd=tmp_path, env=env, program=PROGRAM)
    assert not_valid.returncode == 3
    assert list(tmp_path.glob("*.roll")) == []


def test_a_process_that_wakes_up_changes_nothing(tmp_path: Path) -> None:
    """While rank 0 removes files, after it has reported that the other one hangs."""
    env = faulty(OPENMPI, tmp_path, "slow-removal")
    options = [*LONG, "--hang-limit", "5s"]
    with long_run(OPENMPI, PROGRAM, options, tmp_path, samples=3, env=env) as run:
        stopped = processes_of(run.program, tmp_path)[-1]
        send(stopped, signal.SIGSTOP)
        wait_until((tmp_path / f"{PROGRAM}.json").exists, "there is no result")
        (files,) = run_folders(tmp_path)
        assert (files / "p0-scatter").exists()
        send(stopped, signal.SIGCONT)
        run.process.communicate(timeout=90)
    lines = (tmp_path / JOURNAL).read_text().splitlines()
    assert json.loads(lines[-1]) == {"end": "stopped"}
    samples = sum(line.startswith('{"sample"') for line in lines)
    assert len(io_result(tmp_path)["samples"]["pattern"]) == samples
    assert cautions_with(io_result(tmp_path), "did not answer")


@pytest.mark.parametrize("processes", [2, 3])
def test_time_limit_leaves_a_partial_result(tmp_path: Path, processes: int) -> None:
    """Which rank 0 alone sees; processes that share a core agree on it in another way."""
    options = (*LONG, "--time-limit", "2s")
    result, _ = io_measured(MPICH, tmp_path, *options, processes=processes)
    assert not result["complete"]
    assert cautions_with(result, "--time-limit")
    assert 2 <= result["elapsed_s"] < 60


def test_the_folder_of_a_run_under_way_is_held(tmp_path: Path, library: Library) -> None:
    with long_run(library, PROGRAM, LONG, tmp_path, samples=1) as run:
        folder = os.open(run_folders(tmp_path)[0], os.O_RDONLY | os.O_DIRECTORY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(folder, fcntl.LOCK_SH | fcntl.LOCK_NB)
        os.close(folder)
        run.send(signal.SIGTERM)


def test_a_full_standard_output_loses_no_result(tmp_path: Path, library: Library) -> None:
    options = [*tight(1), "--types", "2", "--quiet"]
    inner = shlex.join([str(library.programs / PROGRAM), *options])
    wrapped = [*library.mpiexec, "-n", "1", "sh", "-c", f"exec {inner} >/dev/full"]
    run = library.launch(wrapped, cwd=tmp_path)
    assert run.returncode == 1, run.stderr
    assert "standard output" in run.stderr
    assert io_result(tmp_path)["complete"]
    assert run_folders(tmp_path) == []


def test_text_that_is_no_utf_8_is_recorded(tmp_path: Path, library: Library) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    env = {"UCX_X": os.fsdecode(b"caf\xe9"), "MPIR_CVAR_X": os.fsdecode(b"caf\xe9")}
    options = [*tight(1), "--types", "2", "--path", str(folder)]
    note = ["--filesystem-note", os.fsdecode(b"na\xefve")]
    result, _ = io_measured(library, tmp_path, *options, *note, processes=1, env=env)
    assert result["complete"]
    assert result["environment"]["filesystem"]["note"] == "na\ufffdve"
    assert result["environment"]["environment_variables_of_mpi"]["UCX_X"] == "caf\ufffd"


def test_hints_are_read_by_one_process(tmp_path: Path, library: Library) -> None:
    """The other one does not see the file."""
    (tmp_path / "hints.txt").write_text("all all all on_open cb_nodes 1\n")
    other = tmp_path / "other"
    other.mkdir()
    program = str(library.programs / PROGRAM)
    options = [*tight(2), "--types", "2", "--path", str(tmp_path), "--info", "hints.txt"]
    first = ["-n", "1", program, *options]
    second = ["-n", "1", "-wdir", str(other), program, *options]
    run = library.launch([*library.mpiexec, *first, ":", *second], cwd=tmp_path, timeout_s=120)
    assert run.returncode == 3, run.stderr
    assert io_result(tmp_path)["hints"]


def test_the_striping_unit_is_that_of_rank_0(tmp_path: Path, library: Library) -> None:
    """With different ones, processes would make different numbers of calls in type 4."""
    options, env = [*tight(2), "--types", "2-4"], faulty(library, tmp_path, "striping")
    result, _ = io_measured(library, tmp_path, *options, env=env)
    assert result["complete"]
    assert result["environment"]["filesystem"]["striping_unit_bytes"] == 2 << 20
