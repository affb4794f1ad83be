#!/usr/bin/env python3
"""What b_eff measures with buffers on a GPU, beside other benchmarks of the same MPI library.

Usage: bench/gpu.py [--library LAUNCHER PROGRAMS]... [--osu FOLDER] [--memory cuda|hip]

For each library two processes exchange messages by patterns 0, 5 and 39. A row has ping-pong and
ring of two, how many messages were checked and which share of the run that took, and the two roofs.
LAUNCHER may have options, PROGRAMS is the folder of b_eff, by default that of this project. With
--osu, the folder of OSU's osu_latency and osu_bw built with the library of the last launcher, its
figures follow. A run takes two minutes at most. Sets variables of no library: export what it needs.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from common import BIN, launcher_of, options_of, skip_unless, table

LIMIT_S = 120
_DRIVERS = {"cuda": ("libcuda.so.1",), "hip": ("libamdhip64.so.7", "libamdhip64.so.6")}
_PING_PONG, _RING = 39, 0
_SENDRECV, _NONBLOCKING = 0, 2
_SHORT = ["--repetitions", "1", "--sizes", "0,12,20"]
_HEADS = [
    *("library", "ping-pong µs", "ping-pong at L_max GB/s", "ring of 2 sendrecv", "nonblocking"),
    *("copies on the device", "through the host", "checked", "wrong", "checks %", "run s"),
]


def has_driver(memory: str) -> bool:
    """Whether a driver of this kind can be loaded."""
    for name in _DRIVERS[memory]:
        with suppress(OSError):
            ctypes.CDLL(name)
            return True
    return False


def measured(launcher: list[str], programs: Path, options: list[str]) -> dict[str, Any] | str:
    """Return the result of a run, or the last words of one that failed."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*launcher, "-n", "2", str(programs / "b_eff"), *options]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        result = Path(folder) / "b_eff.json"
        if not result.exists():
            return (run.stderr.strip().splitlines() or [f"exit code {run.returncode}"])[-1]
        found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
        return found


def gbps(result: dict[str, Any], pattern: int, method: int) -> str:
    """Return the best bandwidth of all processes at L_max by a method."""
    samples, sizes = result["samples"], result["message_sizes_bytes"]
    facts = next(one for one in result["patterns"] if one["id"] == pattern)
    keys = zip(samples["pattern"], samples["method"], samples["size"], strict=True)
    rates = [
        sizes[-1] * facts["messages"] * samples["loop_length"][row] / samples["time_max_s"][row]
        for row, key in enumerate(keys)
        if key == (pattern, method, len(sizes) - 1)
    ]
    return f"{max(rates) / 1e9:.1f}" if rates else "-"


def rows_of(libraries: list[tuple[str, str]], options: list[str]) -> Iterator[list[Any]]:
    """Measure by one library after the other."""
    for launcher, programs in libraries:
        result = measured(launcher_of(launcher), Path(programs), options)
        if isinstance(result, str):
            yield [launcher, result, *["-"] * (len(_HEADS) - 2)]
            continue
        environment, check, took = (result[k] for k in ("environment", "data_check", "accounting"))
        roofs = environment["buffers"]["roofs"] or {}
        by_pattern = {one["id"]: one for one in result["patterns"]}
        yield [
            " by ".join(
                [
                    environment["mpi"]["library"].partition(",")[0],
                    *filter(None, [environment["buffers"]["transport"]]),
                ]
            ),
            f"{by_pattern[_PING_PONG]['latency_us']:.1f}",
            gbps(result, _PING_PONG, _SENDRECV),
            gbps(result, _RING, _SENDRECV),
            gbps(result, _RING, _NONBLOCKING),
            *(f"{roof / 1e3:.1f}" for roof in roofs.values()),
            *["-"] * (2 - len(roofs)),
            check["messages_checked"],
            check["wrong_messages"],
            f"{100 * took['preparation_and_checks_s'] / took['elapsed_s']:.0f}",
            f"{environment['wall_s']:.1f}",
        ]


def print_osu(launcher: list[str], folder: Path) -> None:
    """Let OSU's programs print what they measure at the ends of the sizes, device to device."""
    for program, length in (("osu_latency", "1:1"), ("osu_bw", "134217728:134217728")):
        command = [*launcher, "-n", "2", str(folder / program), "-m", length, "D", "D"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        print(f"{program}: {(run.stdout.strip() or run.stderr.strip()).splitlines()[-1:]}")


def main() -> None:
    """Measure, or say what is missing."""
    parser = options_of(__doc__)
    own = (str(BIN / "mpiexec"), str(BIN))
    parser.add_argument("--library", nargs=2, action="append", metavar=("LAUNCHER", "PROGRAMS"))
    parser.add_argument("--osu", type=Path, metavar="FOLDER")
    parser.add_argument("--memory", choices=_DRIVERS, default="cuda")
    given = parser.parse_args()
    skip_unless(has_driver(given.memory), f"a driver for {given.memory}")
    libraries = [*map(tuple, given.library)] if given.library else [own]
    options = ["--memory", given.memory, "--patterns", f"{_RING},5,{_PING_PONG}"]
    options += ["--progress", "never", "--quiet", "--time-limit", f"{LIMIT_S}s"]
    table(_HEADS, rows_of(libraries, options + (_SHORT if given.short else [])))
    if given.osu is not None:
        print_osu(launcher_of(libraries[-1][0]), given.osu)


if __name__ == "__main__":
    main()
