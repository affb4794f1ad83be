"""The site of a list: pages, data, editions; what is broken harms its own row only."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from beff.cli.app import main
from beff.list.folder import read_list
from beff.store.index import cache_folder
from store_support import OFFICIAL, bytes_of, git, result_of


def ranked(site: Path, place: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((site / place / "api/systems.json").read_text("utf-8"))
    return found


def test_file_io_counts_on_any_part_of_a_machine(model_list: Path, site: Path) -> None:
    """The authors' own T3E and IBM SP, whose 128 are nodes of 336."""
    page = (site / "ranking" / "i-o.html").read_text("utf-8")
    assert "IBM SP" in page
    assert "128 nodes (38 %)" in page
    listed = {system.slug: system for system in read_list(model_list).systems}
    (usual,) = (one for one in listed["ibm-sp"].usual if not one.why)
    assert (usual.entry.processes, usual.entry.nodes) == (None, 128)


def test_the_page_of_a_system(site: Path) -> None:
    page = (site / "systems" / "model.html").read_text("utf-8")
    assert page.count('class="run"') == 7
    assert page.count('class="step"') == 1
    assert "-20.0 % since 2026-03-05" in " ".join(page.split())
    file = next((site / "results" / "model").iterdir())
    assert f'href="../results/model/{file.name}"' in page


def test_what_does_not_count_is_said(mixed: Path) -> None:
    today = {row["name"]: row for row in ranked(mixed / "site") if row["group"] == "cold"}
    assert {name: (row["rank"], row["not_counted"]) for name, row in today.items()} == {
        "Once": (1, "b_eff_io: not valid"),
        "Thrice": (2, None),
        "Part": (None, "b_eff: on a part only"),
        "Short": (None, "b_eff: not valid"),
        "Stopped": (None, "b_eff_io: not complete"),
    }
    assert today["Part"]["b_eff_MBps"] is today["Short"]["b_eff_MBps"] is None
    page = (mixed / "site" / "systems" / "short.html").read_text("utf-8")
    assert "not valid, so not ranked" in page
    assert "1 repetition (3 needed)" in page


def test_text_is_escaped_and_nothing_runs_inline(site: Path) -> None:
    for path in site.rglob("*.html"):
        page = path.read_text("utf-8")
        assert "<list>" not in page
        assert "script-src 'self'" in page
        assert "style=" not in page
        assert " onclick" not in page


def test_an_edition_stays_as_it_was(site: Path) -> None:
    assert "Model" not in [row["name"] for row in ranked(site, "editions/2026-02")]
    assert "editions/2026-02/index.html" in (site / "index.html").read_text("utf-8")


