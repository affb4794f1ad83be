"""The journal of a run: one JSON object per line, appended after every timed loop."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beff.model.errors import ResultError
from beff.model.strict_json import parse_json, read_text

JOURNAL_VERSION = 1
SUFFIX = ".journal.jsonl"
_HEAD = 100
"""Characters in which the first line of a journal says that it is one."""
_ROWS = {"sample", "type", "notes", "round", "retest", "roofs"}


@dataclass(frozen=True)
class JournalHeader:
    """First line of a journal: what was planned and a result document without samples."""

    benchmark: str
    loops: int
    result: dict[str, Any]


@dataclass(frozen=True)
class Journal:
    """A whole journal.

    `end` is what the run wrote when it ended normally, None for a run that was killed;
    `cut_line` says that the last line was only partly written. `types` and `notes` are
    written beside the samples: the files that b_eff_io closed and what it found out about a
    partition; the value of b_eff after each repetition. Of b_pairs `rounds` and
    `retests` are in their order, `roofs` what the hardware allows.
    """

    header: JournalHeader
    samples: list[dict[str, Any]]
    end: str | None
    cut_line: bool
    types: list[dict[str, Any]] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    rounds: list[dict[str, Any]] = field(default_factory=list)
    retests: list[dict[str, Any]] = field(default_factory=list)
    roofs: list[dict[str, Any]] = field(default_factory=list)


def parse_header(line: str) -> JournalHeader:
    """Read the first line. Raises ValueError when it is no journal header."""
    fields = parse_json(line)
    if not isinstance(fields, dict) or fields.get("journal") != JOURNAL_VERSION:
        raise ValueError("not the first line of a journal")
    benchmark, loops, result = (fields.get(key) for key in ("benchmark", "loops", "result"))
    if not isinstance(benchmark, str) or not isinstance(loops, int) or not isinstance(result, dict):
        raise ValueError("a field is missing in the first line")
    return JournalHeader(benchmark, loops, result)


def is_journal(text: str) -> bool:
    """Whether a text starts as a journal does."""
    try:
        parse_header(text.partition("\n")[0] if '"journal"' in text[:_HEAD] else "")
    except ValueError:
        return False
    return True


def read_journal(path: Path) -> Journal:
    """Read a journal; a last line that was cut in the middle is left out and noted.

    Raises ResultError when the file is no journal or is damaged anywhere else.
    """
    text = read_text(path)
    first, _, rest = text.partition("\n")
    try:
        header = parse_header(first)
    except ValueError:
        raise ResultError(f"{path}: is not the journal of a benchmark run") from None
    rows: dict[str, list[dict[str, Any]]] = {kind: [] for kind in _ROWS}
    end: str | None = None
    lines = rest.split("\n")
    unfinished = lines.pop()
    for number, line in enumerate(lines, start=2):
        entry = _entry(path, number, line)
        if end is not None:
            raise ResultError(f"{path}: line {number} stands behind the end of the run")
        if "end" in entry:
            end = str(entry["end"])
        for kind in _ROWS & entry.keys():
            rows[kind].append(entry[kind])
    return Journal(
        header,
        rows["sample"],
        end,
        unfinished != "",
        types=rows["type"],
        notes=rows["notes"],
        rounds=rows["round"],
        retests=rows["retest"],
        roofs=rows["roofs"],
    )


def _entry(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        entry = parse_json(line)
    except (json.JSONDecodeError, ValueError):
        raise ResultError(f"{path}: line {number} is damaged") from None
    if isinstance(entry, dict) and (
        "end" in entry or any(isinstance(entry.get(kind), dict) for kind in _ROWS)
    ):
        return entry
    raise ResultError(f"{path}: line {number} is neither a sample nor the end of the run")
