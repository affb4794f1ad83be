"""Machines of bench/slow_hosts are judged as before, and no innocent is accused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from slow_hosts.beff_judge import again, judgement_of, map_of, said_in
from slow_hosts.between import every_row
from slow_hosts.machine import measure
from slow_hosts.rows import Row
from slow_hosts.truth import counted

from golden.digest import digest

ROWS = every_row()
SEEDS = range(1, 6)
STORED = Path(__file__).with_name("slow_hosts.txt")


def judged(row: Row) -> str:
    """Return named, part, good, open or bad for the map of each seed, and a digest of them all."""
    words, judgements = list[str](), list[object]()
    for seed in SEEDS:
        machine, truth = row.draw(seed)
        pairs = map_of(measure(machine, seed, again))
        judgement = judgement_of(pairs, row.leaves(truth))
        counts = counted(truth, said_in(pairs, judgement))
        assert counts["innocents"] == 0, judgement
        words.append(
            next(word for word in ("named", "part", "good", "open", "bad") if counts[word])
        )
        judgements.append(judgement)
    return f"{' '.join(words)}\t{digest(judgements)}"


def stored() -> dict[str, str]:
    """Return what is stored of each row, by its name."""
    lines = STORED.read_text(encoding="utf-8").splitlines()
    return dict(reversed(line.rsplit("\t", 1)) for line in lines)


def test_each_row_is_stored() -> None:
    names = [row.name for row in ROWS]
    if "BEFF_WRITE_GOLDEN" in os.environ:
        text = "".join(f"{judged(row)}\t{row.name}\n" for row in ROWS)
        STORED.write_text(text, encoding="utf-8")
    assert list(stored()) == names


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_machines_are_judged_as_before(row: Row) -> None:
    assert judged(row) == stored()[row.name]
