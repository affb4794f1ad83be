"""What stands in packaging/ and CITATION.cff says the same as the project's own files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
LISTS = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
VERSION = re.findall(r"project\(beff VERSION ([\d.]+)", LISTS)[0]


def test_the_citation_is_of_this_version_and_license() -> None:
    citation: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["title"], str(citation["version"])) == ("beff", VERSION)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'license = "{citation["license"]}"' in project
    assert citation["abstract"] in project


def test_the_easyconfig_is_of_this_version_and_has_what_cmake_wants() -> None:
    file = next((ROOT / "packaging" / "easybuild").glob("*.eb"))
    text = file.read_text(encoding="utf-8")
    config: dict[str, Any] = {"SOURCE_TAR_GZ": "%(name)s-%(version)s.tar.gz"}
    exec(compile(text, str(file), "exec"), config)
    toolchain = config["toolchain"]
    assert config["version"] == VERSION
    assert file.name == f"beff-{VERSION}-{toolchain['name']}-{toolchain['version']}.eb"
    given = dict([*config["dependencies"], *config["builddependencies"]])
    found = (ROOT / "cmake" / "Dependencies.cmake").read_text(encoding="utf-8")
    wanted = dict(re.findall(r"find_package\((\w+) ([\d.]+)", found))
    wanted["CMake"] = re.findall(r"cmake_minimum_required\(VERSION ([\d.]+)", LISTS)[0]
    assert set(given) == set(wanted)
    for name, least in wanted.items():
        assert numbers(given[name]) >= numbers(least)


@pytest.mark.parametrize("name", ["Dockerfile", "beff.def"])
def test_a_container_installs_the_wheel_with_locked_versions_and_extras_that_exist(
    name: str,
) -> None:
    text = (ROOT / "packaging" / "containers" / name).read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for extra in re.findall(r"\.whl\)\[([a-z,]+)\]", text)[0].split(","):
        assert re.search(rf"^{extra} = \[", project, re.MULTILINE)
    assert re.findall(r"--constraint \S*/(\S+)", text) == ["locked-versions.txt"]
    assert "build/dist" in text
    assert "build/dist" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_benchpark_offers_the_workloads_of_ramble() -> None:
    folder = ROOT / "packaging"
    application = (folder / "ramble/applications/beff/application.py").read_text(encoding="utf-8")
    experiment = folder / "benchpark/experiments/beff/experiment.py"
    offered = re.findall(r"values=\((.*)\)", experiment.read_text(encoding="utf-8"))[0]
    assert re.findall(r'"(\w+)"', offered) == re.findall(r' workload\("(\w+)"', application)


def numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
