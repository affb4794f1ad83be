"""`beff recover`."""

import pwd
import re
import time
from dataclasses import dataclass
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.options import argument, flag, option, overwrite_flag, taking
from beff.cli.common.say import say, warn
from beff.cli.common.verified import verify_file
from beff.result.errors import BeffError, ResultError, WrongUsageError
from beff.result.journal import SUFFIX, is_held, remove_left, roll_of
from beff.result.journal_file import Journal, read_journal
from beff.result.numbers import format_duration, format_size
from beff.result.places import is_link
from beff.result.write import check_apart, write_result
from beff.verify.recover import recover as recover_result


@dataclass(frozen=True, kw_only=True)
class _Options:
    journal: Path = argument("JOURNAL", f"Journal of the run, PREFIX{SUFFIX}.")
    output: Path | None = option(
        "FILE", "The result.", names="--output -o", otherwise="beside the journal, PREFIX.json"
    )
    overwrite: bool = overwrite_flag()
    remove_files: bool = flag("Remove the files that a killed b_eff_io has left.")


@taking(_Options)
def recover(given: _Options) -> int:
    """Make a partial result of a run that was killed.

    The result holds every loop in the run's journal; it is never valid for comparison. A run still
    under way is refused. Files that a killed b_eff_io has left are named, and removed with
    --remove-files only.

    Example:
      beff recover results/b_eff_4p.journal.jsonl -o results/b_eff_4p_recovered.json
    """
    check_apart({} if given.output is None else {"--output": given.output}, [given.journal])
    entries = read_journal(given.journal)
    if is_held(roll_of(given.journal)):
        raise BeffError(f"{given.journal}: {_UNDER_WAY}; it writes a result at its end")
    if entries.cut_line:
        warn(f"{given.journal}: the last line was cut in the middle and is left out")
    recovered = False
    try:
        path = given.output or _beside(given.journal)
        fields = recover_result(str(given.journal), entries)
        write_result(path, fields, overwrite=given.overwrite)
        if fields["benchmark"] == "b_pairs":
            loops = f"{len(entries.rows['round'])} rounds"
        else:
            loops = f"{len(fields['samples']['pattern'])} of {entries.loops} loops"
        say(f"{path}: partial result with {loops}, not valid for comparison")
        recovered = verify_file(path)
    finally:
        remove_left(roll_of(given.journal), without_locks=given.remove_files)
        removed = deal_with(run_folders(entries), given.journal, given.remove_files)
    return exit_codes.OK if recovered and removed else exit_codes.FAILED


def _beside(journal: Path) -> Path:
    name = str(journal)
    if not name.endswith(SUFFIX):
        raise WrongUsageError(f"{journal}: does not end in {SUFFIX}; name the result with --output")
    return Path(f"{name.removesuffix(SUFFIX)}.json")


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


def deal_with(folders: list[RunFolder], journal: Path, remove: bool) -> bool:
    """Report what a run has left, and remove it if that is wanted; whether that worked."""
    worked = True
    for folder in folders:
        if is_held(folder.path):
            warn(f"{folder}; {_UNDER_WAY}")
            worked = worked and not remove
        elif not remove:
            warn(
                f"{folder}; if the run is over, nothing needs it:"
                f" 'beff recover {journal} --remove-files --overwrite' removes it"
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
