"""Results whose meaning something has happened to: valid files, changed where types do not tell."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]
Table = dict[str, list[Any]]

LONG_NUMBER = "9" * 5000
_PLACEHOLDER = 7_777_777_777_777
"""Stands for LONG_NUMBER, which Python's own JSON refuses to write."""

HOST_LISTS = (
    "vm[--]",
    "vm[-]",
    "vm[0-999999999]",
    "vm[0-999999999,0-999999999]",
    "vm[9-0]",
    f"vm[{LONG_NUMBER}]",
    "[" * 300_000,
    "a[" * 100_000 + "]" * 100_000,
    "vm[" + "," * 300_000 + "]",
    "a,",
    "",
)
MOMENTS = (
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-14:00",
    "2020-02-30T00:00:00Z",
    "2020-01-01T25:00:00Z",
    "2020-01-01",
    "",
)
_TEXTS = {"host_list": HOST_LISTS, "started_at": MOMENTS, "finished_at": MOMENTS}
_EXPONENTS = (-308, -250, -18, -6, -1, 1, 3, 6, 9, 12, 15, 18, 250, 308)
_INTEGERS = (-1, 0, 1, 2, 20, 21, 54, 55, 10**6, 10**9, 2**31 - 2, 2**31, 2**53, 2**63 - 1, 2**63)
_MOST_ENTRIES = 20_000
_LOOKED_AT = 50
"""Entries of a list that may be changed by themselves; each costs, and many are alike."""


@st.composite
def changed_in_meaning(draw: Draw, texts: list[str]) -> str:
    """Draw one of the JSON documents and change its meaning in one to three places."""
    document = json.loads(draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(1, 3))):
        draw(st.sampled_from(_CHANGES))(draw, document)
    return as_text(document)


def as_text(document: Any) -> str:
    """Write a document as JSON."""
    return json.dumps(document).replace(str(_PLACEHOLDER), LONG_NUMBER)


