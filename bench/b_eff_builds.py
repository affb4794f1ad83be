#!/usr/bin/env python3
"""Builds of b_eff beside each other, alternating: what a change does to the value and its spread.

Each round runs every build once, so that all meet the same states of the machine. Printed are, for
each build, the values of all rounds and how far apart they are; for two processes also the spread
within a run of patterns 0-36, which then are the same exchange; and the time of a run. Results stay
in FOLDER: a further call adds rounds, so that a long comparison can be made in short pieces.

Usage: python bench/b_eff_builds.py FOLDER NAME=PROGRAM... [--rounds N] [--mpiexec COMMAND]
           [--options "OPTIONS OF B_EFF"]
A program before a change: git worktree add ../before REVISION, and build it there.
"""

import argparse
import json
import shlex
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

_MEASURED = (0, 3)
_EQUAL_PATTERNS = range(37)
"""With two processes: all rings and the worst cycle are the one exchange of the pair."""

Result = dict[str, Any]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the results of all rounds are kept")
    parser.add_argument("builds", nargs="*", metavar="NAME=PROGRAM")
    parser.add_argument("--rounds", type=int, default=1, help="how many to add")
    parser.add_argument("--mpiexec", default="mpiexec -n 2", help="launcher, with its options")
    parser.add_argument("--options", default="--memory-per-process 256MiB")
    return parser.parse_args()


def measure(wanted: argparse.Namespace, number: int) -> None:
    """Run every build once; even rounds begin with the last one."""
    for build in wanted.builds[:: 1 if number % 2 else -1]:
        name, program = build.split("=", 1)
        prefix = wanted.folder / f"{name}-{number:03}"
        options = ["--progress", "never", "--quiet", "--output", str(prefix)]
        command = [*shlex.split(wanted.mpiexec), program, *options, *shlex.split(wanted.options)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        if done.returncode not in _MEASURED:
            sys.exit(f"b_eff_builds: {shlex.join(command)} ended with code {done.returncode}")


def spread(values: list[float]) -> float:
    """From the smallest to the largest value, in per cent of the median."""
    return 100 * (max(values) - min(values)) / statistics.median(values)


def row(name: str, runs: list[Result]) -> str:
    """Return one line of the table."""
    values = [run["summary"]["b_eff_MBps"] for run in runs]
    equal = [
        spread([p["bandwidth_MBps"] for p in run["patterns"] if p["id"] in _EQUAL_PATTERNS])
        for run in runs
        if run["environment"]["processes"] == 2
    ]
    seconds = statistics.median(run["accounting"]["elapsed_s"] for run in runs)
    warm_up = statistics.median(run["accounting"]["warm_up_s"] for run in runs)
    deviation = 100 * statistics.stdev(values) / statistics.mean(values) if len(values) > 1 else 0
    within = f"{statistics.median(equal):7.1f} {min(equal):7.1f} {max(equal):7.1f}" if equal else ""
    return (
        f"{name:10} {len(runs):4} {statistics.median(values):10.1f} {min(values):9.1f}"
        f" {max(values):9.1f} {spread(values):6.1f} {deviation:6.2f}  {within}"
        f"  {seconds:7.1f} {warm_up:7.1f}"
    )


def main() -> None:
    """Measure the rounds asked for and print the table of all rounds so far."""
    wanted = arguments()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    before = max((int(p.stem[-3:]) for p in wanted.folder.glob("*-[0-9]*.json")), default=0)
    for number in range(before + 1, before + 1 + wanted.rounds if wanted.builds else 0):
        measure(wanted, number)
    runs: dict[str, list[Result]] = {}
    for path in sorted(wanted.folder.glob("*-[0-9][0-9][0-9].json")):
        runs.setdefault(path.stem[:-4], []).append(json.loads(path.read_text("utf-8")))
    print("                 b_eff in MB/s: of all runs                    equal patterns  [%]")
    print(
        "build      runs     median  smallest   largest rng[%]  sd[%]   median   least    most"
        "  run [s]  warm-up [s]"
    )
    for name, found in runs.items():
        print(row(name, found))


if __name__ == "__main__":
    main()
