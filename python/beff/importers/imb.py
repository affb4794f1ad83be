"""Output of PingPong of the Intel MPI Benchmarks between two hosts, one run for each pair.

    # Benchmarking PingPong
    # #processes = 2
           #bytes #repetitions      t[usec]   Mbytes/sec
          1048576           40        91.30     11484.95

The time counts, half of there and back; so it does not matter that Mbytes are 2^20 byte up to
release 4.1 and 10^6 since (src_c/IMB_output.c). The program does not print hosts.
"""

import re

from beff.importers.pair_logs import blocks_of
from beff.importers.pairs import Readings, Test
from beff.importers.printed import COUNT, NUMBER, Printed

_TITLE = re.compile(r"^# Benchmarking PingPong *$", re.MULTILINE)
_NEXT = re.compile(r"^# (?:Benchmarking|All processes entering)", re.MULTILINE)
_PROCESSES = re.compile(rf"^# #processes *= *({COUNT})", re.MULTILINE | re.ASCII)
_ROW = re.compile(rf"^ *({COUNT}) +{COUNT} +({NUMBER}) +{NUMBER} *$", re.MULTILINE | re.ASCII)
_TEST = Test("IMB PingPong", False, "each")


def recognises(text: str) -> bool:
    """Whether the title is there."""
    return _TITLE.search(text) is not None


def read(printed: Printed, found: Readings) -> None:
    """Take over the times of each pair. Raises ResultError where there are none."""
    for ends, text in blocks_of(printed):
        title = _TITLE.search(text)
        rest = "" if title is None else text[title.end() :]
        following = _NEXT.search(rest)
        rest = rest if following is None else rest[: following.start()]
        processes = _PROCESSES.search(rest)
        if processes is not None and int(processes[1]) != 2:
            raise printed.problem(f"has PingPong of {processes[1]} processes; it takes two")
        rows = _ROW.findall(rest)
        if not rows:
            raise printed.problem(f"has no time between {ends[0]} and {ends[1]}: it broke off")
        for size, time_us in rows:
            try:
                found.add(ends, (_TEST, int(size)), float(time_us) * 1e3)
            except ValueError as problem:
                raise printed.problem(f"has {problem} between {ends[0]} and {ends[1]}") from None
