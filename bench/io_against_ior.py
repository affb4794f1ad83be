#!/usr/bin/env python3
"""b_eff_io beside IOR: the same type, chunk size, amount and number of processes, by MPI-IO.

Types 2 to 4 have an exact counterpart in IOR: a file per process (-F), one block per process in a
shared file, and the same with collective calls (-c). Each round measures b_eff_io and then IOR with
the counts that b_eff_io made, so that both meet the same state of the machine; the ratios of all
rounds give the median. IOR counts open and close, b_eff_io's patterns do not: with small amounts
IOR looks slower than it is.

Usage: python bench/io_against_ior.py FOLDER [--processes N] [--rounds N] [--mpiexec COMMAND]
"""

import argparse
import json
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

IOR_OPTIONS = {2: ["-F"], 3: [], 4: ["-c"]}
"""Pattern type → what makes IOR do the same."""
_MAX_LINE = re.compile(r"Max (Write|Read):.*\(([0-9.]+) MB/sec\)")
_NOT_VALID = 3

Key = tuple[int, int, str]
"""Type, chunk size in byte, access method."""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where both write their files")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--mpiexec", default="mpiexec", help="launcher, with its options")
    return parser.parse_args()


def run_b_eff_io(launch: list[str], folder: Path, processes: int) -> dict[str, Any]:
    """Measure a bounded schedule of one partition; returns the result file."""
    prefix = folder / "b_eff_io"
    command = [
        *launch, "b_eff_io", "--path", str(folder), "--partitions", str(processes),
        "--time", "30s", "--max-data", "2GiB", "--max-chunk", "2MiB",
        "--output", str(prefix), "--overwrite", "--quiet",
    ]  # fmt: skip
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, _NOT_VALID):
        sys.exit(f"io_against_ior: b_eff_io ended with exit code {done.returncode}")
    result: dict[str, Any] = json.loads(prefix.with_suffix(".json").read_text())
    return result


def rows(result: dict[str, Any]) -> dict[Key, tuple[int, float]]:
    """Return calls of each process and bandwidth in MB/s of the patterns that IOR can repeat."""
    patterns = {pattern["number"]: pattern for pattern in result["patterns"]}
    samples = result["samples"]
    found = {}
    for number, access, calls, value in zip(
        samples["pattern"], samples["access"], samples["repetitions"], samples["bandwidth_MBps"],
        strict=True,
    ):  # fmt: skip
        pattern = patterns[number]
        if pattern["type"] in IOR_OPTIONS and pattern["U"] and value and access != "rewrite":
            found[pattern["type"], pattern["l_bytes"], access] = (calls, value)
    return found


def run_ior(launch: list[str], folder: Path, kind: int, chunk: int, calls: int) -> dict[str, float]:
    """Write and read as much; returns MB/s by access method."""
    command = [
        *launch, "ior", "-a", "MPIIO", "-w", "-r", "-e", "-t", str(chunk), "-b", str(chunk * calls),
        "-o", str(folder / "ior"), *IOR_OPTIONS[kind],
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = {access.lower(): float(value) for access, value in _MAX_LINE.findall(done.stdout)}
    if done.returncode != 0 or len(found) != 2:
        sys.exit(f"io_against_ior: {shlex.join(command)} gave no bandwidths: {done.stderr.strip()}")
    return found


def main() -> None:
    """Measure all rounds and print the medians."""
    wanted = arguments()
    if shutil.which("ior") is None:
        sys.exit("io_against_ior: there is no ior on PATH; install it for the same MPI, try again")
    launch = [*shlex.split(wanted.mpiexec), "-n", str(wanted.processes)]
    ratios: dict[Key, list[float]] = defaultdict(list)
    for _ in range(wanted.rounds):
        with tempfile.TemporaryDirectory(dir=wanted.folder, prefix="io_against_ior-") as name:
            folder = Path(name)
            ours = rows(run_b_eff_io(launch, folder, wanted.processes))
            for (kind, chunk, access), (calls, _) in ours.items():
                if access == "write":
                    theirs = run_ior(launch, folder, kind, chunk, calls)
                    for both in ("write", "read"):
                        if (kind, chunk, both) in ours:
                            ratio = ours[kind, chunk, both][1] / theirs[both]
                            ratios[kind, chunk, both].append(ratio)
    print("type  chunk [byte]  access  b_eff_io / IOR: median, smallest, largest")
    for (kind, chunk, access), values in ratios.items():
        print(
            f"{kind:4}  {chunk:12}  {access:6}  {statistics.median(values):21.3f}"
            f"  {min(values):8.3f}  {max(values):7.3f}"
        )


if __name__ == "__main__":
    main()
