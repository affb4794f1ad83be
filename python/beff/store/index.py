"""What this program read of result files before; it may be deleted at any time."""

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from beff.store.entry import Entry


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


def _known(recomputed: Any, entry: Any, reason: Any) -> Known | None:
    """Return what a row says; None where it is damaged."""
    try:
        found = reason if entry is None else Entry.model_validate_json(entry)
    except (TypeError, ValueError):
        return None
    return Known(found, bool(recomputed)) if isinstance(found, Entry | str) else None


class Index:
    """Keeps what this program read of result files; in memory where it cannot be written.

    Entries are kept by the SHA-256 of a file. Anybody may have changed or damaged them: what cannot
    be read is not known, and no verdict asks here.
    """

    def __init__(self) -> None:
        self._entries = f"entries_{program_digest()[:16]}"
        self._path = cache_folder() / "index.sqlite3"
        try:
            self._database = self._opened(self._path)
        except (OSError, sqlite3.Error):
            self._make_anew()

    def _make_anew(self) -> None:
        try:
            self._path.unlink()
            self._database = self._opened(self._path)
        except (OSError, sqlite3.Error):
            self._database = self._opened(None)

    def _opened(self, path: Path | None) -> sqlite3.Connection:
        if path is not None:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        database = sqlite3.connect(path or ":memory:", timeout=30)
        columns = "sha256 TEXT PRIMARY KEY, recomputed INTEGER, entry TEXT, reason TEXT"
        database.execute(f"CREATE TABLE IF NOT EXISTS {self._entries} ({columns})")
        return database

    def known(self, hashes: Iterable[str]) -> dict[str, Known]:
        """Return what is known of files by their SHA-256."""
        query = f"SELECT recomputed, entry, reason FROM {self._entries} WHERE sha256 = ?"
        rows = self._rows(query, ((sha,) for sha in set(hashes)))
        read = ((sha, _known(*row)) for (sha,), row in rows)
        return {sha: known for sha, known in read if known is not None}

    def _rows(
        self, query: str, keys: Iterable[tuple[str, ...]]
    ) -> Iterator[tuple[tuple[str, ...], tuple[Any, ...]]]:
        """Yield the rows that there are by their keys, while the index can be read."""
        try:
            for key in keys:
                row = self._database.execute(query, key).fetchone()
                if row is not None:
                    yield key, row
        except sqlite3.Error:
            self._make_anew()

    def keep(self, read: Mapping[str, Known]) -> None:
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
                f"INSERT OR REPLACE INTO {self._entries} VALUES (?, ?, ?, ?)", rows
            )
