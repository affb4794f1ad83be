"""A scripted machine that runs whole b_eff_io schedules without MPI, files or a clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from beff_core_testing import b_eff_io as io

MB = 1 << 20
FAST: dict[str, Any] = {"decision_s": 1e-4}


@dataclass
class Machine:
    """Costs in seconds; bandwidth in byte/s of all processes together.

    A call takes ``call_s`` plus its bytes over the rate; ``slowed`` multiplies that by a factor
    that may depend on the time.
    """

    call_s: float = 2e-6
    write_rate: float = 1e9
    read_rate: float = 1e9
    sync_rate: float = 1e12
    sync_s: float = 1e-4
    open_s: float = 1e-4
    close_s: float = 1e-4
    decision_s: float = 1e-6
    slowed: Callable[[float, Any], float] = lambda now, order: 1.0
    noise: Callable[[], float] = lambda: 0.0
    capacity: int | None = None
    foreign_rate: float = 0.0  # byte/s that somebody else writes to the same file system
    fail: Callable[[Any], str | None] = lambda order: None
    stop_at: float | None = None
    now: float = 0.0
    used: int = 0
    pattern_start: float = 0.0
    unsynced: int = 0
    failed: str | None = None  # a call of the pattern at work
    pending: dict[str, Any] | None = None  # the outcome of an order that is being agreed on
    longest_batch: float = 0.0
    longest_call: float = 0.0
    lowest_free: int = io.UNLIMITED  # after any call of a write
    written: dict[tuple[int, int], int] = field(default_factory=dict)

    def carry_out(self, order: Any) -> dict[str, Any]:
        """The agreed outcome of an order, as keyword arguments of ``Schedule.completed``."""
        begin = self.now
        elapsed = getattr(self, "do_" + order.phase.name.lower())(order)
        error = self.fail(order)
        if order.phase == io.Phase.CALLS:
            error = self.failed = error or (None if order.first_call == 0 else self.failed)
        outcome = {
            "elapsed": (self.now - begin) if elapsed is None else elapsed,
            "now": self.now,
            "free": io.UNLIMITED if self.capacity is None else max(0, self.free()),
            "error": error is not None,
            "text": error or "",
            "stop": self.stop_at is not None and self.now >= self.stop_at,
        }
        if order.defers:
            before, self.pending = self.pending, outcome
            return before or {"known": False}
        self.pending = None
        return outcome

    def free(self) -> int:
        """What is left of the capacity."""
        assert self.capacity is not None
        return self.capacity - self.used - int(self.foreign_rate * self.now)

    def do_begin(self, order: Any) -> float | None:
        return None

    def do_end(self, order: Any) -> float | None:
        return None

    def do_calibrate(self, order: Any) -> float:
        return self.decision_s

    def do_open(self, order: Any) -> None:
        self.now += self.open_s

    def do_close(self, order: Any) -> None:
        self.now += self.close_s

    def do_calls(self, order: Any) -> float:
        if order.first_call == 0:
            self.pattern_start = self.now
        place = order.placement
        rate = self.read_rate if order.access == io.Access.READ else self.write_rate
        per_call = (self.call_s + place.bytes_per_round / rate) * self.slowed(self.now, order)
        batch = order.calls * per_call
        self.longest_call = max(self.longest_call, per_call)
        self.longest_batch = max(self.longest_batch, batch)
        self.now += batch + (0.0 if order.defers else self.decision_s)
        if order.access == io.Access.WRITE:
            self.used += order.calls * place.bytes_per_round
            key = (order.partition, order.pattern)
            self.written[key] = self.written.get(key, 0) + order.calls * place.bytes_per_round
            if self.capacity is not None:
                self.lowest_free = min(self.lowest_free, self.free())
        if order.access != io.Access.READ:
            self.unsynced += order.calls * place.bytes_per_round
        return max(0.0, self.now - self.pattern_start + self.noise())

    def do_finish(self, order: Any) -> float:
        if order.sync:
            self.now += self.sync_s + self.unsynced / self.sync_rate
            self.unsynced = 0
        return self.now - self.pattern_start


@dataclass
class Run:
    """What a run left behind."""

    schedule: Any
    orders: list[tuple[float, Any]]
    machine: Machine

    def end_of(self, access: Any, counted: bool) -> float:
        """When the last pattern of the time-driven (or counted) types of an access method ended."""
        return max(
            now
            for now, order in self.orders
            if order.phase == io.Phase.FINISH
            and order.access == access
            and (int(order.type) >= 3) == counted
        )


def order_fields(order: Any) -> tuple[Any, ...]:
    """What must be the same on all processes that get an order."""
    return (
        order.phase, order.partition, order.access, order.type, order.pattern, order.first_call,
        order.calls, order.calls_expected, order.defers, order.placement.base,
        order.placement.segment, order.placement.chunk, order.reposition, order.sync,
        order.rewritten,
    )  # fmt: skip


def run(plan: Any, machine: Machine, ranks: Sequence[int] | None = None) -> Run:
    """Drives one copy of the schedule per rank in step and checks that they agree."""
    if ranks is None:
        ranks = sorted({0, plan.processes - 1, *(n - 1 for n in plan.partitions)})
    copies = {rank: io.Schedule(plan, rank) for rank in ranks}
    log: list[tuple[float, Any]] = []
    world = (io.Phase.BEGIN, io.Phase.END)
    while (order := copies[0].next()) is not None:
        everybody = order.phase in world
        size = plan.processes if everybody else plan.partitions[order.partition]
        members = [rank for rank in ranks if rank < size]
        for rank in members:
            other = copies[rank].next()
            assert other is not None
            assert order_fields(other) == order_fields(order)
        for rank in set(ranks) - set(members):
            waiting = copies[rank].next()
            assert waiting is not None
            assert waiting.phase in world
        outcome = machine.carry_out(order)
        log.append((machine.now, order))
        for rank in members:
            copies[rank].completed(**outcome)
    if copies[0].ending != io.Ending.ABORT:
        assert all(copy.next() is None for copy in copies.values())
    return Run(copies[0], log, machine)


def samples(result: Run, access: Any, partition: int = 0) -> dict[int, Any]:
    """The samples of an access in one partition, by number of the pattern."""
    return {
        s.pattern: s
        for s in result.schedule.samples
        if s.access == access and s.partition == partition
    }
