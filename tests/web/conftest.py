"""A list to test on: a store with made-up systems, and a client that talks to its application."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from beff.store.database import Store, open_store
from beff.store.published_figures import add_published
from beff.store.tokens import create_token
from beff.web.app import create_app
from beff.web.settings import Settings
from chromium import axe, browser
from store_support.databases import database, postgresql_server, postgresql_url

__all__ = ["axe", "browser", "database", "postgresql_server", "postgresql_url"]

SETTINGS = Settings(
    hosts=("testserver", "127.0.0.1"), largest_upload_bytes=3 << 20, submissions_per_minute=1000
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with the published figures."""
    with open_store(str(tmp_path / "list.sqlite3")) as opened:
        with opened.write() as session:
            add_published(session)
        yield opened


@pytest.fixture
def token(store: Store) -> str:
    """A token that may submit."""
    with store.write() as session:
        return create_token(session, "tester")


@pytest.fixture
def client(store: Store) -> Iterator[TestClient]:
    """A browser without scripts."""
    with TestClient(create_app(store, SETTINGS), raise_server_exceptions=False) as opened:
        yield opened
