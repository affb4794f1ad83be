"""Reading of files, as much as is of use, and of JSON without its looseness."""

import gzip
import json
import math
import os
import re
import stat
import zlib
from pathlib import Path
from typing import Any, NoReturn

from pydantic_core import from_json

from beff.result.errors import ResultError
from beff.result.places import unreadable

LARGEST = 1 << 30
"""Bytes of any file that is read as a whole."""
_MORE = 1 << 16
"""Bytes beyond the stated size of a file, which may be growing."""
GZIP_SUFFIX = ".gz"


def read_raw(path: Path, most: int) -> bytes:
    """Return the first bytes of a regular file, as they lie there. Raises ResultError.

    The one place where files that a user names, or others have made, are opened to be read.
    """
    try:
        # Opening a pipe that nobody writes into would wait for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        found = os.fstat(handle)
        kind = found.st_mode
        if stat.S_ISREG(kind):
            with os.fdopen(handle, "rb") as file:
                # As much is set aside at once; a file of the kernel may have nothing to say.
                return file.read(min(most, found.st_size + _MORE)) or b""
        os.close(handle)
    except FileNotFoundError:
        raise ResultError("there is no such file", path) from None
    except OSError as problem:
        raise unreadable(path, problem) from None
    except ValueError:
        raise ResultError("is no name of a file", path) from None
    what = "a folder, not a file" if stat.S_ISDIR(kind) else "no regular file"
    raise ResultError(f"is {what}", path)


def read_bytes(path: Path, most: int = LARGEST) -> bytes:
    """Return what a file holds; of one whose name ends in .gz, unpacked. Raises ResultError."""
    content = read_raw(path, most + 1)
    if path.suffix == GZIP_SUFFIX:
        content = _unpacked(path, content, most + 1)
    if len(content) > most:
        raise ResultError(f"is larger than the {most >> 20} MiB that are read", path)
    return content


def _unpacked(path: Path, content: bytes, most: int) -> bytes:
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        unpacked = unpacker.decompress(content, most)
    except zlib.error:
        raise ResultError("is damaged, it cannot be unpacked", path) from None
    if len(unpacked) < most and (not unpacker.eof or unpacker.unused_data):
        raise ResultError("is damaged, it ends in the middle or has more behind its end", path)
    return unpacked


def packed(content: bytes) -> bytes:
    """Return content as a file whose name ends in .gz holds it; the same whenever it is made."""
    return gzip.compress(content, mtime=0)


_NUMBERS = {int, float}
_LARGE = 2**63
_END_OF_NAME = re.compile(r'"\s*:')
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SHOWN_DIGITS = 25


class _NumberError(ValueError):
    """A number that no result holds; carries its text."""


class _TwiceError(ValueError):
    """An object with a field given twice; carries its name."""


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
    """Make an object; with a name given twice, readers would differ in what they see."""
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
        document = from_json(text, allow_inf_nan=False)
    except ValueError:
        return _parsed_slowly(text)
    return document if _is_beyond_doubt(document, text) else _parsed_slowly(text)


def _is_beyond_doubt(document: Any, text: str) -> bool:
    """Whether no name is given twice, and no number is so large that it may not be read.

    The quick parser keeps the last of equal names. In the text, each name and perhaps more ends in
    a quote before a colon; so where there are only as many as names, none is lost.
    """
    names, parts = 0, [document]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            names += len(part)
            parts += part.values()
        elif isinstance(part, list):
            if not _NUMBERS.issuperset(map(type, part)):
                parts += part
            elif part:
                parts += (min(part), max(part))
        elif type(part) in _NUMBERS and not -_LARGE < part < _LARGE:
            return False
    return names == len(_END_OF_NAME.findall(text))


def _parsed_slowly(text: str) -> Any:
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


def read_text(path: Path, most: int = LARGEST) -> str:
    """Read a UTF-8 text file. Raises ResultError with the reason when that is impossible."""
    return decoded(path, read_bytes(path, most))


def decoded(path: Path, content: bytes) -> str:
    """Return what a file holds as text. Raises ResultError."""
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ResultError("is not a text file", path) from None


def json_object(source: str, text: str) -> dict[str, Any]:
    """Parse a text that holds one JSON object. Raises ResultError that begins with the source."""
    try:
        document = parse_json(text)
    except json.JSONDecodeError as problem:
        if problem.pos >= len(text.rstrip()):
            reason = "is empty" if not text.strip() else "ends in the middle of its JSON text"
            raise ResultError(f"{reason}; it was probably cut off", source) from None
        place = f"line {problem.lineno}, column {problem.colno}"
        if text.lstrip().startswith("{"):
            raise ResultError(f"is damaged JSON ({problem.msg}, {place})", source) from None
        raise ResultError(
            f"is not JSON ({problem.msg}, {place}); beff import reads what other programs print",
            source,
        ) from None
    except _NumberError as problem:
        raise ResultError(f"holds {problem}, which is not a number in a result", source) from None
    except _TwiceError as problem:
        raise ResultError(f"gives the field '{problem}' twice", source) from None
    except UnicodeEncodeError:
        raise ResultError("holds half a character, which is not text", source) from None
    except ValueError:
        raise ResultError("is JSON that no result would hold", source) from None
    if not isinstance(document, dict):
        raise ResultError("is JSON, but not an object as a result is", source)
    return document
