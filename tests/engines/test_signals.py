"""Signals and limits by which users, terminals and batch systems end a job."""

import os
import re
import resource
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.reports import beside

from beff.cli.app import main
from engines.b_eff_io.io_support import TINY, io_result, run_folders
from engines.processes import long_run, processes_of, send, started, wait_for_samples, wait_until
from engines.support import ENDLESS as ENDLESS_B_EFF
from engines.support import LIBRARIES, Library, assert_verified, cautions_with, result_in

pytestmark = pytest.mark.thorough

ENDLESS = {
    "b_eff": ENDLESS_B_EFF,
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
    assert cautions_with(result, "signal")
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


def parent_of(process: int) -> int:
    status = Path("/proc", str(process), "status").read_text(encoding="utf-8")
    found = re.search(r"^PPid:\s*(\d+)", status, re.MULTILINE)
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize("program", ["b_eff", "b_eff_io"])
def test_a_run_ends_after_its_launcher_has(tmp_path: Path, library: Library, program: str) -> None:
    """It prints to nobody, and what it has measured is there."""
    options = [*ENDLESS[program], "--progress", "always"]
    journal = tmp_path / f"{program}.journal.jsonl"
    with (tmp_path / "printed").open("w") as printed:
        run = started(library, program, options, tmp_path, stdout=printed, stderr=printed)
    wait_for_samples(journal, 20)
    processes = processes_of(library.programs / program, tmp_path)
    assert len(processes) == 2
    for launcher in {run.pid, *map(parent_of, processes)}:
        send(launcher, signal.SIGKILL)
    run.wait()
    wait_until(lambda: not processes_of(library.programs / program, tmp_path), "they live on")
    if not (tmp_path / f"{program}.json").exists():
        assert main(["show", str(journal), "-o", beside(journal)]) == 0
    assert_verified(tmp_path, program)
    assert not result_in(tmp_path, program)["complete"]
