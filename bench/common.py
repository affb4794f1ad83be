"""What benches share: where programs are, how they are built and started, tables in Markdown.

Each bench is a program with `--short`, the form that `make bench` runs: little of everything, to
see that it works and what it prints. `make bench-NAME` runs one in full; `ARGS` are its options.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BIN = ROOT / ".venv" / "bin"
BINDING = ROOT / "build" / "openmpi" / "tests" / "core" / "binding"
"""Where the module of the C++ core is that made-up results come from."""
sys.path[:0] = [
    *(str(ROOT / part) for part in ("tests", "tests/python", "python")),
    str(BINDING),
]
_RESAMPLES = 4000


def options_of(doc: str | None) -> argparse.ArgumentParser:
    """Return the parser of a bench; its help is the first paragraph of the text of the module."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n\n")[0])
    parser.add_argument("--short", action="store_true", help="a little of everything")
    return parser


def skip_unless(met: bool, needs: str) -> None:
    """End well, with a sentence, where the machine lacks what a bench needs."""
    if not met:
        print(f"not measured here: needs {needs}")
        sys.exit(0)


def table(heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print a table, each row as soon as it is made."""
    heads = list(heads)
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}", flush=True)
    for cells in rows:
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
    print()


def launcher_of(text: str) -> list[str]:
    """Return the words of a launcher with its options, the first as an absolute path."""
    command, *rest = shlex.split(text)
    return [shutil.which(command) or str(Path(command).absolute()), *rest]


def built(target: str, library: str = "mpich") -> tuple[list[str], Path]:
    """Build a program of this folder; return a launcher of that MPI library, and the program."""
    environment = BIN if library == "mpich" else ROOT / ".venv-openmpi" / "bin"
    build = ROOT / "build" / f"bench-{library}"
    settings = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    setup = ["-G", "Ninja", "-DBEFF_BENCH=ON", "-DCMAKE_UNITY_BUILD=ON"]
    setup.append(f"-DMPI_C_COMPILER={environment / 'mpicc'}")
    configure = [*setup, "-S", ROOT, "-B", build]
    make = ["--build", build, "--target", target, "--", "--quiet"]
    for words, shown in ((configure, subprocess.DEVNULL), (make, None)):
        command = [str(word) for word in (BIN / "cmake", *words)]
        subprocess.run(command, check=True, stdout=shown, env=settings)
    more = [] if library == "mpich" else ["--allow-run-as-root", "--oversubscribe"]
    return [str(environment / "mpiexec"), *more], build / "bench" / target


def median_interval(ratios: Sequence[float]) -> tuple[float, float, float]:
    """Return the median and the ends of its 95 % interval, by the bootstrap."""
    chance = random.Random(1)
    drawn = (chance.choices(ratios, k=len(ratios)) for _ in range(_RESAMPLES))
    cuts = statistics.quantiles(map(statistics.median, drawn), n=40)
    return statistics.median(ratios), cuts[0], cuts[-1]
