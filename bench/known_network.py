#!/usr/bin/env python3
"""One small network, three ways: by arithmetic, simulated, and emulated under real MPI libraries.

Prints the table of docs/explanation/known-networks.md: bandwidth of all processes at L_max.
Usage: .venv/bin/python bench/known_network.py   (after make build and make build/openmpi/.built)
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "python")]

from cluster.emulation import Network, make_cell, reason_against  # noqa: E402
from cluster.mpi import CLUSTER_LIBRARIES, result_of  # noqa: E402

LINK = 50.0
BACKBONE = 25.0
MEMORY = "64MiB"
LARGEST = 20
PROCESSES = 4


@dataclass(frozen=True)
class Setting:
    """A network and where four processes are on it."""

    name: str
    network: Network
    simulated: tuple[str, ...]
    per_host: int = 1
    cyclic: bool = False


@dataclass(frozen=True)
class Case:
    """A pattern on a network: all processes together get `share` times the rate of a link."""

    setting: Setting
    pattern: int
    name: str
    share: float
    mbit: float

    @property
    def law(self) -> float:
        """Bandwidth in MB/s that the pattern must have."""
        return self.share * self.setting.network.payload_MBps(self.mbit)


def rate(network: Network, mbit: float) -> str:
    """Return what is left of a rate for payload, as beff simulate reads it."""
    return f"{network.payload_MBps(mbit):.6f}MB/s"


_FLAT = Network(4, LINK)
_TWO_SWITCHES = Network(4, LINK, BACKBONE)
_TWO_HOSTS = Network(2, LINK)
_LINK = f"{rate(_FLAT, LINK)},1us"
FLAT = Setting("one switch", _FLAT, ("--network", f"flat,{_LINK}"))
TWO_SWITCHES = Setting(
    "two switches",
    _TWO_SWITCHES,
    ("--network", f"two-switch,{_LINK},backbone={rate(_TWO_SWITCHES, BACKBONE)}"),
)
_ON_TWO = ("--network", f"flat:2,{_LINK}", "--placement")
BLOCK = Setting("two hosts, sequential", _TWO_HOSTS, (*_ON_TWO, "block:2"), 2)
CYCLIC = Setting("two hosts, round-robin", _TWO_HOSTS, (*_ON_TWO, "cyclic:2"), 2, cyclic=True)

# Per iteration of a ring, a process sends two messages, in a bisection one; n = 4 processes.
CASES = (
    Case(FLAT, 0, "rings of 2", 4, LINK),  # two messages leave each host: 4 * 2 L / (2 L / rate)
    Case(FLAT, 5, "one ring", 4, LINK),
    Case(FLAT, 38, "worst bisection", 4, LINK),  # one message: 4 L / (L / rate)
    Case(TWO_SWITCHES, 0, "rings of 2", 4, LINK),  # nothing crosses the backbone
    Case(TWO_SWITCHES, 5, "one ring", 4, BACKBONE),  # two of eight messages cross, each way
    Case(TWO_SWITCHES, 36, "worst cycle", 2, BACKBONE),  # four of eight cross, each way
    Case(TWO_SWITCHES, 38, "worst bisection", 2, BACKBONE),  # two of four cross, each way
    Case(BLOCK, 5, "one ring", 4, LINK),  # two of eight messages leave each host
    Case(CYCLIC, 5, "one ring", 2, LINK),  # all four messages of a host leave it
)


def bandwidths(result: dict[str, Any]) -> dict[int, float]:
    """Return the bandwidths in MB/s at L_max by pattern."""
    return {each["id"]: each["bandwidth_by_size_MBps"][LARGEST] for each in result["patterns"]}


def patterns_of(setting: Setting) -> str:
    """Return the patterns of a setting as b_eff reads them."""
    return ",".join(str(case.pattern) for case in CASES if case.setting is setting)


def simulated(setting: Setting, folder: Path) -> dict[int, float]:
    """Bandwidths by pattern; empty where nothing can be simulated."""
    measure = ["--patterns", patterns_of(setting), "--sizes", str(LARGEST)]
    given = ["--processes", str(PROCESSES)]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "beff", "simulate", *setting.simulated, *given),
            *("--output-dir", str(folder), "--", "--memory-per-process", MEMORY, *measure),
        ],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT / "python"), "PATH": f"{ROOT / '.venv/bin'}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    file = folder / f"b_eff_{PROCESSES}p.json"
    if not file.exists():
        print(f"not simulated: {done.stderr.strip()}", file=sys.stderr)
        return {}
    return bandwidths(json.loads(file.read_text(encoding="utf-8")))


def emulated(setting: Setting, folder: Path) -> list[dict[int, float]]:
    """Bandwidths by pattern for each MPI library."""
    found = []
    options = ["--memory-per-process", MEMORY, "--sizes", str(LARGEST), "--loop-time", "500ms"]
    with make_cell(setting.network) as cell:
        for library in CLUSTER_LIBRARIES:
            place = folder / library.name
            place.mkdir()
            run = library.run(
                cell,
                PROCESSES,
                *(*options, "--patterns", patterns_of(setting)),
                cwd=place,
                per_host=setting.per_host,
                cyclic=setting.cyclic,
                timeout=600,
            )
            found.append(bandwidths(result_of(run, place)))
    return found


def cell_text(value: float | None, law: float) -> str:
    """Return a bandwidth and its deviation from the law."""
    return "-" if value is None else f"{value:.2f} ({100 * (value / law - 1):+.1f} %)"


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    reason = reason_against()
    if reason is not None:
        sys.exit(f"no cluster can be emulated here: {reason}")
    names = [library.name for library in CLUSTER_LIBRARIES]
    head = [
        "network",
        "pattern",
        "law, MB/s",
        "simulated",
        *(f"emulated, {name}" for name in names),
    ]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    for setting in dict.fromkeys(case.setting for case in CASES):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            columns = [simulated(setting, folder / "simulated"), *emulated(setting, folder)]
        for case in CASES:
            if case.setting is setting:
                cells = [cell_text(column.get(case.pattern), case.law) for column in columns]
                row = [setting.name, case.name, f"{case.law:.2f}", *cells]
                print(f"| {' | '.join(row)} |", flush=True)


main()
