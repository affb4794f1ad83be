"""All results that are stored or made for tests: they derive as they say, and each change shows."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from support.changes import Fields, Path, get, is_caught, put

from beff.definition.common import compared
from beff.definition.verify import derived_fields, verify
from beff.result.load import check_document
from golden.inputs import FILES

WRONG = {"changed.json", "changed_sample.json", "changed_io.json", "changed_map.json"}
NO_DIGEST = {
    *(("samples", name) for name in ("bandwidth_MBps", "ideal_s", "stop", "error")),
    *(("types", name) for name in ("bandwidth_MBps", "error")),
}
OTHER_WORDS = {"write": "read", "rewrite": "read", "read": "write", "measured": "failed"}
GIVEN = {("summary", "rmax_gflops")}
"""What a result takes from its options, where it has some."""


@cache
def text_of(name: str) -> str:
    content = FILES[name]()
    return json.dumps(content if isinstance(content, dict) else json.loads(content))


RESULTS = [
    name for name in FILES if name.endswith(".json") and name not in WRONG and "days/" not in name
]


def cells(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from cells(part, (*path, key))
    else:
        yield path


def others(cell: Any) -> list[Any]:
    """What may stand in the place of a cell."""
    if isinstance(cell, bool):
        return [not cell]
    if isinstance(cell, int | float):
        return [cell * (1 + 1e-8) if isinstance(cell, float) else cell + 1, None]
    return [1.0] if cell is None else [f"{cell}x", None]


@pytest.mark.parametrize("name", RESULTS)
def test_each_derived_cell_that_is_changed_is_found(name: str) -> None:
    document = check_document(name, json.loads(text_of(name)))
    assert verify(document).findings == ()
    fields, derived = copy.deepcopy(document.fields), derived_fields(document.result)
    for path in cells(derived):
        around, cell = get(fields, path[:-1]), get(derived, path)
        stored = around[path[-1]] if isinstance(around, list) else around.get(path[-1])
        for other in others(cell) if cell or cell is None else [1.0]:
            around[path[-1]] = other
            assert any(compared([*path[:-1]], around, get(derived, path[:-1]))), (path, other)
            around[path[-1]] = stored


RAW = ("samples", "types", "passes")
"""Tables of which a digest is made, in any of the results."""


@pytest.mark.parametrize("name", RESULTS)
def test_a_raw_cell_that_is_changed_is_found(name: str) -> None:
    """By the digest, or as its row is none of the plan; one cell of each column."""
    fields: Fields = json.loads(text_of(name))
    columns = [
        column
        for table in RAW
        for key, column in fields.get(table, {}).items()
        if (table, key) not in NO_DIGEST and column and "imported" not in fields
    ]
    assert columns or "imported" in fields
    for number, column in enumerate(columns):
        place = 7919 * number % len(column)
        stored = column[place]
        column[place] = changed(stored)
        assert is_caught(fields), (name, number)
        column[place] = stored


def changed(cell: Any) -> Any:
    """Return another cell of the type, of rounds of pairs the last time of the last round."""
    if isinstance(cell, list):
        return [*cell[:-1], changed(cell[-1])]
    if isinstance(cell, str):
        return OTHER_WORDS.get(cell) or re.sub(r"\d+$", lambda last: str(int(last[0]) + 1), cell)
    return cell + 1 if isinstance(cell, int) else cell * (1 + 1e-8)


@pytest.mark.parametrize("name", RESULTS)
def test_no_figure_follows_from_another(name: str) -> None:
    fields: Fields = json.loads(text_of(name))
    derived = derived_fields(check_document(name, fields).result)
    figures = [path for path in cells(derived) if isinstance(get(derived, path), float)]
    for path in figures:
        if path not in GIVEN and path[0] not in ("schedule", "cautions"):
            put(fields, path, 1.5 * get(fields, path))
    again = derived_fields(check_document(name, fields).result)
    del again["digest"], derived["digest"]  # of b_eff_io also of times from opening to closing
    assert again == derived
