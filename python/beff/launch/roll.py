"""The roll of a run: a file beside its journal, which rank 0 holds as long as the run lasts."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from beff.model.journal import SUFFIX


def roll_of(journal: Path) -> Path:
    """Return the roll of the run with this journal."""
    return Path(f"{str(journal).removesuffix(SUFFIX)}.roll")


def is_held(path: Path) -> bool:
    """Whether a run on this machine, or one that shares its locks, holds a file or folder."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # no locks there
        return False
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
