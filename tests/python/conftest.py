"""Fixtures of the tests of the Python package."""

from pathlib import Path

import pytest
from support.programs import Programs, make_programs


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    """A stand-in engine and launcher in a folder of their own."""
    folder = tmp_path / "programs"
    folder.mkdir()
    return make_programs(folder)
