"""Hangs outside of what is measured: in set-up, in MPI_Finalize, and beside answers of before.

And those of rank 0, which asks the others.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from beff.cli.app import main
from engines.b_eff_io.io_support import run_folders, tight
from engines.processes import (
    long_run,
    processes_of,
    rank_of,
    send,
    started,
    wait_for_samples,
    wait_until,
)
from engines.support import MPICH, OPENMPI, SHORT, STANDINS, Library, assert_verified, result_in

LIMIT = ["--hang-limit", "3s"]
OPTIONS = {
    "b_eff": [*SHORT, "--patterns", "0-2"],
    "b_eff_io": [*tight(2), "--types", "2"],
    "b_pairs": ["--memory-per-process", "4MiB", "--progress", "never", "--duration", "2s"],
}
FOR_EVER = 1000
BOUND_S = 120
"""Within which all must have ended, on a busy machine."""


def hanging(library: Library, folder: Path, hangs: str) -> dict[str, str]:
    """Environment of processes whose calls take as long as `hangs` says."""
    shim = folder / "hanging_mpi.so"
    source = STANDINS / "hanging_mpi.c"
    subprocess.run([library.compiler, "-shared", "-fPIC", source, "-o", shim], check=True)
    return {"LD_PRELOAD": str(shim), "BEFF_HANGS": hangs}


def run_that_hangs(
    library: Library, program: str, folder: Path, hangs: str, processes: int = 2
) -> subprocess.CompletedProcess[str]:
    """A run that ends although calls of it hang, with a code that is not zero and no roll."""
    env = hanging(library, folder, hangs)
    options = [*OPTIONS[program], *LIMIT]
    run = library.run(processes, *options, cwd=folder, env=env, program=program, timeout_s=BOUND_S)
    assert run.returncode != 0
    assert not (folder / f"{program}.roll").exists()
    assert processes_of((library.programs / program).resolve(), folder) == []
    return run


@pytest.mark.parametrize(
    ("library", "program"), [(MPICH, "b_eff"), (OPENMPI, "b_eff_io"), (MPICH, "b_pairs")]
)
def test_who_hangs_in_set_up_is_named_with_host_and_place(
    tmp_path: Path, library: Library, program: str
) -> None:
    run = run_that_hangs(library, program, tmp_path, f"MPI_Get_processor_name 1 {FOR_EVER}")
    place = "set-up: reading the name of the host"
    assert f"rank 1 on {socket.gethostname()} stood in {place}" in run.stderr
    assert not (tmp_path / f"{program}.json").exists()


@pytest.mark.parametrize("program", OPTIONS)
def test_a_hang_at_the_end_leaves_the_complete_result(
    tmp_path: Path, library: Library, program: str
) -> None:
    run = run_that_hangs(library, program, tmp_path, f"MPI_Finalize 1 {FOR_EVER}")
    assert f"the result is in {program}.json" in run.stderr or "rank 1 on" in run.stderr
    assert "MPI_Finalize did not end within 3 s" in run.stderr
    assert result_in(tmp_path, program)["complete"]
    assert_verified(tmp_path, program)
    assert run_folders(tmp_path) == []


@pytest.mark.parametrize(
    ("library", "program", "hangs", "place"),
    [
        (OPENMPI, "b_eff", "journal 0", "set-up: opening the journal"),
        (MPICH, "b_pairs", "journal 0", "set-up: opening the journal"),
        (MPICH, "b_eff_io", "MPI_File_open 1", "set-up: trying out a file"),
        (OPENMPI, "b_eff_io", "MPI_File_open 1", "set-up: trying out a file"),
    ],
)
def test_a_file_system_that_hangs_at_the_first_open(
    tmp_path: Path, library: Library, program: str, hangs: str, place: str
) -> None:
    run = run_that_hangs(library, program, tmp_path, f"{hangs} {FOR_EVER}")
    assert f"{program}: {place} did not end within 3 s" in run.stderr
    assert "nothing was measured" in run.stderr
    assert not (tmp_path / f"{program}.json").exists()
    assert run_folders(tmp_path) == []


def test_who_has_gone_on_since_it_answered_is_not_named(tmp_path: Path, library: Library) -> None:
    """Rank 0 asks after 3 s; rank 2 answers, and goes on before rank 0 says who is missing."""
    hangs = f"MPI_Get_processor_name 1 {FOR_EVER} MPI_Get_processor_name 2 7"
    run = run_that_hangs(library, "b_pairs", tmp_path, hangs, processes=3)
    assert "rank 1 did not arrive" in run.stderr


def test_who_waits_outside_a_partition_writes_nothing(tmp_path: Path) -> None:
    """Longer than twice the limit, as the others open files in 2 s each; but nobody asks.

    Rank 0 alone says that it lives.
    """
    env = hanging(MPICH, tmp_path, "MPI_File_open 1 2")
    options = [*tight(2), "--types", "0,2,3", "--hang-limit", "4s"]
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


@pytest.mark.parametrize("library", [MPICH, OPENMPI])
def test_a_pair_that_hangs_in_its_first_exchange_across_the_network_is_named(
    tmp_path: Path, library: Library
) -> None:
    env = hanging(library, tmp_path, f"MPI_Sendrecv_16384 1 {FOR_EVER}")
    options = [*OPTIONS["b_pairs"], *LIMIT, "--bisection", "--message-size", "16KiB"]
    run = library.run(4, *options, cwd=tmp_path, env=env, program="b_pairs", timeout_s=BOUND_S)
    assert run.returncode != 0
    result = result_in(tmp_path, "b_pairs")
    assert_verified(tmp_path, "b_pairs")
    assert (result["no_answer"]["silent"], result["no_answer"]["waiting"]) == ([], [[1, 3]])
    assert len(result["bisection"]["alone"]["ns"]) == 1
    assert 0 < result["bisection"]["took_s"] < result["took_s"]


def test_a_hang_in_a_matrix_is_named_and_the_map_kept(tmp_path: Path) -> None:
    env = hanging(MPICH, tmp_path, f"MPI_Alltoallv 1 {FOR_EVER}")
    options = ["--memory-per-process", "4MiB", "--progress", "never", "--duration", "1ms", *LIMIT]
    options += ["--matrix", "alltoall", "--method", "alltoallv", "--message-size", "1KiB"]
    run = MPICH.run(2, *options, cwd=tmp_path, env=env, program="b_pairs", timeout_s=BOUND_S)
    assert run.returncode != 0
    assert "a loop over the matrix" in run.stderr
    assert "did not end within 3 s" in run.stderr
    result = result_in(tmp_path, "b_pairs")
    assert_verified(tmp_path, "b_pairs")
    assert not result["complete"]
    assert result["matrix"]["loops"]["ns"] == []
    assert len(result["passes"]["large_ns"]) >= 3


LONG = {
    "b_eff": ["--memory-per-process", "4MiB", "--repetitions", "1000", "--progress", "never"],
    "b_eff_io": [*tight(3), "--types", "2", "--time", "10min", "--max-data", "2GiB"],
    "b_pairs": ["--memory-per-process", "4MiB", "--progress", "never", "--duration", "10min"],
}
SIX = ["--hang-limit", "6s"]


@pytest.mark.parametrize("rank", [0, 1, 2])
@pytest.mark.parametrize("program", LONG)
def test_who_is_stopped_while_measuring_is_named(
    tmp_path: Path, library: Library, program: str, rank: int
) -> None:
    """By rank 0, or where it is rank 0, by another."""
    options, words = [*LONG[program], *SIX], tmp_path / "words"
    with (
        words.open("w") as errors,
        started(
            library, program, options, tmp_path, stdout=subprocess.PIPE, stderr=errors, processes=3
        ) as run,
    ):
        wait_for_samples(tmp_path / f"{program}.journal.jsonl", 2)
        processes = processes_of((library.programs / program).resolve(), tmp_path)
        send(next(process for process in processes if rank_of(process) == rank), signal.SIGSTOP)
        run.communicate(timeout=BOUND_S)
    assert run.returncode != 0
    said = words.read_text()
    assert said.count(f"rank {rank} on {socket.gethostname()} did not answer") == 1
    journal = f"{program}.journal.jsonl"
    assert (f"'beff recover {journal}'" in said) == (rank == 0)
    wait_until(
        lambda: not processes_of((library.programs / program).resolve(), tmp_path), "they live on"
    )
    if rank == 0:
        assert main(["recover", str(tmp_path / journal), "--remove-files"]) == 0
    assert_verified(tmp_path, program)
    assert not (tmp_path / f"{program}.roll").exists()
    assert run_folders(tmp_path) == []


@pytest.mark.parametrize(
    ("library", "program", "stops", "leaves"),
    [
        (MPICH, "b_eff", "MPI_Get_processor_name", "nothing was measured"),
        (OPENMPI, "b_pairs", "MPI_Get_processor_name", "nothing was measured"),
        (OPENMPI, "b_eff_io", "journal", "nothing was measured"),
        (OPENMPI, "b_eff", "result", "what was measured is in b_eff.journal.jsonl"),
        (MPICH, "b_eff_io", "result", "what was measured is in b_eff_io.journal.jsonl"),
        (MPICH, "b_pairs", "MPI_Finalize", "the result is in b_pairs.json"),
        (OPENMPI, "b_eff", "MPI_Finalize", "the result is in b_eff.json"),
    ],
)
def test_rank_0_is_stopped_elsewhere(
    tmp_path: Path, library: Library, program: str, stops: str, leaves: str
) -> None:
    env = hanging(library, tmp_path, f"{stops} 0 0")
    options = [*OPTIONS[program], *LIMIT]
    run = library.run(2, *options, cwd=tmp_path, env=env, program=program, timeout_s=BOUND_S)
    assert run.returncode != 0
    assert f"rank 0 on {socket.gethostname()} did not answer; {leaves}" in run.stderr
    if "journal" not in leaves:  # Open MPI's mpiexec lets it go on before it kills it
        assert (tmp_path / f"{program}.json").exists() == ("result is in" in leaves)


@pytest.mark.parametrize("program", ["b_eff", "b_eff_io"])
def test_a_rank_0_that_is_slow_to_write_ends_nobody(
    tmp_path: Path, library: Library, program: str
) -> None:
    env = hanging(library, tmp_path, "journal 0 4 result 0 4")
    options = [*OPTIONS[program], *SIX]
    run = library.run(2, *options, cwd=tmp_path, env=env, program=program, timeout_s=BOUND_S)
    assert "did not" not in run.stderr
    assert result_in(tmp_path, program)["complete"]


def test_a_job_that_was_suspended_as_a_whole_goes_on(tmp_path: Path, library: Library) -> None:
    options = [*SHORT, "--patterns", "0-2", "--repetitions", "40", *LIMIT]
    with long_run(library, "b_eff", options, tmp_path, samples=2, processes=3) as run:
        for process in processes_of(run.program, tmp_path):
            send(process, signal.SIGSTOP)
        time.sleep(12)  # four times the limit
        run.send(signal.SIGCONT)
    assert result_in(tmp_path)["complete"]
    assert_verified(tmp_path)
