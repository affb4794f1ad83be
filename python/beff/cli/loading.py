"""Reading of results for a command, with the display of long work."""

from collections.abc import Sequence
from pathlib import Path

from beff.analysis.subject import Subject, load_subject
from beff.cli.live import display_for
from beff.launch.progress import Progress

_MANY = 20
"""Files from which on progress is shown."""


def load_with_progress(paths: Sequence[Path]) -> Subject:
    """Read the results that files and folders hold. Raises ResultError."""
    display = None

    def show(done: int, total: int) -> None:
        nonlocal display
        if total < _MANY:
            return
        display = display or display_for("reading results")
        display.show(Progress(share=done / total, done=f"{done} of {total} files", now="reading"))

    try:
        return load_subject(paths, show)
    finally:
        if display is not None:
            display.close()
