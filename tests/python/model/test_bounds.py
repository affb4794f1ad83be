"""Lists that are stored with equal neighbours counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.model.bounds import expanded, runs_text


def test_by_hand() -> None:
    assert runs_text([0] * 16 + [1] * 16 + [2]) == "0x16 1x16 2"
    assert runs_text([]) == ""
    assert expanded("4x2 3") == [4, 4, 3]
    assert expanded("") == []


@given(st.lists(st.integers(0, 3) | st.integers(0, 2**31), max_size=60))
def test_what_is_stored_is_what_was(numbers: list[int]) -> None:
    assert expanded(runs_text(numbers)) == numbers


def test_a_list_is_no_text() -> None:
    with pytest.raises(ValueError, match="must be numbers"):
        expanded([0, 1])


@pytest.mark.parametrize(
    "text", ["1x", "x1", "1  2", "-1", "1,2", "1x99999999", "1x9999999 1x9999999"]
)
def test_what_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be numbers|more than"):
        expanded(text)
