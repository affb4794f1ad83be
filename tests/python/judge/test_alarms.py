"""False alarms and missed losses, on real repeated runs (tests/data/repeated/README.md)."""

import random
from collections.abc import Iterator, Sequence
from functools import cache

import pytest
from support.repeated import b_eff_io_runs, b_eff_runs

from beff.judge import compare as compare_module
from beff.judge.benchmarks import DECIDING, Figures, compared_figures
from beff.judge.change import Word
from beff.judge.compare import Report, compare
from beff.result.contract import AnyResult
from beff.result.load import Document

pytestmark = pytest.mark.thorough

Runs = Sequence[Document]
SESSIONS = ("b_eff_priority", "b_eff_shared", "b_eff_io_shared")
PAIRS = 100


def compared(runs: Runs, each: int) -> Iterator[Report]:
    """Compare sides with so many runs drawn at random, PAIRS times; none is on both of a pair."""
    chance = random.Random(2001)
    for _ in range(PAIRS):
        chosen = chance.sample(runs, 2 * each)
        yield compare(chosen[:each], chosen[each:])


@pytest.fixture(autouse=True, scope="module")
def _deciding_alone() -> Iterator[None]:
    """Compare without hints, which decide nothing, and derive the figures once per run."""

    @cache
    def deciding(result: AnyResult) -> Figures:
        figures = compared_figures(result)
        return {quantity: figures[quantity] for quantity in figures if quantity.table in DECIDING}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compare_module, "compared_figures", deciding)
        yield


@pytest.mark.parametrize(
    ("name", "each"),
    [
        *((name, each) for name in SESSIONS for each in (3, 5, 10)),
        *((name, each) for name in SESSIONS[1:] for each in (1, 2)),
    ],
)
def test_nothing_changed_and_no_alarm(name: str, each: int) -> None:
    runs = b_eff_io_runs(name) if name.startswith("b_eff_io") else b_eff_runs(name)
    words = [report.word for report in compared(runs, each)]
    assert words.count(Word.SLOWER) <= 0.02 * PAIRS
