"""Result files that something has happened to: a few changes of a good one, as a strategy."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]
Container = dict[str, Any] | list[Any]

MARKUP = "</script><script>harm()</script><img src=x onerror=harm()>"
DEEP = 5000
"""Nested deeper than Python recurses."""

_WORDS = (
    MARKUP,
    "",
    "\x00\x1b[2J\u202e",
    "\ud800",
    "x" * 5000,
    "%s{0}{{7*7}}",
    "=1+1",
    "\\input{/etc/passwd}",
    "NaN",
    "write",
    "\n\n| a |",
)
_NUMBERS = (0, -1, 1, 2, 10**9, 2**53, 2**63, 2**64, 10**400, -(10**30), 0.0, -0.0, 0.5, 1e-320)
_NUMBERS_AS_TEXT = ("NaN", "Infinity", "-Infinity", "1e999", "1e308", "-1e308", "1" * 5000)
_PLACEHOLDER = "\u0001number:"

_values = st.one_of(
    st.sampled_from([None, True, False, [], {}, [[]], {"a": 1}]),
    st.sampled_from(_NUMBERS),
    st.sampled_from(_NUMBERS_AS_TEXT).map(lambda text: _PLACEHOLDER + text),
    st.sampled_from(_WORDS),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
)


@st.composite
def damaged_documents(draw: Draw, texts: list[str]) -> bytes:
    """Draw one of the documents, change it in one to four places, and sometimes its bytes."""
    document = json.loads(draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(1, 4))):
        change = draw(st.sampled_from(_CHANGES))
        change(draw, document)
    text = json.dumps(document, ensure_ascii=True)
    for number in _NUMBERS_AS_TEXT:
        text = text.replace(json.dumps(_PLACEHOLDER + number), number)
    if draw(st.integers(0, 9)) == 0:
        return _damaged_bytes(draw, text.encode())
    return text.encode()


def _place(draw: Draw, document: Container) -> tuple[Container, Any] | None:
    """Go down a random path; None where it ends in something empty."""
    node: Any = document
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return None
        key = draw(st.sampled_from(keys))
        below = node[key]
        if not isinstance(below, dict | list) or not below or draw(st.integers(0, 4)) == 0:
            return node, key
        node = below


def _replace(draw: Draw, document: Container) -> None:
    if (place := _place(draw, document)) is not None:
        node, key = place
        node[key] = copy.deepcopy(draw(_values))


def _delete(draw: Draw, document: Container) -> None:
    if (place := _place(draw, document)) is not None:
        node, key = place
        del node[key]


def _double(draw: Draw, document: Container) -> None:
    """Give an entry twice; of an object, under another name."""
    if (place := _place(draw, document)) is not None:
        node, key = place
        if isinstance(node, list):
            node.insert(key, copy.deepcopy(node[key]))
        else:
            node[draw(st.sampled_from([*_WORDS, key + "2"]))] = copy.deepcopy(node[key])


def _exchange(draw: Draw, document: Container) -> None:
    """Put what stands at one place to another."""
    first, second = _place(draw, document), _place(draw, document)
    if first is not None and second is not None:
        second[0][second[1]] = copy.deepcopy(first[0][first[1]])


def _scale(draw: Draw, document: Container) -> None:
    """Change a number so that it stays one."""
    place = _place(draw, document)
    if place is None:
        return
    node, key = place
    if isinstance(node[key], int | float) and not isinstance(node[key], bool):
        factor = draw(st.sampled_from([0, -1, 2, 10, 1e6, 1e-6, 1e200, 1e-200]))
        try:
            changed = node[key] * factor
        except OverflowError:
            changed = 0
        node[key] = int(changed) if isinstance(node[key], int) and abs(changed) < 1e300 else changed


def _empty(draw: Draw, document: Container) -> None:
    """Leave only the first entries of a list or object."""
    place = _place(draw, document)
    if place is None or not isinstance(place[0][place[1]], list | dict):
        return
    node, key = place
    keep = draw(st.integers(0, 3))
    whole = node[key]
    node[key] = whole[:keep] if isinstance(whole, list) else dict(list(whole.items())[:keep])


def _markup(draw: Draw, document: Container) -> None:
    """Put markup into a text."""
    for _ in range(20):
        place = _place(draw, document)
        if place is not None and isinstance(place[0][place[1]], str):
            place[0][place[1]] += MARKUP
            return


_CHANGES = (_replace, _replace, _delete, _double, _exchange, _scale, _scale, _empty, _markup)


def _damaged_bytes(draw: Draw, text: bytes) -> bytes:
    """Cut, mix up or nest the file itself."""
    kind = draw(st.sampled_from(["cut", "bytes", "twice", "deep", "key", "mark"]))
    place = draw(st.integers(0, len(text)))
    if kind == "cut":
        return text[:place]
    if kind == "bytes":
        return text[:place] + draw(st.binary(min_size=1, max_size=8)) + text[place:]
    if kind == "twice":
        return text + text
    if kind == "key":
        return b'{"benchmark":"b_eff","samples":[],' + text[1:]
    if kind == "mark":
        return b"\xef\xbb\xbf" + text
    return b'{"schema_version":1,"benchmark":' + b"[" * DEEP + b"]" * DEEP + b"}"
