"""Processes that are stopped for good while b_eff or b_eff_io measures are named."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

from engines.b_eff_io.io_support import run_folders
from engines.hangs.hang_support import LIMIT, LONG, run_that_is_stopped
from engines.processes import long_run, processes_of, send
from engines.support import (
    HANGS,
    MPICH,
    OPENMPI,
    Library,
    assert_verified,
    result_in,
    system_fault,
)


@pytest.mark.parametrize(
    ("library", "program", "rank"), [(OPENMPI, "b_eff", 2), (MPICH, "b_eff_io", 1)]
)
def test_who_is_stopped_is_named(tmp_path: Path, library: Library, program: str, rank: int) -> None:
    said = run_that_is_stopped(library, program, tmp_path, rank)
    assert "beff show" not in said
    assert_verified(tmp_path, program)
    assert not (tmp_path / f"{program}.roll").exists()
    assert run_folders(tmp_path) == []


def test_the_result_says_what_hangs(tmp_path: Path) -> None:
    run_that_is_stopped(MPICH, "b_eff", tmp_path, 1, samples=50)
    result = result_in(tmp_path)
    assert_verified(tmp_path)
    assert not result["complete"]
    assert len(result["samples"]["pattern"]) >= 50
    told = [text for text in map(str, result["cautions"]) if "did not end within 3 s" in text]
    assert any("did not answer" in text for text in told)
    methods = "sendrecv|alltoallv|nonblocking"
    assert re.search(rf"\(pattern \d+, ({methods}), \d+ iterations?, messages of", "".join(told)), (
        told
    )
    lines = (tmp_path / "b_eff.journal.jsonl").read_text().splitlines()
    assert json.loads(lines[-1]) == {"end": "stopped"}
    assert not (tmp_path / "b_eff.roll").exists()


def test_a_hang_is_reported_although_the_roll_hangs(tmp_path: Path) -> None:
    """As on a file system that does not answer any more, once rank 0 has made it."""
    env = system_fault("open", HANGS, ".roll", after=1, rank=0)
    with long_run(MPICH, "b_eff", [*LONG["b_eff"], *LIMIT], tmp_path, samples=50, env=env) as run:
        send(processes_of(run.program, tmp_path)[-1], signal.SIGSTOP)
        run.process.communicate(timeout=90)
    told = [
        text
        for text in map(str, result_in(tmp_path)["cautions"])
        if "did not end within 3 s" in text
    ]
    roll = tmp_path / "b_eff.roll"
    assert any(f"nobody can be named, as {roll} hangs" in text for text in told)
    assert_verified(tmp_path)
