"""The pods of packaging/kubernetes/job.yaml, each on an emulated host."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

from cluster.emulation import Network, make_cell
from engines.support import MPICH

PODS = Path(__file__).resolve().parents[2] / "packaging" / "kubernetes" / "beff-pods"
HOSTS = 3


def test_pods_measure_together_without_ssh(tmp_path: Path) -> None:
    path = f"{Path(MPICH.mpiexec[0]).parent}:{os.environ['PATH']}"
    given = {"BEFF_PODS": str(HOSTS), "BEFF_POD_0": "n0", "BEFF_WAIT_S": "30", "PATH": path}
    options = ["--memory-per-process", "4MiB", "--duration", "2s", "--progress", "never"]
    measure = [str(MPICH.programs / "b_pairs"), *options]
    with make_cell(Network(HOSTS, 100)) as cell, contextlib.ExitStack() as stack:

        def start(pod: int) -> subprocess.Popen[str]:
            env = {**given, "JOB_COMPLETION_INDEX": str(pod)}
            command = [sys.executable, str(PODS), "mpiexec", "-n", str(HOSTS), *measure]
            return stack.enter_context(cell.start_run(f"n{pod}", command, tmp_path, env))

        pods = [start(pod) for pod in reversed(range(HOSTS))]
        assert {pods[-1].wait(120), *(pod.wait(20) for pod in pods[:-1])} <= {0, 3}
        result = json.loads((tmp_path / "b_pairs.json").read_text(encoding="utf-8"))
        hosts = result["environment"]["hosts"]
        assert hosts == [{"name": f"n{pod}", "processes": 1} for pod in range(HOSTS)]
