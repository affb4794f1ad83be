"""Lists that are stored with equal neighbours counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from beff.result.bounds import Moment, expanded, moment_of, runs_text


def test_by_hand() -> None:
    assert runs_text([0] * 16 + [1] * 16 + [2]) == "0x16 1x16 2"
    assert runs_text([]) == ""
    assert expanded("4x2 3") == [4, 4, 3]
    assert expanded("") == []


@given(st.lists(st.integers(0, 3) | st.integers(0, 2**31), max_size=60))
def test_what_is_stored_is_what_was(numbers: list[int]) -> None:
    assert expanded(runs_text(numbers)) == numbers


@pytest.mark.parametrize(
    ("year", "taken"), [(1969, False), (1970, True), (2248, True), (2262, True), (2300, False)]
)
def test_years_of_clocks(year: int, taken: bool) -> None:
    """Programs count nanoseconds from 1970 in 64 bit: up to 2262."""
    moment = f"{year}-04-11T23:47:16.854775807-14:00"
    if taken:
        assert TypeAdapter(Moment).validate_python(moment) == moment
        assert moment_of(moment).year == year
    else:
        with pytest.raises(ValidationError):
            TypeAdapter(Moment).validate_python(moment)


def test_a_list_is_no_text() -> None:
    with pytest.raises(ValueError, match="must be numbers"):
        expanded([0, 1])


@pytest.mark.parametrize(
    "text", ["1x", "x1", "1  2", "-1", "1,2", "1x99999999", "1x9999999 1x9999999"]
)
def test_what_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be numbers|more than"):
        expanded(text)
