"""Values at the bounds of the schema, for each field of a result."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from beff.result.contract import json_schema_text

Site = tuple[str, ...]
"""Where a field stands, without the indices of lists, so that a column is one site."""

_SCHEMA = json.loads(json_schema_text())
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "const")
_BELOW_AND_ABOVE = (-1, 0, 1)
_ANYWHERE = (None, 0, 1, 5e-324, 1e-300, 0.1, 1e15, 1.7e308, 2**31, 2**53, 2**63, 10**30)
_WORDS = ("", "x" * 300, "</text><b>&%$#_{}\\", "\x00\x1b[2J\u202e", "Ä½µ\u2028")


def sites(fields: Any, way: Site = ()) -> dict[Site, list[tuple[Any, Any]]]:
    """Find all fields and lists, each with the objects that hold it and its key there."""
    found: dict[Site, list[tuple[Any, Any]]] = {}
    inner = fields.items() if isinstance(fields, dict) else enumerate(fields)
    for key, value in inner:
        site = (*way, key) if isinstance(fields, dict) else way
        if not isinstance(value, dict):
            found.setdefault(site, []).append((fields, key))
        if isinstance(value, dict | list):
            for deeper, places in sites(value, site).items():
                found.setdefault(deeper, []).extend(places)
    return found


def values_near_bounds(site: Site, places: list[tuple[Any, Any]]) -> list[Any]:
    """Return values for a field, at and next to the bounds of fields with its name."""
    present = [holder[key] for holder, key in places]
    if isinstance(present[0], list):  # its entries have the same site, and follow
        return [[], *(value for value in present[0][:1] if not isinstance(value, dict | list))]
    if isinstance(present[0], str):
        return [*_WORDS, *_words(_SCHEMA, site[-1])]
    if isinstance(present[0], bool):
        return [True, False]
    return [*_ANYWHERE, *_numbers(_SCHEMA, site[-1])]


def _numbers(schema: Any, name: str) -> Iterator[Any]:
    """Find bounds of fields with this name, and what is next to them."""
    for rules in _rules(schema, name):
        for bound in (rules[keyword] for keyword in _BOUNDS if keyword in rules):
            if isinstance(bound, int | float):
                yield from (bound + step for step in _BELOW_AND_ABOVE)


def _words(schema: Any, name: str) -> Iterator[str]:
    for rules in _rules(schema, name):
        yield from (word for word in rules.get("enum", ()) if isinstance(word, str))


def _rules(schema: Any, name: str) -> Iterator[dict[str, Any]]:
    """Find the rules for fields with this name, and for the entries of such lists."""
    if isinstance(schema, list):
        for part in schema:
            yield from _rules(part, name)
    if not isinstance(schema, dict):
        return
    for key, part in schema.items():
        if key == name and isinstance(part, dict):
            yield from _alternatives(part)
        yield from _rules(part, name)


def _alternatives(rules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rules of a field, those of each of its choices, and of its entries."""
    yield rules
    for inner in (*rules.get("anyOf", ()), rules.get("items")):
        if isinstance(inner, dict):
            yield from _alternatives(inner)
