"""One data set, one answer: compare, check, expectations, history and today of the same runs."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beff.cli.app import main
from beff.judge.benchmarks import ASSUMED_NOISE
from beff.judge.compare import CompareSettings, compare
from beff.judge.day_rule import Word
from beff.judge.judge_results import check_earlier
from beff.judge.series import FIGURES, Day, Standing, standing_after
from beff.result.load import Document, check_document
from store_support import OFFICIAL, bytes_of, result_of

pytestmark = pytest.mark.thorough


def written(folder: Path, day: int, speeds: list[float]) -> Path:
    folder.mkdir(parents=True)
    for number, speed in enumerate(speeds):
        started_at = f"2026-03-{day:02}T10:{2 * number:02}:00Z"
        content = bytes_of(result_of(plan=OFFICIAL, speed=speed, started_at=started_at))
        (folder / f"{day}-{number}.json").write_bytes(content)
    return folder


@pytest.mark.parametrize(("loss", "code"), [(0.0, 0), (0.1, 1)])
def test_five_days_and_three_since(
    loss: float, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a scatter of 1 % a tenth is slower, bad, not as expected and a step, or nothing is."""
    chance = random.Random(1)
    before, since = tmp_path / "results" / "before", tmp_path / "results" / "since"
    for day in range(1, 9):
        folder, lost = (before, 0.0) if day < 6 else (since, loss)
        speeds = [(1 - lost) * math.exp(chance.gauss(0, 0.01)) for _ in range(2)]
        written(folder / str(day), day, speeds)
    accepted = tmp_path / "accepted"
    assert main(["accept", str(before), "--as", str(accepted)]) == 0
    assert main(["compare", str(before), str(since)]) == code
    assert main(["check", str(since), "--baseline", str(before)]) == code
    assert main(["check", str(since), "--accepted", str(accepted)]) == code
    capsys.readouterr()
    assert main(["show", "--history", str(tmp_path / "results"), "--json"]) == 0
    (series,) = json.loads(capsys.readouterr().out)
    marks = [(series["runs"][step["run"]]["result"], step["verdict"]) for step in series["steps"]]
    assert marks == [("6-0.json", "slower")] * code


@pytest.mark.parametrize(
    ("loss", "code", "words"),
    [
        (0.0, 0, "as fast as in 3 runs of the same day: "),
        (0.04, 3, "inconclusive: runs differ by "),
        (0.3, 1, "slower since "),
    ],
)
def test_runs_of_the_same_day(
    loss: float, code: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both sides in one session: check compares their runs, as compare does."""
    noise = (1.0, 1.01, 0.99)
    a = written(tmp_path / "a", 1, list(noise))
    b = written(tmp_path / "b", 1, [(1 - loss) * factor for factor in (1.005, 1.015, 0.985)])
    assert main(["compare", str(a), str(b)]) == code
    capsys.readouterr()
    assert main(["check", str(b), "--baseline", str(a), "--all"]) == code
    assert words in capsys.readouterr().out


@settings(max_examples=8)
@given(st.integers(0, 2**32))
def test_one_word_for_the_same_runs(seed: int) -> None:
    """Of one to nine days before, each with one to four runs, in any order."""
    chance = random.Random(seed)
    loss, noise, days = (
        chance.choice(shares)
        for shares in ((0.0, 0.05, 0.1, 0.3), (0.002, 0.01, 0.05), (0.0, 0.03))
    )
    last = chance.randint(2, 10)
    runs: list[list[Document]] = []
    for day in range(1, last + 1):
        level = math.exp(chance.gauss(0, days)) * (1 - loss * (day == last))
        speeds = [level * math.exp(chance.gauss(0, noise)) for _ in range(chance.randint(1, 4))]
        runs.append([run(day, minute, speed) for minute, speed in enumerate(speeds)])
    earlier = [one for own in runs[:-1] for one in own]
    chance.shuffle(earlier)
    (finding,) = check_earlier(runs[-1], earlier).findings
    checked = finding.facts["day"]
    compared = compare(earlier, runs[-1], CompareSettings())
    days = [
        Day(own[0].started_at.timestamp(), {"b_eff": [log_of(one) for one in own]}) for own in runs
    ]
    begin = Standing(FIGURES["b_eff"][:1], ASSUMED_NOISE["b_eff"])
    value = standing_after(begin, days[:-1]).judged(days[-1])
    assert compared.word is checked.word
    for one in (checked, compared.comparisons[0].day):
        assert one.figures[0].word is value.figures[0].word
        assert one.figures[0].change.estimate == pytest.approx(value.figures[0].change.estimate)
        assert one.word in {value.word, Word.SLOWER, Word.OPEN}


def log_of(document: Document) -> float:
    return math.log(document.fields["summary"]["b_eff_MBps"])


def run(day: int, minute: int, speed: float) -> Document:
    """A short run whose figures are given instead of derived: only what is compared counts."""
    fields = result_of(speed=1.0, started_at=f"2026-03-{day:02}T10:{minute:02}:00Z")
    for name, figure in fields["summary"].items():
        if name.endswith("_MBps") and figure:
            fields["summary"][name] = figure * speed
    fields["digest"]["samples"] = f"{day:08}{minute:08}"
    times, more = fields["samples"]["time_max_s"], 1 + (100 * day + minute) / 1e9
    fields["samples"]["time_max_s"] = [seconds * more for seconds in times]
    return check_document(f"{day}-{minute}.json", fields)
