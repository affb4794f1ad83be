"""What lies at a place; the file system may refuse to say.

`Path.exists`, `is_file`, `is_dir` and `is_symlink` raise where one may not look, where a name is
too long and where a server has gone; some do so in some versions of Python only. So all ask here.
"""

import errno
import stat
from pathlib import Path

from beff.result.errors import ResultError

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
