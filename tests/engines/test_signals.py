"""Signals and limits by which users, terminals and batch systems end a job."""

from __future__ import annotations

import os
import resource
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engines.b_eff_io.io_support import TINY, io_result, run_folders
from engines.processes import long_run, processes_of, send, wait_for_samples
from engines.support import LIBRARIES, Library, assert_verified, result_in

pytestmark = pytest.mark.thorough

ENDLESS = {
    "b_eff": ["--memory-per-process", "4MiB", "--repetitions", "1000", "--progress", "never"],
    "b_eff_io": [*TINY, "--time", "60s", "--partitions", "2", "--max-data", "2GiB"],
    "b_pairs": ["--memory-per-process", "4MiB", "--progress", "never", "--duration", "60s"],
}
ASKING = ("INT", "TERM", "QUIT", "HUP", "USR1", "USR2", "XCPU")


@pytest.mark.parametrize("place", range(len(ASKING)), ids=ASKING)
def test_an_orderly_end(tmp_path: Path, place: int) -> None:
    """Each signal, by turns to each program of each library."""
    number = signal.Signals[f"SIG{ASKING[place]}"]
    program = list(ENDLESS)[place % len(ENDLESS)]
    library = LIBRARIES[place % len(LIBRARIES)]
    with long_run(library, program, ENDLESS[program], tmp_path, samples=5) as run:
        output = run.send(number)
    assert run.process.returncode == 3
    assert "NOT VALID" in output.splitlines()[-1]
    result = result_in(tmp_path, program)
    assert not result["complete"]
    assert any("signal" in str(caution) for caution in result["cautions"])
    assert_verified(tmp_path, program)
    assert not (tmp_path / f"{program}.roll").exists()
    assert run_folders(tmp_path) == []


def test_beff_run_ends_in_order_where_signals_are_ignored(tmp_path: Path, library: Library) -> None:
    """SIGHUP below nohup, SIGINT and SIGQUIT in the background of a script; SIGTERM ends it."""
    ignored = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
    names = " ".join(number.name.removeprefix("SIG") for number in ignored)
    words = ["run", "--benchmark", "b_eff", "-n", "2", "--output-dir", "."]
    words += ["--engine", library.programs / "b_eff", "--launcher", shlex.join(library.mpiexec)]
    process = subprocess.Popen(
        ["sh", "-c", f'trap "" {names}; exec "$@"', "sh", sys.executable, "-m", "beff", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    journal = tmp_path / "b_eff_2p.journal.jsonl"
    wait_for_samples(journal, 5)
    for number in ignored:
        os.killpg(process.pid, number)
    wait_for_samples(journal, 30)
    os.killpg(process.pid, signal.SIGTERM)
    said = process.communicate(timeout=240)[0]
    assert process.returncode == 3
    assert "NOT VALID" in said
    assert not result_in(tmp_path, "b_eff_2p")["complete"]
    assert_verified(tmp_path, "b_eff_2p")
    assert not (tmp_path / "b_eff_2p.roll").exists()


def test_one_process_alone_gets_the_signal(tmp_path: Path, library: Library) -> None:
    with long_run(library, "b_eff", ENDLESS["b_eff"], tmp_path, samples=5) as run:
        send(max(processes_of(run.program, tmp_path)), signal.SIGUSR2)
        run.process.communicate(timeout=240)
    assert run.process.returncode == 3
    assert_verified(tmp_path)


def test_a_limit_of_file_sizes_fails_patterns(tmp_path: Path, library: Library) -> None:
    most = 20 << 20
    options = ["--path", ".", "--time", "4s", "--max-chunk", "8MiB", "--max-data", "256MiB"]
    run = subprocess.run(
        [*library.command(2, "b_eff_io"), *options, "--progress", "never"],
        cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert run.returncode == 3, run.stderr
    result = io_result(tmp_path)
    failed = [error for error in result["samples"]["error"] if error and "MPI_File_write" in error]
    assert failed
    assert all("bounded to 20 MiB by ulimit -f" in error for error in failed)
    assert "measured" in result["samples"]["status"]
    assert run_folders(tmp_path) == []
    assert not (tmp_path / "b_eff_io.roll").exists()
