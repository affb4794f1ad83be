"""What lies beside a run as long as it lasts: its journal's first line, and the roll.

Rank 0 holds the roll, a file, as long as the run lasts.
"""

import fcntl
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beff.result.strict_json import parse_json

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


def roll_of(journal: Path) -> Path:
    """Return the roll of the run with this journal."""
    return Path(f"{str(journal).removesuffix(SUFFIX)}.roll")


def is_held(path: Path) -> bool:
    """Whether a run on this machine, or one that shares its locks, holds a file or folder."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # no locks there
        return False
    finally:
        os.close(file)
    return False


def remove_left(roll: Path, *, without_locks: bool = False) -> None:
    """Remove the roll that a killed run has left; no other.

    Where the file system knows no locks, nobody can see that but the user, with `without_locks`.
    """
    with suppress(OSError):
        file = os.open(roll, os.O_RDWR | os.O_NONBLOCK)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            roll.unlink()
        except BlockingIOError:
            return
        except OSError:
            if without_locks:
                roll.unlink()
        finally:
            os.close(file)
