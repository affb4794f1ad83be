"""Calls that hang before, while and after anything is measured: who is named, and what is left."""

import contextlib
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from support.reports import beside

from beff.cli.app import main
from engines.b_eff_io.io_support import QUICK, run_folders, tight
from engines.hangs.hang_support import (
    BOUND_S,
    FOR_EVER,
    LIMIT,
    SIX,
    hanging,
    run_that_hangs,
    run_that_is_stopped,
)
from engines.processes import long_run, processes_of, send, started
from engines.support import MPICH, OPENMPI, SHORT, Library, assert_verified, result_in

# --- in set-up ---

EACH_PROGRAM = pytest.mark.parametrize(
    ("library", "program"), [(MPICH, "b_eff"), (OPENMPI, "b_eff_io"), (OPENMPI, "b_pairs")]
)


@EACH_PROGRAM
def test_who_hangs_is_named_with_host_and_place(
    tmp_path: Path, library: Library, program: str
) -> None:
    said = run_that_hangs(library, program, tmp_path, f"MPI_Get_processor_name 1 {FOR_EVER}")
    place = "set-up: reading the name of the host"
    assert f"rank 1 on {socket.gethostname()} stood in {place}" in said
    assert not (tmp_path / f"{program}.json").exists()


@pytest.mark.parametrize(
    ("library", "program", "hangs", "place"),
    [
        (OPENMPI, "b_eff", "journal 0", "set-up: opening the journal"),
        (MPICH, "b_eff_io", "MPI_File_open 1", "set-up: trying out a file"),
    ],
)
def test_a_file_system_that_hangs_at_the_first_open(
    tmp_path: Path, library: Library, program: str, hangs: str, place: str
) -> None:
    said = run_that_hangs(library, program, tmp_path, f"{hangs} {FOR_EVER}")
    assert f"{program}: {place} did not end within 3 s" in said
    assert "nothing was measured" in said
    assert not (tmp_path / f"{program}.json").exists()
    assert run_folders(tmp_path) == []


def test_who_has_gone_on_since_it_answered_is_not_named(tmp_path: Path) -> None:
    """Rank 0 asks after 3 s; rank 2 answers, and goes on before rank 0 says who is missing."""
    hangs = f"MPI_Get_processor_name 1 {FOR_EVER} MPI_Get_processor_name 2 7"
    said = run_that_hangs(OPENMPI, "b_pairs", tmp_path, hangs, processes=3)
    assert "rank 1 did not arrive" in said


@pytest.mark.parametrize(
    ("hangs", "blamed"),
    [
        ("MPI_Sendrecv_1048576 2", "trying a long message did not end within 3 s: ranks 0, 2 did"),
        ("MPI_Finalize 2", "MPI_Finalize did not end within 3 s: all processes are inside"),
    ],
)
def test_who_is_alone_on_its_host_is_not_blamed(tmp_path: Path, hangs: str, blamed: str) -> None:
    """MPICH takes ranks 0 and 2 for a host and rank 1 for another, which has nobody to send to.

    Its steps have the same numbers, where the others exchange a message and afterwards.
    """
    hosts = {"MPIR_CVAR_NUM_CLIQUES": "2"}
    hangs = f"{hangs} {FOR_EVER}"
    said = run_that_hangs(MPICH, "b_pairs", tmp_path, hangs, processes=3, env=hosts)
    assert blamed in said
    assert "rank 1" not in said


# --- at the end ---


@EACH_PROGRAM
def test_a_hang_at_the_end_leaves_the_complete_result(
    tmp_path: Path, library: Library, program: str
) -> None:
    said = run_that_hangs(library, program, tmp_path, f"MPI_Finalize 1 {FOR_EVER}")
    assert f"the result is in {program}.json" in said or "rank 1 on" in said
    assert "MPI_Finalize did not end within 3 s" in said
    assert result_in(tmp_path, program)["complete"]
    assert_verified(tmp_path, program)
    assert run_folders(tmp_path) == []


# --- rank 0, which asks the others, is stopped for good: another says so ---


@EACH_PROGRAM
def test_what_was_measured_can_be_recovered(tmp_path: Path, library: Library, program: str) -> None:
    said, journal = run_that_is_stopped(library, program, tmp_path, 0), f"{program}.journal.jsonl"
    assert f"'beff show {journal}'" in said
    written = ["-o", beside(tmp_path / journal), "--remove-files"]
    assert main(["show", str(tmp_path / journal), *written]) == 0
    assert_verified(tmp_path, program)
    assert not (tmp_path / f"{program}.roll").exists()
    assert run_folders(tmp_path) == []


