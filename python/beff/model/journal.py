"""The first line of a journal, which says whose it is."""

from dataclasses import dataclass
from typing import Any

from beff.model.strict_json import parse_json

JOURNAL_VERSION = 1
SUFFIX = ".journal.jsonl"
_HEAD = 100
"""Characters in which the first line of a journal says that it is one."""


@dataclass(frozen=True)
class JournalHeader:
    """First line of a journal: what was planned and a result document without samples."""

    benchmark: str
    loops: int
    result: dict[str, Any]


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
