"""The result of b_eff as typed records; field names and units are those of the result file."""
# ruff: noqa: N815 - the field names are the contract

from typing import Any, Literal

from beff.model.result_parts import Criterion, Environment, Figure, Imported, Program, Record, RMax


class Pattern(Record):
    """A communication pattern and its figures."""

    id: int
    name: str
    group: Literal["ring", "random", "additional"]
    averaged: bool
    processes: int
    messages: int
    ring_sizes: list[int]
    seed: int | None
    bandwidth_MBps: Figure
    bandwidth_by_size_MBps: list[Figure]
    bandwidth_by_method_MBps: dict[str, Figure]
    latency_us: Figure
    repetitions: int = 0
    release_3_6_MBps: Figure = None
    release_3_6_by_size_MBps: list[Figure] | None = None


class Samples(Record):
    """The timed loops as columns of equal length, one entry per loop. Times are in seconds."""

    pattern: list[int]
    size: list[int]
    method: list[int]
    repetition: list[int]
    loop_length: list[int]
    time_max_s: list[float]
    time_avg_s: list[float]
    time_min_s: list[float]
    slowest_rank: list[int]

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Names of the columns in the order of the file and of the digest."""
        return tuple(cls.model_fields)

    def lengths(self) -> dict[str, int]:
        """Entries of each column."""
        return {name: len(getattr(self, name)) for name in self.columns()}

    def __len__(self) -> int:
        return len(self.pattern)


class DataCheck(Record):
    """Outcome of checking the first and last byte of received messages."""

    enabled: bool
    messages_checked: int
    wrong_messages: int
    first_error: str | None


class Accounting(Record):
    """Where the elapsed time went, in seconds."""

    elapsed_s: float
    loops_s: float
    latency_s: float
    warm_up_s: float
    preparation_and_checks_s: float
    unaccounted_s: float


class ProcessTimes(Record):
    """Best times of one iteration by pattern and process, in seconds; None where none is known."""

    pattern: list[int]
    short_s: list[list[Figure]]
    long_s: list[list[Figure]]


class Retests(Record):
    """Pairs measured again with nothing else under way; times in ns, None where not measured."""

    first: list[int]
    second: list[int]
    small_ns: list[int | None]
    large_ns: list[int | None]


class Pairs(Record):
    """The map of pairs: one entry per round and pair, one list of times per look, in ns."""

    unit: Literal["host", "process"]
    units: int
    small_bytes: int
    large_bytes: int
    round: list[int]
    first: list[int]
    second: list[int]
    small_ns: list[list[int | None]]
    large_ns: list[list[int | None]]
    retests: Retests
    took_s: float


class Examined(Record):
    """Comparisons that could be made with messages of one length."""

    messages: Literal["short", "long"]
    where: Literal["network", "inside"]
    patterns: int
    units: int
    suspected: list[str]


class SlowPart(Record):
    """A host, process or link that is slow, with the evidence."""

    kind: Literal["host", "process", "link"]
    name: str
    ranks: list[int]
    messages: Literal["short", "long"]
    where: Literal["network", "inside"]
    factor: float
    confidence: Literal["high", "moderate"]
    patterns: int
    patterns_slow: int
    sweeps: int
    sweeps_slow: int
    sweeps_by_chance: float
    chance: float
    alternatives: list[str]


class SlowHosts(Record):
    """Which hosts, processes or links are slow."""

    unit: Literal["host", "process"]
    verdict: Literal["found", "none found", "cannot be said"]
    statement: str
    examined: list[Examined]
    found: list[SlowPart]


class Summary(Record):
    """The figures of Table 1 and those reported with them."""

    b_eff_MBps: Figure
    b_eff_per_process_MBps: Figure
    rings_MBps: Figure
    random_MBps: Figure
    lmax_bytes: int
    at_lmax_MBps: Figure
    at_lmax_per_process_MBps: Figure
    rings_at_lmax_MBps: Figure
    rings_at_lmax_per_process_MBps: Figure
    latency_us: Figure
    rings_latency_us: Figure
    pingpong_latency_us: Figure
    pingpong_MBps: Figure
    total_memory_exchange_s: Figure
    rmax_gflops: Figure
    balance_bytes_per_flop: Figure


class Digest(Record):
    """Digest of the samples."""

    algorithm: str
    samples: str


class BEffResult(Record):
    """A whole result file of b_eff."""

    definition: Literal["3.5", "3.1"]
    program: Program
    valid: bool
    complete: bool
    criteria: list[Criterion]
    cautions: list[str]
    environment: Environment
    options: dict[str, Any]
    summary: Summary
    message_sizes_bytes: list[int]
    methods: list[str]
    patterns: list[Pattern]
    data_check: DataCheck
    accounting: Accounting
    slow_hosts: SlowHosts | None = None
    process_times: ProcessTimes | None = None
    pairs: Pairs | None = None
    digest: Digest
    samples: Samples
    imported: Imported | None = None
    rmax: RMax | None = None