@pytest.mark.parametrize(
    ("library", "program", "stops", "leaves"),
    [
        (MPICH, "b_eff", "MPI_Get_processor_name", "nothing was measured"),
        (OPENMPI, "b_eff_io", "journal", "nothing was measured"),
        (MPICH, "b_eff_io", "result", "what was measured is in b_eff_io.journal.jsonl"),
        (MPICH, "b_pairs", "MPI_Finalize", "the result is in b_pairs.json"),
        (OPENMPI, "b_eff", "MPI_Finalize", "the result is in b_eff.json"),
    ],
)
def test_it_is_stopped_elsewhere(
    tmp_path: Path, library: Library, program: str, stops: str, leaves: str
) -> None:
    env = hanging(library, f"{stops} 0 0 launcher")
    options = [*QUICK[program], *LIMIT]
    run = library.run(2, *options, cwd=tmp_path, env=env, program=program, timeout_s=BOUND_S)
    assert run.returncode != 0
    assert f"rank 0 on {socket.gethostname()} did not answer; {leaves}" in run.stderr
    if "journal" not in leaves:  # Open MPI's mpiexec lets it go on before it kills it
        assert (tmp_path / f"{program}.json").exists() == ("result is in" in leaves)


# --- what takes long, or waits long, is no hang ---


def test_who_waits_outside_a_partition_writes_nothing(tmp_path: Path) -> None:
    """Longer than twice the limit, as the others open files in 2 s each; but nobody asks.

    Rank 0 alone says that it lives.
    """
    env = hanging(MPICH, "MPI_File_open 1 2")
    options = [*tight(2), "--types", "0,2", "--hang-limit", "5s"]
    roll, length = tmp_path / "b_eff_io.roll", 256
    written: list[set[bytes]] = [set(), set(), set()]
    with started(
        MPICH, "b_eff_io", options, tmp_path, stdout=subprocess.DEVNULL, processes=3, env=env
    ) as run:
        while run.poll() is None:
            with contextlib.suppress(FileNotFoundError):
                text = roll.read_bytes()
                for rank, lines in enumerate(written, start=1):
                    lines.add(text[rank * length : (rank + 1) * length].strip())
            time.sleep(0.05)
    assert result_in(tmp_path, "b_eff_io")["complete"]
    signs, *others = (lines - {b""} for lines in written)
    assert len(signs) > 1
    assert [len(lines) for lines in others] == [1, 1]


@pytest.mark.parametrize(("library", "program"), [(MPICH, "b_eff"), (OPENMPI, "b_eff_io")])
def test_a_rank_0_that_is_slow_to_write_ends_nobody(
    tmp_path: Path, library: Library, program: str
) -> None:
    env = hanging(library, "journal 0 4 result 0 4")
    options = [*QUICK[program], *SIX]
    run = library.run(2, *options, cwd=tmp_path, env=env, program=program, timeout_s=BOUND_S)
    assert "did not" not in run.stderr
    assert result_in(tmp_path, program)["complete"]


def test_a_job_that_was_suspended_as_a_whole_goes_on(tmp_path: Path) -> None:
    options = [*SHORT, "--patterns", "0-2", "--repetitions", "15", *LIMIT]
    with long_run(MPICH, "b_eff", options, tmp_path, samples=2, processes=3) as run:
        for process in processes_of(run.program, tmp_path):
            send(process, signal.SIGSTOP)
        time.sleep(9)  # three times the limit
        run.send(signal.SIGCONT)
    assert result_in(tmp_path)["complete"]
    assert_verified(tmp_path)


def test_a_long_wait_for_the_next_pass_is_no_hang(tmp_path: Path) -> None:
    """Passes begin every 12 s; a hang would be reported after some 9 s."""
    options = ["--memory-per-process", "4MiB", "--progress", "never"]
    options += ["--duration", "40min", "--hang-limit", "1s"]
    with long_run(MPICH, "b_pairs", options, tmp_path, samples=2) as run:
        assert run.process.poll() is None
        run.send(signal.SIGTERM)
    result = result_in(tmp_path, "b_pairs")
    assert result["no_answer"] is None
    assert any("a signal" in str(text) for text in result["cautions"])
