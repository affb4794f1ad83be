#!/usr/bin/env python3
"""Judge clusters of which it is known who is slow: simulated ones, and emulated hosts.

Prints tables in Markdown. Usage: .venv/bin/python bench/check_clusters.py [--emulated RUNS]
(after make .venv/.tests build/smpi/.built, and build/openmpi/.built for emulated hosts)
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "python")]

from beff.analysis.check.finding import Checked, Verdict  # noqa: E402
from beff.analysis.common.checks import fold_host_list  # noqa: E402
from cluster.faulty_hosts import FAULTS, called_bad, pairs_on, slowdown  # noqa: E402
from cluster.mpi import CLUSTER_LIBRARIES  # noqa: E402
from simulated.faulty_clusters import (  # noqa: E402
    BUSY_HOSTS,
    BUSY_PERIODS_S,
    BUSY_SHARES,
    busy_host,
    cases,
    judged,
    switched_cases,
)

SIZES = (8, 16, 64)


def named(checked: Checked) -> str:
    """Return the hosts that a judgement names, and how; slow hosts together."""
    said = [f"{fold_host_list(checked.bad_hosts)}: bad"] if checked.bad_hosts else []
    for finding in checked.findings:
        is_named = finding.about.removeprefix("host ") in checked.bad_hosts
        if finding.verdict != Verdict.GOOD and not is_named:
            said.append(f"{finding.about}: {finding.verdict.value}")
    return ", ".join(said) or "nobody"


def folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is removed after a run."""
    return tempfile.TemporaryDirectory(prefix="beff-check-")


def print_simulated() -> None:
    """Print what is said of each fault at each number of hosts; time is exact, so once."""
    print("| hosts | fault | named |\n|---|---|---|")
    for hosts in SIZES:
        for case in (*cases(hosts), *switched_cases(hosts)):
            with folder() as place:
                checked, about = judged(Path(place), case.network)
            wrong = "" if (about, checked.verdict) == (case.named, case.verdict) else " **wrong**"
            print(f"| {hosts} | {case.name} | {named(checked)}{wrong} |", flush=True)
    for share, period_s in product(BUSY_SHARES, BUSY_PERIODS_S):
        with folder() as place:
            checked, _ = judged(Path(place), busy_host(Path(place), share, period_s))
        busy = f"one x 2 for {share:.0%} of each {period_s} s"
        print(f"| {BUSY_HOSTS} | {busy} | {named(checked)} |", flush=True)


def print_emulated(runs: int) -> None:
    """Print how often each fault was named by each MPI library."""
    print("| MPI | fault | runs | named as it is | usual links slower by |\n|---|---|---|---|---|")
    for library in CLUSTER_LIBRARIES:
        for fault, (network, culprits) in FAULTS.items():
            right, slower = 0, []
            for _ in range(runs):
                with folder() as place:
                    pairs = pairs_on(network, library, Path(place))
                    right += called_bad(Path(place)) == culprits
                slower.append(slowdown(network, pairs))
            span = f"{min(slower):.2f} to {max(slower):.2f}"
            print(f"| {library.name} | {fault} | {runs} | {right} | {span} |", flush=True)


def main() -> None:
    """Print the tables that are asked for."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--emulated", type=int, default=0, help="runs of each on emulated hosts")
    asked = options.parse_args()
    if asked.emulated:
        print_emulated(asked.emulated)
    else:
        print_simulated()


if __name__ == "__main__":
    main()
