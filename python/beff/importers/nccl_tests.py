"""Output of nccl-tests and rccl-tests, run between two hosts: one run for each pair.

    #  Rank  0 Group  0 Pid   1201 on        n1 device  0 [0x31] ...
    #       size         count      type   redop    root     time   algbw   busbw #wrong ...
         1048576        262144     float    none      -1    91.30   11.48   11.48      0 ...

Times are in us (src/util.cu, writeBenchmarkLineBody), sizes in byte. The first time counts, out of
place. All processes send and receive at once.
"""

import re

from beff.importers.pairs import Readings, Test
from beff.importers.printed import COUNT, Printed

_RANK = re.compile(
    r"^# +Rank +[0-9]+ +(?:Group +[0-9]+ +)?Pid +[0-9]+ +on +(\S+) +device", re.MULTILINE | re.ASCII
)
_BEGIN = re.compile(r"^# nThread ", re.MULTILINE)
_COLUMNS = re.compile(r"^# +size +count .*\b(?:cpu)?time\b.*$", re.MULTILINE)
_TEST = re.compile(r"^# Collective test starting: *(\S+)", re.MULTILINE)
_ROW = re.compile(rf"^ *{COUNT} +{COUNT} .*$", re.MULTILINE | re.ASCII)


def recognises(text: str) -> bool:
    """Whether ranks are named and a table of times is there."""
    return _RANK.search(text) is not None and _COLUMNS.search(text) is not None


def read(printed: Printed, found: Readings) -> None:
    """Take over each run. Raises ResultError where one is of other than two hosts, or broken."""
    begins = [run.start() for run in _BEGIN.finditer(printed.text)] or [0]
    ends = [*begins[1:], len(printed.text)]
    for begin, end in zip(begins, ends, strict=True):
        _read_run(printed, printed.text[begin:end], found)


def _read_run(printed: Printed, text: str, found: Readings) -> None:
    hosts = list(dict.fromkeys(_RANK.findall(text)))
    if len(hosts) != 2:
        raise printed.problem(
            f"has a run on {len(hosts)} hosts; between which is slow shows with a run on each two"
        )
    columns, named = _COLUMNS.search(text), _TEST.search(text)
    rows = [] if columns is None else _ROW.findall(text[columns.end() :])
    if columns is None or not rows:
        raise printed.problem(f"has no time between {hosts[0]} and {hosts[1]}: that run broke off")
    names = columns[0].split()[1:]
    place = names.index("time" if "time" in names else "cputime")
    wrong = next((at for at, name in enumerate(names) if name in {"#wrong", "error"}), len(names))
    test = Test("" if named is None else named[1], False, "both at once")
    for row in rows:
        cells = row.split()
        try:
            size, time_us = int(cells[0]), float(cells[place])
            if size > 0:
                found.add((hosts[0], hosts[1]), (test, size), time_us * 1e3)
        except (ValueError, IndexError):
            raise printed.problem(f"has a broken line: '{row.strip()[:60]}'") from None
        if wrong < len(cells) and cells[wrong].isdecimal() and int(cells[wrong]) > 0:
            raise printed.problem(
                f"says that data between {hosts[0]} and {hosts[1]} was wrong: no time of it counts"
            )
