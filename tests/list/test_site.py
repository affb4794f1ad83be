"""`beff list add` and `build`: what comes in, a site, and the workflow that makes it."""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.reports import run_beff

from beff.cli.app import main
from store_support import OFFICIAL, added, bytes_of, git, result_of


def build(folder: Path, site: Path) -> int:
    return main(["list", "build", str(folder), "--output-dir", str(site)])


def systems_of(site: Path) -> dict[str, dict[str, Any]]:
    """The systems of today in data.json, by name."""
    data = json.loads((site / "data.json").read_text("utf-8"))
    assert (site / "data.js").read_text(
        "utf-8"
    ) == f"globalThis.BEFF_LIST = {json.dumps(data, ensure_ascii=False, separators=(',', ':'))};\n"
    return {one["name"]: one for one in data["systems"] if not one["historic"]}


@pytest.fixture
def copied(model_list: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "list"
    shutil.copytree(model_list, folder, ignore=shutil.ignore_patterns("site"))
    return folder


def test_historic_systems_are_those_of_the_papers(site: Path, tmp_path: Path) -> None:
    data = json.loads((site / "data.json").read_text("utf-8"))
    historic = {one["name"]: one for one in data["systems"] if one["historic"]}
    assert len(historic) == 11
    (ibm,) = (
        row
        for row in historic["IBM SP"]["results"]
        if "values.1" in {one["name"] for one in row["figures"]}
    )
    assert (ibm["processes"], ibm["nodes"], f"{ibm['share']:.2f}") == (None, 128, "0.38")
    t3e = {row["processes"]: row["figures"] for row in historic["Cray T3E/900-512"]["results"]}
    assert t3e[512][0] == {"name": "b_eff_MBps", "label": "b_eff", "value": 19919, "unit": "MB/s"}
    folder = tmp_path / "list"
    assert main(["list", "init", str(folder)]) == 0
    settings = folder / "list.yaml"
    text = settings.read_text("utf-8").replace("published: true", "published: false")
    settings.write_text(text, "utf-8")
    assert build(folder, tmp_path / "site") == 0
    assert json.loads((tmp_path / "site" / "data.json").read_text("utf-8"))["systems"] == []


def test_of_copies_one_counts(copied: Path, tmp_path: Path) -> None:
    result = min((copied / "systems" / "model" / "results").iterdir())
    place = copied / "systems" / "new"
    (place / "results").mkdir(parents=True)
    shutil.copy(result, place / "results")
    (place / "system.yaml").write_text("name: New\n", "utf-8")
    assert build(copied, tmp_path / "site") == 0
    (row,) = systems_of(tmp_path / "site")["New"]["results"]
    assert row["why"] == f"copy of systems/model/results/{result.name}"


def test_the_balance_is_of_the_whole_machine_alone(copied: Path, tmp_path: Path) -> None:
    hardware = copied / "systems" / "model" / "system.yaml"
    hardware.write_text("name: Model\nnodes: 1\ncores: 2\nrmax_gflops: 10\n", "utf-8")
    for cores, balanced in ((2, 7), (3, 0)):
        text = hardware.read_text("utf-8")
        hardware.write_text(re.sub("cores: .*", f"cores: {cores}", text), "utf-8")
        assert build(copied, tmp_path / "site") == 0
        rows = systems_of(tmp_path / "site")["Model"]["results"]
        figures = [{one["name"]: one["value"] for one in row["figures"]} for row in rows]
        found = [one for one in figures if "balance_bytes_per_flop" in one]
        assert len(found) == balanced
        for one in found:
            assert one["balance_bytes_per_flop"] == pytest.approx(one["b_eff_MBps"] / 1e4)


def test_broken_files_harm_their_own_rows(copied: Path, tmp_path: Path) -> None:
    results = copied / "systems" / "model" / "results"
    first, second, third, *_ = sorted(results.iterdir())
    first.write_bytes(first.read_bytes()[:-100])
    second.write_bytes(b"")
    changed = result_of(plan=OFFICIAL, run=8)
    changed["summary"]["b_eff_MBps"] = 1e6
    third.with_name("changed.json").write_bytes(bytes_of(changed))
    (results / "link.json").symlink_to("/etc/passwd")
    (copied / "systems" / "Not a slug").mkdir()
    (copied / "systems" / "linked").symlink_to(copied / "systems" / "model")
    other = copied / "systems" / "other"
    other.mkdir()
    (other / "system.yaml").write_text("a: [b", "utf-8")
    site = tmp_path / "site"
    done = run_beff("list", "build", copied, "--output-dir", site)
    assert (done.returncode, len(done.stderr.splitlines())) == (3, 7)
    systems = systems_of(site)
    assert len(systems["Model"]["results"]) == 5
    assert len(systems["Model"]["refused"]) == 4
    assert "it ends in the middle" in "".join(systems["Model"]["refused"])
    assert systems["other"]["results"] == []
    assert not (site / "results" / "model" / "link.json").exists()


def test_the_page_takes_nothing_from_elsewhere(site: Path, copied: Path, tmp_path: Path) -> None:
    page = (site / "index.html").read_text("utf-8")
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in page
    settings = "presets: {a: {b_eff: 1}}\nrepository: javascript:alert(1)"
    (copied / "list.yaml").write_text(settings, "utf-8")
    assert build(copied, tmp_path / "site") == 2


def test_a_folder_that_is_no_site_is_left_alone(model_list: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    assert build(model_list, tmp_path) == 2
    assert {path.name for path in tmp_path.iterdir()} == {"mine"}
    assert build(tmp_path, tmp_path / "site") == 2


WORKFLOW = ".github/workflows/list.yml"


def test_a_new_list_has_three_files(tmp_path: Path) -> None:
    folder = tmp_path / "list"
    (folder / ".git").mkdir(parents=True)
    assert main(["list", "init", str(folder), "--title", "Ours: <b>"]) == 0
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == {"list.yaml", "README.md", WORKFLOW}
    assert yaml.safe_load((folder / "list.yaml").read_text("utf-8"))["title"] == "Ours: <b>"
    assert main(["list", "init", str(folder)]) == 2
    for line in (folder / WORKFLOW).read_text("utf-8").splitlines():
        if "uses:" in line:
            assert re.search(r"@[0-9a-f]{40} # v[0-9.]+$", line), line


@pytest.mark.thorough
def test_the_workflow_runs_in_a_clone(model_list: Path, tmp_path: Path) -> None:
    """All of it but the installation and gh, with the variables of the forge, on a branch."""
    clone = tmp_path / "clone"
    git(tmp_path, "clone", str(model_list), str(clone))
    git(clone, "checkout", "-b", "new")
    (clone / "systems" / "new").mkdir()
    (clone / "systems" / "new" / "system.yaml").write_text("name: New\n", "utf-8")
    git(clone, "add", "-A")
    git(clone, "commit", "-m", "Add a system")
    program = tmp_path / "bin" / "beff"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m beff "$@"\n')
    program.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "GITHUB_BASE_REF": "main",
        "RUNNER_TEMP": str(tmp_path),
    }
    jobs = yaml.safe_load((clone / WORKFLOW).read_text("utf-8"))["jobs"].values()
    steps = [step.get("run", "") for job in jobs for step in job["steps"]]
    commands = [step for step in steps if "beff list" in step]
    assert len(commands) == 2

    def run(command: str) -> int:
        shell = ["bash", "-eo", "pipefail", "-c", command]
        return subprocess.run(shell, cwd=clone, env=environment, check=False).returncode

    assert [run(command) for command in commands] == [0, 0]
    assert (clone / "site" / "index.html").is_file()
    comment = tmp_path / "comment.md"
    assert comment.read_text("utf-8") == "    0 results looked at, 0 findings: good\n"
    (clone / "systems" / "new" / "`@all`.json").write_text("", "utf-8")
    assert run(commands[0]) == 1
    lines = comment.read_text("utf-8").splitlines()
    assert len(lines) == 2
    assert all(line.startswith("    ") for line in lines)


# --- what is added ---


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A list without systems."""
    folder = tmp_path / "list"
    assert main(["list", "init", str(folder)]) == 0
    return folder


def files(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "systems").rglob("*") if path.is_file())


def test_a_result_is_added_once(empty: Path) -> None:
    """Byte for byte, though packed; a new system gets a system.yaml of it."""
    first, second = (added(empty, "Fresh 2/b", result_of(plan=OFFICIAL)) for _ in range(2))
    assert (first.returncode, second.returncode) == (0, 0)
    (there, told) = files(empty)
    assert there.parent == empty / "systems" / "fresh-2-b" / "results"
    assert main(["verify", str(there)]) == 0
    hardware = yaml.safe_load(told.read_text("utf-8"))
    assert (hardware["name"], hardware["cpus"]) == ("Fresh 2/b", "Model CPU")
    assert first.stdout.count("; counts\n") == second.stdout.count("; counts\n") == 1
    assert "is there already as" in second.stdout


@pytest.mark.parametrize("speed", [1.0, 2.0])
@pytest.mark.parametrize("system", ["First", "Second"])
def test_a_copied_result_is_refused(speed: float, system: str, empty: Path) -> None:
    """Whatever factor lies between, at another time, of another host."""
    assert added(empty, "First", result_of(plan=OFFICIAL)).returncode == 0
    before = files(empty)
    later = partial(result_of, plan=OFFICIAL, speed=speed, started_at="2026-12-01T00:00:00Z")
    done = added(empty, system, later(host="elsewhere"))
    assert done.returncode == 1
    assert f"is the measurement of systems/first/results/{before[0].name}" in done.stderr
    assert files(empty) == before
    assert added(empty, system, later(run=1)).returncode == 0


@pytest.mark.parametrize(
    "name", ["\u041codel", "Model\u200b", "M\u00f6del", " Model", "a\tb", "x" * 121]
)
def test_names_of_systems_are_plain(name: str, empty: Path) -> None:
    """Letters of other alphabets look like these."""
    done = added(empty, name, result_of(plan=OFFICIAL))
    assert done.returncode == 2
    assert "is not plain" in done.stderr
    assert not (empty / "systems").exists()
