"""Output of the OSU benchmarks: of some between two hosts, a run for each pair; else of any run.

    # OSU MPI Bandwidth Test v7.4
    # Size      Bandwidth (MB/s)
    1048576             11480.10

Latency is in us, of two hosts half of there and back; MB/s are 10^6 byte/s (release 7.4:
c/mpi/pt2pt/standard/osu_latency.c, osu_bw.c, osu_mbw_mr.c, c/util/osu_util_mpi.c). Of several
columns the first counts. The programs print neither hosts nor times of day.
"""

import re
from collections.abc import Iterator

from beff.importers.figures import Row, named
from beff.importers.pair_logs import take_blocks
from beff.importers.pairs import Readings, Size, Test
from beff.importers.printed import COUNT, Printed, figure, first, lines_of
from beff.result.numbers import BYTES_PER_MB

_TESTS = {
    "Latency": Test("osu_latency", False, "each"),
    "Bandwidth": Test("osu_bw", True, None),
    "Bi-Directional Bandwidth": Test("osu_bibw", True, "both at once"),
    "Multiple Bandwidth / Message Rate": Test("osu_mbw_mr", True, None),
}
_OF_PAIRS = re.compile(rf"OSU MPI(?:-\w+)? ({'|'.join(_TESTS)})", re.ASCII)
_TITLE = r"# (?P<title>OSU .{1,120}?) Test\b"
_FACTS = re.compile(
    rf"{_TITLE}|# \[ *pairs: *(?P<pairs>{COUNT}) *\]"
    r"|# *(?P<sized>Size\b)?.*?(?:\((?P<time>us)\)|\b(?P<rate>MB/s)\b)",
    re.ASCII,
)
_LABELS = {"pairs": "{} pairs", "size": "{} B"}
_FAILED = "Fail"
"""Of the column Validation."""


def recognises(text: str) -> bool:
    """Whether a title is there."""
    return first(f"^{_TITLE}", text) is not None


def recognises_pairs(text: str) -> bool:
    """Whether a title of a test between two hosts is there."""
    return any(_OF_PAIRS.fullmatch(title) for title in re.findall(f"(?m)^{_TITLE}", text))


def read(printed: Printed, found: Readings) -> None:
    """Take over each test of each pair. Raises ResultError where there is no figure."""
    take_blocks(printed, found, _measured)


def _measured(text: str) -> Iterator[tuple[Size, float]]:
    for _, said in _rows(text):
        of_pairs = _OF_PAIRS.fullmatch(said["title"])
        if of_pairs is None:
            continue
        if said.get("pairs", "1") != "1":
            raise ValueError(f"the sum of {said['pairs']} pairs, not a run for each")
        if said["value"] == _FAILED:
            raise ValueError("data that was wrong")
        test = _TESTS[of_pairs[1]]
        unit = BYTES_PER_MB if test.is_rate else 1e3
        yield (test, int(said["size"] or 0)), float(said["value"]) * unit


def rows(printed: Printed) -> Iterator[tuple[int, Row]]:
    """Yield what each test printed of each size, with the number of its line."""
    for number, said in _rows(printed.text):
        if unit := said.get("time") or said.get("rate"):
            name = named(said["title"], _LABELS, said)
            yield number, {"figure": name, "value": said["value"], "unit": unit}


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line of each row, and its size, if any, and value beside what stands above."""
    for number, line, said in lines_of(text, _FACTS):
        cells = line.split()
        size = cells.pop(0) if cells and "title" in said and "sized" in said else ""
        if "title" in said and cells and figure(cells[0]) and re.fullmatch(COUNT + "|", size):
            yield number, said | {"size": size, "value": _FAILED if _FAILED in cells else cells[0]}
