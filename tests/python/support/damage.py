"""Result files that something has happened to: a few changes of a good one, as a strategy."""

import copy
import json
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]
Wanted = Callable[[Any], bool]
Change = tuple[Wanted, Callable[[Draw, Any], Any]]
"""Of which values of a document it makes others."""

MARKUP = "</script><script>harm()</script><img src=x onerror=harm()>"
DEEP = 5000
"""Nested deeper than Python recurses."""
LONG_NUMBER = "9" * 5000
HOST_LISTS = (
    *("vm[--]", "vm[-]", "vm[0-999999999]", "vm[0-999999999,0-999999999]", "vm[9-0]", "a,", ""),
    *(f"vm[{LONG_NUMBER}]", "[" * 300_000, "a[" * 100_000 + "]" * 100_000),
    "vm[" + "," * 300_000 + "]",
)
MOMENTS = (
    *("0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59Z"),
    *("9999-12-31T23:59:59-14:00", "2020-02-30T00:00:00Z", "2020-01-01T25:00:00Z", "2020-01-01"),
    "",
)
_WORDS = (
    *(MARKUP, "", "\x00\x1b[2J\u202e", "\ud800", "x" * 300_000, "%s{0}{{7*7}}", "=1+1", "NaN"),
    *("\\input{/etc/passwd}", "write", "\n\n| a |", "\u200bvm", *HOST_LISTS, *MOMENTS),
)
_EXPONENTS = (-308, -250, -18, -6, -1, 1, 3, 6, 9, 12, 15, 18, 250, 308)
_INTEGERS = (-1, 0, 1, 2, 20, 21, 54, 55, 10**6, 10**9, 2**31 - 2, 2**31, 2**53, 2**63 - 1, 2**64)
_NUMBERS_AS_TEXT = (LONG_NUMBER, "NaN", "Infinity", "-Infinity", "1e999", "1e308", "-1e308")
_PLACEHOLDER = "\u0001number:"
_MOST_ENTRIES = 20_000
_LOOKED_AT = 50
"""Entries of a list that may be changed by themselves; each costs, and many are alike."""

_references = st.sampled_from((*_INTEGERS, _PLACEHOLDER + LONG_NUMBER))
_values = st.one_of(
    st.sampled_from([None, True, False, [], {}, [[]], {"a": 1}, -0.0, 1e-320, 10**400]),
    _references,
    st.sampled_from(_NUMBERS_AS_TEXT).map(lambda text: _PLACEHOLDER + text),
    st.sampled_from(_WORDS),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
)


def as_text(document: Any) -> str:
    """Write a document as JSON, with numbers that Python's own refuses to write."""
    text = json.dumps(document)
    for number in _NUMBERS_AS_TEXT:
        text = text.replace(json.dumps(_PLACEHOLDER + number), number)
    return text


def _places(root: Any, wanted: Wanted) -> list[tuple[Any, Any]]:
    """Find what is `wanted`, as what holds it and its key there; of long lists in a few places."""
    places, nodes = list[tuple[Any, Any]](), [root]
    for node in nodes:  # which grows
        step = 1 if isinstance(node, dict) else 1 + len(node) // _LOOKED_AT
        inner = node.items() if isinstance(node, dict) else list(enumerate(node))[::step]
        places += [(node, key) for key, value in inner if wanted(value)]
        nodes += [value for _, value in inner if isinstance(value, dict | list)]
    return places


def _changed(draw: Draw, texts: list[str], changes: Sequence[Change]) -> Any:
    """Draw one of the documents and change it in one to four places.

    Fields that stand once are as likely as the many of a table.
    """
    root = [json.loads(draw(st.sampled_from(texts)))]
    for _ in range(draw(st.integers(1, 4))):
        wanted, change = draw(st.sampled_from(changes))
        if places := _places(root, wanted):
            named = [place for place in places if isinstance(place[1], str)]
            holder, key = draw(st.sampled_from(named if named and draw(st.booleans()) else places))
            holder[key] = change(draw, holder[key])
    return root[0]


