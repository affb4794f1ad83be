"""What each process asks of a file system, which many processes ask at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.b_eff_io.io_support import run_folders, tight
from engines.support import MPICH, SHORT, standin, system_fault

pytestmark = pytest.mark.thorough

TYPES = 5


def counts(folder: Path, verify: str) -> dict[int, tuple[int, int]]:
    """Run b_eff_io; return by rank how many files it opened by name, and how many it removed."""
    folder.mkdir()
    shim, counted = standin(MPICH.headers, "counted_calls.c"), folder / "counts"
    env = {"LD_PRELOAD": str(shim), "BEFF_COUNTS": str(counted), "BEFF_FILES": "/b_eff_io-"}
    options = [*tight(2), "--verify", verify]
    run = MPICH.run(2, *options, cwd=folder, env=env, program="b_eff_io")
    assert run.returncode == 3, run.stderr
    assert run_folders(folder) == []
    lines = [list(map(int, line.split())) for line in counted.read_text("utf-8").splitlines()]
    return {rank: (opens, removals) for rank, opens, removals in lines}


def test_a_check_opens_each_file_once_and_each_process_removes_its_own(tmp_path: Path) -> None:
    without, with_check = counts(tmp_path / "none", "none"), counts(tmp_path / "sample", "sample")
    assert without.keys() == with_check.keys() == {0, 1}
    for rank, (opens, removals) in with_check.items():
        assert opens - without[rank][0] == TYPES
        assert removals >= 1  # of type 2


def test_a_slow_file_system_is_not_asked_for_each_line(tmp_path: Path) -> None:
    """Each write into the journal takes a second."""
    env = system_fault("write", -1, ".journal.jsonl")
    options = [*SHORT, "--patterns", "0,5", "--methods", "sendrecv", "--repetitions", "1"]
    run = MPICH.run(2, *options, cwd=tmp_path, env=env)
    assert run.returncode == 3, run.stderr
    result = json.loads((tmp_path / "b_eff.json").read_text("utf-8"))
    lines = (tmp_path / "b_eff.journal.jsonl").read_text("utf-8").splitlines()
    loops = len(result["samples"]["size"])
    assert len(lines) == loops + 2
    assert [json.loads(line) for line in lines][-1] == {"end": "complete"}
    assert result["environment"]["wall_s"] < loops
