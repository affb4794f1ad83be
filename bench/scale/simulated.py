"""Simulated processes: time and memory of the simulator, by number of processes.

Set-up is b_eff --probe, everything before the first message buffer; loops are those of one ring
through all processes at one message size; b_pairs runs as beff simulate runs it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from beff.cli.simulate import DEFAULTS
from beff.simulate.networks import NETWORKS, Links, describe
from beff.simulate.programs import find_or_build_engine, find_smpirun
from beff.simulate.simulation import FOLDING, LOG, MODELS
from scale.table import Row, cost_of

LINKS = Links(
    bandwidth=12.5e9,
    latency=500e-9,
    backbone_bandwidth=12.5e9,
    backbone_latency=500e-9,
)
ONE_LOOP = ("--patterns", "5", "--sizes", "0", "--repetitions", "1", "--loop-time", "1us")
PAIRS = ("b_pairs", *DEFAULTS["b_pairs"])
CASES = {
    "set-up of b_eff": (("b_eff", "--no-check", "--probe"), (256, 1024, 4096, 16384)),
    "a loop of b_eff": (
        ("b_eff", "--no-check", *ONE_LOOP, "--methods", "sendrecv"),
        (64, 256, 1024),
    ),
    "b_pairs": (PAIRS, (16, 64, 256)),
    "b_pairs --bisection": ((*PAIRS, "--bisection"), (16, 64, 256)),
}
PARTIAL_OR_NOT_VALID = 3


def rows(largest: int) -> Iterator[Row]:
    """Yield the rows of all numbers of processes that are not larger."""
    for what, (arguments, counts) in CASES.items():
        for processes in (one for one in counts if one <= largest):
            with tempfile.TemporaryDirectory() as folder:
                yield _row(f"simulated {what}, processes", arguments, processes, Path(folder))


def _row(what: str, arguments: tuple[str, ...], processes: int, folder: Path) -> Row:
    program, *options = arguments
    platform = describe(NETWORKS["flat"], processes, None, LINKS)
    (folder / "platform.xml").write_text(platform.xml)
    (folder / "hosts").write_text("".join(f"{host}\n" for host in platform.hosts))
    command = [
        *(str(find_smpirun()), "-np", str(processes)),
        *("-platform", "platform.xml", "-hostfile", "hosts", *LOG),
        *(f"--cfg={setting}" for setting in (*MODELS["exact"], *FOLDING)),
        *(str(find_or_build_engine(None, program)), *options),
        *("--memory-per-process", "2GiB", "--seed", "1", "--quiet", "--overwrite"),
    ]
    cost = cost_of(command, folder)
    if cost.code not in (0, PARTIAL_OR_NOT_VALID):
        raise SystemExit(f"{what}: {processes} failed")
    note = f"{1024 * cost.mib / processes:.0f} KiB a process"
    return Row(what, processes, cost.seconds, cost.mib, note=note)
