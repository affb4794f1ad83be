"""JSON as every reader takes it: finite numbers, integers of 64 bit, no half characters."""

import json
import math
import re
from pathlib import Path
from typing import Any, NoReturn

from beff.model.errors import ResultError
from beff.model.file_bytes import read_bytes

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SHOWN_DIGITS = 25


class _NumberError(ValueError):
    """A number that no result holds; carries its text."""


class _TwiceError(ValueError):
    """An object that tells a field twice; carries its name."""


def _refuse(literal: str) -> NoReturn:
    shown = literal if len(literal) <= _SHOWN_DIGITS else f"{literal[:_SHOWN_DIGITS]}..."
    raise _NumberError(shown)


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refuse(text)


def _integer(text: str) -> int:
    value = int(text)
    return value if -(2**63) <= value < 2**64 else _refuse(text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object; with a name told twice, readers would differ in what they see."""
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise _TwiceError(name[:_SHOWN_DIGITS])
            seen.add(name)
    return made


def parse_json(text: str) -> Any:
    """Parse a JSON document.

    Raises ValueError, also for NaN, Infinity, overflowing numbers and what is nested too deeply.
    Half a surrogate pair, which could be written to no file, is a UnicodeEncodeError.
    """
    try:
        document = json.loads(
            text,
            parse_constant=_refuse,
            parse_float=_finite,
            parse_int=_integer,
            object_pairs_hook=_once,
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _SURROGATE.search(text):
        json.dumps(document, ensure_ascii=False).encode()
    return document


def read_text(path: Path) -> str:
    """Read a UTF-8 text file. Raises ResultError with the reason when that is impossible."""
    return decoded(path, read_bytes(path))


def decoded(path: Path, content: bytes) -> str:
    """Return what a file holds as text. Raises ResultError."""
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ResultError(f"{path}: is not a text file") from None


def read_json_object(path: Path) -> dict[str, Any]:
    """Read a file that holds one JSON object. Raises ResultError."""
    return json_object(str(path), read_text(path))


def json_object(source: str, text: str) -> dict[str, Any]:
    """Parse a text that holds one JSON object. Raises ResultError that begins with the source."""
    try:
        document = parse_json(text)
    except json.JSONDecodeError as problem:
        if problem.pos >= len(text.rstrip()):
            reason = "is empty" if not text.strip() else "ends in the middle of its JSON text"
            raise ResultError(f"{source}: {reason}; it was probably cut off") from None
        place = f"line {problem.lineno}, column {problem.colno}"
        if text.lstrip().startswith("{"):
            raise ResultError(f"{source}: is damaged JSON ({problem.msg}, {place})") from None
        raise ResultError(f"{source}: is not JSON ({problem.msg}, {place})") from None
    except _NumberError as problem:
        raise ResultError(f"{source}: holds {problem}, which is no number in a result") from None
    except _TwiceError as problem:
        raise ResultError(f"{source}: tells the field '{problem}' twice") from None
    except UnicodeEncodeError:
        raise ResultError(f"{source}: holds half a character, which is no text") from None
    except ValueError:
        raise ResultError(f"{source}: is JSON that no result would hold") from None
    if not isinstance(document, dict):
        raise ResultError(f"{source}: is JSON, but not an object as a result is")
    return document
