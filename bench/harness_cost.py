#!/usr/bin/env python3
"""What the harness adds to each message and each call of I/O, beside loops written by hand.

Of b_eff first with real messages (ratio), then with MPI calls that do nothing (difference); of
b_eff_io the bandwidth of 1 kB chunks that is left, by 2 and 4 processes with both MPI libraries.
Usage: bench/harness_cost.py [--folder FOLDER]   (nothing else should run)
"""

from __future__ import annotations

import subprocess

from common import BIN, ROOT, built, options_of


def main() -> None:
    """Print what both programs say."""
    parser = options_of(__doc__)
    parser.add_argument("--folder", default="/dev/shm", help="where b_eff_io writes")
    given = parser.parse_args()
    pairs = ["21"] if given.short else []
    launch, program = built("harness_cost")
    empty = program.parent / "null_mpi.so"
    source = ROOT / "bench" / "null_mpi.c"
    subprocess.run(
        [BIN / "mpicc", "-w", "-O2", "-shared", "-fPIC", source, "-o", empty], check=True
    )
    for what, preload in (
        ("real messages, 1 byte, two processes on shared memory", []),
        ("MPI calls that do nothing", ["-genv", "LD_PRELOAD", str(empty)]),
    ):
        print(f"{what}:", flush=True)
        subprocess.run([*launch, "-n", "2", *preload, program, *pairs], check=True)
    for library in ("mpich",) if given.short else ("mpich", "openmpi"):
        launch, program = built("io_harness_cost", library)
        for processes in ("2",) if given.short else ("2", "4"):
            print(f"b_eff_io, {library}, {processes} processes:", flush=True)
            rounds = ["3", "0.05"] if given.short else []
            subprocess.run([*launch, "-n", processes, program, given.folder, *rounds], check=True)


if __name__ == "__main__":
    main()
