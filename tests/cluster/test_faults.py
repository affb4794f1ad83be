"""Clusters with something wrong: a slow host, a link that goes down, a wrong launch."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cluster.emulation import Cell, Network, make_cell
from cluster.mpi import ClusterLibrary, result_of
from engines.support import ROOT, assert_verified

LINK = 50.0
BAD_HOST = 2
BEFF = (sys.executable, "-m", "beff")
PYTHON = {"PYTHONPATH": str(ROOT / "python")}


@pytest.fixture
def four_hosts() -> Iterator[Cell]:
    with make_cell(Network(hosts=4, link_mbit=LINK)) as cell:
        yield cell


def slow_hosts(library: ClusterLibrary, folder: Path, slow: dict[int, float]) -> dict[str, Any]:
    """What a run on four hosts says about slow hosts.

    Patterns are those of which a part tells about a part of the hosts; loops are so long that it
    matters little when a process gets its turn on the cores that all hosts share.
    """
    with make_cell(Network(hosts=4, link_mbit=80, slow=slow)) as cell:
        run = library.run(
            cell,
            4,
            *("--memory-per-process", "64MiB", "--sizes", "17-20", "--loop-time", "400ms"),
            *(
                "--patterns",
                "0,37,38,42,43,45,46",
                "--methods",
                "nonblocking",
                "--repetitions",
                "2",
            ),
            cwd=folder,
            timeout=280,
        )
    said: dict[str, Any] = result_of(run, folder)["slow_hosts"]
    return said


def test_the_slow_host_is_named(library: ClusterLibrary, tmp_path: Path) -> None:
    said = slow_hosts(library, tmp_path, {BAD_HOST: 20})
    named = {found["name"] for found in said["found"] if found["messages"] == "long"}
    assert said["verdict"] == "found", said["statement"]
    assert named == {f"n{BAD_HOST}"}, said["statement"]
    assert_verified(tmp_path)


def wait_for(file: Path, samples: int) -> None:
    deadline = time.monotonic() + 60
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
        four_hosts.cut(BAD_HOST)
        cut = time.monotonic()
        _, errors = run.communicate(timeout=100)
    assert run.returncode == 1, errors
    assert time.monotonic() - cut < 60
    assert "b_eff with 4 processes" in errors
    assert f"'beff recover {journal}'" in errors
    measured = journal.read_text().count('"sample"')
    recovered = four_hosts.run("n0", *BEFF, "recover", journal, env=PYTHON)
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
    assert "--nodes 4: the 4 processes run on 2 nodes" in run.stderr
