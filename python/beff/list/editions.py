"""Editions: the list as it was when it got a tag of git named after a month."""

import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beff.model.errors import BeffError

_NAME = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
_LIMIT_S = 60


class GitError(BeffError):
    """Git is missing, or does not know what was asked for."""


def git(folder: Path, *arguments: str) -> bytes:
    """Return what git says of the repository of a folder. Raises GitError."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            timeout=_LIMIT_S,
            check=True,
        )
    except FileNotFoundError:
        raise GitError("git is not installed") from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git {arguments[0]} takes too long") from None
    except subprocess.CalledProcessError as problem:
        reason = problem.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise GitError(f"git {arguments[0]}: {reason}") from None
    return done.stdout


def editions(folder: Path) -> dict[str, str]:
    """Return the commits of editions by name, the newest first; none outside of a repository."""
    try:
        lines = git(folder, "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/tags")
    except GitError:
        return {}
    found = dict(line.split(" ") for line in lines.decode().splitlines() if line.count(" ") == 1)
    return {name: found[name] for name in sorted(found, reverse=True) if _NAME.fullmatch(name)}


@contextmanager
def checked_out(folder: Path, commit: str) -> Iterator[Path]:
    """Give the folder as it was in a commit, in a temporary place. Raises GitError."""
    archive = git(folder, "archive", "--format=tar", commit)
    with tempfile.TemporaryDirectory(prefix="beff-edition-") as place:
        subprocess.run(["tar", "-x", "-C", place], input=archive, check=True, timeout=_LIMIT_S)
        yield Path(place)
