"""What a run was planned to measure, by its recorded schedule."""

from dataclasses import dataclass
from functools import cached_property
from math import floor, log2

from beff.analysis.b_eff_io.pattern_table import (
    OFFICIAL_TYPES,
    SCATTER,
    PatternFacts,
    patterns_of,
)
from beff.model.b_eff_io_result import ACCESSES, Access, BEffIoResult, SampleKey, TypeKey


@dataclass(frozen=True)
class Schedule:
    """The plan; `partitions` are numbers of processes, `cost` the time per byte by access.

    `aside_s` is the part of T that no pattern gets.
    """

    release: str
    time_s: float
    aside_s: float
    partitions: tuple[int, ...]
    types: tuple[int, ...]
    rewrites_all: bool
    cost: dict[Access, float]
    table: dict[int, PatternFacts]

    def runs(self, access: Access, kind: int) -> bool:
        """Whether an access method goes through a type: a rewrite may be of scatter only."""
        return access != "rewrite" or self.rewrites_all or kind == SCATTER

    def _units(self, access: Access, official_only: bool) -> float:
        """ΣU of an access method in a partition, each times its cost."""
        units = sum(
            facts.units
            for facts in self.table.values()
            if self.runs(access, facts.type)
            and not (official_only and facts.type not in OFFICIAL_TYPES)
        )
        return self.cost[access] * units

    @cached_property
    def unit_s(self) -> float:
        """Seconds per time unit of the initial write.

        T, less the probe and what is set aside for preparing and removing, is for types 0 to 4 of
        all partitions together, each of which gets an equal part.
        """
        units = sum(self._units(access, official_only=True) for access in ACCESSES)
        return (self.time_s - self.aside_s) / len(self.partitions) / units

    @property
    def planned_s(self) -> float:
        """T and, on top of it, the time of the random types."""
        units = sum(self._units(access, official_only=False) for access in ACCESSES)
        return self.aside_s + self.unit_s * units * len(self.partitions)

    def ideal_s(self, key: SampleKey) -> float:
        """Time that its U gives a pattern."""
        return self.unit_s * self.cost[key.access] * self.table[key.pattern].units

    def sample_keys(self) -> list[SampleKey]:
        """All patterns in the order of a run: write all partitions, rewrite all, read all."""
        return [
            SampleKey(partition, facts.number, access)
            for access in ACCESSES
            for partition in range(len(self.partitions))
            for facts in self.table.values()
            if self.runs(access, facts.type)
        ]

    def type_keys(self) -> list[TypeKey]:
        """All types in the order of a run."""
        return [
            TypeKey(partition, kind, access)
            for access in ACCESSES
            for partition in range(len(self.partitions))
            for kind in self.types
            if self.runs(access, kind)
        ]

    def type_of(self, key: SampleKey) -> TypeKey:
        """Return the type that a pattern's sample belongs to."""
        return TypeKey(key.partition, self.table[key.pattern].type, key.access)


def schedule_of(result: BEffIoResult) -> Schedule:
    """Return the plan of a result."""
    recorded = result.schedule
    types = tuple(entry.type for entry in result.type_names)
    return Schedule(
        release=result.definition,
        time_s=recorded.time_s,
        aside_s=recorded.probe_s + recorded.preparing_s + recorded.removing_s,
        partitions=tuple(partition.processes for partition in result.partitions),
        types=types,
        rewrites_all=recorded.rewrite == "all",
        cost={"write": 1.0, "rewrite": recorded.rewrite_cost, "read": recorded.read_cost},
        table=patterns_of(types, recorded.m_part_bytes),
    )


def default_partitions(processes: int) -> list[int]:
    """2^round(0.35·log2 N), 2^round(0.70·log2 N) and N, without repeats, rising."""
    exponents = [floor(share * log2(processes) + 0.5) for share in (0.35, 0.70)]
    return sorted({*(2**exponent for exponent in exponents), processes})


def shortest_valid_time_s(release: str, partitions: int) -> int:
    """T that a result comparable with others needs at least, for all partitions together."""
    if release == "0.5":
        return 10 * 60
    return 15 * 60 if partitions == 1 else 30 * 60
