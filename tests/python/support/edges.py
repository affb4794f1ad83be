"""Edges of rules: what is said of a value just below a number of the pages, and just above."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

Edge = tuple[str, Callable[[Any], Any], tuple[Any, Any], tuple[Any, Any]]
"""A rule of a page, what answers for a value, and a value with its answer on either side."""


def beyond_edges(edges: Sequence[Edge]) -> Callable[[Edge], None]:
    """Return the test of a table."""

    @pytest.mark.parametrize("edge", edges, ids=lambda edge: edge[0])
    def test(edge: Edge) -> None:
        _, answer, *sides = edge
        for value, said in sides:
            assert (value, answer(value)) == (value, said)

    return test
