"""The files that a command is to write: refused before its work where they could not be."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from beff.cli.errors import WrongUsageError


def check_target(option: str, target: Path, overwrite: bool) -> None:
    """Refuse before long work what could not be written after it. Raises WrongUsageError."""
    if target.is_dir():
        raise WrongUsageError(f"{option} {target}: is a folder; name a file")
    if not target.parent.is_dir():
        raise WrongUsageError(f"{option} {target}: the folder {target.parent} does not exist")
    if target.exists() and not overwrite:
        raise WrongUsageError(f"{option} {target}: exists; --overwrite replaces it")


def check_apart(targets: Mapping[str, Path], read: Iterable[Path]) -> None:
    """Refuse targets that are files to be read, or one another. Raises WrongUsageError."""
    taken = {path.resolve(): "is read" for path in read}
    for option, target in targets.items():
        place = target.resolve()
        if place in taken:
            raise WrongUsageError(f"{option} {target}: {taken[place]}; choose another name")
        taken[place] = f"is the file of {option}, too"
