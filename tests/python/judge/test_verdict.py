"""What a change is called."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.judge.change import (
    EQUIVALENCE,
    ChangeVerdict,
    Claim,
    change_by_sides,
    claim_of,
    confidence_of,
    confidence_text,
    judge_change,
)

SIDE = st.lists(st.floats(-20, 20), min_size=1, max_size=8)
OPPOSITE = {
    ChangeVerdict.SLOWER: ChangeVerdict.FASTER,
    ChangeVerdict.LIKELY_SLOWER: ChangeVerdict.LIKELY_FASTER,
    ChangeVerdict.SLIGHTLY_SLOWER: ChangeVerdict.SLIGHTLY_FASTER,
    ChangeVerdict.NOT_SLOWER: ChangeVerdict.NOT_FASTER,
    ChangeVerdict.NOT_CLEAR: ChangeVerdict.NOT_CLEAR,
    ChangeVerdict.NO_CHANGE: ChangeVerdict.NO_CHANGE,
}
OPPOSITE |= {there: here for here, there in OPPOSITE.items()}
SURE = {ChangeVerdict.SLOWER, ChangeVerdict.FASTER}


@pytest.mark.parametrize(
    ("b", "verdict"),
    [
        ([0.80, 0.81, 0.79], ChangeVerdict.SLOWER),
        ([0.92, 0.91, 0.93], ChangeVerdict.LIKELY_SLOWER),
        ([0.97, 0.971, 0.969], ChangeVerdict.SLIGHTLY_SLOWER),
        ([0.94, 0.95, 0.93], ChangeVerdict.NOT_FASTER),
        ([1.00, 1.01, 0.99], ChangeVerdict.NO_CHANGE),
        ([1.10, 0.70, 0.90], ChangeVerdict.NOT_CLEAR),
        ([1.06, 1.07, 1.05], ChangeVerdict.NOT_SLOWER),
        ([1.03, 1.031, 1.029], ChangeVerdict.SLIGHTLY_FASTER),
        ([1.085, 1.095, 1.075], ChangeVerdict.LIKELY_FASTER),
        ([1.20, 1.21, 1.19], ChangeVerdict.FASTER),
    ],
)
def test_words(b: list[float], verdict: ChangeVerdict) -> None:
    """The whole interval must lie beyond the threshold, or within it."""
    a = [math.log(figure) for figure in (1.0, 1.01, 0.99)]
    found = change_by_sides(a, [math.log(figure) for figure in b])
    judged = judge_change(found, 0.99 if "LIKELY" in verdict.name else 0.95, 0.05, True)
    assert judged.verdict == verdict
    assert (judged.confidence > EQUIVALENCE) == (verdict in SURE)
    assert judged.interval == found.interval(judged.confidence)


@given(SIDE, SIDE, st.floats(0, 1), st.sampled_from([0.9, 0.95, 0.99, 0.9999]), st.booleans())
def test_every_word_can_be_read_from_its_interval(
    a: list[float], b: list[float], threshold: float, confidence: float, more: bool
) -> None:
    """As docs/how-to/compare.md has it."""
    judged = judge_change(change_by_sides(a, b, assumed=0.1), confidence, threshold, more)
    gain = judged.interval if more else judged.interval.reversed()
    margin = math.log1p(threshold)
    slower = gain.high < -margin
    faster = gain.low > margin
    low_within, high_within = -margin <= gain.low, gain.high <= margin
    words = {
        ChangeVerdict.SLOWER: slower,
        ChangeVerdict.LIKELY_SLOWER: slower,
        ChangeVerdict.FASTER: faster,
        ChangeVerdict.LIKELY_FASTER: faster,
        ChangeVerdict.NO_CHANGE: low_within and high_within,
        ChangeVerdict.SLIGHTLY_SLOWER: low_within and gain.high < 0,
        ChangeVerdict.SLIGHTLY_FASTER: high_within and gain.low > 0,
        ChangeVerdict.NOT_SLOWER: low_within and not high_within,
        ChangeVerdict.NOT_FASTER: high_within and not low_within,
        ChangeVerdict.NOT_CLEAR: not low_within and not high_within,
    }
    assert words[judged.verdict]
    assert judged.confidence == (confidence if judged.verdict in SURE else EQUIVALENCE)


@given(SIDE, SIDE, st.floats(0, 1), st.sampled_from([0.9, 0.95, 0.99, 0.9999]))
def test_swapping_the_sides_turns_the_words(
    a: list[float], b: list[float], threshold: float, confidence: float
) -> None:
    there = judge_change(change_by_sides(a, b, assumed=0.1), confidence, threshold, True)
    back = judge_change(change_by_sides(b, a, assumed=0.1), confidence, threshold, True)
    less = judge_change(change_by_sides(a, b, assumed=0.1), confidence, threshold, False)
    assert back.verdict == less.verdict == OPPOSITE[there.verdict]
    assert back.interval == there.interval.reversed()
    assert less.interval == there.interval


def test_threshold_counts_from_the_worse_figure() -> None:
    """More than 5 % more time: with 5 % the verdict is still within the threshold."""
    for factor, verdict in ((1.049, ChangeVerdict.SLIGHTLY_SLOWER), (1.051, ChangeVerdict.SLOWER)):
        found = change_by_sides([0.0] * 3, [-math.log(factor)] * 3)
        assert judge_change(found, 0.95, 0.05, True).verdict == verdict


def test_the_figures_share_the_error_rate() -> None:
    """2 % for slower and 2 % for faster, shared by 26 figures."""
    assert confidence_of(1) == pytest.approx(0.96)
    assert 1 - confidence_of(26) == pytest.approx(0.04 / 26)


def test_one_slower_figure_is_enough_and_all_must_be_cleared() -> None:
    clear = [ChangeVerdict.NO_CHANGE, ChangeVerdict.FASTER, ChangeVerdict.SLIGHTLY_SLOWER]
    assert claim_of(clear) == Claim.NOT_SLOWER
    assert claim_of([*clear, ChangeVerdict.LIKELY_SLOWER]) == Claim.OPEN
    assert claim_of([*clear, ChangeVerdict.LIKELY_SLOWER, ChangeVerdict.SLOWER]) == Claim.SLOWER


@pytest.mark.parametrize(
    ("confidence", "text"),
    [(0.9, "90 %"), (0.96, "96 %"), (1 - 0.04 / 26, "99.85 %"), (1 - 0.04 / 966, "99.9959 %")],
)
def test_a_confidence_is_written_as_far_as_it_differs(confidence: float, text: str) -> None:
    assert confidence_text(confidence) == text
