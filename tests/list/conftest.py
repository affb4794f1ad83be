"""A list to test on: the systems of the papers, and six runs of a machine that became slower."""

from __future__ import annotations

from pathlib import Path

import pytest

from beff.cli.app import main
from chromium import axe, browser
from store_support import OFFICIAL, bytes_of, git, result_of

__all__ = ["axe", "browser"]


@pytest.fixture(scope="module")
def model_list(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A list under git, with an edition before the machine of today came in."""
    folder = tmp_path_factory.mktemp("list") / "list"
    assert main(["list", "init", str(folder), "--title", "Our <list>"]) == 0
    git(folder, "init", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-m", "Begin")
    git(folder, "tag", "2026-02")
    for day, speed in enumerate([2.0, 2.02, 1.98, 1.6, 1.58, 1.62], start=1):
        started_at = f"2026-03-{day:02}T00:00:00Z"
        file = folder.parent / f"{day}.json"
        fields = result_of(plan=OFFICIAL, speed=speed, started_at=started_at)
        file.write_bytes(bytes_of(fields))
        assert main(["list", "add", str(file), "--system", "Model", "--list", str(folder)]) == 0
    git(folder, "add", "-A")
    git(folder, "commit", "-m", "Add the model")
    return folder


@pytest.fixture(scope="module")
def site(model_list: Path) -> Path:
    """The site of that list."""
    output = model_list / "site"
    assert main(["list", "build", str(model_list), "--output-dir", str(output)]) == 0
    return output
