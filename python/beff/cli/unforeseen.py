"""What `beff` says of an error that nobody foresaw, and the file that a report of it needs."""

import os
import platform
import shlex
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from beff import __version__

PREFIX = "beff-fault-"
"""How files with a traceback begin; they are in the folder for temporary files."""
_PACKAGE = Path(__file__).parents[1]


def unforeseen(problem: Exception, arguments: Sequence[str]) -> str:
    """Write the traceback into a file of its own and return one sentence that names the file.

    Where it cannot be written, the sentence names the place in the code instead.
    """
    kind = type(problem).__name__
    try:
        path = _write(problem, arguments)
    except OSError as refused:
        return (
            f"unforeseen {kind} in {_place(problem)}, a fault of beff itself; please report it (the"
            f" traceback could not be written: {refused.strerror})"
        )
    return (
        f"unforeseen {kind}, a fault of beff itself; please report it with the traceback in {path}"
    )


def _write(problem: Exception, arguments: Sequence[str]) -> Path:
    """Write what a report needs; only the user may read the file. Raises OSError."""
    handle, name = tempfile.mkstemp(prefix=PREFIX, suffix=".txt")
    lines = (
        f"beff {__version__}, Python {platform.python_version()}, {platform.platform()}\n",
        f"{shlex.join(['beff', *arguments])}\n\n",
        *traceback.format_exception(problem),
    )
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(lines)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _place(problem: Exception) -> str:
    """Return file and line of the innermost call within the package."""
    frames = traceback.extract_tb(problem.__traceback__)
    last = [frame for frame in frames if Path(frame.filename).is_relative_to(_PACKAGE)][-1]
    return f"{Path(last.filename).relative_to(_PACKAGE.parent)}, line {last.lineno}"
