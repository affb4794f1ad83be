"""How long messages between two hosts take, by what the two and their link have for themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from support.machines.course import Course
from support.machines.machine import Machine
from support.machines.ways import Floats, Ints, Mask


@dataclass(frozen=True)
class Flows:
    """Pairs that meet, each in its round `at` of a course.

    `way` is what they exchange: `small` or `large` messages both ways, or large ones `there`, from
    the first to the second, or `back`.
    """

    machine: Machine
    course: Course
    first: Ints
    second: Ints
    at: Ints
    chance: np.random.Generator

    def rates(self, way: str = "large") -> Floats:
        """Return what the slower of two hosts and their link allow, in ports of a host."""
        hosts = self.course.hosts["large"]
        slower = np.maximum(hosts[self.at, self.first], hosts[self.at, self.second])
        rates: Floats = 1 / (slower * self._of_links(way))
        return rates

    def small_ns(self, latency: Floats) -> Floats:
        """Return the times of short messages: each part on the way adds its own."""
        base = self.machine.base_ns["small"]
        ns = base * (1 + self._late(latency)) * self._of_links("small")
        return ns * self._chance()

    def large_ns(self, rates: Floats, latency: Floats) -> Floats:
        """Return the times of long messages at these rates, which need a handshake before."""
        base = self.machine.base_ns
        greeting = self.machine.handshakes * base["small"] * self._late(latency)
        return (base["large"] / rates + greeting) * self._chance()

    def _late(self, latency: Floats) -> Floats:
        """By how much short messages take longer than between usual neighbours, as a share."""
        hosts = self.course.hosts["small"]
        return hosts[self.at, self.first] + hosts[self.at, self.second] - 2 + latency

    def _chance(self) -> Floats:
        noise = self.machine.noise.factors(len(self.at), self.chance)
        return noise * self.course.common[self.at]

    def _of_links(self, way: str) -> Floats:
        """By how much the faults of single links lengthen each time."""
        factors = np.ones(len(self.at))
        for fault, shown in zip(self.machine.faults, self.course.shown, strict=True):
            if fault.link is None or ("small" if way == "small" else "large") not in fault.kinds:
                continue
            one, other = fault.link
            hit: Mask = (self.first == one) & (self.second == other)
            reverse: Mask = (self.first == other) & (self.second == one)
            if not fault.one_way or way == "large":
                hit = hit | reverse
            elif way == "small":
                continue
            elif way == "back":
                hit = reverse
            factors[hit & shown[self.at]] *= fault.factor
        return factors
