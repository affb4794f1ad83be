"""What each process asks of a file system, which many processes ask at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.b_eff_io.io_support import io_measured, tight
from engines.support import MPICH, SHORT, measured, system_fault

pytestmark = pytest.mark.thorough

TYPES = 5


def calls_of(call: str, folder: Path, verify: str = "sample") -> dict[str, int]:
    """Run b_eff_io; return by rank how often it opened, or removed, one of its files by name."""
    folder.mkdir()
    env = {**system_fault(call, 0, "/b_eff_io-"), "BEFF_COUNTS": str(folder / "counts")}
    io_measured(MPICH, folder, *tight(2), "--verify", verify, env=env)
    lines = (folder / "counts").read_text("utf-8").splitlines()
    return {rank: int(count) for rank, count in map(str.split, lines)}


def test_a_check_opens_each_file_once_and_each_process_removes_its_own(tmp_path: Path) -> None:
    without = calls_of("open", tmp_path / "none", "none")
    assert calls_of("open", tmp_path / "sample") == {one: n + TYPES for one, n in without.items()}
    removed = calls_of("remove", tmp_path / "removed")
    assert removed.keys() == without.keys() == {"0", "1"}
    assert min(removed.values()) >= 1  # of type 2


def test_a_slow_file_system_is_not_asked_for_each_line(tmp_path: Path) -> None:
    """Each write into the journal takes a second."""
    env = system_fault("write", -1, ".journal.jsonl")
    options = [*SHORT, "--patterns", "0,5", "--methods", "sendrecv", "--repetitions", "1"]
    result, _ = measured(MPICH, tmp_path, *options, env=env)
    lines = (tmp_path / "b_eff.journal.jsonl").read_text("utf-8").splitlines()
    loops = len(result["samples"]["size"])
    assert len(lines) == loops + 2
    assert [json.loads(line) for line in lines][-1] == {"end": "complete"}
    assert result["environment"]["wall_s"] < loops
