"""b_eff and a map on eight emulated hosts, on two switches joined at half of a host's rate.

Links let little by at once, so that short messages take as long as the rate says, and MPICH's
processes give way while they wait, as hosts have processors of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from beff.result.load import Document, load_document
from cluster.emulation import Cell, Network
from cluster.emulation.mpi import ClusterLibrary

BACKBONE = 40.0
"""Mbit/s."""
NETWORK = Network(hosts=8, link_mbit=2 * BACKBONE, backbone_mbit=BACKBONE, burst="8kb")
DEALT = tuple(f"n{host // 2 + 4 * (host % 2)}" for host in range(8))
"""Neighbours by rank are on different switches."""
L_MAX = "256KiB"
_USUAL = (
    *("--memory-per-process", "32MiB", "--seed", "1"),
    *("--hang-limit", "60s", "--overwrite"),
)
_OF = {
    "b_eff": ("--methods", "nonblocking", "--loop-time", "30ms"),
    "b_pairs": (
        *("--duration", "5s", "--bisection", "--random-halves", "0"),
        *("--message-size", L_MAX),
    ),
}
_GIVE_WAY = {
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "1",
}


def measured(
    cell: Cell,
    library: ClusterLibrary,
    folder: Path,
    program: str,
    order: Sequence[str],
    *options: str,
) -> Document:
    """Run a program with one process on each of the hosts in this order of ranks."""
    run = library.run(
        cell,
        len(order),
        *(*_USUAL, *_OF[program], *options),
        cwd=folder,
        order=order,
        program=program,
        env=_GIVE_WAY,
        timeout=550,
    )
    assert run.returncode in {0, 3}, run.stdout + run.stderr
    document = load_document(folder / f"{program}.json")
    found = [host["name"] for host in document.fields["environment"]["hosts"]]
    assert found == list(order)
    return document
