#!/usr/bin/env python3
"""How often a quiet run of b_eff is stamped noisy, and a disturbed one quiet.

Runs of one method, a third of an official run, in turn: with nothing beside them, with a program
that keeps 5, 10, 30 or 100 % of a core busy, and with one busy loop on each core. Prints median,
least and most of what the stamp looks at, what other programs had of the time of a process, and how
often it erred. Usage: python bench/quiet_or_noisy.py FOLDER [--rounds N] [options]; results stay in
FOLDER, and those that are there are counted, not measured again.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beff.analysis.analysis import LIMITS, analysis_of
from beff.analysis.common.wires import load_reason
from beff.model.load import Document, load_document

ROOT = Path(__file__).resolve().parents[1]
BUSY = {
    "quiet": [],
    "5 % of a core": [0.05],
    "10 % of a core": [0.1],
    "30 % of a core": [0.3],
    "one busy loop": [1.0],
    "a busy loop per core": [1.0] * (os.cpu_count() or 1),
}
MEASURES = tuple(LIMITS.__dataclass_fields__)
LOOP = """
import sys, time
busy = float(sys.argv[1])
while True:
    start = time.process_time()
    while time.process_time() - start < 0.05 * busy:
        pass
    time.sleep(0.05 * (1 - busy))
"""
"""Keeps a share of a core busy."""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the results go")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--library", choices=("mpich", "openmpi"), default="mpich")
    parser.add_argument("--bind", default="core", help="of MPICH: core or none")
    parser.add_argument("--pause", type=float, default=0, metavar="S", help="between runs")
    parser.add_argument("--load", choices=BUSY, action="append", help="default: all")
    return parser.parse_args()


@contextmanager
def busy_loops(shares: list[float]) -> Iterator[None]:
    """Keep a process computing for each share of a core."""
    running = [subprocess.Popen([sys.executable, "-c", LOOP, str(share)]) for share in shares]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def measure(wanted: argparse.Namespace, prefix: Path) -> None:
    """Run b_eff by one official method."""
    folder = ROOT / (".venv" if wanted.library == "mpich" else ".venv-openmpi")
    program = ROOT / (
        ".venv/bin/b_eff" if wanted.library == "mpich" else "build/openmpi/engines/b_eff"
    )
    options = ["--allow-run-as-root", "--oversubscribe"]
    if wanted.library == "mpich":
        options = ["-bind-to", wanted.bind]
    command = [folder / "bin/mpiexec", *options, "-n", wanted.processes, program]
    command += ["--methods", "nonblocking", "--quiet", "--output", prefix]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if not prefix.with_suffix(".json").exists():
        sys.exit(f"quiet_or_noisy: {command} failed: {done.stderr}")


def others(document: Document) -> float:
    """Return what other programs had of the time of a process."""
    load = document.fields["load"]
    return float(load["others_ms"]) / float(load["elapsed_ms"])


def row(load: str, found: list[Document]) -> str:
    """Say of the runs under a load what they were stamped for."""
    known = [noise for one in found if (noise := analysis_of(one).noise) is not None]
    columns = [[getattr(noise, name) for noise in known] for name in MEASURES]
    columns.append([others(document) for document in found])
    cells = [f"{statistics.median(c):.1%} ({min(c):.1%} to {max(c):.1%})" for c in columns]
    repetitions = sum(noise.reason is not None for noise in known)
    by_load = sum(load_reason(document.result) is not None for document in found)
    noisy = sum(analysis_of(document).why_noisy is not None for document in found)
    counts = len(found), *cells, repetitions, by_load, noisy
    return f"| {load} | {' | '.join(map(str, counts))} |"


def main() -> None:
    """Measure in turn, then print a table."""
    wanted = arguments()
    folder = wanted.folder / wanted.library
    folder.mkdir(parents=True, exist_ok=True)
    loads = wanted.load or BUSY
    for index in range(wanted.rounds):
        for load in loads:
            prefix = folder / f"{load.replace(' ', '_')}-{index}"
            if not prefix.with_suffix(".json").exists():
                with busy_loops(BUSY[load]):
                    measure(wanted, prefix)
                time.sleep(wanted.pause)
    print(f"**{wanted.library}, {wanted.processes} processes**: median (least to most)\n")
    head = "load", "runs", *MEASURES, "others", "noisy by repetitions", "by load", "noisy"
    print(f"| {' | '.join(head)} |\n{'|---' * len(head)}|")
    for load in loads:
        files = sorted(folder.glob(f"{load.replace(' ', '_')}-*.json"))
        if len(files) > 1:
            print(row(load, [load_document(file) for file in files]))


if __name__ == "__main__":
    main()
