"""Output of b_eff_io 1.x and 2.1, the file *.sum: a table per number of processes, and the values.

Rows are chunk sizes, columns the five types; beneath each access method stand the totals, from
opening to closing, and then the averages of which the value is made.
"""

import re
from bisect import bisect
from typing import Any

from beff.definition.b_eff_io import access_average, value_1
from beff.importers.printed import (
    COUNT,
    NUMBER,
    Origin,
    Printed,
    environment,
    figure,
    first,
    head,
    statement,
)
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.bounds import Figure
from beff.result.numbers import BYTES_PER_MB, MIB

_VALUE = re.compile(
    rf"^ *b_eff_io of these measurements *= *({NUMBER}) MB/s\s+on *({COUNT}) processes\s+with"
    rf" *({COUNT}) MByte/PE\s+and\s+scheduled\s+time= *({NUMBER}) *min"
    r"(,.*|[ \t]+on .*)?(?:\n\s*(on .*))?$",
    re.MULTILINE | re.ASCII,
)
_SYSTEM = re.compile(r"\s*on (.*)", re.ASCII)
_ERRORS = re.compile(rf",\s+with ({COUNT}) ERRORS?\b.*", re.ASCII)
"""Stands behind the value of a partition that had errors."""
_ROW = re.compile(
    rf"^ *({COUNT}) PEs ({COUNT}) +({COUNT}) (write|rewrite|read) +(\S.*)$",
    re.MULTILINE | re.ASCII,
)
_TOTAL = re.compile(
    rf"^ *({COUNT}) PEs +total-(write|rewrite|read) +(\S.*)$", re.MULTILINE | re.ASCII
)
_AVERAGE = re.compile(
    rf"^ *weighted average bandwidth for (write|rewrite|read) *: *({NUMBER}) MB/s"
    rf" on *({COUNT}) processes",
    re.MULTILINE | re.ASCII,
)
_AMOUNT = re.compile(
    rf"^ *Total amount of data written/read with each access method: *({NUMBER}) MBytes",
    re.MULTILINE | re.ASCII,
)
_PATTERN_2 = re.compile(
    rf"bw_pat2= *({NUMBER}) MB/s write, *({NUMBER}) MB/s rewrite, *({NUMBER}) MB/s read", re.ASCII
)
_SCHEDULED = rf"^ *-N[ 0-9,]*[ ,]T *= *({NUMBER})"
"""The options that a print begins with: numbers of processes, and T in seconds."""
_CRITERION = re.compile(r"^ *criterion [0-9]+: (.*)$", re.MULTILINE | re.ASCII)
_OWN = "b_eff_io, program version "
_TYPES = ("scatter", "shared", "separate", "segmented", "seg-coll")
_ROUNDING = 0.002
_BESIDE_TABLE = 2
_FIRST_NUMBER = 1000
"""Numbers of patterns by type and row, which are none of this program's own numbers."""


def recognises(text: str) -> bool:
    """Whether the text holds a value line of b_eff_io."""
    return _VALUE.search(text) is not None


