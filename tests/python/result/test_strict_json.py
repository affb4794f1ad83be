"""Reading JSON: what is read is exactly what is written, and what readers differ in is refused."""

from __future__ import annotations

import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.result.strict_json import parse_json

numbers = st.one_of(
    st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False, allow_infinity=False)
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, st.text(st.characters(exclude_categories=["Cs"]))),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(numbers, max_size=4),
        st.dictionaries(st.text('":\\ab', max_size=3), inner, max_size=4),
    ),
)


@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_what_is_read_is_what_was_written(value: object, ascii_only: bool, indent: int) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert repr(parse_json(text)) == repr(value)


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["{!r}", "{:.20e}"]))
def test_each_bit_of_a_number_is_read(value: float, form: str) -> None:
    text = form.format(value)
    assert struct.pack("<d", parse_json(text)) == struct.pack("<d", float(text))


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '{"a": 1, "\\u0061": 2}',
        '[{"b": {"a": [], "a" :[]}}]',
        "[1, 1e999]",
        "-1e999",
        "18446744073709551616",
        '{"a": [0.5, -9223372036854775809]}',
        "NaN",
        "[-Infinity]",
        '"\\ud800"',
        "[" * 100_000 + "]" * 100_000,
        '{"a": 1',
        "[1] 2",
    ],
)
def test_what_readers_differ_in_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of many kinds
        parse_json(text)
