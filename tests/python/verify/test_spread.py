"""The spread of a run: what other choices of the repetition would have given."""

from __future__ import annotations

import json
import math
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
from beff.result.load import check_document, load_document
from beff.verify.analysis import SLICES, Noise, Spread, Steadiness, analysis_of

DATA = Path(__file__).resolve().parents[2] / "data"
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
        assert value.by_repetition == pytest.approx(by)
        assert value.median == pytest.approx(by[2])
        assert value.worst == pytest.approx(by[1])
        assert value.drift == pytest.approx(1.1 ** (-sign) - 1)
        assert value.behind == pytest.approx(0.1 if sign < 0 else 1 - 1 / 1.1)
        assert value.range == pytest.approx(
            abs(by[0] - by[1]) / by[2],
        )


@settings(max_examples=8)
@given(st.lists(st.floats(0.5, 2.0), min_size=3, max_size=3))
def test_median_lies_between_worst_and_official(factors: list[float]) -> None:
    for value in spread(with_factors(*factors)).values:
        low, middle, high = sorted((value.worst, value.median, value.official))
        assert middle == value.median
        assert all(
            low * (1 - 1e-12) <= alone <= high * (1 + 1e-12)
            for alone in value.by_repetition
            if alone
        )


def test_official_values_are_those_of_the_maximum() -> None:
    """The summary derived with the spread's own code path has the bits of the one without."""
    document = with_factors(1.2, 1.0, 1.4)
    again = with_figures(document)
    for value in spread(document).values:
        assert value.official.hex() == again["summary"][value.value.name].hex()


def test_a_disturbed_part_of_the_run_is_seen() -> None:
    document = with_factors(1.0, 1.0, 1.0)
    samples = document["samples"]
    rows = len(samples["size"])
    for row in range(rows // 2, rows * 6 // 10):  # all of the second of three repetitions
        samples["time_max_s"][row] *= 2
    found = spread(with_figures(document))
    quiet = [part for index, part in enumerate(found.behind_over_run) if index != 5]
    assert len(found.behind_over_run) == SLICES
    assert quiet == pytest.approx([0.0] * 9)
    assert found.behind_over_run[5] == pytest.approx(math.log(2), rel=0.02)


def noise(*factors: float) -> Noise:
    found = analysis_of(check_document("made up", with_factors(*factors))).noise
    assert found is not None
    return found


def test_what_makes_a_run_noisy() -> None:
    calm = noise(1.0, 1.0, 1.4)
    assert (calm.value, calm.latency, calm.disturbed) == pytest.approx((0, 0, 0))
    assert calm.reasons == []
    slow = noise(1.0, 1.25, 1.4)
    assert (slow.value, slow.latency, slow.disturbed) == pytest.approx((0.2, 0.25, 0))
    (reason,) = slow.reasons
    assert "20.0 %" in reason
    rare = noise(1.0, 1.0, 2.0)
    assert (rare.value, rare.latency, rare.disturbed) == pytest.approx((0, 0, 1 / 3), abs=0.02)
    assert len(rare.reasons) == 1


@pytest.mark.parametrize(
    ("factors", "stamp"), [((1.0, 1.0, 1.0), Steadiness.QUIET), ((1.0, 1.3, 1.5), Steadiness.NOISY)]
)
def test_stamp(factors: tuple[float, ...], stamp: Steadiness, tmp_path: Path) -> None:
    document = with_factors(*factors)
    assert analysis_of(check_document("made up", document)).steadiness == stamp
    source = tmp_path / "run.json"
    source.write_text(json.dumps(document), encoding="utf-8")
    page = tmp_path / "run.html"
    assert main(["show", str(source), "-o", str(page)]) == 0
    assert f">{stamp.value.capitalize()}</span>" in page.read_text("utf-8")


def test_what_is_measured_once_has_no_stamp() -> None:
    once = check_document("made up", make_result(ONCE))
    assert analysis_of(once).steadiness == Steadiness.UNKNOWN
    file = DATA / "b_eff_io_short.json"
    assert analysis_of(load_document(file)).steadiness == Steadiness.UNKNOWN


def test_partial_result_has_the_values_it_has() -> None:
    one_repetition = 46 * 21
    plan = Plan(processes=2, methods=("sendrecv",), measured=one_repetition + 200)
    found = spread(make_result(plan))
    value = found.values[0]
    assert value.value.name == "b_eff_MBps"
    assert value.by_repetition[0] is not None
    assert value.by_repetition[1] is None
    assert value.drift is None
    assert len(found.behind_over_run) == SLICES
    within_the_first = spread(make_result(replace(plan, measured=200)))
    assert within_the_first.values == ()
    assert within_the_first.note is not None


def test_unsound_samples_are_one_sentence() -> None:
    document = make_result(PLAN)
    document["samples"]["size"][0] = 21
    with pytest.raises(ResultError, match=r"made up: .*size"):
        spread(document)
