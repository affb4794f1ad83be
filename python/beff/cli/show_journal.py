"""`beff show JOURNAL`: what a run had measured when it was killed, and the files that it left."""

import pwd
import re
import time
from dataclasses import dataclass
from pathlib import Path

from beff.cli.common.say import warn
from beff.definition.recover import recover
from beff.result.errors import BeffError, ResultError
from beff.result.journal import is_held, remove_left, roll_of
from beff.result.journal_file import Journal, read_journal
from beff.result.load import Document
from beff.result.numbers import format_duration, format_size
from beff.result.places import is_link
from beff.verify.subject import sound_document


def recovered(path: Path) -> tuple[Document, Journal]:
    """Return the partial result of a journal, with every loop in it, and the journal itself.

    Raises BeffError for a run that is still under way.
    """
    entries = read_journal(path)
    if is_held(roll_of(path)):
        raise BeffError(f"{path}: {_UNDER_WAY}; it writes a result at its end")
    if entries.cut_line:
        warn(f"{path}: the last line was cut in the middle and is left out")
    return sound_document(str(path), recover(str(path), entries)), entries


def parts_of(entries: Journal) -> str:
    """Say how much of the plan a journal holds."""
    if "round" in entries.rows:
        return f"{len(entries.rows['round'])} rounds"
    return f"{len(entries.rows['sample'])} of {entries.loops} loops"


_UNDER_WAY = "the run is still under way"


_NAME = re.compile(r"b_eff_io-[0-9a-f]{16}")


@dataclass(frozen=True)
class RunFolder:
    """A folder that a run made for its files, which still is there."""

    path: Path
    files: list[Path]
    owner: str
    size_bytes: int
    last_written: float
    """Seconds since 1970."""

    def __str__(self) -> str:
        """Say how much lies there, whose it is and how old."""
        age_s = max(0.0, time.time() - self.last_written)
        return (
            f"{self.path} of {self.owner} holds {format_size(self.size_bytes)},"
            f" last written {format_duration(round(age_s))} ago"
        )

    def remove(self) -> None:
        """Remove the files and the folder; nothing below another folder. Raises OSError."""
        for file in self.files:
            file.unlink()
        self.path.rmdir()


def run_folders(journal: Journal) -> list[RunFolder]:
    """Return what still is there of the folders that a journal names.

    A journal may come from anywhere: only real folders with the name of a run's are taken.
    """
    paths = map(Path, journal.paths)
    found = []
    for path in dict.fromkeys(paths):
        if _NAME.fullmatch(path.name) and path.is_absolute():
            try:
                found.append(_described(path))
            except (OSError, ResultError):
                continue
    return found


def _described(path: Path) -> RunFolder:
    """Look into a folder. Raises OSError or ResultError where it is none, or cannot be read."""
    if is_link(path):
        raise NotADirectoryError(path)
    files = sorted(path.iterdir())
    states = [file.lstat() for file in files]
    own = path.stat()
    try:
        owner = pwd.getpwuid(own.st_uid).pw_name
    except KeyError:
        owner = f"user {own.st_uid}"
    last = max(state.st_mtime for state in (own, *states))
    return RunFolder(path, files, owner, sum(state.st_size for state in states), last)


def deal_with_left(entries: Journal, journal: Path, *, remove: bool) -> bool:
    """Report what a run has left, and remove it if that is wanted; whether that worked."""
    remove_left(roll_of(journal), without_locks=remove)
    worked = True
    for folder in run_folders(entries):
        if is_held(folder.path):
            warn(f"{folder}; {_UNDER_WAY}")
            worked = worked and not remove
        elif not remove:
            warn(
                f"{folder}; if the run is over, nothing needs it:"
                f" 'beff show {journal} --remove-files' removes it"
            )
        else:
            try:
                folder.remove()
            except OSError as problem:
                warn(f"{folder}; cannot be removed ({problem.strerror})")
                worked = False
            else:
                warn(f"{folder}; removed")
    return worked
