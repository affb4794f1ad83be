"""False alarms and missed losses, on real repeated runs (tests/data/repeated/README.md)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import pytest
from support.repeated import b_eff_io_runs, b_eff_runs

from beff.judge import compare as compare_module
from beff.judge import sides as sides_module
from beff.judge.benchmarks import DECIDING, Figures, compared_figures
from beff.judge.compare import CompareSettings, Report, compare
from beff.judge.day_rule import Word
from beff.result.contract import AnyResult
from beff.result.load import Document, check_document

pytestmark = pytest.mark.thorough

Runs = Sequence[Document]
Choice = Callable[[int, int], Iterator[tuple[list[int], list[int]]]]
SESSIONS = ("b_eff_priority", "b_eff_shared", "b_eff_io_shared")
PAIRS = 100


def session(name: str, slowed: float = 1.0) -> Runs:
    runs = b_eff_io_runs if name.startswith("b_eff_io") else b_eff_runs
    return runs(name, slowed)


def drawn(runs: int, each: int) -> Iterator[tuple[list[int], list[int]]]:
    """PAIRS of sides with `each` runs, drawn at random; no run is on both sides of a pair."""
    chance = random.Random(2001)
    for _ in range(PAIRS):
        chosen = chance.sample(range(runs), 2 * each)
        yield chosen[:each], chosen[each:]


def alternating(runs: int, each: int) -> Iterator[tuple[list[int], list[int]]]:
    """PAIRS of sides of which each got one of every two runs that follow each other."""
    chance = random.Random(1998)
    for _ in range(PAIRS):
        chosen = sorted(chance.sample(range(runs), 2 * each))
        turned = [chance.random() < 0.5 for _ in range(each)]
        pairs = list(zip(chosen[::2], chosen[1::2], strict=True))
        a = [pair[turn] for pair, turn in zip(pairs, turned, strict=True)]
        b = [pair[not turn] for pair, turn in zip(pairs, turned, strict=True)]
        yield a, b


def compared(before: Runs, after: Runs, each: int, choose: Choice = drawn) -> list[Report]:
    return [
        compare([before[i] for i in a], [after[i] for i in b], CompareSettings())
        for a, b in choose(len(before), each)
    ]


@pytest.fixture(autouse=True, scope="module")
def _deciding_alone() -> Iterator[None]:
    """Compare without hints, which decide nothing, and derive the figures once per run."""

    @cache
    def deciding(result: AnyResult) -> Figures:
        figures = compared_figures(result)
        return {quantity: figures[quantity] for quantity in figures if quantity.table in DECIDING}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compare_module, "compared_figures", deciding)
        patch.setattr(sides_module, "compared_figures", deciding)
        yield


@pytest.mark.parametrize("name", SESSIONS)
def test_stored_runs_are_results(name: str) -> None:
    for run in session(name):
        check_document(run.source, run.fields)
        assert run.fields["complete"]


@pytest.mark.parametrize(
    ("name", "each"),
    [
        *((name, each) for name in SESSIONS for each in (3, 5, 10)),
        *((name, each) for name in SESSIONS[1:] for each in (1, 2)),
    ],
)
def test_nothing_changed_and_no_alarm(name: str, each: int) -> None:
    reports = compared(session(name), session(name), each)
    assert sum(report.word is Word.SLOWER for report in reports) <= 0.02 * PAIRS


@pytest.mark.parametrize(
    ("name", "slower", "each", "found"),
    [
        ("b_eff_priority", 1 / 0.9, 10, 95),
        ("b_eff_priority", 1 / 0.8, 5, 98),
        ("b_eff_shared", 1 / 0.8, 10, 98),
        ("b_eff_shared", 1 / 0.7, 5, 98),
        ("b_eff_io_shared", 1 / 0.4, 10, 98),
    ],
)
def test_a_planted_loss_is_found(name: str, slower: float, each: int, found: int) -> None:
    reports = compared(session(name), session(name, slower), each, alternating)
    assert sum(report.word is Word.SLOWER for report in reports) >= found


def windows(runs: int) -> Iterator[range]:
    """All stretches of 6, 10 and 16 runs that follow each other."""
    for each in (3, 5, 8):
        for first in range(runs - 2 * each + 1):
            yield range(first, first + 2 * each)


@pytest.mark.parametrize("name", SESSIONS)
def test_sides_that_follow_each_other_in_time(name: str) -> None:
    """Neighbours in time are alike; the wider interval keeps the alarms few."""
    runs = session(name)
    reports = []
    for window in windows(len(runs)):
        half = len(window) // 2
        a, b = ([runs[i] for i in part] for part in (window[:half], window[half:]))
        reports.append(compare(a, b, CompareSettings()))
    assert not any(report.comparisons[0].sides.alternated for report in reports)
    assert sum(report.word is Word.SLOWER for report in reports) <= max(1, 0.02 * len(reports))


@pytest.mark.parametrize("name", SESSIONS)
def test_sides_that_alternate(name: str) -> None:
    runs = session(name)
    reports = []
    for window in windows(len(runs)):
        a, b = ([runs[i] for i in part] for part in (window[::2], window[1::2]))
        reports.append(compare(a, b, CompareSettings()))
    assert all(report.comparisons[0].sides.alternated for report in reports)
    assert sum(report.word is Word.SLOWER for report in reports) <= 0.02 * len(reports)
