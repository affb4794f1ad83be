"""Stores to test on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from beff.store.database import Store, open_store
from store_support.databases import database, postgresql_server, postgresql_url

__all__ = ["database", "postgresql_server", "postgresql_url"]


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An open, empty store."""
    with open_store(database) as opened:
        yield opened