def test_an_edition_by_hashes(
    model_list: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, site = tmp_path / "list", tmp_path / "site"
    shutil.copytree(model_list, folder, ignore=shutil.ignore_patterns("site", ".git"))
    build = ["list", "build", str(folder), "--output-dir", str(site)]
    assert main(build) == 0
    (folder / "editions").mkdir()
    shutil.copy(site / "api" / "edition.yaml", folder / "editions" / "2026-03.yaml")
    assert main(build) == 0
    first = ranked(site)
    assert ranked(site, "editions/2026-03") == first
    fast = result_of(plan=OFFICIAL, speed=9.0, started_at="2026-04-01T00:00:00Z")
    (tmp_path / "fast.json").write_bytes(bytes_of(fast))
    for system in ("Model", "Other"):
        add = ["list", "add", str(tmp_path / "fast.json"), "--system", system]
        assert main([*add, "--list", str(folder)]) == 0
    assert main(build) == 0
    assert len(ranked(site)) == len(first) + 1
    assert ranked(site, "editions/2026-03") == first
    shutil.rmtree(folder / "systems" / "model")
    (folder / "editions" / "April.yaml").write_text("", "utf-8")
    (folder / "editions" / "2026-04.yaml").write_text("- no hash\n", "utf-8")
    capsys.readouterr()
    assert main(build) == 3
    said = capsys.readouterr().err
    assert "editions/April.yaml: " in said
    assert "editions/2026-04.yaml: line 1 is not" in said
    assert "2026-03.yaml: names 7 " in said


def test_links_of_an_edition_lead_to_systems_that_are_gone(
    model_list: Path, tmp_path: Path
) -> None:
    folder, site = tmp_path / "list", tmp_path / "site"
    shutil.copytree(model_list, folder, ignore=shutil.ignore_patterns("site"))
    shutil.rmtree(folder / "systems" / "nec-sx-5")
    assert main(["list", "build", str(folder), "--output-dir", str(site)]) == 0
    page = (site / "systems" / "nec-sx-5.html").read_text("utf-8")
    assert "../editions/2026-02/index.html" in page


def test_a_tag_without_a_list_harms_its_edition_only(
    model_list: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, site = tmp_path / "list", tmp_path / "site"
    shutil.copytree(model_list, folder, ignore=shutil.ignore_patterns("site"))
    git(folder, "rm", "-q", "list.yaml")
    git(folder, "commit", "-m", "Spoil")
    git(folder, "tag", "2026-03")
    git(folder, "revert", "--no-edit", "HEAD")
    assert main(["list", "build", str(folder), "--output-dir", str(site)]) == 3
    assert "tag 2026-03: " in capsys.readouterr().err
    assert not (site / "editions" / "2026-03").exists()
    assert "editions/2026-03" not in (site / "index.html").read_text("utf-8")
    assert ranked(site, "editions/2026-02")


def test_the_first_page_is_small(site: Path) -> None:
    parts = ("index.html", "data.js", "assets/list.js", "assets/list.css", "assets/icon.svg")
    assert sum((site / part).stat().st_size for part in parts) < 100_000


def test_building_again_changes_nothing_and_needs_no_cache(model_list: Path, site: Path) -> None:
    before = {path: path.read_bytes() for path in site.rglob("*") if path.suffix == ".html"}
    times = {path: path.stat().st_mtime_ns for path in before}
    shutil.rmtree(cache_folder())
    assert main(["list", "build", str(model_list), "--output-dir", str(site)]) == 0
    assert {path: path.read_bytes() for path in before} == before
    assert {path: path.stat().st_mtime_ns for path in before} == times


def test_pages_are_made_anew_where_what_they_show_changes(model_list: Path, tmp_path: Path) -> None:
    folder, site = tmp_path / "list", tmp_path / "site"
    shutil.copytree(model_list, folder, ignore=shutil.ignore_patterns("site"))
    build = ["list", "build", str(folder), "--output-dir", str(site)]
    assert main(build) == 0
    pages = [site / "systems" / f"{slug}.html" for slug in ("model", "nec-sx-5", "ibm-sp")]
    model, changed, damaged = pages
    times = [path.stat().st_mtime_ns for path in pages]
    hardware = folder / "systems" / "nec-sx-5" / "system.yaml"
    text = hardware.read_text("utf-8")
    hardware.write_text(re.sub("(?m)^site: .*$", "site: Elsewhere", text), "utf-8")
    damaged.unlink()
    assert main(build) == 0
    assert model.stat().st_mtime_ns == times[0]
    assert "Elsewhere" in changed.read_text("utf-8")
    assert damaged.is_file()
    (site / ".beff-site").write_text("[1", "utf-8")
    assert main(build) == 0
    assert model.stat().st_mtime_ns == times[0]  # written only where it differs


def test_broken_files_harm_their_own_rows(
    model_list: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "list"
    shutil.copytree(model_list, folder, ignore=shutil.ignore_patterns("site"))
    results = folder / "systems" / "model" / "results"
    first, second, *_ = sorted(results.iterdir())
    first.write_bytes(first.read_bytes()[:-100])
    second.write_bytes(b"")
    (results / "link.json").symlink_to("/etc/passwd")
    (folder / "systems" / "nec-sx-5" / "system.yaml").write_text("a: [b", "utf-8")
    (folder / "systems" / "Not a slug").mkdir()
    site = tmp_path / "site"
    assert main(["list", "build", str(folder), "--output-dir", str(site)]) == 3
    assert len(capsys.readouterr().err.splitlines()) == 5
    page = (site / "systems" / "model.html").read_text("utf-8")
    assert page.count('class="run"') == 5
    assert "it ends in the middle" in page
    assert len(ranked(site)) == 12
    assert not (site / "results" / "model" / "link.json").exists()


def test_a_folder_that_is_no_site_is_left_alone(model_list: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    assert main(["list", "build", str(model_list), "--output-dir", str(tmp_path)]) == 2
    assert main(["list", "build", str(tmp_path), "--output-dir", str(tmp_path / "site")]) == 2


def commands_of(text: str) -> list[str]:
    """The commands of a workflow of GitHub or GitLab that are ours, job by job."""
    workflow = yaml.safe_load(text)
    jobs = workflow["jobs"].values() if "jobs" in workflow else workflow.values()
    lines = []
    for job in jobs:
        steps = [step.get("run", "") for step in job.get("steps", [])] if "steps" in job else []
        lines += steps or (job.get("script", []) if isinstance(job, dict) else [])
    return [line for line in lines if line.startswith(("beff ", "git "))]


@pytest.mark.parametrize(
    ("file", "site", "count"),
    [(".github/workflows/list.yml", "site", 2), (".gitlab-ci.yml", "public", 4)],
)
def test_forges_run_their_commands_in_a_clone(
    model_list: Path, tmp_path: Path, file: str, site: str, count: int
) -> None:
    """All but the installation, with the variables that forges set, on a branch with a system."""
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
    base = subprocess.run(
        ["git", "rev-parse", "main"], cwd=clone, capture_output=True, text=True, check=True
    )
    environment = os.environ | {
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "GITHUB_BASE_REF": "main",
        "RUNNER_TEMP": str(clone),
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base.stdout.strip(),
        "CI_DEFAULT_BRANCH": "main",
    }
    commands = commands_of((clone / file).read_text("utf-8"))
    assert len(commands) == count
    for command in commands:
        subprocess.run(["bash", "-euc", command], cwd=clone, env=environment, check=True)
    assert (clone / site / "index.html").is_file()
    assert "good, 0 results" in (clone / "comment.md").read_text("utf-8")


def test_results_are_added_once(model_list: Path, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_bytes(bytes_of(result_of(plan=OFFICIAL, started_at="2026-04-01T00:00:00Z")))
    folder = tmp_path / "list"
    shutil.copytree(model_list, folder, ignore=shutil.ignore_patterns("site"))
    for _ in range(2):
        assert main(["list", "add", str(file), "--system", "Fresh", "--list", str(folder)]) == 0
    (there,) = (folder / "systems" / "fresh" / "results").iterdir()
    assert main(["verify", str(there)]) == 0
    told = yaml.safe_load((folder / "systems" / "fresh" / "system.yaml").read_text("utf-8"))
    assert told["name"] == "Fresh"
    assert told["cpus"] == "Model CPU"
    broken = result_of()
    broken["summary"]["b_eff_MBps"] *= 2
    file.write_bytes(bytes_of(broken))
    assert main(["list", "add", str(file), "--list", str(folder)]) == 1
