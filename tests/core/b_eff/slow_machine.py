"""A made-up machine whose slow parts are known: how long each process takes for a timed loop."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import beff_core_testing as core
import numpy as np
from numpy.typing import NDArray

import scripted_machine

Floats = NDArray[np.float64]
Links = dict[tuple[int, int], float]


@dataclass
class Machine:
    """Processes that exchange messages step by step, so that each waits for its neighbours.

    An iteration costs a process 1 us and its bytes at 2 GB/s, times the factor of the slowest of
    itself, its partners and the links to them. What slows down one process reaches those that are d
    messages away d iterations later; a loop that is long enough slows down the whole ring.
    """

    processes: int
    seed: int = 0
    placement: list[int] = field(default_factory=list)
    """Host of each process; empty for a single one."""
    slow: dict[int, float] = field(default_factory=dict)
    """Factor by process."""
    slow_links: Links = field(default_factory=dict)
    """Factor by pair of processes, the smaller number first."""
    slow_uplinks: dict[int, float] = field(default_factory=dict)
    """Factor by host, for messages to and from other hosts."""
    jitter: float = 0.0
    """Standard deviation of the logarithm of a process's own time in one loop."""
    interruptions: float = 0.0
    """Probability that a process loses up to 4 ms in a loop."""
    drift: float = 0.0
    """Share by which everything gets slower in 1000 loops."""
    long_only: bool = False
    """Only messages of more than 4096 byte meet the slow parts."""

    def __post_init__(self) -> None:
        self._random = np.random.default_rng(self.seed)
        self._peers: dict[int, list[list[int]]] = {}
        self._factors: dict[int, Floats] = {}
        self._loops = 0

    def loop(self, pattern: Any, size: int, length: int) -> Floats:
        """Seconds of each process; 0 for one that does not take part."""
        if pattern.id not in self._peers:
            self._peers = {pattern.id: self._table(pattern)}
            self._factors = {pattern.id: self._factor_table(self._peers[pattern.id])}
        table = np.array(self._peers[pattern.id])
        factors = self._factors[pattern.id]
        self._loops += 1
        n = self.processes
        slow = 1.0 if self.long_only and size <= 4096 else factors
        base = (1e-6 + size / 2e9) * (1 + self.drift * self._loops / 1000)
        own = base * slow * np.exp(self.jitter * np.abs(self._random.standard_normal(n)))
        seconds = _with_waiting(own, table, length)
        struck = self._random.random(n) < self.interruptions
        lost = struck * self._random.uniform(0, 4e-3, n)
        seconds = seconds + lost[table].max(axis=1)
        seconds *= np.exp(0.002 * np.abs(self._random.standard_normal(n)))
        alone = (table == np.arange(n)[:, None]).all(axis=1)
        return np.where(alone, 0.0, seconds)

    def _table(self, pattern: Any) -> list[list[int]]:
        """Each process and its partners, filled up with itself to the same length."""
        n = self.processes
        of = [{p for step in pattern.peers(rank) for p in step if p >= 0} for rank in range(n)]
        width = max(map(len, of))
        return [[rank, *p, *[rank] * (width - len(p))] for rank, p in enumerate(of)]

    def _factor_table(self, table: list[list[int]]) -> Floats:
        return np.array([max(self._factor(row[0], peer) for peer in row) for row in table])

    def _factor(self, rank: int, peer: int) -> float:
        host = self.placement or [0] * self.processes
        factors = [self.slow.get(rank, 1.0), self.slow.get(peer, 1.0)]
        factors.append(self.slow_links.get((min(rank, peer), max(rank, peer)), 1.0))
        if host[rank] != host[peer]:
            factors += [self.slow_uplinks.get(host[r], 1.0) for r in (rank, peer)]
        return max(factors)


def _with_waiting(own: Floats, table: NDArray[np.int64], length: int) -> Floats:
    worst, seconds = own, own * length
    for distance in range(1, min(length, len(own))):
        reached = worst[table].max(axis=1)
        if (reached == worst).all():
            break
        worst = reached
        seconds = np.maximum(seconds, (length - distance) * worst + distance * own)
    return seconds


def measured_on(
    machine: Machine,
    *,
    seed: int = 1,
    methods: Sequence[str] = ("sendrecv", "nonblocking"),
    sizes: Sequence[int] = (0, 6, 12, 17, 20),
    patterns: Sequence[int] = (),
    repetitions: int = 2,
) -> Any:
    """The scripted benchmark after a run on the machine, shortened unless told otherwise."""
    benchmark = core.scripted_benchmark(
        processes=machine.processes,
        seed=seed,
        methods=list(methods),
        size_indices=list(sizes),
        pattern_ids=list(patterns),
        repetitions=repetitions,
    )
    by_id = {pattern.id: pattern for pattern in core.make_patterns(machine.processes, seed)}
    if machine.placement:
        benchmark.place(machine.placement)

    class Script(scripted_machine.Machine):
        def time_loop(self, loop: Any) -> Any:
            order = benchmark.order(loop)
            seconds = machine.loop(
                by_id[order["pattern"]], order["size_bytes"], order["loop_length"]
            )
            taking_part = seconds[seconds > 0]
            if not loop.latency:
                benchmark.own_times(loop, seconds.tolist())
            return core.LoopReport(
                time_max=float(taking_part.max()),
                time_sum=float(taking_part.mean()),
                time_min=float(taking_part.min()),
                slowest_rank=int(seconds.argmax()),
                least_rate=order["loop_length"] / float(taking_part.max()),
            )

    benchmark.measure(Script(benchmark))
    return benchmark


def result_on(machine: Machine, **plan: Any) -> Any:
    """The result document of measured_on()."""
    return json.loads(measured_on(machine, **plan).result_json())
