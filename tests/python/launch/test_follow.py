"""Live progress of b_eff_io from a journal that the real program wrote."""

import json
from pathlib import Path

import pytest

from beff.launch.campaign import Follower
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


def test_share_time_and_last_pattern(tmp_path: Path) -> None:
    path = tmp_path / "x.journal.jsonl"
    clock = Clock()
    follower = Follower(path, clock=clock)
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


@pytest.mark.parametrize("header", ["", "{}", "[", '{"benchmark":"b_eff_io"}', "\xff" * 9])
def test_of_a_strange_header_nothing_is_shown(tmp_path: Path, header: str) -> None:
    path = tmp_path / "x.journal.jsonl"
    path.write_text(f"{header}\n{sample_lines(1)[0]}", encoding="utf-8")
    assert Follower(path).look() is None
