"""b_eff_io on a machine that is a script: whole runs without MPI, files or a clock."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from typing import Any

from program_core import Fields, Part

MB = 1 << 20
UNLIMITED = (1 << 63) - 1
Type = IntEnum(
    "Type", "SCATTER SHARED SEPARATE SEGMENTED SEG_COLL RANDOM_SHARED RANDOM_SEPARATE", start=0
)
Access = IntEnum("Access", "WRITE REWRITE READ", start=0)
Release = IntEnum("Release", "R0_5 R1 R2_1", start=0)
Procedure = IntEnum("Procedure", "COLD ORIGINAL", start=0)
RewriteSet = IntEnum("RewriteSet", "ALL SCATTER_ONLY", start=0)
SeenBy = IntEnum("SeenBy", "DEVICES PAGE_CACHES NOTHING", start=0)
Ending = IntEnum("Ending", "DONE STOPPED ABORT", start=0)

core = Part("b_eff_io.")


def _request(**asked: Any) -> dict[str, Any]:
    """What is not asked for is as by default, on a machine with little memory."""
    usual = {"time": 1800.0, "memory_per_process": 256 * MB, "segment_unit": MB, "seed": 1}
    return usual | asked


def make_plan(processes: int, **asked: Any) -> Any:
    """Return a plan as --plan=json prints it."""
    return core.plan(_request(processes=processes, **asked))


def place(*given: int, **more: int) -> Fields:
    """Return a placement: type, processes, chunk, chunks_per_call, base, segment, slots, seed."""
    names = ("type", "processes", "chunk", "chunks_per_call", "base", "segment", "slots", "seed")
    by_place = zip(names, given)  # noqa: B905 - the rest is as by default
    return Fields({"chunks_per_call": 1, **dict(by_place)}, **more)


def cache(resident: int | None = None, **more: Any) -> Fields:
    """Return how much of 100 byte was resident before the read of a partition."""
    usual = {"partition": 0, "access": Access.READ, "file_bytes": 100, "resident_before": resident}
    return Fields(usual | more)


def hint(*given: Any) -> Fields:
    """Return a note: partition, access, type, pattern or None, what was asked for and accepted."""
    names = ("partition", "access", "type", "pattern", "requested", "accepted")
    return Fields(zip(names, given, strict=True))


def file_system(**more: Any) -> Fields:
    """Return where files lie."""
    usual = {"paths": ["/scratch"], "kind": "ext4", "reads_seen_by": SeenBy.PAGE_CACHES}
    return Fields(usual | more)


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
    access: Any = Access.WRITE
    type: Any = Type.SCATTER
    pattern: int = 0
    placement: Any = None
    reposition: bool = False
    rewritten: bool = False
    first_call: int = 0
    calls: int = 0  # FINISH: of the whole pattern
    sync: bool = False

    @classmethod
    def asked(cls, question: dict[str, Any]) -> "Step":
        step = cls(**question | {"verb": Verb(question["verb"])})
        return step if step.placement is None else replace(step, placement=Fields(step.placement))

    @property
    def call_bytes(self) -> int:
        """What all processes move in one call each."""
        place = self.placement
        return int(place.processes * place.chunk * place.chunks_per_call)


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
    decision_s: float = 1e-4
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
    lowest_free: int = UNLIMITED  # after any call of a write
    written: dict[tuple[int, int], int] = field(default_factory=dict)  # by partition and pattern
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
            "free": UNLIMITED if self.capacity is None else max(0, self.free()),
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

    def do_close(self, step: Step) -> float | None:
        self.now += self.close_s
        return None

    def do_calls(self, step: Step) -> float:
        if step.first_call == 0:
            self.pattern_start = self.now
        rate = self.read_rate if step.access == Access.READ else self.write_rate
        per_call = (self.call_s + step.call_bytes / rate) * self.slowed(self.now, step)
        self.now += step.calls * per_call + self.decision_s
        moved = step.calls * step.call_bytes
        if step.access == Access.WRITE:
            self.used += moved
            key = (step.partition, step.pattern)
            self.written[key] = self.written.get(key, 0) + moved
            if self.capacity is not None:
                self.lowest_free = min(self.lowest_free, self.free())
        if step.access != Access.READ:
            self.unsynced += moved
        return max(0.0, self.now - self.pattern_start + self.noise())

    def do_finish(self, step: Step) -> float:
        if step.sync:
            self.now += self.sync_s + self.unsynced / self.sync_rate
            self.unsynced = 0
        return self.now - self.pattern_start


@dataclass
class Exact(Machine):
    """Makes one call of each pattern, with these bandwidths in MB/s of patterns and types."""

    open_s: float = 0.0
    of_pattern: Callable[[Step], float] = lambda step: 80.0
    of_type: Callable[[Step], float] = lambda step: 70.0
    type_bytes: int = 0
    patterns_s: float = 0.0

    def do_open(self, step: Step) -> None:
        self.type_bytes, self.patterns_s = 0, 0.0

    def do_calls(self, step: Step) -> float:
        return 1e9

    def do_finish(self, step: Step) -> float:
        moved = step.calls * step.call_bytes
        took = moved / 1e6 / self.of_pattern(step)
        self.type_bytes += moved
        self.patterns_s += took
        return took

    def do_close(self, step: Step) -> float:
        """The rest, which is below zero where patterns alone are slower than their type."""
        return self.type_bytes / 1e6 / self.of_type(step) - self.patterns_s


class WaitsForEverError(Exception):
    """A meeting to which others do not come."""


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


def rows_of(table: dict[str, list[Any]]) -> list[Fields]:
    """Return the rows of a table whose columns have names."""
    return [Fields(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


@dataclass
class Run:
    """What a run left behind on rank 0: its result as it is recorded and printed."""

    result: dict[str, Any]
    protocol: str
    ending: Any
    to_come: list[float]
    """Forecast seconds at the begin and after each sample."""
    machine: Machine

    @property
    def steps(self) -> list[Step]:
        return [step for _, step in self.machine.log]

    def finished(self, access: Any) -> list[Step]:
        """The ends of patterns of an access."""
        return [s for s in self.steps if s.verb == Verb.FINISH and s.access == access]

    def samples(self, access: Any, partition: int = 0) -> dict[int, Any]:
        """The samples of an access in one partition, by number of the pattern."""
        wanted = (access.name.lower(), partition)
        rows = rows_of(self.result["samples"])
        return {s.pattern: s for s in rows if (s.access, s.partition) == wanted}

    def types(self, access: Any) -> dict[int, Any]:
        """The samples of types of an access in the first partition."""
        wanted = (access.name.lower(), 0)
        rows = rows_of(self.result["types"])
        return {t.type: t for t in rows if (t.access, t.partition) == wanted}


def run(
    machine: Machine,
    processes: int,
    *,
    beside: dict[str, Any] | None = None,
    ranks: Iterable[int] | None = None,
    **asked: Any,
) -> Run:
    """Measures on rank 0, then on the other ranks, and checks that they take the same steps.

    `beside` is what an engine notes beside the measuring.
    """
    request = _request(processes=processes, **asked)
    noted = {"file_system": file_system(), **(beside or {})}
    done = core.run(request, 0, noted, ask=machine.answer)
    if ranks is None:
        sizes = (one["processes"] for one in done.result["partitions"])
        ranks = sorted({processes - 1, *(n - 1 for n in sizes)} - {0})
    for rank in ranks:
        told = Told(rank, machine)
        try:
            assert core.run(request, rank, {}, ask=told.answer).ending == done.ending
        except WaitsForEverError:
            assert done.ending == Ending.ABORT
        assert not any(told.takes_part(step) for _, step in machine.log[told.at :])
    return Run(**done, machine=machine)
