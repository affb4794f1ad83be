"""Charts in Vega-Lite: nested dictionaries, with the names that its reference has."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

Chart = dict[str, Any]
"""A chart, a part of one, or a setting. Parts may be shared, so none is changed."""
Row = Mapping[str, Any]
"""What a point shows: the fields of its axes, `series`, and `text` that describes it.

A value of None on an axis is a gap in the line.
"""

_TYPES = {"N": "nominal", "Q": "quantitative", "T": "temporal"}
_SECOND = ("x2", "y2")
"""Channels of a second end, which has the type of the first."""

# Everything but the characters of XML 1.0 (section 2.2): control characters, halves of pairs.
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def plain(text: str) -> str:
    """Replace what XML cannot hold, which a host name or label may, by question marks."""
    return _NOT_IN_XML.sub("?", text)


def plain_texts(fields: Any) -> Any:
    """Return nested dicts and lists with all their texts, keys included, made plain."""
    if isinstance(fields, dict):
        return {plain_texts(key): plain_texts(value) for key, value in fields.items()}
    if isinstance(fields, list):
        return [plain_texts(value) for value in fields]
    return plain(fields) if isinstance(fields, str) else fields


def channel(field: str, **settings: Any) -> Chart:
    """Return what shows a field, `NAME:TYPE`; the type is N, Q or T: name, quantity or time."""
    name, _, kind = field.rpartition(":")
    return {"field": name, "type": _TYPES[kind], **settings}


def marks(
    kind: str, rows: Sequence[Row], channels: Mapping[str, Chart | str], **look: Any
) -> Chart:
    """Return a mark for each row, or a line or an area through all; a text is a field alone.

    The data are text, which charts hand on without copying it.
    """
    text = json.dumps(plain_texts([dict(row) for row in rows]), allow_nan=False)
    encoding = {
        name: channel(shown) if isinstance(shown, str) else shown
        for name, shown in channels.items()
    }
    return {
        "data": {"values": text, "format": {"type": "json"}},
        "mark": {"type": kind, **look},
        "encoding": {
            name: {"field": shown["field"]} if name in _SECOND else shown
            for name, shown in encoding.items()
        },
    }


def independent(*channels: str) -> Chart:
    """Return the setting by which each part of a chart has scales of its own."""
    return {"resolve": {"scale": dict.fromkeys(channels, "independent")}}
