#!/usr/bin/env python3
"""b_eff_io beside a plain loop that follows the rule of the published programs.

Both run alternating, with the same number of processes, patterns, M_PART, time per unit U and
procedure, on files in the same folder; nothing is compared with what was written, as in the
original. The loop runs in two forms: *plain* decides after each call, as the programs did; *series*
after a geometric series of calls, as the paper proposes, so that decisions cost nothing. Of each
release, type and access, of the value and of what a run takes: the medians over the rounds, the
ratios of b_eff_io to both, and their 95 % intervals (bootstrap over the rounds).

What is written must fit into the folder and, for a folder in memory, into memory: about
T/3 · bandwidth. Usage: python bench/io_original_rule.py FOLDER... [options]
"""

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
UNITS = {"1": 64 + 64 + 64, "2.1": 64 + 22 + 64}
REWRITTEN = {"1": "all", "2.1": "scatter"}
TYPES = ("scatter", "shared", "separate", "segmented", "seg-coll")
ACCESSES = ("write", "rewrite", "read")
GROWTHS = {"plain": 1.0, "series": 1.1}
"""Forms of the loop: by how much the number of calls grows from decision to decision."""
CLOSE = 0.05
RESAMPLES = 4000
_NOT_VALID = 3

Key = tuple[int, str]
"""Type, access method; behind them the value and the seconds of a run."""
VALUE, TOOK = (8, "value"), (9, "seconds")
Bandwidths = dict[Key, float]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="where both write, e.g. /dev/shm")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--time", type=float, default=6.0, help="T in seconds (default 6)")
    parser.add_argument("--max-chunk", default="8MiB", help="bound of M_PART (default 8MiB)")
    parser.add_argument("--release", choices=UNITS, action="append", help="default: both")
    parser.add_argument("--procedure", choices=("original", "cold"), default="original")
    parser.add_argument("--library", choices=("mpich", "openmpi"), default="mpich")
    return parser.parse_args()


def build(library: str) -> tuple[list[str], Path]:
    """Build both programs with a library; returns its launcher and their folder."""
    environment = ROOT / (".venv" if library == "mpich" else ".venv-openmpi")
    subprocess.run(["make", "--silent", ".venv-openmpi/.created"], cwd=ROOT, check=True)
    target = ROOT / "build" / f"bench-{library}"
    cmake = str(ROOT / ".venv/bin/cmake")
    compiler = f"-DMPI_C_COMPILER={environment / 'bin/mpicc'}"
    path = f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"
    for command in (
        [cmake, "-G", "Ninja", "-B", str(target), "-DBEFF_BENCH=ON", compiler],
        [cmake, "--build", str(target), "--target", "io_original_rule", "b_eff_io"],
    ):
        settings = {**os.environ, "PATH": path}
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, env=settings)
    options = [] if library == "mpich" else ["--allow-run-as-root", "--oversubscribe"]
    return [str(environment / "bin/mpiexec"), *options], target


