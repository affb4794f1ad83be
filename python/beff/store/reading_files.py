"""From result files to entries: each in a process of its own, with bounded memory and time.

A file may be made so that checking it never ends; here that costs this file only. What was read is
kept by the SHA-256 of the file, in an index that may be deleted at any time.
"""

import hashlib
import multiprocessing
import os
import resource
import signal
import sqlite3
import tempfile
from collections.abc import Container, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from pydantic_core import from_json

from beff.analysis.subject import grouped
from beff.analysis.verify import require_verified
from beff.model.errors import ResultError
from beff.model.load import Document, check_document, load_document
from beff.model.result_files import files_of
from beff.model.strict_json import decoded, read_bytes, read_raw
from beff.store.entry import Entry, entry_of


@cache
def program_digest() -> str:
    """Return a digest of all that figures and pages are made by."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*")):
        if path.suffix in (".py", ".html"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def cache_folder() -> Path:
    """Return the user's own folder for what can be made again.

    It never lies in a folder of results: these come from others, who could bring an index along
    that holds other figures than their files.
    """
    with suppress(RuntimeError):
        return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "beff"
    return Path(tempfile.mkdtemp(prefix="beff-"))


@dataclass(frozen=True)
class Known:
    """What was read of a file, an entry or why there is none, and whether it was recomputed.

    What does not follow from the file alone does not last: time and memory may be more next time.
    """

    found: Entry | str
    recomputed: bool
    lasts: bool = True


class Index:
    """Keeps what this program read of result files; in memory where it cannot be written."""

    def __init__(self) -> None:
        self._table = f"entries_{program_digest()[:16]}"
        path = cache_folder() / "index.sqlite3"
        try:
            self._database = self._opened(path)
        except (OSError, sqlite3.Error):
            with suppress(OSError):
                path.unlink()
            try:
                self._database = self._opened(path)
            except (OSError, sqlite3.Error):
                self._database = self._opened(None)

    def _opened(self, path: Path | None) -> sqlite3.Connection:
        if path is not None:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        database = sqlite3.connect(path or ":memory:", timeout=30)
        database.execute(
            f"CREATE TABLE IF NOT EXISTS {self._table}"
            " (sha256 TEXT PRIMARY KEY, recomputed INTEGER, entry TEXT, reason TEXT)"
        )
        return database

    def known(self, hashes: Iterable[str]) -> dict[str, Known]:
        """Return what is known of files by their SHA-256."""
        query = f"SELECT recomputed, entry, reason FROM {self._table} WHERE sha256 = ?"
        rows = ((sha, self._database.execute(query, (sha,)).fetchone()) for sha in set(hashes))
        return {
            sha: Known(Entry.model_validate_json(row[1]) if row[1] else row[2], bool(row[0]))
            for sha, row in rows
            if row
        }

    def keep(self, read: dict[str, Known]) -> None:
        """Keep what lasts of what was read; a full disk loses nothing but time."""
        rows = [
            (sha, one.recomputed, one.found.model_dump_json(), None)
            if isinstance(one.found, Entry)
            else (sha, one.recomputed, None, one.found)
            for sha, one in read.items()
            if one.lasts
        ]
        with suppress(sqlite3.Error), self._database:
            self._database.executemany(
                f"INSERT OR REPLACE INTO {self._table} VALUES (?, ?, ?, ?)", rows
            )


LARGEST_BYTES = 32 << 20
"""Of a result file, unpacked."""
_MEMORY_BYTES = 3 << 30
_TIME_S = 60


@dataclass(frozen=True)
class Reading:
    """A file and what was read of it: an entry, or the reason why there is none."""

    path: Path
    sha256: str
    found: Entry | str

    @property
    def entry(self) -> Entry | None:
        """The entry; its file is the one that lies here, whatever it was called before."""
        if isinstance(self.found, str):
            return None
        return self.found.model_copy(update={"file": self.path.name})


def read_files(paths: Sequence[Path], recompute: Container[Path] = ()) -> list[Reading]:
    """Read results, in the order given; those that the index knows are not opened again.

    Of those in `recompute` every figure is recomputed from the samples; of others the schema is
    checked only.
    """
    index = Index()
    hashes = [_hash(path) for path in paths]
    known = index.known(hashes)
    new: dict[str, tuple[Path, bool]] = {}
    for path, sha in zip(paths, hashes, strict=True):
        wanted = path in recompute or (sha in new and new[sha][1])
        if sha and (sha not in known or (wanted and not known[sha].recomputed)):
            new[sha] = (path, wanted)
    fresh = dict(zip(new, _read_all(list(new.values())), strict=True))
    index.keep(fresh)
    known |= fresh
    return [
        Reading(path, sha, known[sha].found if sha else _unreadable(path))
        for path, sha in zip(paths, hashes, strict=True)
    ]


def _hash(path: Path) -> str:
    """Return the SHA-256 of a file as it lies there; nothing for one that cannot be read."""
    try:
        content = b"" if path.is_symlink() else read_raw(path, LARGEST_BYTES)
    except ResultError:
        content = b""
    return hashlib.sha256(content).hexdigest() if content else ""


def _unreadable(path: Path) -> str:
    return "is a link" if path.is_symlink() else "is empty, or no file that can be read"


def _read_all(work: list[tuple[Path, bool]]) -> list[Known]:
    """Read files; one whose process was killed is read again alone, to know which it was."""
    found = _read_by_processes(work)
    for place, one in enumerate(found):
        if one is None:
            (found[place],) = _read_by_processes([work[place]])
    killed = Known("reading it was killed", recomputed=False, lasts=False)
    return [one or killed for one in found]


def _read_by_processes(work: list[tuple[Path, bool]]) -> list[Known | None]:
    """Read files side by side; None where a process was killed meanwhile."""
    if not work:
        return []
    workers = min(len(os.sched_getaffinity(0)), len(work))
    context = multiprocessing.get_context("fork")
    found: list[Known | None] = [None] * len(work)
    with (
        ProcessPoolExecutor(workers, context, _limit_memory) as pool,
        suppress(BrokenProcessPool),
    ):
        started = [pool.submit(_read_bounded, *what) for what in work]
        for place, one in enumerate(started):
            with suppress(BrokenProcessPool):
                found[place] = one.result()
    return found


def _limit_memory() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = _MEMORY_BYTES if most == resource.RLIM_INFINITY else min(_MEMORY_BYTES, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))


class _TooLongError(Exception):
    """The time of a file is over; no OSError, which would be taken for one of the file."""


def _took_too_long(*_: Any) -> NoReturn:
    raise _TooLongError


def _read_bounded(path: Path, recompute: bool) -> Known:
    signal.signal(signal.SIGALRM, _took_too_long)
    signal.setitimer(signal.ITIMER_REAL, _TIME_S)
    try:
        return Known(read_entry(path, recompute=recompute), recompute)
    except ResultError as problem:
        return Known(str(problem).removeprefix(f"{path}: "), recompute)
    except _TooLongError:
        why = f"takes more than {_TIME_S} s to verify"
    except MemoryError:
        why = f"needs more than {_MEMORY_BYTES >> 30} GiB of memory to verify"
    except Exception as problem:
        why = f"cannot be used ({type(problem).__name__})"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return Known(why, recompute, lasts=False)


def read_entry(path: Path, *, recompute: bool) -> Entry:
    """Read one result. Raises ResultError."""
    content = read_bytes(path, LARGEST_BYTES)
    document = _verified(path) if recompute else _parsed(path, content)
    return entry_of(document, hashlib.sha256(content).hexdigest())


def _verified(path: Path) -> Document:
    document = load_document(path)
    require_verified(document)
    return document


def _parsed(path: Path, content: bytes) -> Document:
    try:
        fields = from_json(content, allow_inf_nan=False)
    except ValueError as problem:
        text = decoded(path, content)
        why = "it was probably cut off" if "EOF" in str(problem) else "it is no JSON"
        raise ResultError(f"{path}: is damaged; {why}" if text else f"{path}: is empty") from None
    if not isinstance(fields, dict):
        raise ResultError(f"{path}: is JSON, but not an object as a result is")
    return check_document(str(path), fields)


_FOREIGN = "is JSON, but not a result"


def entries_of(paths: Sequence[Path]) -> tuple[list[Entry], list[str]]:
    """Return the results of files and folders, of each run one, and what was left out and why.

    Every figure was recomputed from the samples. Raises ResultError where there is no result.
    """
    found: list[tuple[Path, Entry]] = []
    left_out = []
    files = list(dict.fromkeys(file for path in paths for file in files_of(path)))
    for reading in read_files(files, recompute=files):
        entry = reading.entry
        if entry is not None:
            found.append((reading.path, entry))
        elif not str(reading.found).startswith(_FOREIGN):
            left_out.append(f"{reading.path}: {reading.found}")
    if not found:
        more = f" ({left_out[0]})" if left_out else ""
        names = ", ".join(map(str, paths))
        raise ResultError(f"{names}: holds no result that can be used{more}")
    groups = grouped(found, lambda one: one[1].samples, lambda one: bool(one[1].rmax_gflops))
    left_out += [
        f"{path}: holds the same samples as {kept}"
        for (kept, _), *copies in groups
        for path, _ in copies
    ]
    return [group[0][1] for group in groups], left_out
