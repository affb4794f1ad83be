"""The series of each mark, named in the drawing, so that a page's script can set one apart."""

from collections.abc import Iterator
from typing import Any

_CHANNELS = ("fill", "stroke", "shape", "strokeDash")
"""What distinguishes the marks of one series from those of another."""


def name_series(drawing: dict[str, Any]) -> None:
    """Let marks and entries of legends of a drawing in Vega name their series.

    Role descriptions are "point: ids" (or line, bar, ...) with an id for each legend that the mark
    belongs to, and "entry: id". An id is a name without blanks.
    """
    for group in (drawing, *_marks(drawing)):
        for legend in group.get("legends", ()):
            symbols = legend.setdefault("encode", {}).setdefault("symbols", {})
            _name(symbols.setdefault("update", {}), "entry", _id("datum.value"))
    for mark in _marks(drawing):
        look = mark.get("encode", {}).get("update", {})
        rules = [look[channel] for channel in _CHANNELS if "scale" in look.get(channel, ())]
        ids = " + ' ' + ".join(dict.fromkeys(_id(f"datum.{rule['field']}") for rule in rules))
        if ids:
            kind = look.get("ariaRoleDescription", {}).get("value", mark["type"])
            _name(look, kind, ids)
            mark["aria"] = True


def _marks(group: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for mark in group.get("marks", ()):
        yield mark
        yield from _marks(mark)


def _name(look: dict[str, Any], kind: str, ids: str) -> None:
    look["aria"] = {"value": True}
    look["ariaRoleDescription"] = {"signal": f"'{kind}: ' + {ids}"}
    look.setdefault("description", {"signal": ids})


def _id(text: str) -> str:
    return rf"replace({text}, /\s+/g, '_')"
