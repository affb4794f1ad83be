"""A list to test on: the systems of the papers, and seven runs of a machine that became slower."""

from pathlib import Path

import pytest
from support.reports import B_EFF_IO, STOPPED_IO, document_of

from beff.cli.app import main
from chromium import axe, browser
from store_support import OFFICIAL, added, git, result_of

__all__ = ["axe", "browser"]


@pytest.fixture(scope="session")
def model_list(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A list under git, with a machine of today."""
    folder = tmp_path_factory.mktemp("list") / "list"
    assert main(["list", "init", str(folder), "--title", "Our <list>"]) == 0
    git(folder, "init", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-m", "Begin")
    for day, speed in enumerate([2.0, 2.02, 1.98, 2.0, 1.6, 1.58, 1.62], start=1):
        started_at = f"2026-03-{day:02}T00:00:00Z"
        fields = result_of(plan=OFFICIAL, speed=speed, started_at=started_at, run=day)
        assert added(folder, "Model", fields).returncode == 0
    git(folder, "add", "-A")
    git(folder, "commit", "-m", "Add the model")
    return folder


@pytest.fixture(scope="session")
def site(model_list: Path) -> Path:
    """The site of that list."""
    output = model_list / "site"
    assert main(["list", "build", str(model_list), "--output-dir", str(output)]) == 0
    return output


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A list with one system of each kind."""
    folder = tmp_path_factory.mktemp("mixed") / "list"
    assert main(["list", "init", str(folder)]) == 0
    once = result_of(plan=OFFICIAL, speed=2.0, run=10)
    assert added(folder, "Once", once).returncode == 0
    for day in (1, 2, 3):
        started_at = f"2026-03-0{day}T00:00:00Z"
        thrice = result_of(plan=OFFICIAL, speed=1 + day / 100, started_at=started_at, run=day)
        assert added(folder, "Thrice", thrice).returncode == 0
    for name, fields in {
        "Short": result_of(),
        "Once": document_of(B_EFF_IO),
        "Stopped": document_of(STOPPED_IO),
        "Part": result_of(plan=OFFICIAL, speed=9.0, run=11),
    }.items():
        assert added(folder, name, fields).returncode == 0
    hardware = folder / "systems" / "part" / "system.yaml"
    hardware.write_text("name: Part\nnodes: 1\ncores: 64\ninterconnect: Wire\n", "utf-8")
    assert main(["list", "build", str(folder), "--output-dir", str(folder / "site")]) == 0
    return folder
