"""From a job to a drained node, as docs/how-to/find-a-bad-node.md has it, by a real Slurm."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cluster.emulation import Network, make_cell
from cluster.emulation.mpi import ClusterLibrary
from cluster.emulation.slurm import make_slurm, reason_against
from engines.support import ROOT, assert_verified

LINK = 50.0
HOSTS = 5
SLOW = 3


@pytest.mark.timeout(600)
def test_from_a_job_to_a_drained_node(library: ClusterLibrary, tmp_path: Path) -> None:
    reason = reason_against()
    if reason is not None:
        pytest.skip(reason)
    network = Network(hosts=HOSTS, link_mbit=LINK, slow={SLOW: LINK / 3})
    with make_cell(network) as cell, make_slurm(cell) as slurm:
        command = (
            *("salloc", f"--nodes={HOSTS}", f"--ntasks={HOSTS}", "--ntasks-per-node=1"),
            *(sys.executable, "-m", "beff", "nodes", "--bad", "bad_hosts", "--good", "good_hosts"),
            *("--engine", library.library.programs / "b_pairs", "--output-dir", "out"),
            *("--memory-per-process", "64MiB", "--", "--duration", "20s"),
        )
        environment = {**library.environment, "PYTHONPATH": str(ROOT / "python")}
        run = slurm.run(*command, cwd=tmp_path, env=environment, timeout=280)
        assert run.returncode == 1, run.stdout + run.stderr
        result = json.loads((tmp_path / "out" / f"b_pairs_{HOSTS}p.json").read_text())
        assert [host["name"] for host in result["environment"]["hosts"]] == network.host_names
        assert_verified(tmp_path / "out", f"b_pairs_{HOSTS}p")
        assert (tmp_path / "bad_hosts").read_text() == f"n{SLOW}\n"
        told = run.stdout.splitlines()
        assert told[0].startswith(f"bad: host n{SLOW} (")
        assert any(line.startswith(f"host n{SLOW}: slow: ") for line in told)
        asked = ("--nodes=4", "--ntasks=4", "hostname")
        others = [name for name in network.host_names if name != f"n{SLOW}"]
        without = slurm.run("srun", "--exclude=./bad_hosts", *asked, cwd=tmp_path)
        assert (without.returncode, sorted(without.stdout.split())) == (0, others), without.stderr
        (drain,) = (line.removeprefix("drain: ") for line in told if line.startswith("drain: "))
        assert slurm.run("sh", "-c", drain, cwd=tmp_path).returncode == 0
        drained = slurm.run("srun", *asked, cwd=tmp_path)
        assert sorted(drained.stdout.split()) == others, drained.stderr
