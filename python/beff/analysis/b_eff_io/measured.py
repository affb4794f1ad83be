"""A result's raw rows, looked up by what they belong to, and which partitions are shown."""

from dataclasses import dataclass
from math import fsum

from beff.analysis.b_eff_io.definition import TIMED_TYPES
from beff.analysis.b_eff_io.schedule import CountedPlan, IoPlan, plan_counted, schedule_of
from beff.model.b_eff_io_result import BEffIoFigures, BEffIoResult
from beff.model.b_eff_io_samples import Access, Sample, SampleKey, TypeKey, TypeRow


@dataclass(frozen=True)
class IoMeasured:
    """What everything else is derived from. Of rows given twice the first counts."""

    result: BEffIoResult
    schedule: IoPlan
    samples: dict[SampleKey, Sample]
    types: dict[TypeKey, TypeRow]
    by_type: dict[TypeKey, list[Sample]]
    by_partition: dict[int, list[Sample]]
    counted: dict[int, CountedPlan]
    """By partition; those alone that came as far as a type that is not timed."""

    def sample(self, partition: int, pattern: int, access: Access) -> Sample | None:
        """Return the sample of a pattern, if it came that far."""
        return self.samples.get(SampleKey(partition, pattern, access))

    def samples_of(self, key: TypeKey) -> list[Sample]:
        """Return the samples of a type in an access method."""
        return self.by_type.get(key, [])

    def open_to_close_s(self, row: TypeRow) -> float:
        """Time of a type: open, the times of its patterns, close."""
        times = (sample.time_s for sample in self.samples_of(row.key))
        return fsum((row.open_s, *times, row.close_s))

    def all_patterns_measured(self, key: TypeKey) -> bool:
        """Whether no pattern of a type is missing, failed or left out."""
        planned = sum(facts.type == key.type for facts in self.schedule.table.values())
        done = [sample.status == "measured" for sample in self.samples_of(key)]
        return len(done) == planned and all(done)


def measured_of(result: BEffIoResult) -> IoMeasured:
    """Sort the rows of a result, which must have a sound structure."""
    schedule = schedule_of(result)
    samples: dict[SampleKey, Sample] = {}
    for sample in result.samples.rows():
        samples.setdefault(sample.key, sample)
    by_type: dict[TypeKey, list[Sample]] = {}
    by_partition: dict[int, list[Sample]] = {}
    for key, sample in samples.items():
        by_type.setdefault(schedule.type_of(key), []).append(sample)
        by_partition.setdefault(key.partition, []).append(sample)
    types: dict[TypeKey, TypeRow] = {}
    for row in result.types.rows():
        types.setdefault(row.key, row)
    counted = {
        key.partition: _counted(
            result, schedule, by_partition.get(key.partition, []), key.partition
        )
        for key in types
        if key.access == "write" and key.type not in TIMED_TYPES
    }
    return IoMeasured(result, schedule, samples, types, by_type, by_partition, counted)


def _counted(
    result: BEffIoResult, schedule: IoPlan, samples: list[Sample], partition: int
) -> CountedPlan:
    written = {
        sample.key.pattern: sample.repetitions
        for sample in samples
        if sample.key.access == "write" and sample.status == "measured"
    }
    scale = result.partitions[partition].segment_scale
    return plan_counted(schedule.table, written, scale, result.schedule.segment_unit_bytes)


_MOST = 4
"""Partitions in detail; more would be read by nobody, and are in the result file."""


def deciding(result: BEffIoFigures) -> int | None:
    """Return the index of the partition whose value is that of the run; None without a value."""
    value = result.summary.b_eff_io_MBps
    values = [partition.values[result.definition] for partition in result.partitions]
    return values.index(value) if value is not None and value in values else None


def in_detail(result: BEffIoFigures) -> list[int]:
    """Return the indices of all partitions; of many, the deciding one and the largest ones."""
    best = deciding(result)
    count = len(result.partitions)
    last = range(max(0, count - _MOST), count)
    if best is None or best in last:
        return list(last)
    return [best, *last[1:]]