def _holders(node: Any, wanted: Callable[[Any], bool]) -> list[tuple[Any, Any]]:
    """Find what is `wanted`, as what holds it and its key there; of long lists in a few places."""
    step = 1 if isinstance(node, dict) else 1 + len(node) // _LOOKED_AT
    inner = node.items() if isinstance(node, dict) else list(enumerate(node))[::step]
    found = []
    for key, value in inner:
        if wanted(value):
            found.append((node, key))
        if isinstance(value, dict | list):
            found += _holders(value, wanted)
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_column(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _is_table(value: Any) -> bool:
    """Whether it is an object of lists of one length, or one that holds several such."""
    if not isinstance(value, dict):
        return False
    lengths = [len(entry) for entry in value.values() if isinstance(entry, list)]
    return len(lengths) >= 3 and len(set(lengths)) == 1 and lengths[0] > 0


def _columns(table: dict[str, Any]) -> Table:
    return {name: value for name, value in table.items() if isinstance(value, list)}


def _pick(draw: Draw, document: Any, wanted: Callable[[Any], bool]) -> tuple[Any, Any] | None:
    """Draw a place; fields that stand once are as likely as the many of a table."""
    found = _holders(document, wanted)
    if not found:
        return None
    named = [place for place in found if isinstance(place[1], str)]
    return draw(st.sampled_from(named if named and draw(st.booleans()) else found))


def _scaled(value: Any, exponent: int) -> Any:
    """Multiply a number by a power of ten; one that no double holds becomes the largest."""
    if not _is_number(value):
        return value
    if isinstance(value, int) and exponent >= 0:
        return value * 10 ** min(exponent, 30)
    try:
        scaled = value * 10.0**exponent
    except OverflowError:
        scaled = float("inf")
    largest = 1.7e308
    scaled = max(-largest, min(largest, scaled))
    return int(scaled) if isinstance(value, int) else scaled


def _magnitude(draw: Draw, document: Any) -> None:
    """Make a number, or all numbers of a column, larger or smaller by powers of ten."""
    exponent = draw(st.sampled_from(_EXPONENTS))
    if draw(st.booleans()):
        place = _pick(draw, document, lambda value: _is_column(value) and _is_number(value[0]))
        if place is not None:
            holder, key = place
            holder[key] = [_scaled(value, exponent) for value in holder[key]]
    elif (place := _pick(draw, document, _is_number)) is not None:
        holder, key = place
        holder[key] = _scaled(holder[key], exponent)


def _times(draw: Draw, document: Any) -> None:
    """Make all times of the samples larger or smaller alike, so that they agree as before."""
    exponent = draw(st.sampled_from(_EXPONENTS))
    for holder, key in _holders(document, _is_column):
        if isinstance(key, str) and key.endswith("_s"):
            holder[key] = [_scaled(value, exponent) for value in holder[key]]


def _reference(draw: Draw, document: Any) -> None:
    """Let an integer tell or point to something else."""
    place = _pick(draw, document, lambda value: isinstance(value, int) and _is_number(value))
    if place is not None:
        holder, key = place
        number = draw(st.sampled_from((*_INTEGERS, _PLACEHOLDER)))
        everywhere = isinstance(holder, list) and draw(st.booleans())
        for index in range(len(holder)) if everywhere else (key,):
            holder[index] = number


def _length(draw: Draw, document: Any) -> None:
    """Shorten a list, or repeat it."""
    place = _pick(draw, document, _is_column)
    if place is not None:
        holder, key = place
        holder[key] = _of_other_length(draw, holder[key])


def _of_other_length(draw: Draw, entries: list[Any]) -> list[Any]:
    times = draw(st.sampled_from((0, 0.5, 2, 3, 1000)))
    wanted = min(int(len(entries) * times), max(_MOST_ENTRIES, 2 * len(entries)))
    return (entries * (wanted // len(entries) + 1))[:wanted]


def _order(draw: Draw, document: Any) -> None:
    """Give a list another order."""
    place = _pick(draw, document, lambda value: isinstance(value, list) and len(value) > 1)
    if place is None:
        return
    holder, key = place
    entries = holder[key]
    first = draw(st.integers(0, len(entries) - 1))
    holder[key] = draw(
        st.sampled_from(
            (
                entries[::-1],
                entries[first:] + entries[:first],
                sorted(entries, key=repr),
                [*entries[:first], *entries[first + 1 :], entries[first]],
            )
        )
    )


def _rows(draw: Draw, document: Any) -> None:
    """Leave out, repeat or turn round rows of a whole table, so that its columns still agree."""
    place = _pick(draw, document, _is_table)
    if place is None:
        return
    table = place[0][place[1]]
    columns = _columns(table)
    length = len(next(iter(columns.values())))
    places = list(range(length))
    changed = draw(
        st.sampled_from((places[:0], places[:1], places[: length // 2], places[::-1], places * 3))
    )
    for name, column in columns.items():
        table[name] = [column[index] for index in changed]


def _processes(draw: Draw, document: Any) -> None:
    """Claim more processes than were there, at all places that the schema compares."""
    environments = _holders(document, lambda value: isinstance(value, dict) and "hosts" in value)
    wanted = draw(st.sampled_from((1, 3, 1000, 100_000)))
    for holder, key in environments:
        environment = holder[key]
        environment["processes"] = wanted
        environment["placement"] = f"0x{wanted}"
        environment["hosts"] = [{"name": "vm", "processes": wanted}]
        environment["nodes"] = 1
    if draw(st.booleans()):
        for name in ("processes", "units"):
            for holder, key in _holders(document, _is_number):
                if key == name:
                    holder[key] = wanted


def _text(draw: Draw, document: Any) -> None:
    """Write what reads well and means something else into a list of hosts, a moment, a name."""
    place = _pick(draw, document, lambda value: isinstance(value, str))
    if place is None:
        return
    places = _holders(document, lambda value: isinstance(value, str))
    special = [at for at in places if at[1] in _TEXTS]
    if special and draw(st.booleans()):
        place = draw(st.sampled_from(special))
    holder, key = place
    others = sorted({at[0][at[1]] for at in places})
    holder[key] = draw(st.sampled_from((*_TEXTS.get(key, ()), *others, "x" * 300_000, "\u200bvm")))


def _nothing(draw: Draw, document: Any) -> None:
    """Forget a number, as if it had not been measured."""
    if (place := _pick(draw, document, _is_number)) is not None:
        place[0][place[1]] = None


_CHANGES = (
    *(_magnitude, _times, _reference, _length, _order, _rows, _processes, _text, _nothing),
    *(_magnitude, _reference, _rows),
)