class Bench:
    """Both programs in one folder with one release."""

    def __init__(self, wanted: argparse.Namespace, programs: Path, launch: list[str]) -> None:
        """`launch` starts the wanted number of processes."""
        self.wanted = wanted
        self.programs = programs
        self.launch = launch

    def ours(self, folder: Path, release: str) -> dict[str, Any]:
        """Run b_eff_io; returns its result."""
        prefix = folder / "b_eff_io"
        self._run(
            [
                *(self._program("b_eff_io"), "--path", folder, "--output", prefix, "--overwrite"),
                *("--partitions", self.wanted.processes, "--time", f"{self.wanted.time:g}s"),
                *("--release", release, "--max-chunk", self.wanted.max_chunk),
                *("--procedure", self.wanted.procedure, "--verify", "none", "--quiet"),
            ],
            (0, _NOT_VALID),
        )
        result: dict[str, Any] = json.loads(prefix.with_suffix(".json").read_text())
        if "space" in result["samples"]["stop"]:
            sys.exit(f"io_original_rule: {folder.parent} is too small; give a shorter --time")
        return result

    def plain(self, folder: Path, release: str, form: str, ours: dict[str, Any]) -> Bandwidths:
        """Run a form of the plain loop, with the M_PART of `ours`."""
        unit_s = self.wanted.time / UNITS[release]
        program = self._program("io_original_rule")
        m_part = ours["schedule"]["m_part_bytes"]
        arguments = [program, folder, release, unit_s, m_part, REWRITTEN[release], GROWTHS[form]]
        arguments.append(self.wanted.procedure)
        *lines, took = [line.split() for line in self._run(arguments, (0,)).splitlines()]
        found = {(int(row[0]), row[1]): float(row[2]) / float(row[3]) / 1e6 for row in lines}
        return {**found, VALUE: value_of(found, release), TOOK: float(took[1])}

    def _program(self, name: str) -> Path:
        folder = "bench" if name == "io_original_rule" else "engines"
        return self.programs / folder / name

    def _run(self, arguments: list[Any], expected: tuple[int, ...]) -> str:
        os.sync()
        command = [*self.launch, "-n", str(self.wanted.processes), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in expected:
            sys.exit(f"io_original_rule: {command} failed: {done.stdout}{done.stderr}")
        return done.stdout


def ratio_of_medians(ours: list[float], plain: list[float]) -> tuple[float, float, float]:
    """Return the ratio and the ends of its 95 % interval, by resampling the rounds."""
    chance = random.Random(1)
    rounds = range(len(ours))
    found = []
    for _ in range(RESAMPLES):
        drawn = chance.choices(rounds, k=len(rounds))
        found.append(
            statistics.median(ours[i] for i in drawn) / statistics.median(plain[i] for i in drawn)
        )
    cuts = statistics.quantiles(found, n=40)
    return statistics.median(ours) / statistics.median(plain), cuts[0], cuts[-1]


def bandwidths_of(ours: dict[str, Any]) -> Bandwidths:
    """Of a result of b_eff_io, with its value and what it took."""
    types = ours["types"]
    rows = zip(types["type"], types["access"], types["bandwidth_MBps"], strict=True)
    found = {(kind, access): value for kind, access, value in rows}
    value = ours["summary"]["b_eff_io_MBps"]
    return {**found, VALUE: value, TOOK: ours["elapsed_s"]}


def value_of(found: Bandwidths, release: str) -> float:
    """Condense the bandwidths of types by the release."""

    def mean(access: str, second: str) -> float:
        return (found[0, second] + sum(found[kind, access] for kind in range(5))) / 6

    if release == "2.1":
        return math.sqrt(mean("write", "rewrite") * mean("read", "read"))
    return sum(
        share * mean(access, access)
        for share, access in zip((0.25, 0.25, 0.5), ACCESSES, strict=True)
    )


def measure(bench: Bench, folder: Path, release: str) -> dict[Key, list[list[float]]]:
    """All rounds: lists of bandwidths of b_eff_io and of the loops, by type and access."""
    values: dict[Key, list[list[float]]] = defaultdict(lambda: [[], [], []])
    ours = bench.ours(folder, release)  # the first run is not counted
    forms = list(GROWTHS)
    for number in range(bench.wanted.rounds):
        for place in range(1 + len(forms)):
            which = (number + place) % (1 + len(forms))
            if which == 0:
                ours = bench.ours(folder, release)
                run = bandwidths_of(ours)
            else:
                run = bench.plain(folder, release, forms[which - 1], ours)
            for key, value in run.items():
                values[key][which].append(value)
    return values


def row(key: Key, values: list[list[float]]) -> str:
    """Return a row of the table."""
    name = TYPES[key[0]] if key[0] < len(TYPES) else "all"
    cells = [name, key[1], *(f"{statistics.median(side):.0f}" for side in values)]
    for plain in values[1:]:
        ratio, low, high = ratio_of_medians(values[0], plain)
        close = low <= 1 + CLOSE and high >= 1 - CLOSE
        verdict = "yes" if abs(ratio - 1) <= CLOSE else "noise" if close else "no"
        cells += [f"{ratio:.3f} ({low:.3f} to {high:.3f})", verdict]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure each folder and release, and print a table of each."""
    wanted = arguments()
    launch, programs = build(wanted.library)
    bench = Bench(wanted, programs, launch)
    for parent in wanted.folders:
        for release in wanted.release or UNITS:
            with tempfile.TemporaryDirectory(dir=parent, prefix="io_original_rule-") as name:
                values = measure(bench, Path(name), release)
            print(f"\n{wanted.library}, {wanted.processes} processes, {parent}, release {release},")
            rounds = f"T = {wanted.time:g} s, {wanted.rounds} rounds"
            print(f"procedure {wanted.procedure}, {rounds}; bandwidths in MB/s\n")
            heads = ["type", "access", "b_eff_io", *GROWTHS]
            for form in GROWTHS:
                heads += [f"to {form}", "5 %"]
            print(f"| {' | '.join(heads)} |")
            print("|" + len(heads) * "---|")
            for key in sorted(
                values, key=lambda it: (it[0], [*ACCESSES, VALUE[1], TOOK[1]].index(it[1]))
            ):
                print(row(key, values[key]), flush=True)


if __name__ == "__main__":
    main()
