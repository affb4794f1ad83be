"""Hosts that are containers on one kernel: its cores and memory are there once."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from beff.judge.finding import Verdict
from beff.judge.judge_results import judge_results
from beff.result.load import load_document
from cluster.emulation import Network, make_cell
from cluster.emulation.mpi import CLUSTER_MPICH, ClusterLibrary, result_of
from engines.support import assert_verified

HOSTS = 3
CORES = len(os.sched_getaffinity(0))


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
    assert any(
        "shared kernel" in str(text) and "n[0-2]" in str(text) for text in containers["cautions"]
    )
    assert not any("shared kernel" in str(text) for text in machines["cautions"])


@pytest.mark.skipif(CORES >= HOSTS, reason="this machine has a core for each process")
def test_a_map_between_containers_is_measured_but_no_evidence(tmp_path: Path) -> None:
    with make_cell(Network(HOSTS, 100, one_kernel=True)) as cell:
        options = ["--memory-per-process", "4MiB", "--duration", "2s"]
        run = CLUSTER_MPICH.run(cell, HOSTS, *options, cwd=tmp_path, program="b_pairs", timeout=240)
    result = result_of(run, tmp_path, "b_pairs")
    assert_verified(tmp_path, "b_pairs")
    assert [host["name"] for host in result["environment"]["hosts"]] == ["n0", "n1", "n2"]
    assert any("shared kernel" in str(text) for text in result["cautions"])
    found = judge_results([load_document(tmp_path / "b_pairs.json")], None, None)
    assert found.verdict == Verdict.UNKNOWN
    assert found.good_hosts == ()
