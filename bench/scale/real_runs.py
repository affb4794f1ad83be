"""Real runs with more processes than cores: collectives, opens, gathers and memory of each."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scale.table import Row, cost_of

COUNTS = {"b_eff": (4, 16, 64), "b_pairs": (4, 16, 64), "b_eff_io": (4, 16)}
SHIM = Path(__file__).with_name("counted_calls.c")
BIN = Path(sys.executable).parent
SHORT = (
    "--memory-per-process",
    "64MiB",
    "--seed",
    "1",
    "--quiet",
    "--overwrite",
    "--output",
    "run",
)
PROGRAMS = {
    "b_eff": ("--patterns", "0", "--sizes", "0", "--repetitions", "1", "--methods", "sendrecv"),
    "b_pairs": ("--duration", "1ms"),
    "b_eff_io": ("--path", ".", "--time", "1s", "--max-chunk", "2MiB", "--max-data", "1GiB"),
}


@dataclass(frozen=True)
class Counts:
    """What one process has counted."""

    rank: int
    collectives: int
    mpi_opens: int
    opens: int
    removals: int
    gathered: int
    kib: int


def shim(folder: Path) -> Path:
    """Build the library that counts."""
    made = folder / "counted_calls.so"
    compiler = [str(BIN / "mpicc"), "-shared", "-fPIC", "-O2", "-o", str(made), str(SHIM), "-ldl"]
    subprocess.run(compiler, check=True)
    return made


def rows(largest: int) -> Iterator[Row]:
    """Yield the rows of all numbers of processes that are not larger."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        library = shim(folder)
        for program, options in PROGRAMS.items():
            for processes in (one for one in COUNTS[program] if one <= largest):
                yield _row(program, options, processes, folder, library)


def _row(
    program: str, options: tuple[str, ...], processes: int, folder: Path, library: Path
) -> Row:
    counts = folder / f"{program}-{processes}"
    command = [
        *(str(BIN / "mpiexec"), "-n", f"{processes}", "-env", "LD_PRELOAD", str(library)),
        *(str(BIN / program), *SHORT, *options),
    ]
    cost = cost_of(command, folder, BEFF_COUNTS=str(counts), BEFF_FILES="b_eff_io-", **_waits())
    if cost.code not in (0, 3):
        raise SystemExit(f"{' '.join(command)} failed")
    found = [Counts(*map(int, line.split())) for line in counts.read_text("utf-8").splitlines()]
    most = max(one.collectives for one in found)
    note = f"{most} collectives, {max(one.gathered for one in found)} B to gathers of a process"
    if program == "b_eff_io":
        note += (
            f", opens of a process {max(one.mpi_opens for one in found)} by MPI and"
            f" {max(one.opens for one in found)} of files,"
            f" {max(one.removals for one in found)} removals"
        )
    return Row(
        f"whole short run of {program}, processes",
        processes,
        cost.seconds,
        max(one.kib for one in found) / 1024,
        (folder / "run.json").stat().st_size,
        note,
    )


def _waits() -> dict[str, str]:
    """Return what makes MPICH's processes give their core away while they wait."""
    return {"MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1", "HOME": os.environ.get("HOME", "/")}
