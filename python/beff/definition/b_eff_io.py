"""b_eff_io by its definition (IPDPS paper, section 5.1), in its order.

    type of patterns = bytes of all its patterns / time from opening till closing its file
    access method    = mean over the types, with double weight of the scattering type
    partition        = 25 % initial write + 25 % rewrite + 50 % read
    system           = maximum over the partitions

Release 0.5 (Euro-Par paper) weighs patterns by U instead, release 2.1 (section 6) rewrites scatter
alone. Bandwidths are in MB/s, 10^6 byte/s. A figure exists only where all that enters it was
measured. What is measured is in b_eff_io_plan.py and b_eff_io_patterns.py.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from math import fsum
from typing import Any, TypeVar

from beff.definition.averages import highest, known, logavg, mean
from beff.definition.b_eff_io_medium import NEARLY_ALL, cautions_of, disk_share, medium_of
from beff.definition.b_eff_io_patterns import (
    SHARED,
    TIMED_TYPES,
    TYPE_NAMES,
    position,
    wellformed_pairs,
)
from beff.definition.b_eff_io_plan import SETTINGS, Plan, segment_bytes, shortest_valid_time_s
from beff.definition.balance import balance_of
from beff.definition.criteria import Judgement, criteria_fields, exactly
from beff.definition.digest import columns_digest
from beff.result.b_eff_io_result import RELEASES, BEffIoResult
from beff.result.b_eff_io_samples import ACCESSES, Access, Sample, SampleKey, TypeKey, TypeRow
from beff.result.bounds import OFFICIAL_TYPES, Figure
from beff.result.numbers import BYTES_PER_MB

Of = TypeVar("Of")
_PATTERNS = 43
_CACHE_FACTOR = 20
"""So many times the file system's cache each access method must move (section 5.4)."""


# --- the values of the releases ------------------------------------------------------------


def bandwidth(size_bytes: int, seconds: float) -> Figure:
    """Bytes / time; None where nothing was moved or the clock did not resolve it."""
    value = size_bytes / seconds / BYTES_PER_MB if size_bytes > 0 and seconds > 0 else 0.0
    return value if value > 0 else None


def access_average(types: Sequence[Figure], second_scatter: Figure) -> Figure:
    """Mean over the five types, with another figure of the scatter type as a sixth.

    That is the same one for the mean that counts the scatter type twice.
    """
    return known(mean, (*types, second_scatter))


def value_1(write: Figure, rewrite: Figure, read: Figure) -> Figure:
    """Release 1 (section 5.1): 25 % initial write + 25 % rewrite + 50 % read."""
    return known(mean, (write, rewrite, read, read))


def value_2_1(write: Sequence[Figure], rewritten_scatter: Figure, read: Sequence[Figure]) -> Figure:
    """Release 2.1: geometric mean of write and read, the rewrite of scatter counting as write."""
    of_write, of_read = access_average(write, rewritten_scatter), access_average(read, read[0])
    return known(logavg, (of_write, of_read))


@dataclass(frozen=True)
class Transfer:
    """One pattern in one access method, as release 0.5 sees it."""

    bytes: int
    time_s: float
    units: int


def value_0_5(transfers: Iterable[Transfer]) -> Figure:
    """Release 0.5 (Euro-Par paper): the mean over the patterns, weighted by their time units.

    If every pattern took exactly its ideal time, this would be all bytes / all transfer times.
    """
    weighed = [transfer for transfer in transfers if transfer.units > 0]
    if not weighed or any(transfer.time_s <= 0 for transfer in weighed):
        return None
    rates = fsum(transfer.units * (transfer.bytes / transfer.time_s) for transfer in weighed)
    rate = rates / sum(transfer.units for transfer in weighed)
    return rate / BYTES_PER_MB if rate > 0 else None


# --- from patterns to types, access methods and partitions ---------------------------------


