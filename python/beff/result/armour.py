"""The one way in for files of others: their size, JSON and YAML without looseness, clean texts."""

import json
import os
import re
import stat
import unicodedata
import zlib
from contextlib import suppress
from math import inf, isfinite
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from pydantic_core import from_json
from simdjson import Array, Object, Parser

from beff.result.errors import RefusedError, ResultError, one_line
from beff.result.places import GZIP_SUFFIX, unreadable

Cell = TypeVar("Cell")

LARGEST = 1 << 30
"""Bytes of any file that is read as a whole, unpacked."""
_MORE = 1 << 16
"""Bytes beyond the stated size of a file, which may be growing."""


def read_bytes(path: Path, most: int = LARGEST) -> bytes:
    """Return what a regular file holds; of one whose name ends in .gz, unpacked.

    The one place where files that a user names, or others have made, are opened to be read. Raises
    ResultError.
    """
    try:
        # Opening a pipe that nobody writes into would wait for ever.
        with open(path, "rb", opener=lambda at, how: os.open(at, how | os.O_NONBLOCK)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise ResultError("is no regular file", path)
            # As much is set aside at once; a file of the kernel may have nothing to say.
            content = file.read(min(most + 1, status.st_size + _MORE)) or b""
    except FileNotFoundError:
        raise ResultError("there is no such file", path) from None
    except IsADirectoryError:
        raise ResultError("is a folder, not a file", path) from None
    except OSError as problem:
        raise unreadable(path, problem) from None
    except ValueError:
        raise ResultError("is no name of a file", path) from None
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


def read_text(path: Path, most: int = LARGEST) -> str:
    """Read a UTF-8 text file. Raises ResultError with the reason when that is impossible."""
    try:
        text = read_bytes(path, most).decode("utf-8")
    except UnicodeDecodeError:
        raise ResultError("is not a text file", path) from None
    return text.replace("\r\n", "\n") if "\r" in text else text


_NUMBERS = {int, float}
_LARGE = 2**63
_END_OF_NAME = re.compile(r'"\s*:')
_SHOWN = 25
_PARSER = Parser()
"""One for all texts: its buffers need not be set aside anew."""
_PARSER_BYTES = 16
"""What it sets aside for each byte of a text; it crashes where it does not get that."""
_MOST_NAMES = 100
"""Of an object that is taken apart; finding one of its values takes longer the more there are."""


def _python(value: Any) -> Any:
    """Return what simdjson has parsed as objects of Python."""
    if isinstance(value, Object):
        return value.as_dict()
    return value.as_list() if isinstance(value, Array) else value


def _column(cells: Any) -> Any:
    """Return an array of numbers of one type, or a list of anything."""
    kind: Any = type(cells[0]) if isinstance(cells, Array) and len(cells) else None
    if kind in _NUMBERS:
        with suppress(ValueError, TypeError):
            code: Literal["i", "d"] = "i" if kind is int else "d"
            array = np.frombuffer(cells.as_buffer(of_type=code), kind)
            if len(array) == len(cells):  # of lists in the list there would be more
                return array
    return _python(cells)


def _parsed(text: str) -> Any:
    """Return what a JSON text holds. Raises ValueError, and MemoryError before the parser would."""
    try:
        content = text.encode()
        bytearray(_PARSER_BYTES * len(content))
        parsed: Any = _PARSER.parse(content)
    except (ValueError, RuntimeError):
        return from_json(text, allow_inf_nan=False)  # says where
    samples = parsed.get("samples") if isinstance(parsed, Object) else None
    if isinstance(samples, Object) and max(len(parsed), len(samples)) <= _MOST_NAMES:
        with suppress(KeyError):  # where a name holds a zero
            columns = {name: _column(samples[name]) for name in samples}
            return {
                name: columns if name == "samples" else _python(parsed[name]) for name in parsed
            }
    return _python(parsed)


def parse_json(text: str) -> Any:
    """Parse a JSON document; its texts and names are `one_line`, columns of `samples` arrays.

    Raises ValueError, also for numbers of more than 64 bit, NaN and what is nested too deeply, and
    for a name that is given twice, of which readers would see different values.
    """
    names = 0

    def checked(part: Any) -> Any:
        nonlocal names
        kind = type(part)
        if kind is str:
            return one_line(part)
        if kind is dict:
            names += len(part)
            fields = {one_line(name): checked(value) for name, value in part.items()}
            if len(fields) < len(part):
                raise ValueError("gives a field twice, but for signs that are not shown")
            return fields
        if kind is list:
            are_numbers = {*map(type, part)} == {float} and isfinite(sum(part))
            return part if are_numbers else [checked(value) for value in part]
        if kind in _NUMBERS and not abs(part) < (_LARGE if kind is int else inf):
            raise ValueError(f"{str(part)[:_SHOWN]} is not a number in a result")
        return part

    try:
        document = checked(_parsed(text))
    except RecursionError:
        raise ValueError("recursion limit exceeded") from None
    # Each name and perhaps more of the text ends in a quote before a colon.
    if names != len(_END_OF_NAME.findall(text)):
        json.loads(text, object_pairs_hook=_require_once)
    return document


def _require_once(pairs: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            raise ValueError(f"gives the field '{name[:_SHOWN]}' twice")
        seen.add(name)


def json_object(source: object, text: str) -> dict[str, Any]:
    """Parse a text that holds one JSON object. Raises ResultError that begins with the source."""
    try:
        document = parse_json(text)
    except ValueError as problem:
        reason, begin = f"is damaged JSON ({problem})", text.lstrip()[:1]
        if not begin:
            reason = "is empty; it was probably cut off"
        elif str(problem).startswith("EOF"):
            reason = "ends in the middle of its JSON text; it was probably cut off"
        elif begin not in "{[":
            reason = f"is not JSON ({problem}); beff import reads what other programs print"
        raise ResultError(reason, source) from None
    except MemoryError:
        raise ResultError("needs more memory than this process may have", source) from None
    if not isinstance(document, dict):
        raise ResultError("is JSON, but not an object as a result is", source)
    return document


_LONGEST_YAML = 20_000
_EMPTY = ("", "~", "null", "Null", "NULL")


def plain_yaml(
    source: str, text: str, *, levels: int = 1, lists: bool = False, longest: int = _LONGEST_YAML
) -> Any:
    """Return the fields of a YAML text, and lists if wanted, with all values as words.

    What is not plain is refused before anything is made of it: aliases of aliases would grow beyond
    any memory. `NO` and `1:30` stay words. Fields and lists are nested in at most so many `levels`.
    Raises RefusedError.
    """
    import yaml  # noqa: PLC0415 - comes with an extra

    form = "fields, lists and words" if lists else "lines of the form 'field: value'"

    def refused(event: Any, reason: str = f"must hold {form}, and nothing else") -> RefusedError:
        return RefusedError(f"{reason} (line {event.start_mark.line + 1})", source)

    def made(event: Any, levels: int) -> Any:
        if anchor := getattr(event, "anchor", None):
            raise refused(event, f"write out what *{anchor} stands for")
        if isinstance(event, yaml.ScalarEvent) and event.tag is None:
            return one_line(event.value) if event.style or event.value not in _EMPTY else None
        if levels and isinstance(event, yaml.MappingStartEvent):
            fields: dict[str, Any] = {}
            while not isinstance(key := next(events), yaml.MappingEndEvent):
                name = made(key, 0)
                if name is None or name == "<<":
                    raise refused(key)
                if name in fields:
                    raise refused(key, f"gives the field '{name}' twice; keep one of them")
                fields[name] = made(next(events), levels - 1)
            return fields
        if levels and lists and isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(item := next(events), yaml.SequenceEndEvent):
                items.append(made(item, levels - 1))
            return items
        raise refused(event)

    if len(text) > longest:
        raise RefusedError(f"is longer than {longest} characters", source)
    try:
        # the loader in C is twenty times as fast
        parsed = yaml.parse(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
        edges = yaml.StreamStartEvent | yaml.DocumentStartEvent | yaml.DocumentEndEvent
        events = (event for event in parsed if not isinstance(event, edges))
        content = made(next(events), levels)
        end = next(events)
        if not isinstance(end, yaml.StreamEndEvent) or not isinstance(content, dict | list):
            raise refused(end)
    except (yaml.YAMLError, ValueError) as problem:
        mark = getattr(problem, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark is not None else ""
        raise RefusedError(f"is not YAML{place}", source) from None
    return content


def csv_cell(cell: Cell) -> Cell | str:
    """Put an apostrophe before a text that a spreadsheet program would compute as a formula."""
    begins = ("=", "+", "-", "@", "\t", "\r")
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(begins) else cell


NAME_LENGTH = 120
TEXT_LENGTH = 500


def clean_text(text: str, longest: int) -> str:
    """Return one line of normal form C without what misleads or cannot be stored or seen."""
    line = "".join(
        letter if letter.isprintable() else " " * (unicodedata.category(letter) != "Cf")
        for letter in unicodedata.normalize("NFC", text)
    )
    line = " ".join(line.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
