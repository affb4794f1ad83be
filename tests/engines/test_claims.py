"""An output belongs to one run: it is claimed before anything is measured."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from beff.cli.app import main
from engines.b_eff_io.io_support import run_folders, tight
from engines.processes import long_run, processes_of, send, wait_until
from engines.support import MPICH, SHORT, Library, assert_verified, result_in, system_fault

pytestmark = pytest.mark.thorough

LONG = ["--memory-per-process", "4MiB", "--repetitions", "1000", "--progress", "never"]
QUICK = [*SHORT, "--patterns", "5", "--sizes", "0"]


@pytest.mark.parametrize(("options", "locks"), [([], False), (["--overwrite"], True)])
def test_a_second_run_is_refused_before_it_measures(
    tmp_path: Path, library: Library, options: list[str], locks: bool
) -> None:
    env = {} if locks else system_fault("lock", errno.ENOLCK, ".roll")
    with long_run(library, "b_eff", LONG, tmp_path, samples=20, env=env) as run:
        before = (tmp_path / "b_eff.journal.jsonl").read_bytes()
        second = library.run(2, *QUICK, *options, cwd=tmp_path, env=env)
        run.send(signal.SIGTERM)
    assert second.returncode == 2
    assert second.stderr.count("under way there") == 1, second.stderr
    assert second.stdout == ""
    assert (tmp_path / "b_eff.journal.jsonl").read_bytes().startswith(before)
    assert len(result_in(tmp_path)["samples"]["pattern"]) >= 20
    assert_verified(tmp_path)
    assert not (tmp_path / "b_eff.roll").exists()


def test_of_two_that_start_at_once_one_measures(tmp_path: Path, library: Library) -> None:
    command = [*library.command(2), *QUICK]
    runs = [
        subprocess.Popen(
            command,
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, **library.environment},
        )
        for _ in range(2)
    ]
    for run in runs:
        run.communicate(timeout=240)
    assert sorted(run.returncode for run in runs) == [2, 3]
    assert_verified(tmp_path)
    lines = (tmp_path / "b_eff.journal.jsonl").read_text().splitlines()
    assert sum('"journal"' in line for line in lines) == 1
    assert sum('"end"' in line for line in lines) == 1


@pytest.mark.parametrize("locks", [True, False])
def test_what_a_killed_run_has_claimed_is_free(
    tmp_path: Path, library: Library, locks: bool
) -> None:
    env = {} if locks else system_fault("lock", errno.ENOLCK, ".roll")
    with long_run(library, "b_eff", LONG, tmp_path, samples=5, env=env) as run:
        run.send(signal.SIGKILL)
        wait_until(lambda: not processes_of(run.program, tmp_path), "they live on")
    assert (tmp_path / "b_eff.roll").exists()
    again = library.run(2, *QUICK, "--overwrite", cwd=tmp_path, env=env)
    assert again.returncode == 3, again.stderr
    assert_verified(tmp_path)
    assert not (tmp_path / "b_eff.roll").exists()


@pytest.mark.parametrize(("state", "code"), [("alive", 2), ("zombie", 3), ("other", 3)])
def test_without_locks_who_lives_holds_his_claim(
    tmp_path: Path, library: Library, state: str, code: int
) -> None:
    """A zombie has ended; another process may have the number of one that has."""
    env = system_fault("lock", errno.ENOLCK, ".roll")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as maker:
        stat = Path(f"/proc/{maker.pid}/stat")
        start = int(stat.read_text().rpartition(")")[2].split()[19])
        if state == "zombie":
            maker.kill()
            wait_until(lambda: ") Z " in stat.read_text(), "it lives on")
        head = f"0 run {maker.pid} {socket.gethostname()} {start - (state == 'other')}"
        (tmp_path / "b_eff.roll").write_text(head.ljust(255) + "\n")
        run = library.run(2, *QUICK, cwd=tmp_path, env=env)
        maker.kill()
    assert run.returncode == code, run.stderr


def test_all_sign_in_on_the_roll_of_their_run(tmp_path: Path, library: Library) -> None:
    """Also who has seen the roll of a killed run first."""
    roll, length = tmp_path / "b_eff.roll", 256
    roll.write_text(f"0 ended 1 {socket.gethostname()}".ljust(length - 1) + "\n")

    def all_have_signed_in() -> bool:
        text = roll.read_text()
        head, *signs = (text[at : at + length].split() for at in (0, 2 * length, 3 * length))
        return head[1:2] != ["ended"] and all(sign[:1] == head[1:2] for sign in signs)

    with long_run(library, "b_eff", LONG, tmp_path, samples=1, processes=3) as run:
        wait_until(all_have_signed_in, "not all have signed in")
        run.send(signal.SIGTERM)


def test_recovering_removes_what_is_left(tmp_path: Path, library: Library) -> None:
    options = [*tight(2), "--types", "2", "--time", "10min", "--max-data", "2GiB"]
    with long_run(library, "b_eff_io", options, tmp_path, samples=3) as run:
        run.send(signal.SIGKILL)
        wait_until(lambda: not processes_of(run.program, tmp_path), "they live on")
    assert (tmp_path / "b_eff_io.roll").exists()
    assert main(["show", str(tmp_path / "b_eff_io.journal.jsonl"), "--remove-files"]) == 0
    assert not (tmp_path / "b_eff_io.roll").exists()
    assert run_folders(tmp_path) == []


@pytest.mark.parametrize("ending", [".json", ".txt", ".journal.jsonl", ".roll"])
@pytest.mark.parametrize("options", [[], ["--overwrite"]])
def test_what_is_no_file_is_refused(tmp_path: Path, ending: str, options: list[str]) -> None:
    os.mkfifo(tmp_path / f"b_eff{ending}")
    run = MPICH.run(2, *QUICK, *options, cwd=tmp_path, timeout_s=120)
    assert run.returncode == 2
    assert f"b_eff{ending}" in run.stderr
    assert [file.name for file in tmp_path.iterdir()] == [f"b_eff{ending}"]


def test_two_beff_runs_on_one_folder(tmp_path: Path) -> None:
    launcher = " ".join(MPICH.mpiexec)
    command = [sys.executable, "-m", "beff", "run", "--benchmark", "b_eff", "--processes", "2"]
    command += ["--output-dir", "same", "--engine", str(MPICH.programs / "b_eff")]
    command += ["--launcher", launcher, "--memory-per-process", "4MiB", "--overwrite", "--"]
    command += ["--loop-time", "250us", "--patterns", "0-2", "--methods", "sendrecv"]
    command += ["--repetitions", "60"]
    runs = [
        subprocess.Popen(
            command,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(2)
    ]
    printed = [run.communicate(timeout=240)[0] for run in runs]
    codes = sorted(run.returncode for run in runs)
    assert codes == [2, 3], printed
    assert_verified(tmp_path / "same", "b_eff_2p")


def test_a_process_with_other_options_is_named(tmp_path: Path, library: Library) -> None:
    program = str(library.programs / "b_eff")
    first = [*library.mpiexec, "-n", "2", program, *QUICK]
    second = ["-n", "1", program, *SHORT, "--patterns", "5", "--sizes", "1"]
    run = library.launch([*first, ":", *second], cwd=tmp_path, timeout_s=120)
    assert run.returncode == 2
    assert run.stderr.count("rank 2 on ") == 1, run.stderr
    assert "sizes [1] instead of [0]" in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_process_of_another_program_is_named(tmp_path: Path, library: Library) -> None:
    first = [*library.mpiexec, "-n", "1", str(library.programs / "b_eff"), *QUICK]
    second = ["-n", "1", str(library.programs / "b_pairs"), "--memory-per-process", "4MiB"]
    run = library.launch([*first, ":", *second], cwd=tmp_path, timeout_s=120)
    assert run.returncode == 2
    assert "rank 1 on " in run.stderr
    assert 'program "b_pairs" instead of "b_eff"' in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_killed_run_of_which_a_process_is_left(tmp_path: Path, library: Library) -> None:
    """Its rank 0 holds the output as long as it lives."""
    with long_run(library, "b_eff", LONG, tmp_path, samples=5) as run:
        rank_0 = min(processes_of(run.program, tmp_path))
        send(rank_0, signal.SIGSTOP)
        second = library.run(2, *QUICK, "--overwrite", cwd=tmp_path)
        send(rank_0, signal.SIGCONT)
        run.send(signal.SIGTERM)
    assert second.returncode == 2, second.stderr
    assert_verified(tmp_path)
