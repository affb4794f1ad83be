"""What all importers share: how printed numbers are found, and what a document begins with."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from pydantic import TypeAdapter

from beff.result.bounds import LARGEST_FIGURE, Figure, Moment
from beff.result.errors import ResultError
from beff.result.numbers import MIB

COUNT = r"[0-9]{1,18}"
NUMBER = r"[0-9]{1,30}(?:\.[0-9]{1,30})?"
"""No program prints more digits, and to read thousands of them takes long."""
_A_MOMENT: TypeAdapter[str] = TypeAdapter(Moment)
_UNAME = (
    ("sysname", "system name"),
    ("nodename", "hostname"),
    ("release", "OS release"),
    ("version", "OS version"),
    ("machine", "machine"),
)


@dataclass(frozen=True)
class Printed:
    """A file that may be imported; `definition` is what the user says it was measured by."""

    source: str
    name: str
    text: str
    definition: str | None = None

    def problem(self, reason: str) -> ResultError:
        """Return the error that says why the file cannot be imported."""
        return ResultError(reason, self.source)


@dataclass(frozen=True)
class Origin:
    """What the field `imported` holds."""

    format: str
    program: str
    version: str | None
    date: str | None
    not_known: tuple[str, ...]


def columns_in(text: str) -> list[str]:
    """Return what the first line of a plain table names; nothing where it is none."""
    line = text.lstrip("\ufeff").partition("\n")[0]
    try:
        return [name.strip() for name in next(csv.reader([line]))]
    except csv.Error:
        return []


def known_columns(printed: Printed, known: Sequence[str]) -> list[str]:
    """Return the same. Raises ResultError where a name is there twice, or is not known."""
    names = columns_in(printed.text)
    odd = [name for name in names if name not in known or names.count(name) > 1]
    if odd:
        raise printed.problem(f"line 1: '{odd[0]}' is there twice, or none of {', '.join(known)}")
    return names


def figure(text: str) -> Figure:
    """Read a printed figure; None where nothing, a dash or 0 was printed, or no double fits."""
    if not re.fullmatch(NUMBER, text, re.ASCII):
        return None
    value = float(text)
    return value if 0 < value < LARGEST_FIGURE else None


def positive(text: str) -> float:
    """Read a figure of a table. Raises ValueError for what is none, or 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= LARGEST_FIGURE:
        raise ValueError(f"'{text[:40]}' is no positive number up to {LARGEST_FIGURE:g}")
    return value


def whole(what: str, text: str, most: int) -> int:
    """Read a whole number of a table. Raises ValueError naming what it is."""
    digits = text.strip()
    value = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 20 else -1
    if not 0 <= value <= most:
        raise ValueError(f"{what} is '{text[:40]}', not a whole number up to {most:.0e}")
    return value


def utc_of(text: str) -> str:
    """Return a time in ISO 8601, UTC where it names no zone, as results have it.

    Raises ValueError for anything else.
    """
    try:
        found = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        found = found.replace(tzinfo=found.tzinfo or timezone.utc).astimezone(timezone.utc)
        return _A_MOMENT.validate_python(f"{found:%Y-%m-%dT%H:%M:%S}Z")
    except (ValueError, OverflowError):
        raise ValueError(
            f"'{text[:40]}' is no time since 1970; write it as 2026-11-01 or 2026-11-01T10:00:00Z"
        ) from None


def first(pattern: str, text: str) -> str | None:
    """Return the first group of the first place that matches."""
    found = re.search(pattern, text, re.MULTILINE | re.ASCII)
    return found.group(1).strip() if found else None


def lines_of(text: str, facts: re.Pattern[str]) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Yield the lines that say no `facts`, their numbers, and what was said above.

    Facts are what named groups find; a group `title` ends what was said before it.
    """
    said: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if found := facts.match(line):
            own = {name: value for name, value in found.groupdict().items() if value is not None}
            said = own if "title" in own else said | own
        else:
            yield number, line, said


def statement(code: str, **facts: Any) -> dict[str, Any]:
    """Return what a reader should know of the print."""
    return {"code": code, "facts": facts}


def head(
    printed: Printed, benchmark: str, definition: str, origin: Origin, remarks: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return the fields before the environment; `remarks` become cautions."""
    return {
        "schema_version": 2,
        "benchmark": benchmark,
        "definition": definition,
        "program": {
            "name": origin.program,
            "version": origin.version or "not known",
            "git_commit": "not known",
        },
        "valid": False,
        "complete": False,
        "criteria": [
            {
                "code": "measured here",
                "required": None,
                "found": None,
                "unit": "count",
                "met": False,
            }
        ],
        "cautions": [statement("imported", not_known=list(origin.not_known)), *remarks],
        "imported": {
            "source": printed.name,
            "format": origin.format,
            "program_version": origin.version,
            "date": origin.date,
            "not_known": list(origin.not_known),
        },
    }


def environment(
    printed: Printed, processes: int, memory_mib: int, system: str | None
) -> dict[str, Any]:
    """Return what is known of the machine.

    `system` is the end of a last line: system name, host, release, then version and machine, which
    it does not separate; lines of their own, where the print has them, do.
    """
    if not 1 <= processes <= 10**9 or not 1 <= memory_mib <= 10**12:
        raise printed.problem("names an impossible number of processes or amount of memory")
    names = {key: first(rf"^ *{label} *:(.*)$", printed.text) for key, label in _UNAME}
    if not all(names.values()) and system is not None:
        parts = system.split(maxsplit=3)
        parts += [""] * (4 - len(parts))
        names = dict(zip(("sysname", "nodename", "release", "version"), parts, strict=True))
        names["machine"] = ""
    uname = {key: names.get(key) or "" for key, _ in _UNAME}
    memory = memory_mib * MIB
    return {
        "host_list": uname["nodename"] or "not known",
        "uname": uname,
        "processes": processes,
        "memory_per_process_bytes": memory,
        "total_memory_bytes": memory * processes,
    }
