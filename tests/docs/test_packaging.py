"""What stands in packaging/ and CITATION.cff says the same as the project's own files."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
LISTS = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
CONTAINERS = ROOT / "packaging" / "containers"
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
    text = (CONTAINERS / "Dockerfile").read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for extra in re.findall(r"\.whl\)\[([a-z,]+)\]", text)[0].split(","):
        assert re.search(rf"^{extra} = \[", project, re.MULTILINE)
    assert re.findall(r"--constraint \S*/(\S+)", text) == ["locked-versions.txt"]
    assert "build/dist" in text
    assert "build/dist" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_job_for_kubernetes_has_fields_that_its_operator_knows() -> None:
    """By pkg/apis/kubeflow/v2beta1/types.go of the MPI Operator."""
    job = yaml.safe_load((CONTAINERS / "mpijob.yaml").read_text(encoding="utf-8"))
    assert (job["apiVersion"], job["kind"]) == ("kubeflow.org/v2beta1", "MPIJob")
    spec = job["spec"]
    policies = {"cleanPodPolicy", "activeDeadlineSeconds", "backoffLimit"}
    assert spec["runPolicy"].keys() == policies
    assert spec.keys() == {
        *("mpiImplementation", "slotsPerWorker", "launcherCreationPolicy"),
        *("runPolicy", "mpiReplicaSpecs"),
    }
    assert spec["mpiReplicaSpecs"].keys() == {"Launcher", "Worker"}
    images = set()
    for replica in spec["mpiReplicaSpecs"].values():
        assert replica.keys() == {"replicas", "restartPolicy", "template"}
        pod = replica["template"]["spec"]
        (container,) = pod["containers"]
        images.add(container["image"])
        mounted = {mount["name"] for mount in container["volumeMounts"]}
        assert mounted == {volume["name"] for volume in pod["volumes"]}
    assert len(images) == 1
    worker = spec["mpiReplicaSpecs"]["Worker"]["template"]
    (apart,) = worker["spec"]["affinity"]["podAntiAffinity"].popitem()[1]
    assert apart["labelSelector"]["matchLabels"] == worker["metadata"]["labels"]


def texts_with(folder: Path, version: str) -> list[Path]:
    """Return the files in which the version stands."""
    word = re.compile(rf"(?<![\d.]){re.escape(version)}(?![\d.]\d)")
    files = [path for path in folder.rglob("*") if path.suffix not in {".png", ".svg", ".pyc"}]
    return [path for path in files if path.is_file() and word.search(path.read_text("utf-8"))]
