"""The files that a command is to write."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from beff.cli.errors import WrongUsageError


def check_apart(targets: Mapping[str, Path], read: Iterable[Path]) -> None:
    """Refuse targets that are files to be read, or one another. Raises WrongUsageError."""
    taken = {os.path.realpath(path): "is read" for path in read}
    for option, target in targets.items():
        place = os.path.realpath(target)
        if place in taken:
            raise WrongUsageError(f"{option} {target}: {taken[place]}; choose another name")
        taken[place] = f"is the file of {option}, too"