@st.composite
def changed_in_meaning(draw: Draw, texts: list[str]) -> str:
    """Draw a document that is as types want it and says something else."""
    return as_text(_changed(draw, texts, _IN_MEANING))


@st.composite
def damaged_documents(draw: Draw, texts: list[str]) -> bytes:
    """Draw one that need not be as types want it, and sometimes is no JSON."""
    text = as_text(_changed(draw, texts, (*_IN_SHAPE, *_IN_MEANING))).encode()
    return _damaged_bytes(draw, text) if draw(st.integers(0, 9)) == 0 else text


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_column(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _scaled(value: Any, exponent: int) -> Any:
    """Multiply a number by a power of ten; one that no double holds becomes the largest."""
    if not _is_number(value):
        return value
    if isinstance(value, int) and exponent >= 0:
        return value * 10 ** min(exponent, 30)
    scaled = max(-1.7e308, min(1.7e308, float(value) * 10.0**exponent))
    return int(scaled) if isinstance(value, int) else scaled


def _magnitude(draw: Draw, value: Any) -> Any:
    """Make a number, or all numbers of a column or a table of times, larger or smaller alike."""
    exponent = draw(st.sampled_from(_EXPONENTS))

    def scaled(part: Any) -> Any:
        return [scaled(one) for one in part] if isinstance(part, list) else _scaled(part, exponent)

    if isinstance(value, dict):
        return {name: scaled(one) if name.endswith("_s") else one for name, one in value.items()}
    return scaled(value)


def _length(draw: Draw, entries: list[Any]) -> Any:
    """Shorten a list, or repeat it."""
    times = draw(st.sampled_from((0, 0.5, 2, 3, 1000)))
    wanted = min(int(len(entries) * times), max(_MOST_ENTRIES, 2 * len(entries)))
    return (entries * (wanted // len(entries) + 1))[:wanted]


def _without(draw: Draw, whole: Any) -> Any:
    key = draw(st.sampled_from([*whole] if isinstance(whole, dict) else range(len(whole))))
    if isinstance(whole, dict):
        return {name: one for name, one in whole.items() if name != key}
    return [*whole[:key], *whole[key + 1 :]]


def _doubled(draw: Draw, whole: Any) -> Any:
    """Give an entry twice; of an object, under another name."""
    if isinstance(whole, list):
        return [copy.deepcopy(whole[0]), *whole]
    key = draw(st.sampled_from([*whole]))
    return {**whole, draw(st.sampled_from([*_WORDS, f"{key}2"])): copy.deepcopy(whole[key])}


_IN_MEANING: tuple[Change, ...] = (
    (_is_number, _magnitude),
    (lambda value: _is_column(value) and _is_number(value[0]), _magnitude),
    (
        lambda value: isinstance(value, dict) and any(name.endswith("_s") for name in value),
        _magnitude,
    ),
    (lambda value: _is_number(value) and isinstance(value, int), lambda draw, _: draw(_references)),
    (_is_column, _length),
    (lambda value: isinstance(value, str), lambda draw, _: draw(st.sampled_from(_WORDS))),
    (_is_number, lambda draw, _: None),
)
_IN_SHAPE: tuple[Change, ...] = (
    *((lambda value: value is not None, lambda draw, _: draw(_values)),) * 3,
    *((lambda value: isinstance(value, dict | list) and bool(value), _without),) * 2,
    (lambda value: isinstance(value, dict | list) and bool(value), _doubled),
)


def _damaged_bytes(draw: Draw, text: bytes) -> bytes:
    """Cut, mix up or nest the file itself."""
    place = draw(st.integers(0, len(text)))
    odd = draw(st.binary(min_size=1, max_size=8))
    nested = b'{"schema_version":1,"benchmark":' + b"[" * DEEP + b"]" * DEEP + b"}"
    keyed = b'{"benchmark":"b_eff","samples":[],' + text[1:]
    marked, mixed = b"\xef\xbb\xbf" + text, text[:place] + odd + text[place:]
    damaged: bytes = draw(st.sampled_from([text[:place], mixed, text * 2, keyed, marked, nested]))
    return damaged
