"""Networks that are scripts: what b_eff and b_pairs measure on them, by the programs' own core.

Times follow from arithmetic and check sums, so that they are the same on every machine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from program_core import core, pairs
from scripted_machine import Order, b_pairs, journal_of, run

Fields = dict[str, Any]
Pair = tuple[int, int]
_PORT, _INSIDE = 10e9, 8e9
"""What a host, and a process within its host, sends and at once receives, in byte/s."""
_LATENCY_S, _FURTHER = 1.5e-6, 1.25
"""Of a short message, and how many times as long it takes to another switch."""
_LARGE = 1 << 20
"""Bytes."""


@dataclass(frozen=True)
class Network:
    """Hosts behind one switch, or behind switches of `leaf` hosts with uplinks of so many ports.

    `slow` has factors of time, by host or by the two ends of a link, which show in a share `seldom`
    of the rounds. Chance makes times longer by a share of up to `noise`; `day` is its seed.
    """

    hosts: int = 8
    per_host: int = 1
    leaf: int = 1 << 20
    uplink: float = 2.0
    slow: Mapping[tuple[int, ...], float] = field(default_factory=dict)
    seldom: float = 1.0
    noise: float = 0.02
    day: int = 1

    def chance(self, *keys: object) -> float:
        """Return a number of [0, 1) that only these keys decide."""
        return crc32(repr((self.day, *keys)).encode()) / 2**32

    def late(self, *keys: object) -> float:
        """Return how many times as long chance makes something take."""
        return 1 + self.noise * self.chance(*keys)

    def factor(self, pair: Pair, *at: object) -> float:
        """Return how many times as long messages of two hosts take in a round."""
        shows = self.chance("seldom", *at) < self.seldom
        factors = (factor for ends, factor in self.slow.items() if {*ends} <= {*pair})
        return max(factors, default=1.0) if shows else 1.0

    def crosses(self, pair: Pair) -> bool:
        """Return whether messages of two hosts go by uplinks."""
        return pair[0] // self.leaf != pair[1] // self.leaf

    def recorded(self, fields: Fields) -> Fields:
        """Return the result of a scripted run as one on these hosts and of this day."""
        each = "" if self.per_host == 1 else f"x{self.per_host}"
        fields["environment"] |= {
            "hosts": [{"name": f"h{n}", "processes": self.per_host} for n in range(self.hosts)],
            "host_list": f"h[0-{self.hosts - 1}]" if self.hosts > 1 else "h0",
            "nodes": self.hosts,
            "placement": " ".join(f"{host}{each}" for host in range(self.hosts)),
            "cores_per_node_min": self.per_host,
            "started_at": f"2026-03-{self.day:02}T08:00:00Z",
            "finished_at": f"2026-03-{self.day:02}T08:10:00Z",
        }
        return fields

    def b_eff(self, stop_after: int | None = None, **plan: Any) -> Fields:
        """Return the result of b_eff, which ends with that loop."""
        processes = self.hosts * self.per_host
        needs = {one.id: self._needs(one) for one in core.make_patterns(processes, 1, False)}

        def time_of(order: Order) -> float:
            latency_s, s_per_byte = needs[order["pattern"]]
            once = latency_s + order["size_bytes"] * s_per_byte
            once *= 1.0 if order["method"] in {"sendrecv", "nonblocking"} else 1.3
            chance = self.late(*(order[key] for key in ("pattern", "size_bytes", "repetition")))
            return float(order["loop_length"] * once * chance)

        return self.recorded(run(time_of, stop_after, processes=processes, **plan).result)

    def _needs(self, pattern: Any) -> tuple[float, float]:
        """Return the latency of an iteration, and what the narrowest place needs for a byte."""
        taken, steps = defaultdict[tuple[str, int], float](float), 0
        for rank in range(pattern.processes):
            others = [other for other, _ in pattern.peers[rank] if other not in {-1, rank}]
            steps = max(steps, len(others))
            for other in others:
                here, there = rank // self.per_host, other // self.per_host
                if here == there:
                    taken["process", rank] += 1 / _INSIDE
                else:
                    taken["port", here] += self.factor((here, there)) / _PORT
                    up = self.crosses((here, there)) / self.uplink / _PORT
                    taken["uplink", here // self.leaf] += up
        turns = 2 if pattern.concurrent_senders == 1 else 1
        return turns * steps * _LATENCY_S, turns * max(taken.values())

    def b_pairs(self, stop_after: int | None = None) -> tuple[Fields, str]:
        """Return a result of 20 passes, or which ends in that meeting, and the journal of it."""
        a_pass = self.hosts - 1 + self.hosts % 2
        plan = {"processes": self.hosts * self.per_host, "hosts": self.hosts, "seed": self.day}
        plan["duration"] = 20 * a_pass
        begun = self.recorded(pairs.begun(plan))
        made = b_pairs(_Meetings(self, stop_after), **plan)
        return self.recorded(made.result), journal_of(begun, made.journal)


@dataclass
class _Meetings:
    """Answers b_pairs with the times of a network."""

    network: Network
    stop_after: int | None
    met: int = 0

    def times(
        self, number: int, round_: int, pairs: list[Pair], ways: str
    ) -> list[tuple[int | None, int]]:
        self.met += 1
        network = self.network
        shared = max(1.0, sum(map(network.crosses, pairs)) / network.uplink)
        found: list[tuple[int | None, int]] = []
        for pair in pairs:
            crosses, at = network.crosses(pair), (number, round_)
            small = _LATENCY_S * (_FURTHER if crosses else 1.0) * network.late(pair, *at)
            large = network.per_host * _LARGE / _PORT * (shared if crosses else 1.0)
            large *= network.late(pair, *at, ways)
            ns = [round(1e9 * took * network.factor(pair, *at)) for took in (small, large)]
            found.append((ns[0] if ways == "both" else None, ns[1]))
        return found

    def stops(self) -> bool:
        return self.met == self.stop_after
