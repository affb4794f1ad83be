"""What `make` installs is locked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
LOCKED = (ROOT / "locked-versions.txt").read_text(encoding="utf-8")


def declared() -> list[str]:
    """Every requirement of pyproject.toml: of the package, its extras, its groups, its build."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    sections = re.split(r"^\[", text, flags=re.MULTILINE)
    wanted = ("build-system]", "project]", "project.optional-dep", "dependency-groups]")
    named = {
        quoted
        for section in sections
        if section.startswith(wanted)
        for name, values in re.findall(
            r"^(\S+) = \[(.*?)\]$", re.sub(r"#.*", "", section), re.MULTILINE | re.DOTALL
        )
        if name in ("requires", "dependencies") or not section.startswith(("build", "project]"))
        for quoted in re.findall(r'"([^"]+)"', values)
    }
    return sorted(name for name in named if not name.startswith("beff["))


def locked(name: str) -> list[str]:
    """The versions of a package; several where they depend on Python's."""
    return re.findall(rf"^{re.escape(name)}==([^\s;]+)", LOCKED, re.MULTILINE | re.IGNORECASE)


@pytest.mark.parametrize("requirement", declared())
def test_each_requirement_has_a_version_that_it_allows(requirement: str) -> None:
    wanted = Requirement(requirement)
    versions = locked(wanted.name)
    assert versions, f"make lock: {wanted.name} is not locked"
    assert all(version in wanted.specifier for version in versions)


def test_the_lock_file_names_versions_and_nothing_else() -> None:
    lines = LOCKED.splitlines()
    assert len(lines) > 50
    assert all(re.fullmatch(r"[\w.-]+(\[\w+\])?==\S+( ; .+)?", line) for line in lines)


def test_each_version_has_the_hashes_of_its_files() -> None:
    text = (ROOT / "locked-hashes.txt").read_text(encoding="utf-8")
    parts = re.findall(
        r"^(\S.*?) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE
    )
    assert "".join(f"{version} \\\n{hashes}" for version, hashes in parts) == text
    assert [version for version, _ in parts] == LOCKED.splitlines()
