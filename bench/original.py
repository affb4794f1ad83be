#!/usr/bin/env python3
"""Show b_eff beside release 3.6 of its authors, alternating: is its value the same.

Each round runs every program once, forwards or backwards in turn. Of the value, of each message
size (both groups of patterns together) and of the time of all loops: the mean over the rounds of
ours to theirs, with its 95 % interval. Rounds stay in `--folder`: a further call adds some.

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
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from common import BIN, ROOT, options_of, table
from scipy.stats import gmean, sem
from scipy.stats import t as student

OURS = "b_eff"
Figures = dict[str, float]
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


def measure(wanted: argparse.Namespace, number: int) -> None:
    """Run every program once; even rounds begin with the last one."""
    ours = [wanted.ours, "--memory-per-process", f"{wanted.memory}MiB", "--progress", "never"]
    ours += ["--quiet", "--output", "ours", *(["--loop-time", "50us"] if wanted.short else [])]
    programs = dict(entry.split("=", 1) for entry in wanted.originals)
    commands = {name: [str(Path(program).resolve())] for name, program in programs.items()}
    for name, command in list({**commands, OURS: ours}.items())[:: 1 if number % 2 else -1]:
        folder = wanted.folder / f"{number:03} {name}"
        folder.mkdir()
        words = [*shlex.split(wanted.mpiexec), *command]
        done = subprocess.run(words, cwd=folder, capture_output=True, check=False)
        if done.returncode not in (0, 3):
            sys.exit(f"original: {shlex.join(words)} ended with code {done.returncode}")


def figures_of_ours(folder: Path) -> Figures:
    """Read one of our results."""
    result: dict[str, Any] = json.loads((folder / "ours.json").read_text("utf-8"))
    found: Figures = {"value": result["summary"]["b_eff_MBps"]}
    for index, size in enumerate(result["message_sizes_bytes"]):
        groups: dict[str, list[float]] = {"ring": [], "random": []}
        for pattern in result["patterns"]:
            if pattern["averaged"]:
                groups[pattern["group"]].append(pattern["bandwidth_by_size_MBps"][index])
        found[f"{size} byte"] = float(gmean([*map(gmean, groups.values())]))
    return {**found, "seconds": result["accounting"]["elapsed_s"]}


def figures_of_original(folder: Path) -> Figures:
    """Read b_eff.short of release 3.6."""
    text = (folder / "b_eff.short").read_text("utf-8")
    by_size = text.split("SECTION-BY-MSGLNG-BEGIN")[1].split("SECTION-BY-MSGLNG-END")[0]
    sizes = re.findall(r"(?m)^ *(\d+) +([\d.]+) ", by_size)
    value = re.search(r"b_eff = +([\d.]+) MB/s", (folder / "b_eff.sum").read_text("utf-8"))
    seconds = re.search(r"measurment loop: elapsed time += +([\d.]+) sec", text)
    if value is None or seconds is None:
        sys.exit(f"original: {folder} holds no value of release 3.6")
    rates = {f"{size} byte": float(both) for size, both in sizes}
    return {"value": float(value[1]), **rates, "seconds": float(seconds[1])}


def mean_text(ratios: list[float]) -> str:
    """Return mean and 95 % interval of ratios, as of a normal distribution of their logarithms."""
    if len(ratios) < 2:
        return f"{ratios[0]:.3f}"
    logs = np.log(ratios)
    low, high = np.exp(student.interval(0.95, len(logs) - 1, logs.mean(), sem(logs)))
    return f"{gmean(ratios):.3f} ({low:.3f} to {high:.3f})"


def show(folder: Path) -> None:
    """Print the ratios over all rounds in a folder."""
    rounds: dict[str, dict[str, Figures]] = {}
    for path in sorted(folder.iterdir()):
        name, number = path.name[4:], path.name[:3]
        read = figures_of_ours if name == OURS else figures_of_original
        rounds.setdefault(name, {})[number] = read(path)
    ours = rounds.pop(OURS)
    print(f"rounds: {len(ours)}{'' if rounds else '; release 3.6: not run (give its program)'}")
    for name, theirs in rounds.items():
        both = [(ours[number], theirs[number]) for number in theirs]
        ratios = {row: [mine[row] / other[row] for mine, other in both] for row in both[0][1]}
        heads = ["", f"ours / {name}, mean of {len(both)} rounds"]
        table(heads, ([row, mean_text(of_row)] for row, of_row in ratios.items()))


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
