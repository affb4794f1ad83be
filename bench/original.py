#!/usr/bin/env python3
"""Show b_eff beside release 3.6 of its authors, alternating: is its value the same.

Each round runs every program once, forwards or backwards in turn. Of the value, of each message
size (both groups of patterns together) and of the time of all loops: the mean over the rounds of
ours to theirs, with its 95 % interval. At three sizes that a core's caches hold in part, ours is
also set against a run of that size alone, which shows what the order of measuring costs. Rounds
stay in `--folder`: a further call adds some.

Usage: bench/original.py [NAME=PROGRAM...] [--rounds N] [--memory MIB]
A PROGRAM is release 3.6, built with -D MEMORY_PER_PROCESSOR=MIB: the first revision of b_eff.c in
the public repository xhuanggit/b_eff (`Original source file`), whose later ones leave out the
rings. It leaves its buffers unwritten, one page of zeros for all: write both once after malloc.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from math import exp, log, sqrt
from pathlib import Path
from typing import Any

from common import BIN, ROOT, options_of
from scipy.stats import t as student

OURS = "b_eff"
ALONE = (15, 16, 17)
"""Indices of 42 495, 92 682 and 202 141 byte where L_max is 2 MiB."""
VALUE, SECONDS = "value", "seconds"
Figures = dict[str | int, float]
"""Of a run: value, seconds of the measurement, bandwidth of all averaged patterns by bytes."""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = options_of(__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "original")
    parser.add_argument("originals", nargs="*", metavar="NAME=PROGRAM", help="release 3.6")
    parser.add_argument("--rounds", type=int, default=1, help="how many to add")
    parser.add_argument("--memory", type=int, default=256, help="of a process, in MiB")
    parser.add_argument("--ours", default=str(BIN / OURS))
    parser.add_argument("--mpiexec", default=f"{BIN / 'mpiexec'} -n 2", help="with its options")
    wanted = parser.parse_args()
    if wanted.short:
        wanted.folder = Path(tempfile.mkdtemp(prefix="beff-original-"))
        wanted.memory = 4
    return wanted


def start(command: list[str], folder: Path, right: tuple[int, ...]) -> None:
    """Run a program in a new folder."""
    folder.mkdir()
    none = subprocess.DEVNULL
    done = subprocess.run(command, cwd=folder, stdout=none, stderr=none, check=False)
    if done.returncode not in right:
        sys.exit(f"original: {shlex.join(command)} ended with code {done.returncode}")


def measure(wanted: argparse.Namespace, number: int) -> None:
    """Run every program once; even rounds begin with the last one."""
    ours = [wanted.ours, "--memory-per-process", f"{wanted.memory}MiB", "--progress", "never"]
    ours += ["--quiet", "--output", "ours", *(["--loop-time", "50us"] if wanted.short else [])]
    programs = {name: [Path(program).resolve()] for name, program in named(wanted).items()}
    programs[OURS] = ours
    programs |= {f"{OURS} {size}": [*ours, "--sizes", str(size)] for size in ALONE}
    for name, command in list(programs.items())[:: 1 if number % 2 else -1]:
        folder = wanted.folder / f"{number:03} {name}"
        start([*shlex.split(wanted.mpiexec), *map(str, command)], folder, (0, 3))


def named(wanted: argparse.Namespace) -> dict[str, str]:
    """Return the originals by their names."""
    return dict(entry.split("=", 1) for entry in wanted.originals)


def logavg(values: list[float]) -> float:
    """Return the geometric mean."""
    return exp(statistics.fmean(map(log, values)))


def figures_of_ours(folder: Path) -> Figures:
    """Read one of our results."""
    result: dict[str, Any] = json.loads((folder / "ours.json").read_text("utf-8"))
    found: Figures = {SECONDS: result["accounting"]["elapsed_s"]}
    if result["summary"]["b_eff_MBps"] is not None:
        found[VALUE] = result["summary"]["b_eff_MBps"]
    for index, size in enumerate(result["message_sizes_bytes"]):
        groups: dict[str, list[float]] = {"ring": [], "random": []}
        for pattern in result["patterns"]:
            if pattern["averaged"] and pattern["bandwidth_by_size_MBps"][index] is not None:
                groups[pattern["group"]].append(pattern["bandwidth_by_size_MBps"][index])
        if all(groups.values()):
            found[size] = sqrt(logavg(groups["ring"]) * logavg(groups["random"]))
    return found


def figures_of_original(folder: Path) -> Figures:
    """Read b_eff.short of release 3.6."""
    text = (folder / "b_eff.short").read_text("utf-8")
    by_size = text.split("SECTION-BY-MSGLNG-BEGIN")[1].split("SECTION-BY-MSGLNG-END")[0]
    found: Figures = {
        int(size): float(both) for size, both in re.findall(r"(?m)^ *(\d+) +([\d.]+) ", by_size)
    }
    value = re.search(r"b_eff = +([\d.]+) MB/s", (folder / "b_eff.sum").read_text("utf-8"))
    seconds = re.search(r"measurment loop: elapsed time += +([\d.]+) sec", text)
    if value is None or seconds is None:
        sys.exit(f"original: {folder} holds no value of release 3.6")
    return found | {VALUE: float(value[1]), SECONDS: float(seconds[1])}


def mean_text(ratios: list[float]) -> str:
    """Return mean and 95 % interval of ratios, as of a normal distribution of their logarithms."""
    logs = [log(ratio) for ratio in ratios]
    mean = exp(statistics.fmean(logs))
    if len(logs) < 2:
        return f"{mean:5.3f}"
    half = student.ppf(0.975, len(logs) - 1) * statistics.stdev(logs) / sqrt(len(logs))
    return f"{mean:5.3f} ({mean * exp(-half):.3f} to {mean * exp(half):.3f})"


def show(folder: Path) -> None:
    """Print the ratios over all rounds in a folder."""
    rounds: dict[str, dict[str, Figures]] = {}
    for path in sorted(folder.iterdir()):
        number, name = path.name.split(" ", 1)
        read = figures_of_ours if name.startswith(OURS) else figures_of_original
        rounds.setdefault(number, {})[name] = read(path)
    whole = [found for found in rounds.values() if OURS in found]
    print(f"rounds: {len(whole)}")
    originals = sorted({name for found in whole for name in found if not name.startswith(OURS)})
    if not originals:
        print("release 3.6: not run (give its program)")
    for name in originals:
        both = [(found[OURS], found[name]) for found in whole if name in found]
        print(f"\nours / {name}, mean of {len(both)} rounds")
        for row in both[0][1]:
            if all(row in ours for ours, _ in both):
                label = f"{row} byte" if isinstance(row, int) else row
                print(f"  {label:>14}  {mean_text([o[row] / t[row] for o, t in both])}")
    print("\nour whole run / our run of this size alone")
    for index in ALONE:
        name = f"{OURS} {index}"
        alone = [(found[OURS], found[name]) for found in whole if name in found]
        for size in alone[0][1] if alone else ():
            if isinstance(size, int):
                print(f"  {size:>9} byte  {mean_text([o[size] / a[size] for o, a in alone])}")


def main() -> None:
    """Add the rounds asked for and print the ratios of all so far."""
    wanted = arguments()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    before = max((int(path.name[:3]) for path in wanted.folder.iterdir()), default=0)
    for number in range(before + 1, before + 1 + wanted.rounds):
        measure(wanted, number)
    show(wanted.folder)


if __name__ == "__main__":
    main()
