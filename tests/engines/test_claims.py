"""An output belongs to one run: it is claimed before anything is measured."""

import errno
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from engines.processes import long_run, processes_of, wait_until
from engines.support import (
    ENDLESS,
    MPICH,
    SHORT,
    Library,
    assert_verified,
    measured,
    result_in,
    system_fault,
)

pytestmark = pytest.mark.thorough

QUICK = [*SHORT, "--patterns", "5", "--sizes", "0"]


@pytest.mark.parametrize(("options", "locks"), [([], False), (["--overwrite"], True)])
def test_a_second_run_is_refused_before_it_measures(
    tmp_path: Path, library: Library, options: list[str], locks: bool
) -> None:
    env = {} if locks else system_fault("lock", errno.ENOLCK, ".roll")
    with long_run(library, "b_eff", ENDLESS, tmp_path, samples=20, env=env) as run:
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
    with long_run(library, "b_eff", ENDLESS, tmp_path, samples=5, env=env) as run:
        run.send(signal.SIGKILL)
        wait_until(lambda: not processes_of(run.program, tmp_path), "they live on")
    assert (tmp_path / "b_eff.roll").exists()
    measured(library, tmp_path, *QUICK, "--overwrite", env=env)
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

    with long_run(library, "b_eff", ENDLESS, tmp_path, samples=1, processes=3) as run:
        wait_until(all_have_signed_in, "not all have signed in")
        run.send(signal.SIGTERM)


@pytest.mark.parametrize("ending", [".json", ".txt", ".journal.jsonl", ".roll"])
@pytest.mark.parametrize("options", [[], ["--overwrite"]])
def test_what_is_no_file_is_refused(tmp_path: Path, ending: str, options: list[str]) -> None:
    os.mkfifo(tmp_path / f"b_eff{ending}")
    run = MPICH.run(2, *QUICK, *options, cwd=tmp_path, timeout_s=120)
    assert run.returncode == 2
    assert f"b_eff{ending}" in run.stderr
    assert [file.name for file in tmp_path.iterdir()] == [f"b_eff{ending}"]


@pytest.mark.parametrize(
    ("program", "options", "says"),
    [
        ("b_eff", [*SHORT, "--patterns", "5", "--sizes", "1"], "sizes [1] instead of [0]"),
        ("b_pairs", SHORT[:2], 'program "b_pairs" instead of "b_eff"'),
    ],
)
def test_a_process_with_other_options_or_of_another_program_is_named(
    tmp_path: Path, library: Library, program: str, options: list[str], says: str
) -> None:
    second = ["-n", "1", str(library.programs / program), *options]
    command = [*library.command(2), *QUICK, ":", *second]
    run = library.launch(command, cwd=tmp_path, timeout_s=120)
    assert run.returncode == 2
    assert run.stderr.count("rank 2 on ") == 1, run.stderr
    assert says in run.stderr
    assert list(tmp_path.iterdir()) == []
