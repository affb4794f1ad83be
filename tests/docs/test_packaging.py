"""Packaging, CITATION.cff and the lock file say the same as the project's own files."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from pip._vendor import tomli

ROOT = Path(__file__).resolve().parents[2]
LISTS = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
VERSION = re.findall(r"project\(beff VERSION ([\d.]+)", LISTS)[0]
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_citation_is_of_this_version_and_license() -> None:
    citation: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["title"], str(citation["version"])) == ("beff", VERSION)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'license = "{citation["license"]}"' in project
    assert citation["abstract"] in project


def test_the_repository_is_named_where_pyproject_has_its_address_and_only_then() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    urls = project.partition("[project.urls]\n")[2].partition("\n[")[0]
    addresses = re.findall(r'^Repository = "(https://\S+)"$', urls, re.MULTILINE)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert re.findall(r"\[Repository\]\((.*?)\)", readme) == addresses
    assert citation.get("repository-code") == next(iter(addresses), None)


@pytest.mark.parametrize("file", [".github/workflows", "packaging/ci"])
def test_actions_of_others_are_named_by_the_hash_of_their_commit(file: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / file).glob("*.yml")]
    used = [action for text in texts for action in re.findall(r"uses: (\S+)", text)]
    assert used
    assert [action for action in used if not re.fullmatch(r"\S+@[0-9a-f]{40}", action)] == []


@pytest.mark.parametrize("version", [VERSION, "12.3.4"])
def test_a_new_version_is_set_wherever_the_old_one_stood(tmp_path: Path, version: str) -> None:
    folders = ("packaging", "tools", "docs")
    files = ("CMakeLists.txt", "CITATION.cff", "CHANGELOG.md")
    for name in folders:
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in files:
        shutil.copy(ROOT / name, tmp_path)
    before = texts_with(tmp_path, VERSION)
    assert {path.name for path in before} >= {"CMakeLists.txt", "CITATION.cff"}
    subprocess.run([tmp_path / "tools" / "set_version", version], check=True)
    assert len(texts_with(tmp_path, version)) == len(before) + (version not in CHANGES)
    if version != VERSION:
        assert not texts_with(tmp_path, VERSION)
    changes = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[Unreleased\]\n\n## \[{version}\] - \d{{4}}-", changes, re.MULTILINE)


def test_the_container_installs_the_wheel_with_locked_versions_and_extras_that_exist() -> None:
    text = (ROOT / "packaging" / "containers" / "Dockerfile").read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for extra in re.findall(r"\.whl\)\[([a-z,]+)\]", text)[0].split(","):
        assert re.search(rf"^{extra} = \[", project, re.MULTILINE)
    assert re.findall(r"--constraint \S*/(\S+)", text) == ["locked-versions.txt"]
    assert "build/dist" in text
    assert "build/dist" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_recipe_for_spack_asks_for_what_cmake_asks_for() -> None:
    """Spack 1.0 imports recipes as spack_repo.NAMESPACE.packages.NAME.package."""
    (recipe,) = (ROOT / "packaging" / "spack").glob("spack_repo/*/packages/*/package.py")
    repo = recipe.parents[2]
    told = yaml.safe_load((repo / "repo.yaml").read_text(encoding="utf-8"))["repo"]
    assert (repo.name, told["api"][:3]) == (told["namespace"], "v2.")
    text = recipe.read_text(encoding="utf-8")
    needs = dict(re.findall(r'depends_on\("([\w-]+)@?([\d.]*):?"', text))
    dependencies = (ROOT / "cmake" / "Dependencies.cmake").read_text(encoding="utf-8")
    wanted = dict(re.findall(r"find_package\((\w+) ([\d.]+)", dependencies))
    assert (needs["fmt"], needs["nlohmann-json"]) == (wanted["fmt"], wanted["nlohmann_json"])
    assert {"mpi", "c", "cxx"} <= {*needs}
    assert f"cmake_minimum_required(VERSION {needs['cmake']})" in LISTS
    settings = re.findall(r'self\.define\("(\w+)"', text)
    assert settings
    assert [name for name in settings if name not in dependencies] == []


def texts_with(folder: Path, version: str) -> list[Path]:
    """Return the files in which the version stands."""
    word = re.compile(rf"(?<![\d.]){re.escape(version)}(?![\d.]\d)")
    files = [path for path in folder.rglob("*") if path.suffix not in {".png", ".svg", ".pyc"}]
    return [path for path in files if path.is_file() and word.search(path.read_text("utf-8"))]


# --- what `make` installs is locked ---

LOCKED = (ROOT / "locked-versions.txt").read_text(encoding="utf-8")
FIELDS = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DECLARED = [
    *(FIELDS["build-system"]["requires"], FIELDS["project"]["dependencies"]),
    *FIELDS["project"]["optional-dependencies"].values(),
    *FIELDS["dependency-groups"].values(),
]


@pytest.mark.parametrize(
    "requirement",
    sorted({one for of in DECLARED for one in of if not one.startswith("beff[")}),
)
def test_each_requirement_has_a_version_that_it_allows(requirement: str) -> None:
    """Several where they depend on Python's."""
    wanted = Requirement(requirement)
    named = rf"^{re.escape(wanted.name)}==([^\s;]+)"
    versions = re.findall(named, LOCKED, re.MULTILINE | re.IGNORECASE)
    assert versions, f"make lock: {wanted.name} is not locked"
    assert all(version in wanted.specifier for version in versions)


def test_each_version_has_the_hashes_of_its_files() -> None:
    lines = LOCKED.splitlines()
    assert all(re.fullmatch(r"[\w.-]+(\[\w+\])?==\S+( ; .+)?", line) for line in lines)
    text = (ROOT / "locked-hashes.txt").read_text(encoding="utf-8")
    parts = re.findall(
        r"^(\S.*?) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE
    )
    assert "".join(f"{version} \\\n{hashes}" for version, hashes in parts) == text
    assert [version for version, _ in parts] == lines