def read(printed: Printed) -> list[dict[str, Any]]:
    """Return one document with a partition per number of processes. Raises ResultError."""
    if _OWN in printed.text:
        raise printed.problem("was written by this program; its result file, PREFIX.json, has more")
    values = {int(line[2]): line for line in _VALUE.finditer(printed.text)}
    counts = sorted(values)
    largest = values[counts[-1]]
    if any(figure(line[1]) is None for line in values.values()):
        raise printed.problem("holds a line with the value of b_eff_io, but no value in it")
    partitions = _partitions(printed.text, values)
    version = first(r"^b_eff_io\.c, Revision ([0-9.]+)", printed.text)
    release = _release(printed, version, partitions)
    for partition in partitions:
        _add_values(partition, release)
    origin = Origin(
        "b_eff_io .sum",
        "b_eff_io",
        version,
        first(r"^Date of measurement: *(.*)$", printed.text),
        ("repetitions, bytes and times of the patterns", "file system", "hints", "placement"),
    )
    criteria = [text.strip() for text in _CRITERION.findall(printed.text)]
    remarks = [statement("printed criterion", text=text) for text in criteria]
    chunk_mib = figure(first(rf"^Maximum chunk size *= *({NUMBER}) MBytes", printed.text) or "")
    for processes in counts:
        errors = _ERRORS.search(_behind(values[processes]))
        if errors is not None:
            count = int(errors[1])
            remarks.append(statement("printed errors", errors=count, processes=processes))
    system = _SYSTEM.match(_ERRORS.sub("", _behind(largest)))
    where = environment(printed, counts[-1], int(largest[3]), None if system is None else system[1])
    shared = not any("shared" in text and "NOT" in text for text in criteria)
    return [
        {
            **head(printed, "b_eff_io", release, origin, remarks),
            "procedure": "original",
            "environment": where,
            "schedule": {
                "time_s": _scheduled_s(printed.text, release, list(values.values())),
                "m_part_bytes": None if chunk_mib is None else int(chunk_mib * MIB),
                "rewrite": "all" if partitions[-1]["types"]["rewrite"][1] else "scatter",
            },
            "pointer": "shared" if shared else "individual",
            "type_names": [
                {"type": kind, "name": name, "official": True} for kind, name in enumerate(_TYPES)
            ],
            **_patterns_and_samples(printed.text, counts),
            "types": _types(partitions),
            "partitions": partitions,
            "summary": _summary(partitions, release, where["total_memory_bytes"]),
        }
    ]


def _scheduled_s(text: str, release: str, values: list[re.Match[str]]) -> float:
    """Return the time of all partitions together, in seconds.

    T of the options is that in release 2, and before it the time of each partition. A line with a
    value has the time of its partition, rounded to a tenth of a minute.
    """
    option = figure(first(_SCHEDULED, text) or "")
    if option is None:
        return sum(float(line[4]) * 60 for line in values)
    return option if release == "2.1" else option * len(values)


def _cells(text: str) -> list[Figure]:
    """Figures of a row, one per type; a column that is missing is None."""
    cells = [figure(cell) for cell in text.split()][: len(_TYPES)]
    return cells + [None] * (len(_TYPES) - len(cells))


def _behind(value: re.Match[str]) -> str:
    """Return what stands behind a value: the system, and that there were errors."""
    return f"{value[6] or ''} {value[5] or ''}"


def _partitions(text: str, values: dict[int, re.Match[str]]) -> list[dict[str, Any]]:
    """Return a partition for each number of processes, in rising order."""
    found = {processes: _partition(processes, values[processes]) for processes in sorted(values)}
    for row in _TOTAL.finditer(text):
        if int(row[1]) in found:
            found[int(row[1])]["types"][row[2]] = _cells(row[3])
    for line in _AVERAGE.finditer(text):
        if int(line[3]) in found:
            found[int(line[3])]["access"][line[1]] = figure(line[2])
    amounts = list(_AMOUNT.finditer(text))
    places = [amount.start() for amount in amounts]
    for processes, partition in found.items():
        above = bisect(places, values[processes].start())
        amount = figure(amounts[above - 1][1]) if above else None
        moved = None if amount is None else round(amount * MIB)
        partition["bytes"] = dict.fromkeys(ACCESSES, moved)
    return list(found.values())


def _partition(processes: int, value: re.Match[str]) -> dict[str, Any]:
    """Return a partition of which only the value is known."""
    return {
        "processes": processes,
        "types": {access: [None] * len(_TYPES) for access in ACCESSES},
        "access": dict.fromkeys(ACCESSES),
        "b_eff_io_MBps": figure(value[1]),
        "values": {},
    }


