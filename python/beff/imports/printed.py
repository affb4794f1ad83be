"""What all importers share: the file that is read, and what a document begins with."""

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import lru_cache
from pathlib import Path
from typing import Any

from beff.result.armour import read_bytes
from beff.result.bounds import of_a_clock
from beff.result.errors import ResultError


@dataclass(frozen=True)
class Printed:
    """A file that may be imported.

    `definition` and `date` are what the user says of how and when it was measured; `remarks` are
    sentences on how it was read.
    """

    source: str
    name: str
    text: str
    definition: str | None = None
    date: str | None = None
    remarks: list[str] = field(default_factory=list)

    def problem(self, reason: str) -> ResultError:
        """Return the error that says why the file cannot be imported."""
        return ResultError(reason, self.source)


def printed_file(path: Path, definition: str | None = None, date: str | None = None) -> Printed:
    """Read a file of UTF-8, or of UTF-16 that begins with its mark. Raises ResultError."""
    content = read_bytes(path)
    is_utf_16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if is_utf_16 else "utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ResultError("is not a text file", path) from None
    return Printed(str(path), path.name, text, definition, date)


@lru_cache(maxsize=256)
def utc_of(text: str) -> str:
    """Return a time in ISO 8601, UTC where it names no zone, as results have it.

    Raises ValueError for anything else.
    """
    try:
        found = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        found = found.replace(tzinfo=found.tzinfo or timezone.utc).astimezone(timezone.utc)
        return of_a_clock(f"{found:%Y-%m-%dT%H:%M:%S}Z")
    except (ValueError, OverflowError):
        raise ValueError(
            f"'{text[:40]}' is no time since 1970; write it as 2026-11-01 or 2026-11-01T10:00:00Z"
        ) from None


def statement(code: str, **facts: Any) -> dict[str, Any]:
    """Return what a reader should know of the print."""
    return {"code": code, "facts": facts}


def origin_of(
    form: str, version: str | None, date: str | None, not_known: list[str]
) -> dict[str, Any]:
    """Return what the field `imported` of a result holds beside the name of the file."""
    return {"format": form, "program_version": version, "date": date, "not_known": not_known}


def head(
    printed: Printed,
    benchmark: str,
    definition: str,
    origin: Mapping[str, Any],
    remarks: Sequence[dict[str, Any]] = (),
    *,
    program: str = "",
) -> dict[str, Any]:
    """Return the fields before the environment; `remarks` become cautions.

    `program` measured, if it has not the name of the benchmark.
    """
    met = {"required": None, "found": None, "unit": "count", "met": False}
    name, version = program or benchmark, origin["program_version"] or "not known"
    return {
        "schema_version": 2,
        "benchmark": benchmark,
        "definition": definition,
        "program": {"name": name, "version": version, "git_commit": "not known"},
        "valid": False,
        "complete": False,
        "criteria": [{"code": "measured here", **met}],
        "cautions": [statement("imported", not_known=origin["not_known"]), *remarks],
        "imported": {"source": printed.name, **origin},
    }
