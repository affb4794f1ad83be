"""Figures of whole runs: how the rows of a table or of a log become series over time."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from beff.importers.printed import Printed, positive, utc_of, whole
from beff.result.bounds import LONGEST_HOST_NAME
from beff.result.plain_figures import better_of

_MOST_REPETITIONS = 10**9

Row = dict[str, str]
"""Texts by name: figure, value, unit; and when, host (or system), repetition, better if known."""
Series = dict[str, Any]
Key = tuple[str, str]


def series_of(printed: Printed, rows: Iterable[tuple[int, Row]], else_at: str) -> list[Series]:
    """Return the series of rows, each with the number of its line, as a file of figures has them.

    `else_at` is the time of rows that have none. Raises ResultError naming the first line that is
    wrong.
    """
    found: dict[Key, Series] = {}
    seen: dict[tuple[Key, str, int], float] = {}
    for number, row in rows:
        try:
            _take({"when": else_at, **row}, found, seen)
        except ValueError as problem:
            raise printed.problem(f"line {number}: {problem}") from None
    if not found:
        raise printed.problem("holds no figure")
    return [*found.values()]


def merged(parts: Iterable[Series]) -> list[Series]:
    """Return series of several files, with one for all that have name, host and unit in common."""
    found: dict[tuple[str, ...], Series] = {}
    for one in parts:
        key = tuple(one[name] for name in ("figure", "host", "unit", "better"))
        mine = found.setdefault(key, {**one, "when": [], "values": [], "repetitions": []})
        for name in ("when", "values", "repetitions"):
            mine[name] += one[name]
    return [*found.values()]


def named(title: str, labels: dict[str, str], facts: dict[str, str]) -> str:
    """Return the name of a figure: what it is of, and what is known that labels, in order, say."""
    said = (label.format(facts[name]) for name, label in labels.items() if facts.get(name))
    return ", ".join([title, *said])


def when(text: str, form: str = "%a %b %d %H:%M:%S %Y") -> Row:
    """Return what a row says of a printed time, as C's asctime writes it: nothing for no time.

    Programs print no zone; as in tables, UTC is assumed.
    """
    try:
        return {"when": datetime.strptime(text.strip(), form).isoformat()}
    except ValueError:
        return {}


def _take(row: Row, found: dict[Key, Series], seen: dict[tuple[Key, str, int], float]) -> None:
    """Add a row to its series. Raises ValueError saying what is wrong."""
    for name in ("figure", "unit"):
        if not row[name]:
            raise ValueError(f"has no {name}")
    host = row.get("host") or row.get("system") or ""
    if max(map(len, (row["figure"], row["unit"], host))) > LONGEST_HOST_NAME:
        raise ValueError(f"holds a name of more than {LONGEST_HOST_NAME} characters")
    own = {"unit": row["unit"], "better": row.get("better") or better_of(row["unit"])}
    if own["better"] not in ("higher", "lower"):
        raise ValueError(
            f"whether more is better, unit '{row['unit']}' does not say; add a column better with"
            " higher or lower"
        )
    key = row["figure"], host
    series = found.setdefault(
        key,
        {"figure": row["figure"], "host": host, **own, "when": [], "values": [], "repetitions": []},
    )
    for name, said in own.items():
        if series[name] != said:
            was = series[name]
            raise ValueError(f"{name} of '{row['figure']}' is {said}, above it was {was}")
    value, moment = positive(row["value"]), utc_of(row["when"])
    repetition = whole("repetition", row.get("repetition") or "0", _MOST_REPETITIONS)
    if repetition and seen.setdefault((key, moment, repetition), value) != value:
        raise ValueError(f"repetition {repetition} of '{row['figure']}' has another value above")
    series["when"].append(moment)
    series["values"].append(value)
    series["repetitions"].append(repetition)
