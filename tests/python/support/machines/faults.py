"""What can be wrong with hosts and links."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beff.maps.pair_map import KINDS
from support.machines.noise import SERIES
from support.machines.ways import Floats, Mask


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


@dataclass(frozen=True)
class Loss:
    """A host loses a share of the long messages that it sends or receives.

    Each costs the time of `costs` messages until it is sent again. `per_time` counts times of the
    map instead of messages: so many of them are lengthened by one loss in each exchange.
    """

    host: int
    share: float
    costs: float = 3.0
    per_time: bool = False

    def factors(
        self, count: int, exchanges: int, messages: int, chance: np.random.Generator
    ) -> Floats:
        """Return by what it multiplies so many times: medians of five series of so many exchanges.

        `messages` are the long ones in all exchanges of a series.
        """
        if self.per_time:
            return 1 + self.costs * (chance.random(count) < self.share)
        lost = chance.binomial(messages, self.share, (count, SERIES))
        factors: Floats = 1 + self.costs * np.median(lost, axis=1) / exchanges
        return factors
