"""Clusters with something wrong: a link that goes down, a wrong launch."""

import json
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cluster.emulation import Cell, Network, make_cell
from cluster.emulation.mpi import ClusterLibrary
from engines.processes import wait_for_samples
from engines.support import ROOT, assert_verified, cautions_with

LINK = 50.0
CUT_HOST = 2
BEFF = (sys.executable, "-m", "beff")
PYTHON = {"PYTHONPATH": str(ROOT / "python")}


@pytest.fixture
def four_hosts() -> Iterator[Cell]:
    with make_cell(Network(hosts=4, link_mbit=LINK)) as cell:
        yield cell


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
        wait_for_samples(journal, 20)
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


# --- hosts that are containers on one kernel: its cores and memory are there once ---

HOSTS = 3


def probed(library: ClusterLibrary, folder: Path, network: Network) -> dict[str, Any]:
    with make_cell(network) as cell:
        run = library.run(cell, HOSTS, "--probe", cwd=folder)
    answer: dict[str, Any] = json.loads(run.stdout[run.stdout.index("{") :])
    return answer


def test_containers_share_memory_and_cores(library: ClusterLibrary, tmp_path: Path) -> None:
    machines = probed(library, tmp_path, Network(HOSTS, 200))
    containers = probed(library, tmp_path, Network(HOSTS, 200, one_kernel=True))
    alone, shared = machines["environment"], containers["environment"]
    assert (alone["kernels"], shared["kernels"]) == (None, f"0x{HOSTS}")
    assert alone["hosts"] == shared["hosts"]
    assert alone["placement"] == shared["placement"]
    memory = alone["memory_per_process_bytes"]
    assert shared["memory_per_process_bytes"] == pytest.approx(memory / HOSTS, rel=1e-6)
    assert not alone["oversubscribed"]
    assert shared["oversubscribed"] == (shared["cores_per_node_min"] < HOSTS)
    (told,) = cautions_with(containers, "shared kernel")
    assert "n[0-2]" in told
    assert not cautions_with(machines, "shared kernel")
