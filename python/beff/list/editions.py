"""Editions: the list of a month, by a tag of git or by a file of hashes, editions/2026-11.yaml."""

import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from beff.result.errors import BeffError, ResultError
from beff.result.strict_json import read_bytes

_NAME = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
_LINE = re.compile(r"(?:- ([0-9a-f]{64}))?(?:\s*#.*)?\s*")
_LARGEST_FILE = 4 << 20
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


def hashes_of(path: Path) -> frozenset[str]:
    """Return the SHA-256 of the results of an edition from its file. Raises ResultError."""
    if _NAME.fullmatch(path.stem) is None or path.suffix != ".yaml":
        raise ResultError("is not an edition; its name is that of a month, 2026-11.yaml", path)
    lines = read_bytes(path, _LARGEST_FILE).decode("utf-8", "replace").splitlines()
    for number, line in enumerate(lines, start=1):
        if _LINE.fullmatch(line) is None:
            raise ResultError(f"line {number} is not `- ` and the SHA-256 of a result", path)
    return frozenset(found[1] for line in lines if (found := _LINE.fullmatch(line)) and found[1])


def file_of(hashes: Iterable[str]) -> str:
    """Return what a file of an edition holds."""
    return "".join(f"- {sha}\n" for sha in sorted(hashes))


def tags(folder: Path) -> dict[str, str]:
    """Return the commits of editions by name; none outside of a repository."""
    try:
        lines = git(folder, "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/tags")
    except GitError:
        return {}
    found = dict(line.split(" ") for line in lines.decode().splitlines() if line.count(" ") == 1)
    return {name: commit for name, commit in found.items() if _NAME.fullmatch(name)}


@contextmanager
def checked_out(folder: Path, commit: str) -> Iterator[Path]:
    """Give the folder as it was in a commit, in a temporary place. Raises GitError."""
    archive = git(folder, "archive", "--format=tar", commit)
    with tempfile.TemporaryDirectory(prefix="beff-edition-") as place:
        subprocess.run(["tar", "-x", "-C", place], input=archive, check=True, timeout=_LIMIT_S)
        yield Path(place)
