"""What lies at a place, which the file system may refuse to say, and files that are written whole.

`Path.exists`, `is_file`, `is_dir` and `is_symlink` raise where one may not look, where a name is
too long and where a server has gone; some do so in some versions of Python only. So all ask here.
"""

import errno
import fcntl
import gzip
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from beff.result.errors import BeffError, ResultError, TargetError
from beff.result.numbers import as_list

GZIP_SUFFIX = ".gz"
JOURNAL_SUFFIX = ".journal.jsonl"
_NOTHING = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}


def unreadable(path: Path | str, problem: OSError) -> ResultError:
    """Return what to raise of a place that cannot be read, or looked at."""
    return ResultError(f"cannot be read ({problem.strerror})", path)


def is_folder(path: Path) -> bool:
    """Whether there is a folder, or a link to one. Raises ResultError."""
    return stat.S_ISDIR(_mode(path))


def is_file(path: Path) -> bool:
    """Whether there is a regular file, or a link to one. Raises ResultError."""
    return stat.S_ISREG(_mode(path))


def is_link(path: Path) -> bool:
    """Whether there is a link, wherever it leads. Raises ResultError."""
    return stat.S_ISLNK(_mode(path, follow=False))


def is_taken(path: Path) -> bool:
    """Whether there is anything, even a link that leads nowhere. Raises ResultError."""
    return _mode(path, follow=False) != 0


def _mode(path: Path, *, follow: bool = True) -> int:
    """Return what `stat` says; 0 where there is nothing."""
    try:
        return path.stat(follow_symlinks=follow).st_mode
    except OSError as problem:
        if problem.errno in _NOTHING:
            return 0
        raise unreadable(path, problem) from None
    except ValueError:
        raise ResultError("is no name of a file", path) from None


def modified(path: Path) -> int | None:
    """Return when a file was written last, in ns; None where it is not there, or cannot be seen."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


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


def packed(content: bytes) -> bytes:
    """Return content as a file whose name ends in .gz holds it; the same whenever it is made."""
    return gzip.compress(content, mtime=0)


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
        path,
        json.dumps(fields, indent=1, allow_nan=False, default=as_list) + "\n",
        overwrite=overwrite,
    )


def roll_of(journal: Path) -> Path:
    """Return the roll of the run with this journal."""
    return Path(f"{str(journal).removesuffix(JOURNAL_SUFFIX)}.roll")


def is_held(path: Path) -> bool:
    """Whether a run on this machine, or one that shares its locks, holds a file or folder."""
    with suppress(OSError):  # there may be no locks
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(file)
    return False


def remove_left(roll: Path, *, without_locks: bool = False) -> None:
    """Remove the roll that a killed run has left; no other.

    Where the file system knows no locks, nobody can see that but the user, with `without_locks`.
    """
    with suppress(OSError):
        file = os.open(roll, os.O_RDWR | os.O_NONBLOCK)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            roll.unlink()
        except BlockingIOError:
            return
        except OSError:
            if without_locks:
                roll.unlink()
        finally:
            os.close(file)
