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
from beff.model.b_eff_io_result import BEffIoResult
from beff.model.b_eff_io_samples import ACCESSES, Access, SampleKey, TypeKey


@dataclass(frozen=True)
class Schedule:
    """The plan; `partitions` are numbers of processes."""

    release: str
    time_s: float
    partitions: tuple[int, ...]
    types: tuple[int, ...]
    rewrites_all: bool
    table: dict[int, PatternFacts]

    def runs(self, access: Access, kind: int) -> bool:
        """Whether an access method goes through a type: a rewrite may be of scatter only."""
        return access != "rewrite" or self.rewrites_all or kind == SCATTER

    def _units(self, official_only: bool) -> int:
        """ΣU of a partition in all access methods."""
        return sum(
            facts.units
            for access in ACCESSES
            for facts in self.table.values()
            if self.runs(access, facts.type)
            and not (official_only and facts.type not in OFFICIAL_TYPES)
        )

    @property
    def partition_s(self) -> float:
        """T of one partition."""
        return self.time_s / len(self.partitions)

    @cached_property
    def unit_s(self) -> float:
        """Seconds per time unit: T of a partition is for types 0 to 4 in all access methods."""
        return self.partition_s / self._units(official_only=True)

    @property
    def planned_s(self) -> float:
        """T and, on top of it, the time of the random types."""
        return self.unit_s * self._units(official_only=False) * len(self.partitions)

    def ideal_s(self, key: SampleKey) -> float:
        """Time that its U gives a pattern in each access method."""
        return self.unit_s * self.table[key.pattern].units

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
        partitions=tuple(partition.processes for partition in result.partitions),
        types=types,
        rewrites_all=recorded.rewrite == "all",
        table=patterns_of(types, recorded.m_part_bytes),
    )


_EXCEPTIONS = {3: [1, 2, 3], 4: [2, 3, 4]}
"""Default partitions of release 2.1 that its rule does not give."""


def default_partitions(processes: int) -> list[int]:
    """2^round(0.35·log2 N), 2^round(0.70·log2 N) and N, without repeats, rising; two exceptions."""
    if processes in _EXCEPTIONS:
        return _EXCEPTIONS[processes]
    exponents = [floor(share * log2(processes) + 0.5) for share in (0.35, 0.70)]
    return sorted({*(2**exponent for exponent in exponents), processes})


def shortest_valid_time_s(release: str, partitions: int) -> int:
    """T that a result comparable with others needs at least, for all partitions together."""
    minutes = {"0.5": 10 * partitions, "1": 15 * partitions, "2.1": 30}
    return 60 * minutes[release]
