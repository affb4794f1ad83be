"""Clusters with something wrong: a link that goes down, a wrong launch."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.emulation import Cell, Network, make_cell
from cluster.emulation.mpi import ClusterLibrary
from engines.support import ROOT, assert_verified

LINK = 50.0
CUT_HOST = 2
BEFF = (sys.executable, "-m", "beff")
PYTHON = {"PYTHONPATH": str(ROOT / "python")}


@pytest.fixture
def four_hosts() -> Iterator[Cell]:
    with make_cell(Network(hosts=4, link_mbit=LINK)) as cell:
        yield cell


def wait_for(file: Path, samples: int) -> None:
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        if file.exists() and file.read_text().count('"sample"') >= samples:
            return
        time.sleep(0.1)
    pytest.fail(f"no {samples} samples in {file}")


def test_a_link_that_goes_down_ends_the_run_and_leaves_its_samples(
    four_hosts: Cell, library: ClusterLibrary, tmp_path: Path
) -> None:
    launcher = shlex.join(library.launcher(four_hosts, per_host=1))
    words = [
        *(*BEFF, "run", "--benchmark", "b_eff", "--processes", "4", "--output-dir", str(tmp_path)),
        *("--engine", str(library.library.programs / "b_eff"), "--launcher", launcher),
        *("--memory-per-process", "4MiB", "--stall-limit", "4s", "--", "--repetitions", "1000"),
    ]
    journal = tmp_path / "b_eff_4p.journal.jsonl"
    with four_hosts.start_run("n0", words, tmp_path, {**library.environment, **PYTHON}) as run:
        wait_for(journal, 20)
        four_hosts.cut(CUT_HOST)
        cut = time.monotonic()
        _, errors = run.communicate(timeout=100)
    assert run.returncode == 1, errors
    assert time.monotonic() - cut < 60
    assert "b_eff with 4 processes" in errors
    assert f"'beff show {journal}'" in errors
    measured = journal.read_text().count('"sample"')
    recovered = four_hosts.run(
        "n0", *BEFF, "show", journal, "-o", tmp_path / "b_eff_4p.json", env=PYTHON
    )
    assert recovered.returncode == 0, recovered.stderr
    result = json.loads((tmp_path / "b_eff_4p.json").read_text())
    assert not result["complete"]
    assert measured - 1 <= len(result["samples"]["pattern"]) <= measured
    assert_verified(tmp_path, "b_eff_4p")


def test_fewer_nodes_than_asked_are_refused(
    four_hosts: Cell, library: ClusterLibrary, tmp_path: Path
) -> None:
    run = library.run(four_hosts, 4, "--nodes", "4", per_host=2, cwd=tmp_path)
    assert run.returncode == 2
    assert "--nodes 4: " in run.stderr
