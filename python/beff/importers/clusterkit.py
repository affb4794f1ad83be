"""Matrices of ClusterKit's pairwise tests, bandwidth.txt and latency.txt.

    Rank:             0         1
       0 (n1):      0.0   11480.1
       1 (n2):  11481.3       0.0
    Minimum bandwidth: ...

Latencies are in us, bandwidths in MB/s. Its source is not public: taken are 10^6 byte, and the
lengths of messages that its documentation calls default, 32 MB and 0 byte. Whether messages went
both ways at once (default) or one way (-U) is not printed.
"""

import re

from beff.importers.pairs import Readings, Size, Test
from beff.importers.printed import COUNT, Printed
from beff.result.numbers import BYTES_PER_MB

_HEAD = re.compile(r"^Rank:((?:[ \t]+[0-9]+)+)[ \t]*$", re.MULTILINE | re.ASCII)
_ROW = re.compile(rf"^[ \t]*({COUNT}) \(([^)\s]+)\):(.*)$", re.ASCII)
_KIND = re.compile(r"^(?:Minimum|Maximum|Average) (bandwidth|latency):", re.MULTILINE)
_SIZES: dict[str, Size] = {
    "bandwidth": (Test("bandwidth", True, "not known"), 32_000_000),
    "latency": (Test("latency", False, "each"), 0),
}
_MOST_DECIMALS = 4


def recognises(text: str) -> bool:
    """Whether there is such a matrix."""
    return _HEAD.search(text) is not None and _KIND.search(text) is not None


def read(printed: Printed, found: Readings) -> None:
    """Take the matrices over. Raises ResultError where one is not whole."""
    heads = list(_HEAD.finditer(printed.text))
    stops = [head.start() for head in heads[1:]] + [len(printed.text)]
    for head, stop in zip(heads, stops, strict=True):
        part = printed.text[head.end() : stop]
        kind = _KIND.search(part) or _KIND.search(printed.text)
        if kind is not None:
            _take(printed, len(head[1].split()), part, _SIZES[kind[1]], found)


def _take(printed: Printed, count: int, text: str, size: Size, found: Readings) -> None:
    rows = [row for row in map(_ROW.match, text.splitlines()) if row is not None][:count]
    if len(rows) < count:
        raise printed.problem(f"has {len(rows)} rows of {count}: it broke off")
    names = [row[2] for row in rows]
    for one, row in enumerate(rows):
        values = _numbers(row[3], count)
        if values is None:
            raise printed.problem(f"has no {count} numbers in the row of {names[one]}")
        for other, value in enumerate(values):
            if one != other and value > 0:
                unit = BYTES_PER_MB if size[0].is_rate else 1e3
                found.add((names[one], names[other]), size, value * unit)


def _numbers(text: str, count: int) -> list[float] | None:
    """Return the numbers of a row; wide ones are printed without a blank between them."""
    cells = text.split()
    for decimals in range(1, _MOST_DECIMALS + 1):
        if len(cells) == count:
            break
        cells = re.findall(rf"[0-9]+\.[0-9]{{{decimals}}}", text)
    try:
        return [float(cell) for cell in cells] if len(cells) == count else None
    except ValueError:
        return None