@dataclass(frozen=True)
class Measured:
    """The rows of a run, looked up by what they belong to."""

    plan: Plan
    raw: BEffIoResult

    @cached_property
    def samples(self) -> dict[SampleKey, Sample]:
        """Return the samples of patterns that were tried or left out."""
        return {sample.key: sample for sample in self.raw.samples.rows}

    @cached_property
    def rows(self) -> dict[TypeKey, TypeRow]:
        """Return the types whose file was opened or left out."""
        return {row.key: row for row in self.raw.types.rows}

    @cached_property
    def by_type(self) -> dict[TypeKey, list[Sample]]:
        """Return the samples of each type."""
        found: dict[TypeKey, list[Sample]] = {}
        for key, sample in self.samples.items():
            found.setdefault(self.plan.type_of(key), []).append(sample)
        return found

    @cached_property
    def of_pattern(self) -> dict[SampleKey, Figure]:
        """Bandwidth of each pattern that was measured."""
        return {
            key: bandwidth(one.bytes, one.time_s) if one.status == "measured" else None
            for key, one in self.samples.items()
        }

    def moved(self, key: TypeKey) -> int:
        """Bytes of all patterns of a type that came as far as a row of its own."""
        return sum(one.bytes for one in self.by_type.get(key, [])) if key in self.rows else 0

    def open_to_close_s(self, row: TypeRow) -> float:
        """Time of a type: open, the times of its patterns, close."""
        times = (sample.time_s for sample in self.by_type.get(row.key, []))
        return fsum((row.open_s, *times, row.close_s))

    def of_type(self, key: TypeKey) -> Figure:
        """Bytes of all patterns of a type / time from opening till closing its file.

        None unless every one of them was measured and the file was opened and closed.
        """
        row = self.rows.get(key)
        planned = sum(facts.type == key.type for facts in self.plan.table.values())
        if row is None or row.status != "measured" or len(self.transfers(key)) < planned:
            return None
        return bandwidth(self.moved(key), self.open_to_close_s(row))

    def transfers(self, key: TypeKey) -> list[Transfer]:
        """Return what was measured of the patterns of a type."""
        return [
            Transfer(one.bytes, one.time_s, self.plan.table[one.key.pattern].units)
            for one in self.by_type.get(key, [])
            if one.status == "measured"
        ]

    def weighted(self, key: TypeKey) -> Figure:
        """ΣU·b / ΣU over the patterns of a type; None unless all with U > 0 were measured."""
        transfers = self.transfers(key)
        units = sum(facts.units for facts in self.plan.table.values() if facts.type == key.type)
        return value_0_5(transfers) if sum(one.units for one in transfers) == units else None

    def wellformed_factor(self, partition: int, access: Access) -> Figure:
        """Geometric mean of b(l + 8) / b(l) over the official types, l = 1 kB, 32 kB, 1 MB."""
        ratios = []
        for pair in wellformed_pairs(self.plan.table).items():
            keys = (SampleKey(partition, number, access) for number in pair)
            plus8, wellformed = map(self.of_pattern.get, keys)
            if plus8 is not None and wellformed is not None:
                ratios.append(plus8 / wellformed)
        return known(logavg, ratios)

    def segment(self, partition: int) -> int:
        """L_SEG of a partition that came as far as a type that is not timed; else 0."""
        notes, unit = self.raw.partitions[partition], self.raw.schedule.segment_unit_bytes
        written = {
            key.pattern: sample.repetitions
            for key, sample in self.samples.items()
            if key[::2] == (partition, "write") and sample.status == "measured"
        }
        came_so_far = any(
            key[::2] == (partition, "write") and key.type not in TIMED_TYPES for key in self.rows
        )
        table = self.plan.table
        return segment_bytes(table, written, notes.segment_scale, unit) if came_so_far else 0


