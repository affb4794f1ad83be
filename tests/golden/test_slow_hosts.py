"""Machines of bench/slow_hosts are judged as before, and no innocent is accused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from slow_hosts.beff_judge import again, map_of, said_of
from slow_hosts.between import every_row
from slow_hosts.machine import measure
from slow_hosts.rows import Row
from slow_hosts.truth import counted

ROWS = every_row()
SEEDS = range(1, 6)
STORED = Path(__file__).with_name("slow_hosts.txt")


def judged(row: Row, seed: int) -> str:
    """Return named, part, good, open or bad for the map of a seed."""
    machine, truth = row.draw(seed)
    said = said_of(map_of(measure(machine, seed, again)), row.leaves(truth))
    counts = counted(truth, said)
    assert counts["innocents"] == 0, said
    return next(word for word in ("named", "part", "good", "open", "bad") if counts[word])


def stored() -> dict[str, str]:
    """Return what is stored of each row, by its name."""
    lines = STORED.read_text(encoding="utf-8").splitlines()
    return dict(reversed(line.split("\t")) for line in lines)


def test_each_row_is_stored() -> None:
    names = [row.name for row in ROWS]
    if "BEFF_WRITE_GOLDEN" in os.environ:
        lines = [" ".join(judged(row, seed) for seed in SEEDS) + f"\t{row.name}\n" for row in ROWS]
        STORED.write_text("".join(lines), encoding="utf-8")
    assert list(stored()) == names


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_machines_are_judged_as_before(row: Row) -> None:
    assert " ".join(judged(row, seed) for seed in SEEDS) == stored()[row.name]
