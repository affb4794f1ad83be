"""What `make dist` puts beside the wheels."""

import hashlib
import json
import re
import subprocess
import tarfile
from pathlib import Path

import pytest
from wheels import FOLDER, PROCESSORS, ROOT, wheel_for

pytestmark = pytest.mark.skipif(
    not (FOLDER / "SHA256SUMS").is_file(), reason="there is no release; make dist makes it"
)
VERSION = re.findall(
    r"project\(beff VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
)[0]


def released(ending: str) -> Path:
    return FOLDER / f"beff-{VERSION}{ending}"


def test_the_checksums_are_those_of_all_files() -> None:
    lines = (FOLDER / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    found = {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in FOLDER.iterdir()
        if file.name != "SHA256SUMS"
    }
    assert sums == found
    wheels = {wheel_for(processor).name for processor in PROCESSORS}
    others = {released(ending).name for ending in (".tar.gz", "-changes.md", ".cdx.json")}
    assert set(sums) == wheels | others


def test_the_sources_are_those_of_the_commit_and_name_it() -> None:
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    files = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    with tarfile.open(released(".tar.gz")) as archive:
        packed = {name for name in archive.getnames() if not archive.getmember(name).isdir()}
        assert packed == {f"beff-{VERSION}/{name}" for name in files}
        record = archive.extractfile(f"beff-{VERSION}/cmake/COMMIT")
        assert record is not None
        assert record.read().decode().strip() == commit


def test_the_changes_are_one_section_of_the_changelog() -> None:
    changes = released("-changes.md").read_text(encoding="utf-8")
    assert changes.strip()
    assert "\n## " not in changes
    assert changes in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_bill_of_materials_names_locked_versions() -> None:
    bill = json.loads(released(".cdx.json").read_text(encoding="utf-8"))
    assert bill["bomFormat"] == "CycloneDX"
    described = bill["metadata"]["component"]
    assert (described["name"], described["version"]) == ("beff", VERSION)
    found = {
        re.sub("[-_.]+", "-", part["name"]).lower(): part["version"] for part in bill["components"]
    }
    assert "beff" not in found
    # compiled in, and installed with it
    assert {"cmeel-fmt", "nlohmann-json", "ziglang", "pydantic", "numpy", "mpich"} <= set(found)
    locked = (ROOT / "locked-versions.txt").read_text(encoding="utf-8")
    for name, version in found.items():
        assert re.search(rf"^{re.escape(name)}=={re.escape(version)}( |$)", locked, re.MULTILINE)
