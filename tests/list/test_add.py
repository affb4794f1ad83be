"""`beff list add`: what comes in, once, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from beff.cli.app import main
from store_support import OFFICIAL, added, result_of


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A list without systems."""
    folder = tmp_path / "list"
    assert main(["list", "init", str(folder)]) == 0
    return folder


def files(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "systems").rglob("*") if path.is_file())


def test_a_result_is_added_once(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Byte for byte, though packed; a new system gets a system.yaml of it."""
    for _ in range(2):
        assert added(empty, "Fresh 2/b", result_of(plan=OFFICIAL)) == 0
    (there, told) = files(empty)
    assert there.parent == empty / "systems" / "fresh-2-b" / "results"
    assert main(["verify", str(there)]) == 0
    hardware = yaml.safe_load(told.read_text("utf-8"))
    assert (hardware["name"], hardware["cpus"]) == ("Fresh 2/b", "Model CPU")
    said = capsys.readouterr().out
    assert said.count("; counts\n") == 2
    assert "is there already as" in said


@pytest.mark.parametrize("speed", [1.0, 2.0])
@pytest.mark.parametrize("system", ["First", "Second"])
def test_a_copied_result_is_refused(
    speed: float, system: str, empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever factor lies between, at another time, of another host."""
    assert added(empty, "First", result_of(plan=OFFICIAL)) == 0
    before = files(empty)
    copy = result_of(
        plan=OFFICIAL, speed=speed, started_at="2026-12-01T00:00:00Z", host="elsewhere"
    )
    capsys.readouterr()
    assert added(empty, system, copy) == 1
    assert (
        f"is the measurement of systems/first/results/{before[0].name}" in capsys.readouterr().err
    )
    assert files(empty) == before
    another = result_of(plan=OFFICIAL, speed=speed, started_at="2026-12-01T00:00:00Z", run=1)
    assert added(empty, system, another) == 0


@pytest.mark.parametrize(
    "name", ["\u041codel", "Model\u200b", "M\u00f6del", " Model", "a\tb", "x" * 121]
)
def test_names_of_systems_are_plain(
    name: str, empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Letters of other alphabets look like these."""
    assert added(empty, name, result_of(plan=OFFICIAL)) == 2
    assert "is not plain" in capsys.readouterr().err
    assert not (empty / "systems").exists()
