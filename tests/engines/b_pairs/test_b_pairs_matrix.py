"""A matrix of messages: real runs on two MPI libraries."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from engines.support import MPICH, Library, assert_verified, result_in, standin

QUICK = ["--memory-per-process", "8MiB", "--progress", "never", "--duration", "1ms"]


@pytest.mark.parametrize("method", ["nonblocking", "alltoallv"])
def test_a_file(tmp_path: Path, library: Library, method: str) -> None:
    """Messages of several sizes between the same two, to oneself, and a rank that only waits."""
    rows = "0 1 1 2\n0 1 30000\n1 0 70000\n0 0 9\n1 1 5\n"
    (tmp_path / "rows").write_text(rows, encoding="utf-8")
    options = (*QUICK, "--matrix", "rows", "--method", method)
    run = library.run(3, *options, cwd=tmp_path, program="b_pairs")
    assert run.returncode in {0, 3}, run.stderr
    result = result_in(tmp_path, "b_pairs")
    assert result["complete"]
    assert result["plan"]["matrix"]["bytes"] == 100_016
    found = result["matrix"]
    assert found["ranks"]["sent_bytes"] == [30_011, 70_005, 0]
    assert found["ranks"]["received_bytes"] == [70_009, 30_007, 0]
    assert len(found["loops"]["ns"]) == 9
    assert found["data_check"]["messages_checked"] >= 6 * (9 + 9 + 5)
    assert found["data_check"]["wrong_messages"] == 0
    senders = found["ranks"]["last_from"]
    assert senders[2] is None
    assert set(senders[:2]) <= ({0, 1} if method == "nonblocking" else {None})
    assert_verified(tmp_path, "b_pairs")
    assert ", rows " in run.stdout.splitlines()[-1]


def test_a_preset(tmp_path: Path, library: Library) -> None:
    options = (*QUICK, "--matrix", "moe:1", "--message-size", "1KiB", "--seed", "3")
    run = library.run(3, *options, cwd=tmp_path, program="b_pairs")
    assert run.returncode in {0, 3}, run.stderr
    assert result_in(tmp_path, "b_pairs")["summary"]["matrix_MBps"] > 0
    assert_verified(tmp_path, "b_pairs")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--matrix", "nothing"), "--matrix nothing: the file cannot be read"),
        (("--matrix", "bad"), "--matrix bad: line 2: to is 2; ranks are from 0 to 1"),
        (("--matrix", "moe:2"), "--matrix moe:2: with 2 processes K is at most 1"),
        (("--matrix", "transpose"), "has no message between 2 processes"),
        (("--matrix", "alltoall", "--message-size", "4MiB"), "more than memory per process / 4"),
        (("--matrix", "bad", "--message-size", "4KiB"), "or a preset of --matrix"),
        (("--method", "alltoallv"), "--method alltoallv: goes with --matrix"),
    ],
)
def test_wrong_use(options: tuple[str, ...], says: str, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("0 1 1\n0 2 1\n", encoding="utf-8")
    run = MPICH.run(2, *QUICK, *options, cwd=tmp_path, program="b_pairs")
    assert run.returncode == 2
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert not (tmp_path / "b_pairs.json").exists()


OTHER = {
    "pipe": None,
    "folder": None,
    "/dev/zero": None,
    "nul": b"0 1 10\0\n",
    "latin": b"0 1 # \xe9",
}


@pytest.mark.parametrize("name", [*OTHER, "large"])
@pytest.mark.parametrize(
    ("program", "options"),
    [
        ("b_pairs", ("--plan", "--processes", "2", "--matrix")),
        ("b_pairs", ("--plan", "--processes", "2", "--bisection", "--halves")),
        ("b_eff_io", ("--plan", "--processes", "2", "--info")),
    ],
    ids=lambda given: given if isinstance(given, str) else given[-1],
)
def test_what_is_no_text_file_is_refused(
    tmp_path: Path, name: str, program: str, options: tuple[str, ...]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / name).write_bytes(content) if (content := OTHER.get(name)) else None
    with (tmp_path / "large").open("wb") as large:
        large.truncate(2**31)
    run = subprocess.run(
        [MPICH.programs / program, *options, name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert run.returncode == 2
    (line,) = run.stderr.splitlines()
    assert line.startswith(f"{program}: {options[-1]} {name}: ")
    assert "; " in line  # the way out


def test_wrong_data_is_named(tmp_path: Path) -> None:
    options = (*QUICK, "--matrix", "alltoall", "--method", "alltoallv")
    env = {"LD_PRELOAD": str(standin(MPICH.compiler, "corrupting_mpi.c"))}
    run = MPICH.run(2, *options, cwd=tmp_path, env=env, program="b_pairs")
    assert run.returncode == 3, run.stderr
    result = result_in(tmp_path, "b_pairs")
    assert not result["valid"]
    assert result["matrix"]["data_check"]["wrong_messages"] > 0
    assert "65536 byte from rank" in str(result["matrix"]["data_check"]["first_error"])
    assert_verified(tmp_path, "b_pairs")
