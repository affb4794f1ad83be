"""Columns with a number for each host."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from beff.result.bounds import OfHosts, hosts_in, numbers_of_hosts


def test_equal_neighbours_are_counted() -> None:
    column = "5x3 - 0 -x2 7"
    assert TypeAdapter(OfHosts).validate_python(column) == column
    assert numbers_of_hosts(column) == [5, 5, 5, None, 0, None, None, 7]
    assert hosts_in(column) == 8


@pytest.mark.parametrize("column", ["", "5 ", "x3", "5x", "5x3x2", "-1", "5  6", "1x999999999"])
def test_what_is_no_column_is_refused(column: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(OfHosts).validate_python(column)
