"""Results of the network as a whole, by a scripted machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scripted_machine import write_pairs


class Script:
    """Pairs have 2 GB/s both ways, hosts 1 and 6 a quarter of it; two processes fill a port."""

    def times(
        self, number: int, round_: int, pairs: list[tuple[int, int]], ways: str
    ) -> list[tuple[int | None, int | None]]:
        return [(1_000 if ways == "both" else None, 100_000) for _ in pairs]

    def crosses(
        self, number: int, place: int, pairs: list[tuple[int, int]], processes: int, traffic: str
    ) -> list[int]:
        if traffic == "messages":
            return [64_000 for _ in pairs]
        shared = 16_777_216 * max(1.0, processes / 2)
        return [round(shared * (4 if pair == (1, 6) else 1)) for pair in pairs]

    def stops(self) -> bool:
        return False


def _write_run(folder: Path, **whole: Any) -> Path:
    """Write result and journal of 8 hosts with 4 processes each; return the result."""
    plan = {"processes": 32, "hosts": 8, "memory": 2**31, "duration": 1.0, **whole}
    folder.mkdir()
    return write_pairs(folder, Script(), **plan)


@pytest.fixture
def whole_network(tmp_path: Path) -> Path:
    """The result of a run that measured all, with its journal beside it."""
    return _write_run(tmp_path / "whole", bisection={"random_halves": 1}, per_host=[1, 2, 0])


@pytest.fixture
def only_map(tmp_path: Path) -> Path:
    """The result of a run that measured a map alone."""
    return _write_run(tmp_path / "map")
