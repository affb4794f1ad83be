"""One data set, one answer: compare, check, its expectations and the history of the same runs."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beff.cli.app import main
from beff.cli.common import exit_codes
from beff.cli.compare import exit_code_of
from beff.judge.compare import CompareSettings, compare
from beff.judge.comparison import Report
from beff.judge.finding import Verdict
from beff.judge.judge_results import check_earlier
from beff.result.load import Document, check_document
from store_support import OFFICIAL, bytes_of, result_of

CODES = {
    Verdict.GOOD: exit_codes.OK,
    Verdict.BAD: exit_codes.FAILED,
    Verdict.UNKNOWN: exit_codes.NOT_VALID,
}


def written(folder: Path, day: int, speeds: list[float]) -> Path:
    folder.mkdir(parents=True)
    for number, speed in enumerate(speeds):
        started_at = f"2026-03-{day:02}T10:{2 * number:02}:00Z"
        content = bytes_of(result_of(plan=OFFICIAL, speed=speed, started_at=started_at))
        (folder / f"{day}-{number}.json").write_bytes(content)
    return folder


@pytest.mark.parametrize(("seed", "loss", "code"), [(1, 0.0, 0), (2, 0.1, 1)])
def test_five_runs_on_monday_and_five_on_tuesday(
    seed: int, loss: float, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a scatter of 1 % a tenth is slower, bad, not as expected and a step, or nothing is."""
    chance = random.Random(seed)
    store = tmp_path / "results"
    monday = written(store / "monday", 2, [math.exp(chance.gauss(0, 0.01)) for _ in range(5)])
    speeds = [(1 - loss) * math.exp(chance.gauss(0, 0.01)) for _ in range(5)]
    tuesday = written(store / "tuesday", 3, speeds)
    accepted = tmp_path / "accepted"
    assert main(["accept", str(monday), "--as", str(accepted)]) == 0
    assert main(["compare", str(monday), str(tuesday)]) == code
    assert main(["check", str(tuesday), "--baseline", str(monday)]) == code
    assert main(["check", str(tuesday), "--accepted", str(accepted)]) == code
    capsys.readouterr()
    assert main(["history", str(store), "--json"]) == 0
    (series,) = json.loads(capsys.readouterr().out)
    marks = [(step["result"], step["verdict"]) for step in series["steps"]]
    assert marks == [("3-0.json", "slower")] * code


@settings(max_examples=8)
@given(st.integers(0, 2**32))
def test_compare_and_a_baseline_agree(seed: int) -> None:
    """Of one to six days of each side, in any order, each with one to four runs."""
    chance = random.Random(seed)
    loss, noise, days = (
        chance.choice(shares)
        for shares in ((0.0, 0.05, 0.1, 0.3), (0.002, 0.01, 0.05), (0.0, 0.03))
    )
    order = ["A"] * chance.randint(1, 6) + ["B"] * chance.randint(1, 6)
    if chance.random() < 0.5:
        chance.shuffle(order)
    sides: dict[str, list[Document]] = {"A": [], "B": []}
    for day, side in enumerate(order, start=1):
        level = math.exp(chance.gauss(0, days)) * (1 - loss * (side == "B"))
        for minute in range(chance.randint(1, 4)):
            sides[side].append(run(day, minute, level * math.exp(chance.gauss(0, noise))))
    report = compare(sides["A"], sides["B"], CompareSettings())
    (finding,) = check_earlier(sides["B"], sides["A"]).findings
    assert CODES[finding.verdict] == exit_code_of(report)
    assert_is_sound(report)


def run(day: int, minute: int, speed: float) -> Document:
    """A short run whose figures are given instead of derived: only what is compared counts."""
    fields = result_of(speed=1.0, started_at=f"2026-03-{day:02}T10:{minute:02}:00Z")
    for name, figure in fields["summary"].items():
        if name.endswith("_MBps") and figure:
            fields["summary"][name] = figure * speed
    fields["digest"]["samples"] = f"{day:08}{minute:08}"
    return check_document(f"{day}-{minute}.json", fields)


def assert_is_sound(report: Report) -> None:
    """Change, interval and word of every row belong together."""
    for comparison in report.comparisons:
        for table in comparison.tables:
            for row in table.rows:
                low, high = row.interval.shares
                assert low <= row.change <= high
                assert row.b / row.a - 1 == pytest.approx(row.change)
