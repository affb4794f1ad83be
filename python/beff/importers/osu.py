"""Output of osu_latency, osu_bw, osu_bibw and osu_mbw_mr between two hosts, one run for each pair.

    # OSU MPI Bandwidth Test v7.4
    # Size      Bandwidth (MB/s)
    1048576             11480.10

Latency is in us, half of there and back; MB/s are 10^6 byte/s (c/mpi/pt2pt/standard/osu_latency.c,
osu_bw.c, osu_mbw_mr.c). The programs do not print hosts.
"""

import re

from beff.importers.pair_logs import blocks_of
from beff.importers.pairs import Readings, Test, ns_of_rate
from beff.importers.printed import COUNT, NUMBER, Printed
from beff.result.numbers import BYTES_PER_MB

_TITLE = re.compile(
    r"^# OSU MPI(?:-\w+)? (Latency|Bandwidth|Bi-Directional Bandwidth|"
    r"Multiple Bandwidth / Message Rate) Test",
    re.MULTILINE | re.ASCII,
)
_TESTS = {
    "Latency": Test("osu_latency", False, "each"),
    "Bandwidth": Test("osu_bw", True, None),
    "Bi-Directional Bandwidth": Test("osu_bibw", True, "both at once"),
    "Multiple Bandwidth / Message Rate": Test("osu_mbw_mr", True, None),
}
_PAIRS = re.compile(rf"^# \[ *pairs: *({COUNT}) *\]", re.MULTILINE | re.ASCII)
_ROW = re.compile(rf"^({COUNT})[ \t]+({NUMBER})(?:[ \t].*)?$", re.MULTILINE | re.ASCII)


def recognises(text: str) -> bool:
    """Whether a title of one of the tests is there."""
    return _TITLE.search(text) is not None


def read(printed: Printed, found: Readings) -> None:
    """Take over each test of each pair. Raises ResultError where one has no figures."""
    for ends, text in blocks_of(printed):
        titles = list(_TITLE.finditer(text))
        stops = [title.start() for title in titles[1:]] + [len(text)]
        if not titles:
            raise printed.problem(f"has no test between {ends[0]} and {ends[1]}: it broke off")
        for title, stop in zip(titles, stops, strict=True):
            _read_test(printed, ends, _TESTS[title[1]], text[title.end() : stop], found)


def _read_test(
    printed: Printed, ends: tuple[str, str], test: Test, text: str, found: Readings
) -> None:
    pairs = _PAIRS.search(text)
    if pairs is not None and int(pairs[1]) != 1:
        raise printed.problem(
            f"has the sum of {pairs[1]} pairs; which is slow shows with a run for each pair"
        )
    rows = _ROW.findall(text)
    if not rows:
        raise printed.problem(f"has no figure of {test.name} between {ends[0]} and {ends[1]}")
    for size_text, value_text in rows:
        size, value = int(size_text), float(value_text)
        try:
            ns = ns_of_rate(size, value * BYTES_PER_MB) if test.is_rate else value * 1e3
            found.add(ends, (test, size), ns)
        except ValueError as problem:
            raise printed.problem(f"has {problem} between {ends[0]} and {ends[1]}") from None
