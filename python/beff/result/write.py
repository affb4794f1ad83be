"""Writing of files that a reader never sees half-written."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from beff.result.errors import BeffError, ResultError, TargetError
from beff.result.places import is_folder, is_taken
from beff.result.strict_json import GZIP_SUFFIX, packed


def require_free(path: Path, *, overwrite: bool, option: str = "") -> None:
    """Refuse a place where a file cannot be made: the one guard of all that write.

    `option` names the place in the message. Raises TargetError.
    """
    named = f"{option} {path}".lstrip()
    try:
        if is_folder(path):
            raise TargetError(f"{named}: is a folder; name a file")
        if not is_folder(path.parent):
            raise TargetError(f"{named}: the folder {path.parent} does not exist")
        if is_taken(path) and not overwrite:
            raise TargetError(f"{named}: exists; --overwrite replaces it")
    except ResultError as problem:
        raise TargetError(f"{option} {problem}".lstrip()) from None


def check_apart(targets: Mapping[str, Path], read: Iterable[Path]) -> None:
    """Refuse targets, by option, that are files to be read, or one another, even to be replaced.

    Raises TargetError.
    """
    taken = {_real(path): "is read" for path in read}
    for option, target in targets.items():
        place = _real(target)
        if place in taken:
            raise TargetError(f"{option} {target}: {taken[place]}; choose another name")
        taken[place] = f"is the file of {option}, too"


def _real(path: Path) -> str:
    try:
        return os.path.realpath(path)
    except OSError:  # the working folder has gone, and all that was in it
        return str(path)


@contextmanager
def made_whole(target: Path) -> Iterator[Path]:
    """Give a place in a new folder beside a target, to which what is made there then moves.

    Nobody else has it, whatever else is called alike. A killed program leaves it, hidden, and
    nothing reads it. Raises BeffError where anything cannot be written.
    """
    try:
        with TemporaryDirectory(
            dir=target.parent, prefix=".beff-", ignore_cleanup_errors=True
        ) as folder:
            made = Path(folder) / target.name
            yield made
            made.replace(target)
    except OSError as problem:
        raise BeffError(f"{target} cannot be written ({problem.strerror})") from None


def write_atomically(path: Path, text: str, *, overwrite: bool) -> None:
    """Write a text file in one step: a reader sees the old file or the whole new one.

    One whose name ends in .gz is packed, as it is unpacked when it is read.
    Raises TargetError when there is no place for it, and BeffError when it cannot be written.
    """
    require_free(path, overwrite=overwrite)
    content = text.encode("utf-8")
    with made_whole(path) as made:
        made.write_bytes(packed(content) if path.suffix == GZIP_SUFFIX else content)


def write_result(path: Path, fields: dict[str, Any], *, overwrite: bool) -> None:
    """Write a result file in one step. Raises BeffError."""
    write_atomically(
        path, json.dumps(fields, indent=1, allow_nan=False) + "\n", overwrite=overwrite
    )
