"""Results of b_eff of made-up machines whose limits are known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from beff.verify.b_eff.definition import PING_PONG, RING_PATTERNS, Draw, patterns_for, rings_in
from scripted_machine import Order
from support.results import Plan, make_result

MAP_RATE = 2**20 / 90e-6
"""What a host exchanges in the map of a made-up machine, in byte/s."""
RINGS = 36


@dataclass(frozen=True)
class Script:
    """Rates in byte/s, each way: of a host, of the uplink of a leaf, of a process inside its host.

    `slow` hosts have a part of the rate. `far`: what hosts reach where messages go further than to
    the next rank. `links` of two hosts have a rate of their own. `noisy` repetitions, from 0, take
    so many times as long. A ping-pong is `alone` times as fast as all that is said here.
    """

    hosts: int = 8
    per_host: int = 1
    latency_s: float = 1e-6
    host: float = MAP_RATE
    slow: dict[int, float] = field(default_factory=dict)
    leaf: int = 0
    uplink: float = float("inf")
    links: dict[tuple[int, int], float] = field(default_factory=dict)
    inside: float = float("inf")
    far: float = float("inf")
    noisy: dict[int, float] = field(default_factory=dict)
    alone: float = 1.0


def limited(script: Script) -> dict[str, Any]:
    """Return a whole result, whose random rings follow from its seed."""
    processes = script.hosts * script.per_host
    per_byte = {
        pattern: _seconds_per_byte(script, pattern, processes, Plan.seed)
        for pattern in patterns_for(processes)
    }

    def iteration_s(_: Plan, order: Order) -> float:
        took = script.latency_s + order["size_bytes"] * per_byte[order["pattern"]]
        alone = script.alone if order["pattern"] == PING_PONG else 1.0
        return float(took * script.noisy.get(order["repetition"], 1.0) / alone)

    hosts = (script.per_host,) * script.hosts
    return make_result(Plan(processes, hosts=hosts, iteration_s=iteration_s))


def _seconds_per_byte(script: Script, pattern: int, processes: int, seed: int) -> float:
    """Return what the narrowest place needs for an iteration with messages of one byte."""
    host_rate = [script.host * script.slow.get(host, 1.0) for host in range(script.hosts)]
    if pattern >= RINGS:
        return 2 / min(host_rate)
    left: Counter[int] = Counter()
    crossed: Counter[int] = Counter()
    sent: Counter[tuple[int, int]] = Counter()
    stayed: Counter[int] = Counter()
    for ring in rings_in(pattern, processes, Draw(seed)):
        for place, rank in enumerate(ring):
            for other in {ring[place - 1], ring[(place + 1) % len(ring)]}:
                one, two = rank // script.per_host, other // script.per_host
                left[one] += one != two
                sent[one, two] += 1
                stayed[rank] += one == two
                if script.leaf:
                    crossed[one // script.leaf] += one // script.leaf != two // script.leaf
    reached = [min(rate, script.far) if pattern >= RING_PATTERNS else rate for rate in host_rate]
    return max(
        *(count / reached[host] for host, count in left.items()),
        *(count / script.uplink for count in crossed.values()),
        *(sent[ends] / rate for ends, rate in script.links.items()),
        *(count / script.inside for count in stayed.values()),
        1e-12,
    )
