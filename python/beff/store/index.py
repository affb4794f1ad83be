"""What was read of results, by the SHA-256 of their files; it may be deleted at any time."""

import os
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from beff.store.entry import Entry
from beff.store.program import program_digest


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
