"""Live progress of b_eff_io from a journal that the real program wrote."""

import json
from pathlib import Path

import pytest

from beff.launch.follow import IoFollower
from beff.result.numbers import rate

STORED = Path(__file__).resolve().parents[2] / "data" / "b_eff_io_stopped.journal.jsonl"
LINES = STORED.read_text(encoding="utf-8").splitlines(keepends=True)


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def sample_lines(count: int) -> list[str]:
    return [line for line in LINES if line.startswith('{"sample"')][:count]


def test_nothing_before_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "x.journal.jsonl"
    follower = IoFollower(path)
    assert follower.look() is None
    path.write_text(LINES[0][:80], encoding="utf-8")
    assert follower.look() is None


def test_share_time_and_last_pattern(tmp_path: Path) -> None:
    path = tmp_path / "x.journal.jsonl"
    clock = Clock()
    follower = IoFollower(path, clock)
    path.write_text(LINES[0], encoding="utf-8")
    progress = follower.look()
    assert progress is not None
    assert (progress.share, progress.now) == (0.0, "")
    clock.now += 2.5
    with path.open("a", encoding="utf-8") as file:
        file.writelines(sample_lines(2))
        file.write(LINES[5][:30])
    progress = follower.look()
    assert progress is not None
    to_come_s = json.loads(sample_lines(2)[-1])["to_come_s"]
    assert progress.share == pytest.approx(2.5 / (2.5 + to_come_s))
    assert progress.done == "2 of 258 patterns, 25 % of T = 10 s elapsed"
    last = json.loads(sample_lines(2)[-1])["sample"]
    speed = last["bytes"] / last["time_s"] / 1e6
    assert progress.now == f"write, 1 process, pattern 1 (scatter) {rate(speed)}"


def test_what_was_left_out_and_the_end(tmp_path: Path) -> None:
    path = tmp_path / "x.journal.jsonl"
    path.write_text("".join(LINES), encoding="utf-8")
    progress = IoFollower(path).look()
    assert progress is not None
    samples = [json.loads(line)["sample"] for line in sample_lines(len(LINES))]
    assert samples[-1]["status"] == "skipped"
    assert progress.now.endswith("skipped")
    assert f"write, 2 processes, pattern {samples[-1]['pattern']} (" in progress.now
    assert progress.done.startswith(f"{len(samples)} of 258 patterns")


def test_a_strange_header_leaves_the_share_open(tmp_path: Path) -> None:
    path = tmp_path / "x.journal.jsonl"
    path.write_text("{}\n" + sample_lines(1)[0], encoding="utf-8")
    progress = IoFollower(path).look()
    assert progress is not None
    assert progress.share is None
    assert progress.done == "patterns: 1"
