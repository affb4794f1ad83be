#!/usr/bin/env python3
"""What the harness adds to each message and each call of I/O, beside loops written by hand.

Of b_eff first with real messages (ratio), then with MPI calls that do nothing (difference); of
b_eff_io the bandwidth of 1 kB chunks that is left, by 2 and 4 processes with both MPI libraries:
where as many calls are made in one go (decisions), and without any check, too (all).
Usage: bench/harness_cost.py [--folder FOLDER]   (nothing else should run)
"""

from __future__ import annotations

import itertools
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from common import BIN, ROOT, options_of, table
from scipy.stats import bootstrap

from engines.support import MPICH, OPENMPI, Library


def built(target: str, library: Library) -> tuple[tuple[str, ...], Path]:
    """Build a program of this folder; return a launcher of that MPI library, and the program."""
    build = ROOT / "build" / f"bench-{library.name}"
    mpicc = library.headers.parent / "bin" / "mpicc"
    settings = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    setup = ["-G", "Ninja", "--log-level=WARNING", "-DBEFF_BENCH=ON", "-DCMAKE_UNITY_BUILD=ON"]
    configure = [*setup, f"-DMPI_C_COMPILER={mpicc}", "-S", ROOT, "-B", build]
    for words in (configure, ["--build", build, "--target", target, "--", "--quiet"]):
        subprocess.run([BIN / "cmake", *words], check=True, env=settings)
    return library.mpiexec, build / "bench" / target


def measured(command: list[object]) -> Iterator[tuple[str, list[list[float]]]]:
    """Run a program; yield the name of each of its rows, and the columns of figures."""
    run = subprocess.run([*map(str, command)], check=True, stdout=subprocess.PIPE, text=True)
    lines = (line.split(",") for line in run.stdout.splitlines())
    for name, rounds in itertools.groupby(lines, lambda line: line[0]):
        yield name, np.array([line[1:] for line in rounds], dtype=float).T.tolist()


def ratio(over: list[float], under: list[float]) -> str:
    """Return the median of the ratios of rounds, and its 95 % interval by the bootstrap."""
    ratios = np.divide(over, under)
    few = {"n_resamples": 4000, "method": "percentile", "rng": 1}
    ends = bootstrap((ratios,), np.median, **few).confidence_interval
    return f"{np.median(ratios):.3f} ({ends.low:.3f} to {ends.high:.3f})"


def main() -> None:
    """Print a table of each."""
    parser = options_of(__doc__)
    parser.add_argument("--folder", default="/dev/shm", help="where b_eff_io writes")
    given = parser.parse_args()
    launch, program = built("harness_cost", MPICH)
    empty = program.parent / "null_mpi.so"
    source = ROOT / "bench" / "null_mpi.c"
    subprocess.run(
        [BIN / "mpicc", "-w", "-O2", "-shared", "-fPIC", source, "-o", empty], check=True
    )
    for calls, preload in (("real", []), ("empty", ["-genv", "LD_PRELOAD", empty])):
        command = [*launch, "-n", "2", *preload, program, *(["21"] if given.short else [])]
        table(
            [f"1 byte, {calls} calls", "by hand, ns", "engine, ns", "ratio"],
            (
                [name, f"{np.median(bare):.1f}", f"{np.median(ours):.1f}", ratio(ours, bare)]
                for name, (bare, ours) in measured(command)
            ),
        )
    for library in (MPICH,) if given.short else (MPICH, OPENMPI):
        launch, program = built("io_harness_cost", library)
        for processes in (2,) if given.short else (2, 4):
            rounds = ["3", "0.05"] if given.short else []
            command = [*launch, "-n", processes, program, given.folder, *rounds]
            table(
                [f"{library.name}, {processes} processes", "a call, us", "decisions", "all"],
                (
                    [name, f"{np.median(bare):.2f}", ratio(in_one_go, ours), ratio(bare, ours)]
                    for name, (ours, in_one_go, bare) in measured(command)
                ),
            )


if __name__ == "__main__":
    main()