def _release(printed: Printed, version: str | None, partitions: list[dict[str, Any]]) -> str:
    """Find the release by what the user or the print says, else by the formula that fits."""
    if printed.definition is not None:
        if printed.definition not in ("0.5", "1", "2.1"):
            raise printed.problem(
                f"--definition {printed.definition} is none of b_eff_io; write 0.5, 1 or 2.1"
            )
        return printed.definition
    by_version = {"0": "0.5", "1": "1", "2": "2.1"}
    if version is not None and version[0] in by_version:
        return by_version[version[0]]
    values = [(_by_release_1(partition), partition["b_eff_io_MBps"]) for partition in partitions]
    if all(own is not None and abs(own - stored) < _ROUNDING for own, stored in values):
        return "1"
    raise printed.problem("does not state its release; give it by --definition 0.5, 1 or 2.1")


def _by_release_1(partition: dict[str, Any]) -> Figure:
    averages = partition["access"]
    return value_1(averages["write"], averages["rewrite"], averages["read"])


def _add_values(partition: dict[str, Any], release: str) -> None:
    """Add the printed value, and that by release 1 where every type was rewritten."""
    printed = partition["b_eff_io_MBps"]
    rewritten = partition["types"]["rewrite"]
    whole = access_average(rewritten, rewritten[0]) is not None
    by_release_1 = _by_release_1(partition) if whole else None
    values = {"0.5": None, "1": by_release_1, "2.1": None}
    partition["values"] = {**values, release: printed}


def _patterns_and_samples(text: str, counts: list[int]) -> dict[str, Any]:
    rows = list(_ROW.finditer(text))
    chunks = {int(row[2]): int(row[3]) for row in rows}
    number = {
        (kind, position): _FIRST_NUMBER + 100 * kind + position
        for kind in range(len(_TYPES))
        for position in chunks
    }
    patterns = [_pattern(_BESIDE_TABLE, 0, MIB, None)]
    patterns += [
        _pattern(number[kind, position], kind, chunk, position)
        for (kind, position), chunk in ((key, chunks[key[1]]) for key in number)
    ]
    samples: list[tuple[int, int, str, Figure]] = []
    for row in rows:
        if int(row[1]) in counts:
            partition = counts.index(int(row[1]))
            for kind, value in enumerate(_cells(row[5])):
                samples.append((partition, number[kind, int(row[2])], row[4], value))
    for partition, found in enumerate(list(_PATTERN_2.finditer(text))[: len(counts)]):
        for access, cell in zip(ACCESSES, found.groups(), strict=True):
            samples.append((partition, _BESIDE_TABLE, access, figure(cell)))
    names = ("partition", "pattern", "access", "bandwidth_MBps")
    columns = {name: [sample[place] for sample in samples] for place, name in enumerate(names)}
    return {"patterns": patterns, "samples": columns}


def _pattern(number: int, kind: int, chunk: int, position: int | None) -> dict[str, Any]:
    return {
        "number": number,
        "type": kind,
        "l_bytes": chunk,
        "L_bytes": None,
        "wellformed": chunk % 16 == 0,
        "position": position,
        "reported": True,
    }


def _types(partitions: list[dict[str, Any]]) -> dict[str, list[Any]]:
    rows = [
        (index, kind, access, value)
        for index, partition in enumerate(partitions)
        for access in ACCESSES
        for kind, value in enumerate(partition["types"][access])
    ]
    names = ("partition", "type", "access", "bandwidth_MBps")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def _summary(partitions: list[dict[str, Any]], release: str, memory: int) -> dict[str, Any]:
    best = max(partitions, key=lambda partition: float(partition["b_eff_io_MBps"]))
    value = best["b_eff_io_MBps"]
    by_release = {
        name: max((p["values"][name] for p in partitions if p["values"][name]), default=None)
        for name in best["values"]
    }
    written = [partition["bytes"]["write"] for partition in partitions]
    moved = sum(written) if all(written) else None
    return {
        "b_eff_io_MBps": value,
        "values": by_release,
        "processes": best["processes"],
        "write_MBps": best["access"]["write"],
        "rewrite_MBps": best["access"]["rewrite"],
        "read_MBps": best["access"]["read"],
        "bytes_per_access": dict.fromkeys(ACCESSES, moved),
        "percent_of_memory": None if moved is None else 100 * moved / memory,
        "total_memory_write_min": memory / (value * BYTES_PER_MB) / 60,
    }
