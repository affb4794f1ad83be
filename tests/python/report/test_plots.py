"""Diagrams as data."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.report.plots.plot import Plot, series


def test_a_line_leaves_out_what_a_logarithmic_axis_cannot_show() -> None:
    points = [(1.0, None), (2.0, 0.0), (3.0, -1.0), (4.0, inf), (5.0, nan), (inf, 1.0), (6.0, 2.0)]
    assert series("line", points).points == ((6.0, 2.0),)


@given(st.lists(st.floats(min_value=1e-299, max_value=1e299), min_size=1))
def test_the_vertical_axis_holds_all_values_between_powers_of_ten(values: list[float]) -> None:
    line = series("line", [(float(place), value) for place, value in enumerate(values)])
    bottom, top = Plot("name", "title", "x", "y", (line,)).y_range
    assert 0 < bottom < top < inf
    assert bottom <= min(values) * (1 + 1e-9)
    assert max(values) <= top * (1 + 1e-9)


@pytest.mark.parametrize(("value", "bounds"), [(3.0, (1.0, 10.0)), (1000.0, (1e3, 1e4))])
def test_bounds_of_the_vertical_axis(value: float, bounds: tuple[float, float]) -> None:
    assert Plot("name", "title", "x", "y", (series("line", [(1.0, value)]),)).y_range == bounds