def _partition_fields(measured: Measured, partition: int) -> dict[str, Any]:
    plan, notes = measured.plan, measured.raw.partitions[partition]
    samples = [one for one in measured.samples.values() if one.key.partition == partition]
    decisions, loops_s = sum(s.decisions for s in samples), fsum(s.loop_s for s in samples)

    def by_access(of: Callable[[TypeKey], Of]) -> dict[Access, list[Of]]:
        return {
            access: [of(TypeKey(partition, kind, access)) for kind in OFFICIAL_TYPES]
            for access in ACCESSES
        }

    types = by_access(measured.of_type)
    averages = {access: access_average(of, of[0]) for access, of in types.items()}
    every_type = chain.from_iterable(by_access(measured.transfers).values())
    transfers = list(chain.from_iterable(every_type))
    values = {
        "0.5": value_0_5(transfers) if len(transfers) == _PATTERNS * len(ACCESSES) else None,
        "1": value_1(*averages.values()),
        "2.1": value_2_1(types["write"], types["rewrite"][0], types["read"]),
    }
    return {
        "processes": plan.partitions[partition],
        "scheduled_s": plan.partition_s,
        "decisions": decisions,
        "decisions_share": decisions * notes.decision_cost_s / loops_s if loops_s > 0 else None,
        "segment_bytes": measured.segment(partition),
        "samples": len(samples),
        "types": types,
        "weighted_MBps": by_access(measured.weighted),
        "access": averages,
        "bytes": {access: sum(moved) for access, moved in by_access(measured.moved).items()},
        "wellformed_factor": {
            access: measured.wellformed_factor(partition, access) for access in ACCESSES
        },
        "values": values,
        "b_eff_io_MBps": values[plan.asked.release],
    }


# --- in the shape of the file --------------------------------------------------------------


def derive(plan: Plan, raw: BEffIoResult) -> dict[str, Any]:
    """Return everything in a result file that follows from plan and raw fields.

    Raw are the environment, the partitions' notes, the samples but for ideal time and bandwidth,
    and of the types' rows times and status.
    """
    measured = Measured(plan, raw)
    partitions = [_partition_fields(measured, index) for index in range(len(plan.partitions))]
    missing = len(plan.sample_keys()) - sum(s.status == "measured" for s in raw.samples.rows)
    medium = medium_of(raw)
    return {
        "definition": plan.asked.release,
        "procedure": plan.asked.procedure,
        "schedule": {
            **{name: getattr(plan.asked, name) for name in SETTINGS},
            "m_part_bytes": plan.m_part,
            "unit_s": plan.unit_s,
            "planned_s": plan.planned_s,
        },
        "type_names": [
            {"type": kind, "name": TYPE_NAMES[kind], "official": kind in OFFICIAL_TYPES}
            for kind in plan.types
        ],
        "patterns": [
            {
                "number": facts.number,
                "type": facts.type,
                "l_bytes": facts.chunk,
                "L_bytes": facts.memory,
                "U": facts.units,
                "wellformed": facts.wellformed,
                "position": position(facts, plan.m_part),
                "reported": facts.units > 0,
            }
            for facts in plan.table.values()
        ],
        "samples": {
            "ideal_s": [plan.unit_s * plan.table[p].units for p in raw.samples.pattern],
            "bandwidth_MBps": list(measured.of_pattern.values()),
        },
        "types": {
            "bytes": [measured.moved(row.key) for row in raw.types.rows],
            "open_to_close_s": [measured.open_to_close_s(row) for row in raw.types.rows],
            "bandwidth_MBps": [measured.of_type(row.key) for row in raw.types.rows],
        },
        "partitions": partitions,
        "summary": _summary_fields(plan, raw, partitions),
        # a run that was stopped just when it ended is not complete, though all was measured
        "complete": raw.complete and missing == 0,
        **criteria_fields(raw, _verdicts(measured, partitions)),
        "medium": medium.model_dump(),
        "cautions": [caution.model_dump() for caution in cautions_of(raw)],
        "digest": {
            "samples": columns_digest(raw.samples.digested()),
            "types": columns_digest(raw.types.digested()),
        },
    }


