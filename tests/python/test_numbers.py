"""Figures as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.model.numbers import rate, scaled, short, three_digits

UNITS = {"kB/s": 1e-3, "MB/s": 1.0, "GB/s": 1e3, "TB/s": 1e6, "PB/s": 1e9}


@pytest.mark.parametrize(
    ("value_MBps", "text"),
    [
        (1268.9706, "1.27 GB/s"),
        (634.485, "634 MB/s"),
        (1.0, "1 MB/s"),
        (999.6, "1 GB/s"),
        (999.4, "999 MB/s"),
        (50018.0, "50 GB/s"),
        (50118.0, "50.1 GB/s"),
        (0.0405, "40.5 kB/s"),
        (2.5e6, "2.5 TB/s"),
        (0.0, "0 kB/s"),
        (None, "not measured"),
    ],
)
def test_rates(value_MBps: float | None, text: str) -> None:  # noqa: N803 - the unit of the field
    assert rate(value_MBps) == text


@given(st.floats(min_value=1e-3, max_value=1e11))
def test_a_rate_has_three_digits_and_stays_what_it_is(value: float) -> None:
    text, unit = scaled(value)
    assert float(text) * UNITS[unit] == pytest.approx(value, rel=5.01e-3)
    assert len(text.replace(".", "").lstrip("0")) <= 3 or unit == "PB/s"


@pytest.mark.parametrize(
    ("value", "text"), [(0.02538, "0.0254"), (4.2818, "4.28"), (39.0, "39"), (148.6, "149")]
)
def test_three_digits(value: float, text: str) -> None:
    assert three_digits(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(None, "-"), (4619.4, "4619"), (38.94, "38.9"), (1.2345, "1.23")]
)
def test_short(value: float | None, text: str) -> None:
    assert short(value) == text
