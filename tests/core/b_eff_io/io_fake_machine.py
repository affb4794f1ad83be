"""A scripted machine that runs whole b_eff_io measurements without MPI, files or a clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import io_core as io

from program_core import Fields

MB = 1 << 20
FAST: dict[str, Any] = {"decision_s": 1e-4}


class Verb(str, Enum):
    """The verbs of a machine; CALLS stands for the first call of a pattern as well."""

    MEET = "meet"
    CALIBRATE = "calibrate"
    OPEN = "open"
    CALLS = "calls"
    FINISH = "finish"
    CLOSE = "close"
    END = "end"


@dataclass(frozen=True)
class Step:
    """A verb with what it was said about; what it does not use keeps its default."""

    verb: Verb
    partition: int = 0
    processes: int = 0
    access: Any = io.Access.WRITE
    type: Any = io.Type.SCATTER
    pattern: int = 0
    placement: Any = None
    reposition: bool = False
    rewritten: bool = False
    first_call: int = 0
    calls: int = 0  # FINISH: of the whole pattern
    sync: bool = False

    @classmethod
    def asked(cls, question: dict[str, Any]) -> Step:
        step = cls(**question | {"verb": Verb(question["verb"])})
        return step if step.placement is None else replace(step, placement=Fields(step.placement))


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
    slowed: Callable[[float, Step], float] = lambda now, step: 1.0
    noise: Callable[[], float] = lambda: 0.0
    capacity: int | None = None
    foreign_rate: float = 0.0  # byte/s that somebody else writes to the same file system
    fail: Callable[[Step], str | None] = lambda step: None
    checked: int = 0  # chunks that are compared at the end of each pattern
    wrong: Callable[[Step], int] = lambda step: 0
    stop_at: float | None = None
    now: float = 0.0
    used: int = 0
    pattern_start: float = 0.0
    unsynced: int = 0
    failed: str | None = None  # a call of the pattern at work
    longest_batch: float = 0.0
    longest_call: float = 0.0
    lowest_free: int = io.UNLIMITED  # after any call of a write
    written: dict[tuple[int, int], int] = field(default_factory=dict)
    log: list[tuple[float, Step]] = field(default_factory=list)  # with when each step ended
    outcomes: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, question: Any) -> dict[str, Any]:
        """Carry out a step; return its agreed outcome."""
        step = Step.asked(question)
        begin = self.now
        elapsed = getattr(self, "do_" + step.verb.name.lower(), lambda step: None)(step)
        error = self.fail(step)
        if step.verb is Verb.CALLS:
            error = self.failed = error or (None if step.first_call == 0 else self.failed)
        outcome = {
            "elapsed": (self.now - begin) if elapsed is None else elapsed,
            "free": io.UNLIMITED if self.capacity is None else max(0, self.free()),
            "error": error is not None,
            "text": error or "",
            "stop": self.stop_at is not None and self.now >= self.stop_at,
        }
        if step.verb is Verb.FINISH:
            outcome |= {"checked": self.checked, "wrong": self.wrong(step)}
        self.log.append((self.now, step))
        self.outcomes.append(outcome)
        return outcome

    def free(self) -> int:
        """What is left of the capacity."""
        assert self.capacity is not None
        return self.capacity - self.used - int(self.foreign_rate * self.now)

    def do_calibrate(self, step: Step) -> float:
        return self.decision_s

    def do_open(self, step: Step) -> None:
        self.now += self.open_s

    def do_close(self, step: Step) -> None:
        self.now += self.close_s

    def do_calls(self, step: Step) -> float:
        if step.first_call == 0:
            self.pattern_start = self.now
        place = step.placement
        rate = self.read_rate if step.access == io.Access.READ else self.write_rate
        per_call = (self.call_s + place.bytes_per_round / rate) * self.slowed(self.now, step)
        batch = step.calls * per_call
        self.longest_call = max(self.longest_call, per_call)
        self.longest_batch = max(self.longest_batch, batch)
        self.now += batch + self.decision_s
        if step.access == io.Access.WRITE:
            self.used += step.calls * place.bytes_per_round
            key = (step.partition, step.pattern)
            self.written[key] = self.written.get(key, 0) + step.calls * place.bytes_per_round
            if self.capacity is not None:
                self.lowest_free = min(self.lowest_free, self.free())
        if step.access != io.Access.READ:
            self.unsynced += step.calls * place.bytes_per_round
        return max(0.0, self.now - self.pattern_start + self.noise())

    def do_finish(self, step: Step) -> float:
        if step.sync:
            self.now += self.sync_s + self.unsynced / self.sync_rate
            self.unsynced = 0
        return self.now - self.pattern_start


@dataclass
class Told:
    """The machine as another rank sees it: is told the outcomes of the steps that it takes part in.

    Checks that these are the steps that the rank wants to take.
    """

    rank: int
    machine: Machine
    at: int = 0

    def answer(self, question: Any) -> dict[str, Any]:
        step = Step.asked(question)
        log = self.machine.log
        while self.at < len(log) and not self.takes_part(log[self.at][1]):
            self.at += 1
        if self.at == len(log):
            assert step.verb in (Verb.MEET, Verb.END)
            raise WaitsForEverError
        self.at += 1
        assert step == log[self.at - 1][1]
        return self.machine.outcomes[self.at - 1]

    def takes_part(self, step: Step) -> bool:
        return step.verb in (Verb.MEET, Verb.END) or self.rank < step.processes


class WaitsForEverError(Exception):
    """A meeting to which others do not come."""


@dataclass
class Run:
    """What a run left behind on rank 0."""

    measured: Any
    ending: Any
    steps: list[tuple[float, Step]]
    machine: Machine

    def end_of(self, access: Any, counted: bool) -> float:
        """When the last pattern of the time-driven (or counted) types of an access method ended."""
        return max(
            now
            for now, step in self.steps
            if step.verb is Verb.FINISH and step.access == access and (step.type >= 3) == counted
        )


def run(plan: Any, machine: Machine, ranks: Sequence[int] | None = None) -> Run:
    """Measures on rank 0, then on the other ranks, and checks that they take the same steps."""
    if ranks is None:
        ranks = sorted({plan.processes - 1, *(n - 1 for n in plan.partitions)} - {0})
    ending, measured = io.measure(plan, 0, ask=machine.answer)
    for rank in ranks:
        told = Told(rank, machine)
        try:
            assert io.measure(plan, rank, ask=told.answer)[0] == ending
        except WaitsForEverError:
            assert ending == io.Ending.ABORT
        assert not any(told.takes_part(step) for _, step in machine.log[told.at :])
    return Run(measured, ending, machine.log, machine)


def samples(result: Run, access: Any, partition: int = 0) -> dict[int, Any]:
    """The samples of an access in one partition, by number of the pattern."""
    return {
        s.pattern: s
        for s in result.measured.samples
        if s.access == access and s.partition == partition
    }