def _summary_fields(
    plan: Plan, raw: BEffIoResult, partitions: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return the system value, the maximum over the partitions, and that partition's figures."""
    memory, rmax = raw.environment.total_memory_bytes, raw.rmax
    given = raw.summary.rmax_gflops if rmax is None else rmax.gflops
    value = highest(one["b_eff_io_MBps"] for one in partitions)
    best = None
    if value is not None:
        best = next(one for one in partitions if one["b_eff_io_MBps"] == value)
    averages = dict.fromkeys(ACCESSES) if best is None else best["access"]
    moved = {access: sum(one["bytes"][access] for one in partitions) for access in ACCESSES}
    return {
        "b_eff_io_MBps": value,
        "values": {name: highest(one["values"][name] for one in partitions) for name in RELEASES},
        "processes": None if best is None else best["processes"],
        **{f"{access}_MBps": averages[access] for access in ACCESSES},
        "bytes_per_access": moved,
        "percent_of_memory": 100 * moved["write"] / memory,
        "total_memory_write_min": None if value is None else memory / (value * BYTES_PER_MB) / 60,
        "rmax_gflops": given,
        "balance_bytes_per_flop": balance_of(value, given),
    }


def _verdicts(measured: Measured, partitions: Sequence[dict[str, Any]]) -> dict[str, Judgement]:
    """Judge whether the value compares with others (section 5.1), by codes of the criteria."""
    plan, raw = measured.plan, measured.raw
    asked, data = plan.asked, raw.data_check
    shortest_s = shortest_valid_time_s(asked.release, len(plan.partitions))
    failed = {key for key, sample in measured.samples.items() if sample.status == "failed"}
    files = {key for key, row in measured.rows.items() if row.status == "failed"}
    in_full = sum(_is_in_full(measured, sample) for sample in raw.samples.rows)
    full = exactly(len(plan.sample_keys()), in_full)
    has_value = any(one["b_eff_io_MBps"] for one in partitions)
    wrong = exactly(0, None if data.mode == "none" else data.wrong_chunks)
    types = exactly(len(OFFICIAL_TYPES), len({*plan.types} & {*OFFICIAL_TYPES}))
    as_released = asked.rewrite == "all" or asked.release == "2.1"
    bounds = {raw.schedule.max_data_bytes, raw.schedule.max_segment_bytes}
    return {
        "scheduled time": Judgement(asked.time_s >= shortest_s, shortest_s, asked.time_s, "s"),
        "shared file pointers": Judgement(SHARED in plan.types and raw.pointer == "shared"),
        "no error": exactly(0, len(failed) + len(files - {*map(plan.type_of, failed)})),
        "read from the file system": _origin(measured, partitions),
        "measured in full": replace(full, met=full.met and raw.complete and has_value),
        "data": replace(wrong, met=data.chunks_checked > 0 and data.wrong_chunks == 0),
        "schedule": replace(types, met=types.met and as_released and bounds == {None}),
    }


def _is_in_full(measured: Measured, sample: Sample) -> bool:
    """Whether neither space nor a bound of the user made a pattern shorter."""
    is_cut = measured.raw.partitions[sample.key.partition].segment_cut != "none"
    is_timed = measured.plan.table[sample.key.pattern].type in TIMED_TYPES
    is_whole = sample.stop not in ("space", "max-data") and (is_timed or not is_cut)
    return sample.status == "measured" and is_whole


def _origin(measured: Measured, partitions: Sequence[dict[str, Any]]) -> Judgement:
    """Judge where the read came from; if that is not known or a cache is given, what was moved.

    That is the memory of the system or, where its length is given, 20 times the file system's
    cache (section 5.4), for the access method that moved least.
    """
    share, plan, environment = disk_share(measured.raw), measured.plan, measured.raw.environment
    cache = environment.filesystem.cache_bytes
    if share is not None and (cache is None or share < NEARLY_ALL):
        return Judgement(share >= NEARLY_ALL, 100 * NEARLY_ALL, 100 * share, "percent")
    needed = environment.total_memory_bytes if cache is None else _CACHE_FACTOR * cache
    moved = min(
        sum(one["bytes"][access] for one in partitions)
        for access in ACCESSES
        if any(plan.runs(access, kind) for kind in plan.types)
    )
    return Judgement(moved >= needed, needed, moved, "bytes")
