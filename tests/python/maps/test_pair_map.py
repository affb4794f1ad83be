"""How much the meetings of a pair differ, and the stamp of a map."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.machines.flat import QUIET, flat
from support.machines.noise import Noise
from support.machines.result import make_map

from beff.maps.pair_map import pair_map
from beff.report.parts.sentences import cautions_of
from beff.result.load import Document, as_b_pairs, check_document
from beff.verify.analysis import analysis_of

STEADY = flat(8, **QUIET | {"noise": Noise(0)}, passes=5)


def document(fields: dict[str, Any]) -> Document:
    return check_document("a.json", fields)


def by_one_pair(found: Document, kind: str) -> float:
    """The median of the quartiles' ratios, one pair after the other."""
    pairs = pair_map(as_b_pairs(found))
    ratios = []
    for one in range(pairs.units):
        for other in range(one):
            met = {one, other}
            times = [
                time
                for first, second, time in zip(
                    pairs.first, pairs.second, pairs.times[kind], strict=True
                )
                if {int(first), int(second)} == met and not np.isnan(time)
            ]
            if len(times) > 2:
                lower, upper = np.quantile(np.exp(times), (0.25, 0.75))
                ratios.append(upper / lower - 1)
    return float(np.median(ratios))


def test_equal_times_differ_by_nothing() -> None:
    found = document(make_map(STEADY))
    assert analysis_of(found).map_noise == pytest.approx(
        {"small": 0, "large": 0}, abs=2e-3
    )  # whole ns
    assert analysis_of(found).why_apart is None


@pytest.mark.parametrize("noise", [0.05, 0.3])
def test_the_figure_is_that_of_each_pair_in_turn(noise: float) -> None:
    found = document(make_map(flat(8, noise=Noise(noise), passes=9)))
    for kind, share in analysis_of(found).map_noise.items():
        assert share == pytest.approx(by_one_pair(found, kind), rel=0.1)
    assert (analysis_of(found).why_apart is None) == (noise < 0.2)
    assert "at short messages and " in analysis_of(found).differ_text


def disturbed(kind: str) -> dict[str, Any]:
    """Every second pass of a steady machine takes five times as long."""
    fields = make_map(STEADY)
    column = fields["passes"][f"{kind}_ns"]
    for rounds in column[::2]:
        for index, times in enumerate(rounds):
            rounds[index] = " ".join(str(5 * int(ns)) for ns in times.split())
    return fields


def test_a_map_whose_times_differ_has_a_caution() -> None:
    found = document(disturbed("small"))
    (caution,) = cautions_of(found)
    assert "half of a pair's times differ by 400 % at short messages" in caution


def test_long_messages_that_share_ways_are_not_noise() -> None:
    assert analysis_of(document(disturbed("large"))).why_apart is None


def test_of_few_meetings_nothing_is_known() -> None:
    found = document(make_map(flat(16, passes=1)))
    assert analysis_of(found).map_noise == {}
    assert analysis_of(found).differ_text == ""
    assert analysis_of(found).why_apart is None
