"""The value as processes · asymptotic bandwidth per process · area / rectangle."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.reports import B_EFF, B_EFF_3_1, document_of

from beff.charts.b_eff import loops_of
from beff.charts.b_eff_shares import area_under_the_curve, column_rows
from beff.definition.b_eff_parts import Area, areas_of
from beff.report.tables.b_eff import area_table
from beff.result.b_eff_result import BEffResult
from beff.result.load import as_b_eff, check_document


def result_of(path: Path) -> BEffResult:
    return as_b_eff(check_document(path.name, document_of(path)))


def with_times(factors: list[float]) -> BEffResult:
    """The stored result with other times, which reach every sample in turn."""
    result = result_of(B_EFF)
    samples = result.samples
    times = [t * factors[i % len(factors)] for i, t in enumerate(samples.time_max_s)]
    return result.model_copy(update={"samples": samples.model_copy(update={"time_max_s": times})})


@pytest.mark.parametrize("path", [B_EFF, B_EFF_3_1], ids=lambda path: path.stem)
def test_factors_multiply_to_the_stored_values(path: Path) -> None:
    result = result_of(path)
    areas = areas_of(result)
    assert areas is not None
    s, n = result.summary, result.environment.processes
    for area, value, at_lmax in (
        (areas.first, s.rings_MBps, s.rings_at_lmax_MBps),
        (areas.random, s.random_MBps, None),
        (areas.both, s.b_eff_MBps, s.at_lmax_MBps),
    ):
        assert area.processes == n
        assert area.value_MBps == pytest.approx(value, rel=1e-12)
        if at_lmax is not None:
            assert area.asymptotic_MBps * n == pytest.approx(at_lmax, rel=1e-12)


@settings(max_examples=25)
@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=50))
def test_factors_multiply_to_the_value(factors: list[float]) -> None:
    result = with_times(factors)
    areas = areas_of(result)
    assert areas is not None
    for pattern in areas.shares:
        # by hand from the samples: one method and one repetition
        s = result.samples
        facts = next(p for p in result.patterns if p.id == pattern)
        b = [
            result.message_sizes_bytes[size] * facts.messages * length / time / 1e6
            for p, size, length, time in zip(
                s.pattern, s.size, s.loop_length, s.time_max_s, strict=True
            )
            if p == pattern
        ]
        assert len(b) == 21
        assert areas.shares[pattern] == pytest.approx(sum(b) / (21 * b[-1]), rel=1e-12)
    both = areas.first.value_MBps * areas.random.value_MBps
    assert areas.both.value_MBps == pytest.approx(both**0.5, rel=1e-12)


def test_a_product_by_hand() -> None:
    assert Area(4, 250.0, 0.375).value_MBps == pytest.approx(375.0)


def test_a_flat_curve_fills_the_rectangle() -> None:
    result = result_of(B_EFF)
    s = result.samples
    messages = {p.id: p.messages for p in result.patterns}
    times = [
        result.message_sizes_bytes[size] * messages[pattern] * length / 5e8
        for pattern, size, length in zip(s.pattern, s.size, s.loop_length, strict=True)
    ]
    flat = result.model_copy(update={"samples": s.model_copy(update={"time_max_s": times})})
    areas = areas_of(flat)
    assert areas is not None
    assert areas.both.share == pytest.approx(1.0)
    assert areas.both.value_MBps == pytest.approx(500.0)


def test_no_value_no_area() -> None:
    result = result_of(B_EFF)
    s = result.samples
    kept = [i for i in range(len(s)) if not (s.pattern[i] == 0 and s.size[i] == 20)]
    columns = {name: [getattr(s, name)[i] for i in kept] for name in s.columns()}
    part = result.model_copy(update={"samples": s.model_copy(update=columns)})
    assert areas_of(part) is None
    assert area_table(part) == []
    assert area_under_the_curve(loops_of(part)) is None


def test_columns_fill_at_most_the_share_of_the_value() -> None:
    # A mean of logarithmic averages is at most the logarithmic average of the means.
    loops = loops_of(result_of(B_EFF))
    areas = areas_of(loops.result)
    assert areas is not None
    rings = [p for p in loops.result.patterns if p.group == "ring"]
    rows = column_rows(loops, rings)
    assert [row.x for row in rows] == list(range(21))
    mean = sum(row.value for row in rows) / 21
    assert mean <= areas.first.value_MBps / areas.first.processes * (1 + 1e-12)
    assert rows[-1].y == pytest.approx(areas.first.asymptotic_MBps, rel=1e-12)
