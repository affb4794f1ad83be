"""The spread of a run: what other choices of the repetition would have given."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.repeated import with_figures
from support.results import Plan, make_result

from beff.cli.app import main
from beff.result.errors import ResultError
from beff.result.load import check_document
from beff.verify.analysis import Spread, Steadiness, analysis_of

PLAN = Plan(processes=2, methods=("sendrecv",), repetitions=3)
ONCE = Plan(processes=2, methods=("sendrecv",), repetitions=1)


def with_factors(*factors: float) -> dict[str, Any]:
    """A result whose n-th repetition of every loop took the time of the first times a factor."""
    document = make_result(PLAN)
    samples = document["samples"]
    first = {
        (pattern, size): (length, seconds)
        for pattern, size, repetition, length, seconds in zip(
            *(samples[name] for name in ("pattern", "size", "repetition", "loop_length")),
            samples["time_max_s"],
            strict=True,
        )
        if repetition == 0
    }
    for row, repetition in enumerate(samples["repetition"]):
        length, seconds = first[samples["pattern"][row], samples["size"][row]]
        samples["loop_length"][row] = length
        samples["time_max_s"][row] = seconds * factors[repetition]
    return with_figures(document)


def spread(document: dict[str, Any]) -> Spread:
    return analysis_of(check_document("made up", document)).spread


def test_factors_of_repetitions_come_out() -> None:
    document = with_factors(1.0, 1.3, 1.1)
    found = spread(document)
    assert found.repetitions == 3
    assert {value.value.label for value in found.values} >= {"b_eff", "latency", "random rings"}
    for value in found.values:
        # more time is less bandwidth, and more latency
        sign = -1 if value.value.unit == "us" else 1
        by = [value.official * factor ** (-sign) for factor in (1.0, 1.3, 1.1)]
        assert value.median == pytest.approx(by[2])
        assert value.worst == pytest.approx(by[1])
        assert value.range == pytest.approx(
            abs(by[0] - by[1]) / by[2],
        )


@settings(max_examples=8)
@given(st.lists(st.floats(0.5, 2.0), min_size=3, max_size=3))
def test_median_lies_between_worst_and_official(factors: list[float]) -> None:
    for value in spread(with_factors(*factors)).values:
        _, middle, _ = sorted((value.worst, value.median, value.official))
        assert middle == value.median


def test_official_values_are_those_of_the_maximum() -> None:
    """The summary derived with the spread's own code path has the bits of the one without."""
    document = with_factors(1.2, 1.0, 1.4)
    again = with_figures(document)
    for value in spread(document).values:
        assert value.official.hex() == again["summary"][value.value.name].hex()


@pytest.mark.parametrize(("slowest", "is_caution"), [(1.14, False), (1.2, True)])
def test_repetitions_that_differ_too_much_are_a_caution(
    slowest: float, is_caution: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The limit is 15 % of the median, which is that of the second repetition."""
    source = tmp_path / "run.json"
    source.write_text(json.dumps(with_factors(1.0, 1.0, slowest)), encoding="utf-8")
    assert main(["show", str(source), "--all"]) == 0
    printed = capsys.readouterr().out
    assert "repetitions differ by 1" in printed
    assert ("shows no level" in printed) == is_caution


def test_whether_it_was_quiet_is_not_known_without_a_load() -> None:
    once = check_document("made up", make_result(ONCE))
    assert analysis_of(once).steadiness == Steadiness.UNKNOWN


def test_partial_result_has_the_values_it_has() -> None:
    one_repetition = 46 * 21
    plan = Plan(processes=2, methods=("sendrecv",), measured=one_repetition + 200)
    found = spread(make_result(plan))
    value = found.values[0]
    assert value.value.name == "b_eff_MBps"
    within_the_first = spread(make_result(replace(plan, measured=200)))
    assert within_the_first.values == ()
    assert within_the_first.note is not None


def test_unsound_samples_are_one_sentence() -> None:
    document = make_result(PLAN)
    document["samples"]["size"][0] = 21
    with pytest.raises(ResultError, match=r"made up: .*size"):
        spread(document)
