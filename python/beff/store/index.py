"""What was read of results, by the SHA-256 of their files; it may be deleted at any time."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from beff import __version__
from beff.store.entry import Entry

FOLDER = ".beff"
"""What beff may write into a folder of results; nothing in it is truth."""
_FORM = 2
"""Raised where what is read of the same file changes."""


class Index:
    """Keeps entries, or why there is none, beside a folder; in memory where that cannot be written.

    With each stands whether the result was recomputed from its samples.
    """

    def __init__(self, folder: Path) -> None:
        schema = json.dumps(Entry.model_json_schema(), sort_keys=True)
        form = hashlib.sha256(f"{__version__} {_FORM} {schema}".encode()).hexdigest()[:16]
        self._table = f"entries_{form}"
        path = folder / FOLDER / "index.sqlite3"
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
            path.parent.mkdir(exist_ok=True)
        database = sqlite3.connect(path or ":memory:", timeout=30)
        database.execute(
            f"CREATE TABLE IF NOT EXISTS {self._table}"
            " (sha256 TEXT, recomputed INTEGER, entry TEXT, reason TEXT,"
            " PRIMARY KEY (sha256, recomputed))"
        )
        return database

    def known(self, *, recomputed: bool) -> dict[str, Entry | str]:
        """Return entries, or reasons against them, by the SHA-256 of their files."""
        rows = self._database.execute(
            f"SELECT sha256, entry, reason FROM {self._table} WHERE recomputed >= ?"
            " ORDER BY recomputed",
            (recomputed,),
        )
        return {sha: Entry.model_validate_json(text) if text else why for sha, text, why in rows}

    def keep(self, found: Iterable[tuple[str, Entry | str]], *, recomputed: bool) -> None:
        """Keep what was read; a full disk loses nothing but time."""
        rows = [
            (sha, recomputed, what.model_dump_json(), None)
            if isinstance(what, Entry)
            else (sha, recomputed, None, what)
            for sha, what in found
        ]
        with suppress(sqlite3.Error), self._database:
            self._database.executemany(
                f"INSERT OR REPLACE INTO {self._table} VALUES (?, ?, ?, ?)", rows
            )
