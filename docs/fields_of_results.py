"""The tables of all fields of results, made from the JSON Schema and so from the models."""

import json
import re
from collections.abc import Iterator
from typing import Any

from beff.result.contract import json_schema_text

Node = dict[str, Any]
ROOTS = {
    "BEffResult": "b_eff",
    "BEffIoResult": "b_eff_io",
    "BPairsResult": "b_pairs",
    "ImportedBEff": "imported results of b_eff",
    "ImportedBEffIo": "imported results of b_eff_io",
    "ImportedPairs": "imported maps of pairs",
}
"""The models of whole results, each with its heading."""
SIMPLE = {
    "integer": "integer",
    "number": "number",
    "boolean": "true or false",
    "string": "text",
    "null": "null",
    "object": "object",
}


def fields() -> str:
    """Return a table of fields for each object of each kind of result.

    Of a second kind those are left out that are the same in the same place of one before.
    """
    parts = json.loads(json_schema_text())["$defs"]
    told: set[tuple[str, str, str]] = set()
    lines: list[str] = []
    for root, kind in ROOTS.items():
        lines.append(f"### Fields of {kind}\n")
        for place, part in _objects(parts, root, ""):
            rows = []
            for name, node in part["properties"].items():
                row = f"| `{name}` | {_type(node)} | {_meaning(node)} |"
                if (place, name, row) not in told:
                    told.add((place, name, row))
                    rows.append(row)
            if rows:
                heading = [f"#### {place} of {kind}\n"] if place else []
                about = [f"{part['description']}\n"] if place else []
                lines += [*heading, *about, "| field | type | meaning |\n|---|---|---|", *rows, ""]
    return "\n".join(lines)


def _objects(parts: dict[str, Node], name: str, place: str) -> Iterator[tuple[str, Node]]:
    """Yield an object and all that lie in it, each with its place, as `environment.mpi`."""
    part = parts[name]
    yield place, part
    for field, node in part["properties"].items():
        for inner in _references(node):
            yield from _objects(parts, inner, f"{place}.{field}".lstrip("."))


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].rpartition("/")[2]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


def _type(node: Node) -> str:
    if "anyOf" in node:
        return " or ".join(map(_type, node["anyOf"]))
    if "enum" in node or "const" in node:
        values = node.get("enum", [node.get("const")])
        return ", ".join(f"`{json.dumps(value).strip(chr(34))}`" for value in values)
    if "$ref" in node:
        return "object"
    if node["type"] == "array":
        return f"list: {_type(node['items'])}"
    values = node.get("additionalProperties")
    return f"object: {_type(values)}" if isinstance(values, dict) else SIMPLE[node["type"]]


def _meaning(node: Node) -> str:
    """Return what a field means, with names of fields and options in code marks."""
    name = r"--[a-z][a-z-]*|[\w./]*_\w*(?:[./]\w+)*"
    return re.sub(name, r"`\g<0>`", str(node.get("description", "")))
