"""What can be wrong with hosts and links."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beff.definition.imported_pairs import KINDS
from support.machines.ways import Mask


@dataclass(frozen=True)
class Fault:
    """Hosts, one link between two hosts, or links of the topology take `factor` times as long.

    It counts for messages of the `kinds`; `one_way` for long ones from the first to the second host
    of the link only. It is there in a share `time` of the rounds: scattered over them, or in so
    many `stretches`.
    """

    factor: float
    hosts: tuple[int, ...] = ()
    link: tuple[int, int] | None = None
    one_way: bool = False
    uplinks: tuple[int, ...] = ()
    kinds: tuple[str, ...] = KINDS
    time: float = 1.0
    stretches: int = 0

    def is_there(self, rounds: int, chance: np.random.Generator) -> Mask:
        """Return in which of the rounds, in their order, it shows."""
        if self.time >= 1:
            return np.ones(rounds, dtype=bool)
        if not self.stretches:
            return chance.random(rounds) < self.time
        part = rounds / self.stretches
        begins = part * (
            np.arange(self.stretches) + (1 - self.time) * chance.random(self.stretches)
        )
        number = np.minimum(np.arange(rounds) // part, self.stretches - 1).astype(int)
        since = np.arange(rounds) - begins[number]
        return (since >= 0) & (since < self.time * part)
