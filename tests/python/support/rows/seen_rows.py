"""Machines of two leaves on which nothing is wrong, and where a judge called hosts bad."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from support.machines.leaves import leaves
from support.machines.machine import Machine
from support.machines.noise import Noise
from support.rows.clean_rows import named
from support.rows.row import Row, percent, row
from support.rows.truth import CLEAN, UNDECIDABLE

_LAW = Machine(leaves(1, 1), handshakes=0, day=0, host_day=0)
"""Only short messages take longer between leaves."""
_HOPS = (1.2, 1.25, 1.3, 1.35, 1.4)
_SEEN = (
    ((8, 8), 200, 0.02),
    ((8, 8), 200, 0.03),
    ((8, 8), 60, 0.03),
    ((4, 4), 200, 0.01),
    ((11, 5), 200, 0.02),
    ((6, 2), 200, 0.02),
    ((15, 1), 60, 0.03),
)
"""Leaves, passes, noise."""


def seen_rows(units: int) -> Iterator[Row]:
    """Return those of so many hosts."""
    for sizes, passes, noise in _SEEN:
        if sum(sizes) != units:
            continue
        truth = UNDECIDABLE if 1 in sizes else CLEAN
        for hop in _HOPS:
            tree = leaves(*sizes, hop=hop)
            machine = replace(_LAW, topology=tree, passes=passes, noise=Noise(noise))
            name = f"once accused: {named(sizes)} x {hop}, {passes} passes, noise {percent(noise)}"
            yield row(name, machine, truth)
