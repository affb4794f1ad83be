"""Everything in a result file that follows from its raw fields, in the file's own shape."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, log
from typing import Any

from beff.definition.digest import columns_digest
from beff.result.b_eff_io_result import RELEASES
from beff.result.b_eff_io_samples import ACCESSES, Access, Sample, TypeKey
from beff.result.bounds import OFFICIAL_TYPES, Figure
from beff.result.numbers import BYTES_PER_MB
from beff.verify.b_eff_io.definition import (
    TYPE_NAMES,
    Transfer,
    access_average,
    bandwidth,
    position,
    value_0_5,
    value_1,
    value_2_1,
    wellformed_pairs,
)
from beff.verify.b_eff_io.schedule import IoMeasured

_PATTERNS = 43


@dataclass(frozen=True)
class DerivedPartition:
    """Figures of one partition, by access method and by release."""

    types: dict[Access, list[Figure]]
    weighted: dict[Access, list[Figure]]
    averages: dict[Access, Figure]
    bytes: dict[Access, int]
    values: dict[str, Figure]


def derived_fields(measured: IoMeasured, partitions: Sequence[DerivedPartition]) -> dict[str, Any]:
    """Return the derived part of the document, with the recomputed values.

    Raw are the environment, the schedule's settings, the numbers of the types, the partitions'
    sizes and notes, the samples but for ideal time and bandwidth, and the types' rows but for the
    bandwidth. The result must have a sound structure.
    """
    result, schedule = measured.result, measured.schedule
    return {
        "schedule": {"unit_s": schedule.unit_s, "planned_s": schedule.planned_s},
        "type_names": [
            {"type": kind, "name": TYPE_NAMES[kind], "official": kind in OFFICIAL_TYPES}
            for kind in schedule.types
        ],
        "patterns": [
            {
                "number": facts.number,
                "type": facts.type,
                "l_bytes": facts.chunk,
                "L_bytes": facts.memory,
                "U": facts.units,
                "wellformed": facts.wellformed,
                "position": position(facts, result.schedule.m_part_bytes),
                "reported": facts.units > 0,
            }
            for facts in schedule.table.values()
        ],
        "samples": {
            "ideal_s": [schedule.ideal_s(sample.key) for sample in result.samples.rows],
            "bandwidth_MBps": [sample_bandwidth(sample) for sample in result.samples.rows],
        },
        "types": {
            "bytes": [
                sum(sample.bytes for sample in measured.samples_of(row.key))
                for row in result.types.rows
            ],
            "open_to_close_s": [measured.open_to_close_s(row) for row in result.types.rows],
            "bandwidth_MBps": [type_bandwidth(measured, row.key) for row in result.types.rows],
        },
        "partitions": [
            _partition_fields(measured, index, figures) for index, figures in enumerate(partitions)
        ],
        "summary": _summary_fields(measured, partitions),
        "valid": all(criterion.met for criterion in result.criteria),
        "digest": {
            "samples": columns_digest(result.samples.digested()),
            "types": columns_digest(result.types.digested()),
        },
    }


def sample_bandwidth(sample: Sample | None) -> Figure:
    """Bandwidth of a pattern that was measured."""
    if sample is None or sample.status != "measured":
        return None
    return bandwidth(sample.bytes, sample.time_s)


def type_bandwidth(measured: IoMeasured, key: TypeKey) -> Figure:
    """Bytes of all patterns of a type / time from opening to closing its file.

    None unless every one of them was measured and the file was opened and closed without error.
    """
    row = measured.types.get(key)
    if row is None or row.status != "measured" or not measured.all_patterns_measured(key):
        return None
    moved = sum(sample.bytes for sample in measured.samples_of(key))
    return bandwidth(moved, measured.open_to_close_s(row))


def partitions_of(measured: IoMeasured) -> list[DerivedPartition]:
    """Condense each partition."""
    return [_partition_figures(measured, p) for p in range(len(measured.schedule.partitions))]


def _partition_figures(measured: IoMeasured, partition: int) -> DerivedPartition:
    types: dict[Access, list[Figure]] = {
        access: [
            type_bandwidth(measured, TypeKey(partition, kind, access)) for kind in OFFICIAL_TYPES
        ]
        for access in ACCESSES
    }
    weighted: dict[Access, list[Figure]] = {
        access: [_weighted(measured, partition, kind, access) for kind in OFFICIAL_TYPES]
        for access in ACCESSES
    }
    averages: dict[Access, Figure] = {
        access: access_average(figures, figures[0]) for access, figures in types.items()
    }
    moved: dict[Access, int] = {}
    for access in ACCESSES:
        rows = (measured.types.get(TypeKey(partition, kind, access)) for kind in OFFICIAL_TYPES)
        moved[access] = sum(row.bytes for row in rows if row is not None)
    values = {
        "0.5": _value_0_5(measured, partition),
        "1": value_1(averages["write"], averages["rewrite"], averages["read"]),
        "2.1": value_2_1(types["write"], types["rewrite"][0], types["read"]),
    }
    return DerivedPartition(types, weighted, averages, moved, values)


def _weighted(measured: IoMeasured, partition: int, kind: int, access: Access) -> Figure:
    """ΣU·b / ΣU over the patterns of a type; None unless all with U > 0 were measured."""
    transfers = []
    for facts in measured.schedule.table.values():
        if facts.type == kind and facts.units > 0:
            sample = measured.sample(partition, facts.number, access)
            if sample is None or sample.status != "measured":
                return None
            transfers.append(Transfer(sample.bytes, sample.time_s, facts.units))
    return value_0_5(transfers)


def _value_0_5(measured: IoMeasured, partition: int) -> Figure:
    """Release 0.5 takes all 43 patterns in all three access methods, or there is no value."""
    table = measured.schedule.table
    transfers = [
        Transfer(sample.bytes, sample.time_s, table[sample.key.pattern].units)
        for sample in measured.by_partition.get(partition, [])
        if table[sample.key.pattern].type in OFFICIAL_TYPES and sample.status == "measured"
    ]
    return value_0_5(transfers) if len(transfers) == _PATTERNS * len(ACCESSES) else None


def wellformed_factor(measured: IoMeasured, partition: int, access: Access) -> Figure:
    """Geometric mean of b(l + 8) / b(l) over the official types, l = 1 kB, 32 kB, 1 MB."""
    logs = []
    for plus8, other in wellformed_pairs(measured.schedule.table).items():
        above = sample_bandwidth(measured.sample(partition, plus8, access))
        below = sample_bandwidth(measured.sample(partition, other, access))
        if above is not None and below is not None:
            logs.append(log(above) - log(below))
    return exp(fsum(logs) / len(logs)) if logs else None


def _partition_fields(
    measured: IoMeasured, partition: int, figures: DerivedPartition
) -> dict[str, Any]:
    schedule = measured.schedule
    samples = measured.by_partition.get(partition, [])
    decisions = sum(sample.decisions for sample in samples)
    loops_s = fsum(sample.loop_s for sample in samples)
    cost_s = decisions * measured.result.partitions[partition].decision_cost_s
    counted = measured.counted.get(partition)
    return {
        "scheduled_s": schedule.partition_s,
        "decisions": decisions,
        "decisions_share": cost_s / loops_s if loops_s > 0 else None,
        "segment_bytes": 0 if counted is None else counted.segment,
        "samples": len(samples),
        "types": figures.types,
        "weighted_MBps": figures.weighted,
        "access": figures.averages,
        "bytes": figures.bytes,
        "wellformed_factor": {
            access: wellformed_factor(measured, partition, access) for access in ACCESSES
        },
        "values": figures.values,
        "b_eff_io_MBps": figures.values[schedule.release],
    }


def _maximum(partitions: Sequence[DerivedPartition], release: str) -> Figure:
    figures = [figures.values[release] for figures in partitions]
    return max((value for value in figures if value is not None), default=None)


def _summary_fields(measured: IoMeasured, partitions: Sequence[DerivedPartition]) -> dict[str, Any]:
    """Return the system value, the maximum over the partitions, and that partition's figures."""
    release = measured.schedule.release
    memory = measured.result.environment.total_memory_bytes
    value = _maximum(partitions, release)
    best = None
    if value is not None:
        best = next(i for i, figures in enumerate(partitions) if figures.values[release] == value)
    averages = dict.fromkeys(ACCESSES) if best is None else partitions[best].averages
    moved = {access: sum(figures.bytes[access] for figures in partitions) for access in ACCESSES}
    return {
        "b_eff_io_MBps": value,
        "values": {name: _maximum(partitions, name) for name in RELEASES},
        "processes": None if best is None else measured.schedule.partitions[best],
        "write_MBps": averages["write"],
        "rewrite_MBps": averages["rewrite"],
        "read_MBps": averages["read"],
        "bytes_per_access": moved,
        "percent_of_memory": 100 * moved["write"] / memory,
        "total_memory_write_min": None if value is None else memory / (value * BYTES_PER_MB) / 60,
    }
