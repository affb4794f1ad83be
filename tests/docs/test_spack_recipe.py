"""The recipe for Spack asks for what CMake asks for, without Spack being there."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
REPO = ROOT / "packaging" / "spack" / "spack_repo" / "beff"
RECIPE = REPO / "packages" / "beff" / "package.py"


class FakeCMakePackage:
    """What a recipe may rely on."""

    spec = types.SimpleNamespace()

    def define(self, name: str, value: str) -> str:
        return f"-D{name}={value}"


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The recipe's names after it was run with stand-ins for Spack, and its `dependencies`."""
    dependencies: dict[str, str] = {}

    def depends_on(spec: str, **_: object) -> None:
        name, _, wanted = spec.partition("@")
        dependencies[name] = wanted.rstrip(":")

    package = types.ModuleType("spack.package")
    vars(package).update(
        depends_on=depends_on,
        join_path=lambda *parts: "/".join(parts),
        license=lambda _: None,
        version=lambda *_, **__: None,
    )
    cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
    vars(cmake).update(CMakePackage=FakeCMakePackage)
    for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, package.__name__, package)
    monkeypatch.setitem(sys.modules, cmake.__name__, cmake)
    names: dict[str, Any] = {"__file__": str(RECIPE), "__name__": "recipe"}
    exec(compile(RECIPE.read_text(encoding="utf-8"), str(RECIPE), "exec"), names)
    return {**names, "dependencies": dependencies}


def test_versions_are_those_of_cmake(recipe: dict[str, Any]) -> None:
    found = (ROOT / "cmake" / "Dependencies.cmake").read_text(encoding="utf-8")
    wanted = dict(re.findall(r"find_package\((\w+) ([\d.]+)", found))
    needs = recipe["dependencies"]
    assert needs["fmt"] == wanted["fmt"]
    assert needs["nlohmann-json"] == wanted["nlohmann_json"]
    assert {"mpi", "c", "cxx"} <= set(needs)
    lists = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert f"cmake_minimum_required(VERSION {needs['cmake']})" in lists


def test_settings_exist_and_the_sources_are_this_checkout(recipe: dict[str, Any]) -> None:
    package = recipe["Beff"]()
    package.spec = {"mpi": types.SimpleNamespace(mpicc="/mpi/bin/mpicc")}
    found = (ROOT / "cmake" / "Dependencies.cmake").read_text(encoding="utf-8")
    settings = [setting.removeprefix("-D").partition("=") for setting in package.cmake_args()]
    assert ("MPI_C_COMPILER", "=", "/mpi/bin/mpicc") in settings
    assert [name for name, _, _ in settings if name not in found] == []
    assert package.git == f"file://{ROOT}"


def test_the_repository_lies_where_its_namespace_says() -> None:
    """Spack 1.0 imports recipes as spack_repo.NAMESPACE.packages.NAME.package."""
    repo = yaml.safe_load((REPO / "repo.yaml").read_text(encoding="utf-8"))["repo"]
    assert (REPO.parent.name, REPO.name) == ("spack_repo", repo["namespace"])
    assert repo["api"].startswith("v2.")
