"""Writing of files that a reader never sees half-written."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from beff.model.errors import BeffError


def write_atomically(path: Path, text: str, *, overwrite: bool) -> None:
    """Write a text file in one step: a reader sees the old file or the whole new one.

    Raises BeffError when the file exists and `overwrite` is false, or cannot be written.
    """
    if path.exists() and not overwrite:
        raise BeffError(f"{path} exists; choose another name with --output or give --overwrite")
    temporary = path.with_name(path.name + ".tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as problem:
        with suppress(OSError):
            temporary.unlink()
        raise BeffError(f"{path} cannot be written ({problem.strerror})") from None


def write_result(path: Path, fields: dict[str, Any], *, overwrite: bool) -> None:
    """Write a result file in one step. Raises BeffError."""
    write_atomically(
        path, json.dumps(fields, indent=1, allow_nan=False) + "\n", overwrite=overwrite
    )
