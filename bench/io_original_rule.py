#!/usr/bin/env python3
"""b_eff_io beside a plain loop that follows the rule of the published programs.

Both run alternating, with the same number of processes, patterns, M_PART, time per unit U and
procedure, on files in the same folder; nothing is compared with what was written, as in the
original. The loop runs in three forms: *plain* decides after each call, as the programs did;
*series* after a geometric series of calls, as the paper proposes, so that decisions cost nothing;
*posix* as series, with types 2 to 4 by the calls of the operating system. Of each
release, type and access, of the value and of what a run takes: the medians over the rounds, and of
the ratios of b_eff_io to both in a round the median with its 95 % interval (bootstrap over the
rounds). The rounds are kept in a log, to which a later call with the same settings adds.

What is written must fit into the folder and, for a folder in memory, into memory: about
T/3 · bandwidth. Usage: bench/io_original_rule.py [FOLDER...] [options]
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from common import BIN, ROOT, built, median_interval, options_of, table

OPENMPI = ROOT / "build" / "openmpi" / "engines"
UNITS = {"1": 64 + 64 + 64, "2.1": 64 + 22 + 64}
REWRITTEN = {"1": "all", "2.1": "scatter"}
TYPES = ("scatter", "shared", "separate", "segmented", "seg-coll")
ACCESSES = ("write", "rewrite", "read")
FORMS = {"plain": (1.0, "mpi"), "series": (1.1, "mpi"), "posix": (1.1, "posix")}
"""Forms of the loop: by how much the number of calls grows from decision to decision; calls."""
OURS = "b_eff_io"
LOOP = "io_original_rule"
CLOSE = 0.05
WARM_UP_S = 1.0
_NOT_VALID = 3

VALUE, WRITTEN, TOOK = "value", "MB written", "seconds"
ROWS = (*(f"{kind} {access}" for kind in TYPES for access in ACCESSES), VALUE, WRITTEN, TOOK)
Bandwidths = dict[str, float]
"""By type and access method; behind them value, amount and seconds of a run."""
Round = dict[str, Bandwidths]
"""By program: OURS or a form of the loop."""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = options_of(__doc__)
    parser.add_argument("folders", type=Path, nargs="*", default=[Path("/dev/shm")])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--time", type=float, default=6.0, help="T in seconds (default 6)")
    parser.add_argument("--max-chunk", default="8MiB", help="bound of M_PART (default 8MiB)")
    parser.add_argument("--release", choices=UNITS, action="append", help="default: both")
    parser.add_argument("--procedure", choices=("original", "cold"), default="original")
    parser.add_argument("--library", choices=("mpich", "openmpi"), default="mpich")
    parser.add_argument("--form", choices=FORMS, action="append", help="default: plain, series")
    parser.add_argument("--rest", type=float, default=0.0, help="seconds before each run")
    parser.add_argument("--log", type=Path, help="file of JSON lines, a round each")
    wanted = parser.parse_args()
    if wanted.short:
        wanted.rounds, wanted.time, wanted.release = 2, 1.0, ["2.1"]
    return wanted


def build(library: str) -> tuple[list[str], dict[str, Path]]:
    """Build the loop with a library; returns its launcher and where both programs are."""
    launch, loop = built(LOOP, library)
    return launch, {OURS: BIN / OURS if library == "mpich" else OPENMPI / OURS, LOOP: loop}


class Bench:
    """Both programs in one folder with one release."""

    def __init__(
        self, wanted: argparse.Namespace, programs: dict[str, Path], launch: list[str]
    ) -> None:
        """`launch` starts the wanted number of processes."""
        self.wanted = wanted
        self.programs = programs
        self.launch = launch

    def ours(self, folder: Path, release: str, time_s: float) -> dict[str, Any]:
        """Run b_eff_io; returns its result."""
        prefix = folder / OURS
        self._run(
            [
                *(self.programs[OURS], "--path", folder, "--output", prefix, "--overwrite"),
                *("--partitions", self.wanted.processes, "--time", f"{time_s:g}s"),
                *("--release", release, "--max-chunk", self.wanted.max_chunk),
                *("--procedure", self.wanted.procedure, "--verify", "none", "--quiet"),
            ],
            (0, _NOT_VALID),
        )
        result: dict[str, Any] = json.loads(prefix.with_suffix(".json").read_text())
        if "space" in result["samples"]["stop"]:
            sys.exit(f"io_original_rule: {folder.parent} is too small; give a shorter --time")
        return result

    def plain(self, folder: Path, release: str, form: str, m_part: int) -> Bandwidths:
        """Run a form of the plain loop, with the M_PART of b_eff_io."""
        unit_s = self.wanted.time / UNITS[release]
        program = self.programs[LOOP]
        arguments = [program, folder, release, unit_s, m_part, REWRITTEN[release]]
        growth, calls = FORMS[form]
        arguments += [growth, self.wanted.procedure, calls]
        *lines, took = [line.split() for line in self._run(arguments, (0,)).splitlines()]
        found = {
            f"{TYPES[int(kind)]} {access}": float(size) / float(time_s) / 1e6
            for kind, access, size, time_s in lines
        }
        written = sum(float(size) for _, access, size, _ in lines if access == ACCESSES[0]) / 1e6
        return {
            **found,
            VALUE: value_of(found, release),
            WRITTEN: written,
            TOOK: float(took[1]),
        }

    def _run(self, arguments: list[Any], expected: tuple[int, ...]) -> str:
        os.sync()
        time.sleep(self.wanted.rest)  # a disk may give more for a while after it had nothing to do
        command = [*self.launch, "-n", str(self.wanted.processes), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in expected:
            sys.exit(f"io_original_rule: {command} failed: {done.stdout}{done.stderr}")
        return done.stdout


def bandwidths_of(ours: dict[str, Any]) -> Bandwidths:
    """Of a result of b_eff_io, with its value and what it took."""
    types = ours["types"]
    rows = zip(types["type"], types["access"], types["bandwidth_MBps"], strict=True)
    found = {f"{TYPES[kind]} {access}": value for kind, access, value in rows}
    summary = ours["summary"]
    return {
        **found,
        VALUE: summary["b_eff_io_MBps"],
        WRITTEN: summary["bytes_per_access"][ACCESSES[0]] / 1e6,
        TOOK: ours["elapsed_s"],
    }


def value_of(found: Bandwidths, release: str) -> float:
    """Condense the bandwidths of types by the release."""

    def mean(access: str, second: str) -> float:
        of_types = sum(found[f"{kind} {access}"] for kind in TYPES)
        return (found[f"{TYPES[0]} {second}"] + of_types) / 6

    if release == "2.1":
        return math.sqrt(mean("write", "rewrite") * mean("read", "read"))
    return sum(
        share * mean(access, access)
        for share, access in zip((0.25, 0.25, 0.5), ACCESSES, strict=True)
    )


def measure(bench: Bench, folder: Path, release: str) -> Iterator[Round]:
    """Yield round by round; each program follows each other one, as a run finds what was left."""
    m_part = bench.ours(folder, release, WARM_UP_S)["schedule"]["m_part_bytes"]
    programs = [OURS, *(bench.wanted.form or ("plain", "series"))]
    for number in range(bench.wanted.rounds):
        found = {}
        for place in range(len(programs)):
            name = programs[(number + (1, -1)[number % 2] * place) % len(programs)]
            if name == OURS:
                found[name] = bandwidths_of(bench.ours(folder, release, bench.wanted.time))
            else:
                found[name] = bench.plain(folder, release, name, m_part)
        yield found


def row(key: str, rounds: list[Round]) -> list[str]:
    """Return a row of the table."""
    sides = {
        name: [one[name][key] for one in rounds] for name in (OURS, *FORMS) if name in rounds[0]
    }
    cells = [key, *(f"{statistics.median(side):.0f}" for side in sides.values())]
    for name in FORMS:
        if name in sides:
            ratios = [mine / other for mine, other in zip(sides[OURS], sides[name], strict=True)]
            ratio, low, high = median_interval(ratios)
            holds = low <= 1 + CLOSE and high >= 1 - CLOSE
            verdict = "yes" if abs(ratio - 1) <= CLOSE else "noise" if holds else "no"
            cells += [f"{ratio:.3f} ({low:.3f} to {high:.3f})", verdict]
    return cells


def kept(log: Path | None, about: str) -> list[Round]:
    """Return the rounds of earlier calls with the same settings."""
    lines = log.read_text().splitlines() if log is not None and log.exists() else []
    return [line["round"] for line in map(json.loads, lines) if line["about"] == about]


def main() -> None:
    """Measure each folder and release, and print a table of each."""
    wanted = arguments()
    launch, programs = build(wanted.library)
    bench = Bench(wanted, programs, launch)
    for parent in wanted.folders:
        for release in wanted.release or UNITS:
            about = (
                f"{wanted.library}, {wanted.processes} processes, {parent}, release {release},"
                f" procedure {wanted.procedure}, T = {wanted.time:g} s,"
                f" chunks up to {wanted.max_chunk}"
                + (f", {wanted.rest:g} s of rest before each run" if wanted.rest else "")
            )
            rounds = kept(wanted.log, about)
            with tempfile.TemporaryDirectory(dir=parent, prefix="io_original_rule-") as name:
                for both in measure(bench, Path(name), release):
                    rounds.append(both)
                    if wanted.log is not None:
                        with wanted.log.open("a") as log:
                            log.write(json.dumps({"about": about, "round": both}) + "\n")
            forms = [name for name in FORMS if name in rounds[0]]
            heads = [OURS, *forms, *(it for name in forms for it in (f"to {name}", "5 %"))]
            print(f"\n{about}, {len(rounds)} rounds; bandwidths in MB/s\n")
            keys = (key for key in ROWS if key in rounds[0][OURS])
            table(["type, access", *heads], (row(key, rounds) for key in keys))


if __name__ == "__main__":
    main()
