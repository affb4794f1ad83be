"""Output of the Intel MPI Benchmarks: of PingPong between two hosts, a run for each pair; else any.

    # Benchmarking PingPong
    # #processes = 2
           #bytes #repetitions      t[usec]   Mbytes/sec
          1048576           40        91.30     11484.95

The time counts, of PingPong half of there and back; so it does not matter that Mbytes are 2^20 byte
up to release 4.1 and 10^6 since (release 2021: src_c/IMB_output.c). Of several processes their
average counts; of what has something to overlap with, the whole. The date stands above all
(src_c/IMB_g_info.c); the program prints no host.
"""

import re
from collections.abc import Iterator

from beff.importers.figures import Row, named, when
from beff.importers.pair_logs import take_blocks
from beff.importers.pairs import Readings, Size, Test
from beff.importers.printed import COUNT, Printed, figure, first, lines_of

_TITLE = r"# Benchmarking (?P<title>\S{1,100}) *$"
_FACTS = re.compile(
    rf"{_TITLE}|# (?:\( *{COUNT} groups of|#processes =) *(?P<processes>{COUNT})\b"
    r"|# +MODE: *(?P<mode>\S{1,40})|(?P<columns>.*#repetitions.*)",
    re.ASCII,
)
_DATE = r"^# Date *: *(.{1,40})$"
_ROW = re.compile(r"[ \t0-9.]+")
_FIGURES = {"t[usec]": "us", "t_avg[usec]": "us", "t_ovrl[usec]": "us", "Msg/sec": "msg/s"}
_LABELS = {"mode": "{}", "processes": "{} processes", "Group": "group {}", "#bytes": "{} B"}
_PINGPONG = "PingPong"
_TEST = Test("IMB PingPong", False, "each")


def recognises(text: str) -> bool:
    """Whether a title is there."""
    return first(f"^{_TITLE}", text) is not None


def recognises_pairs(text: str) -> bool:
    """Whether the title of PingPong is there."""
    return _PINGPONG in re.findall(f"(?am)^{_TITLE}", text)


def read(printed: Printed, found: Readings) -> None:
    """Take over the times of each pair. Raises ResultError where there are none."""
    take_blocks(printed, found, _measured)


def _measured(text: str) -> Iterator[tuple[Size, float]]:
    for _, said in _rows(text):
        if said["title"] == _PINGPONG and {"#bytes", "t[usec]"} <= said.keys():
            if said.get("processes", "2") != "2":
                raise ValueError(f"PingPong of {said['processes']} processes, not of two")
            yield (_TEST, int(said["#bytes"])), float(said["t[usec]"]) * 1e3


def rows(printed: Printed) -> Iterator[tuple[int, Row]]:
    """Yield what each benchmark printed of each size, with the number of its line."""
    began = when(first(_DATE, printed.text) or "")
    for number, said in _rows(printed.text):
        column = next((one for one in _FIGURES if one in said), "")
        if figure(said.get(column, "")):
            name = named(f"IMB {said['title']}", _LABELS, said)
            row = {"figure": name, "value": said[column], "unit": _FIGURES[column]}
            yield number, row | began


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line of each row, and its cells by column beside what stands above."""
    for number, line, said in lines_of(text, _FACTS):
        cells, columns = line.split(), said.get("columns", "").split()
        if "title" in said and len(cells) == len(columns) and _ROW.fullmatch(line):
            yield number, said | dict(zip(columns, cells, strict=True))
