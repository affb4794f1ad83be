"""What a simulated process costs: CPU time and memory of the simulator, by number of processes.

Usage: .venv/bin/python bench/simulated_scale.py [setup|loops|alltoallv|pairs] N...

setup      b_eff --probe: everything before the first message buffer
loops      one ring through all processes, one message size, by MPI_Sendrecv
alltoallv  the same by MPI_Alltoallv, whose four arrays of n integers are MPI's own
pairs      b_pairs as beff simulate runs it: three passes over all hosts
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from beff.cli.simulate import DEFAULTS
from beff.simulate.networks import NETWORKS, Links, describe
from beff.simulate.programs import find_or_build_engine, find_smpirun
from beff.simulate.simulation import FOLDING, LOG, MODELS

LINKS = Links(
    bandwidth=12.5e9,
    latency=500e-9,
    backbone_bandwidth=12.5e9,
    backbone_latency=500e-9,
)
ONE_LOOP = ("--patterns", "5", "--sizes", "0", "--repetitions", "1", "--loop-time", "1us")
CASES = {
    "setup": ("b_eff", "--no-check", "--probe"),
    "loops": ("b_eff", "--no-check", *ONE_LOOP, "--methods", "sendrecv"),
    "alltoallv": ("b_eff", "--no-check", *ONE_LOOP, "--methods", "alltoallv"),
    "pairs": ("b_pairs", *DEFAULTS["b_pairs"]),
}
PARTIAL_OR_NOT_VALID = 3


@dataclass(frozen=True)
class Cost:
    """CPU seconds (user and system) and peak resident memory of one simulation."""

    cpu_s: float
    peak_bytes: int


def cost_of(case: str, processes: int, folder: Path) -> Cost:
    """Run one case and return what it cost."""
    program, *options = CASES[case]
    platform = describe(NETWORKS["flat"], processes, None, LINKS)
    (folder / "platform.xml").write_text(platform.xml)
    (folder / "hosts").write_text("".join(f"{host}\n" for host in platform.hosts))
    command = [
        *(str(find_smpirun()), "-np", str(processes)),
        *("-platform", "platform.xml", "-hostfile", "hosts", *LOG),
        *(f"--cfg={setting}" for setting in (*MODELS["exact"], *FOLDING)),
        *(str(find_or_build_engine(None, program)), *options),
        *("--memory-per-process", "2GiB", "--seed", "1", "--quiet", "--overwrite"),
    ]
    simulator = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(simulator.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, PARTIAL_OR_NOT_VALID):
        raise SystemExit(f"{case} with {processes} processes failed")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def main(arguments: list[str]) -> None:
    """Print a row of the table in bench/RESULTS.md for each number of processes."""
    case, *counts = arguments
    print(
        "| processes | CPU s | CPU ms per process | MiB | KiB per process |\n|---|---|---|---|---|"
    )
    for processes in map(int, counts):
        with tempfile.TemporaryDirectory() as folder:
            cost = cost_of(case, processes, Path(folder))
        print(
            f"| {processes} | {cost.cpu_s:.2f} | {1e3 * cost.cpu_s / processes:.2f}"
            f" | {cost.peak_bytes / 2**20:.0f} | {cost.peak_bytes / 2**10 / processes:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
