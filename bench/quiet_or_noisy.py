#!/usr/bin/env python3
"""How often a quiet run of b_eff is stamped noisy, and a disturbed one quiet.

Runs of one method, a third of an official run, in turn: with nothing beside them, with one busy
loop on each core, and with a single busy loop. Prints median, least and most of what the stamp
looks at, and how often it erred. Usage: python bench/quiet_or_noisy.py FOLDER [--rounds N]
[options]; results stay in FOLDER, and those that are there are counted, not measured again.
"""

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beff.analysis.steadiness import LIMITS, Noise, noise_of
from beff.model.load import load_document

ROOT = Path(__file__).resolve().parents[1]
BUSY = {"quiet": 0, "one busy loop": 1, "a busy loop per core": os.cpu_count() or 1}
MEASURES = tuple(LIMITS.__dataclass_fields__)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the results go")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--library", choices=("mpich", "openmpi"), default="mpich")
    parser.add_argument("--load", choices=BUSY, action="append", help="default: all")
    return parser.parse_args()


@contextmanager
def busy_loops(number: int) -> Iterator[None]:
    """Keep that many processes computing."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
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
    options = [] if wanted.library == "mpich" else ["--allow-run-as-root", "--oversubscribe"]
    command = [folder / "bin/mpiexec", *options, "-n", wanted.processes, program]
    command += ["--methods", "nonblocking", "--quiet", "--output", prefix]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if not prefix.with_suffix(".json").exists():
        sys.exit(f"quiet_or_noisy: {command} failed: {done.stderr}")


def noises(folder: Path, load: str) -> list[Noise]:
    """Read what was measured under a load."""
    found = (noise_of(load_document(file)) for file in sorted(folder.glob(f"{load}-*.json")))
    return [noise for noise in found if noise is not None]


def main() -> None:
    """Measure in turn, then print a table."""
    wanted = arguments()
    folder = wanted.folder / wanted.library
    folder.mkdir(parents=True, exist_ok=True)
    for index in range(wanted.rounds):
        for load in wanted.load or BUSY:
            prefix = folder / f"{load.replace(' ', '_')}-{index}"
            if not prefix.with_suffix(".json").exists():
                with busy_loops(BUSY[load]):
                    measure(wanted, prefix)
    print(f"**{wanted.library}, {wanted.processes} processes**: median (least to most)\n")
    print("| load | runs |", " | ".join(MEASURES), "| noisy |")
    print("|---" * (len(MEASURES) + 3) + "|")
    for load in BUSY:
        found = noises(folder, load.replace(" ", "_"))
        if len(found) > 1:
            columns = [[getattr(noise, name) for noise in found] for name in MEASURES]
            cells = [f"{statistics.median(c):.1%} ({min(c):.1%} to {max(c):.1%})" for c in columns]
            noisy = sum(noise.reason is not None for noise in found)
            print(f"| {load} | {len(found)} |", " | ".join(cells), f"| {noisy} |")


if __name__ == "__main__":
    main()
