"""b_eff_io by its definition (IPDPS paper, section 5.1), in its order.

    type of patterns = bytes of all its patterns / time from opening till closing its file
    access method    = mean over the types, with double weight of the scattering type
    partition        = 25 % initial write + 25 % rewrite + 50 % read
    system           = maximum over the partitions

Release 0.5 (Euro-Par paper) weighs patterns by U instead, release 2.1 (section 6) rewrites scatter
alone. Bandwidths are in MB/s, 10^6 byte/s. A figure exists only where all that enters it was
measured. What is measured is in b_eff_io_plan.py.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from math import fsum
from typing import Any

from beff.definition.b_eff_io_medium import NEARLY_ALL, cautions_of, disk_share, medium_of
from beff.definition.b_eff_io_plan import (
    SETTINGS,
    SHARED,
    TIMED_TYPES,
    TYPE_NAMES,
    Plan,
    segment_bytes,
    shortest_valid_time_s,
    wellformed_pairs,
)
from beff.definition.common import Judgement, exactly, highest, known, logavg, mean
from beff.result.b_eff_io_result import RELEASES, BEffIoResult, Pattern
from beff.result.b_eff_io_samples import ACCESSES, Access, Key
from beff.result.bounds import OFFICIAL_TYPES, Figure
from beff.result.numbers import BYTES_PER_MB

_SHORTEST_S = 1e-12
"""No clock resolves less; figures from such times stay finite."""
_PATTERNS, _TYPES = 43, len(TYPE_NAMES)
_CACHE_FACTOR = 20
"""So many times the file system's cache each access method must move (section 5.4)."""


# --- the values of the releases ------------------------------------------------------------


def bandwidth(size_bytes: int, seconds: float) -> Figure:
    """Bytes / time; None where nothing was moved or the clock did not resolve it."""
    return size_bytes / seconds / BYTES_PER_MB if size_bytes and seconds >= _SHORTEST_S else None


def access_average(types: Sequence[Figure], second_scatter: Figure) -> Figure:
    """Mean over the five types and, as a sixth, a second figure of the scatter type.

    With the same figure again it is the mean that gives the scatter type double weight.
    """
    return known(mean, (*types, second_scatter))


def value_1(write: Figure, rewrite: Figure, read: Figure) -> Figure:
    """Release 1 (section 5.1): 25 % initial write + 25 % rewrite + 50 % read."""
    return known(mean, (write, rewrite, read, read))


def value_2_1(write: Sequence[Figure], rewritten_scatter: Figure, read: Sequence[Figure]) -> Figure:
    """Release 2.1: geometric mean of write and read, the rewrite of scatter counting as write."""
    of_write, of_read = access_average(write, rewritten_scatter), access_average(read, read[0])
    return known(logavg, (of_write, of_read))


def value_0_5(transfers: Sequence[tuple[int, int, float]]) -> Figure:
    """Release 0.5 (Euro-Par paper): the mean over the patterns, weighted by their time units.

    A transfer has its units, byte and seconds. If every pattern took exactly its ideal time, this
    would be all bytes / all transfer times.
    """
    weighed = [transfer for transfer in transfers if transfer[0] > 0]
    if not weighed or any(time_s < _SHORTEST_S for _, _, time_s in weighed):
        return None
    rates = fsum(units * (size / time_s) for units, size, time_s in weighed)
    rate = rates / sum(units for units, _, _ in weighed)
    return rate / BYTES_PER_MB if rate > 0 else None


# --- from patterns to types, access methods and partitions ---------------------------------


class TypeFigures:
    """The figures of a type by an access method in a partition, from its row and its samples.

    `transfers` are units, byte and seconds of what was measured. `moved` are the bytes of all
    patterns, where the type came as far as a row of its own. `bandwidth_MBps` is that / the time
    from opening till closing the file, None unless everything was measured; `weighted_MBps` is
    ΣU·b / ΣU, None unless all patterns with U > 0 were measured.
    """

    def __init__(self, row: Any, samples: Sequence[Any], planned: Mapping[int, Pattern]) -> None:
        times = [sample.time_s for sample in samples]
        self.transfers = [
            (planned[sample.pattern].U, sample.bytes, sample.time_s)
            for sample in samples
            if sample.status == "measured"
        ]
        self.moved = 0 if row is None else sum(sample.bytes for sample in samples)
        self.open_to_close_s = 0.0 if row is None else fsum((row.open_s, *times, row.close_s))
        is_whole = len(self.transfers) == len(planned) and row and row.status == "measured"
        self.bandwidth_MBps = bandwidth(self.moved, self.open_to_close_s) if is_whole else None
        has_all = sum(units for units, _, _ in self.transfers) == sum(p.U for p in planned.values())
        self.weighted_MBps = value_0_5(self.transfers) if has_all else None


class Measured:
    """What was measured in a run, by partition, pattern or type, and access method."""

    def __init__(self, plan: Plan, raw: BEffIoResult) -> None:
        self.plan, self.raw, self.samples = plan, raw, raw.samples.rows()
        self.rows: dict[Key, Any] = dict(zip(raw.types.keys, raw.types.rows(), strict=True))
        self.of_pattern: dict[Key, Figure] = {}
        by_type: dict[Key, list[Any]] = defaultdict(list)
        for key, sample in zip(raw.samples.keys, self.samples, strict=True):
            by_type[plan.type_of(key)].append(sample)
            is_measured = sample.status == "measured"
            self.of_pattern[key] = bandwidth(sample.bytes, sample.time_s) if is_measured else None
        table = plan.table.items()
        planned = [
            {p: pattern for p, pattern in table if pattern.type == kind} for kind in range(_TYPES)
        ]
        self.types = {
            key: TypeFigures(self.rows.get(key), by_type[key], planned[key[1]])
            for key in product(range(len(plan.partitions)), range(_TYPES), ACCESSES)
        }

    def wellformed_factor(self, partition: int, access: Access) -> Figure:
        """Geometric mean of b(l + 8) / b(l) over the official types, l = 1 kB, 32 kB, 1 MB."""
        ratios = []
        for pair in wellformed_pairs(self.plan.table).items():
            plus8, wellformed = (self.of_pattern.get((partition, p, access)) for p in pair)
            if plus8 is not None and wellformed is not None:
                ratios.append(plus8 / wellformed)
        return known(logavg, ratios)

    def segment(self, partition: int) -> int:
        """L_SEG of a partition that came as far as a type that is not timed; else 0."""
        notes, unit = self.raw.partitions[partition], self.raw.schedule.segment_unit_bytes
        written = {
            sample.pattern: sample.repetitions
            for sample in self.samples
            if (sample.partition, sample.access, sample.status) == (partition, "write", "measured")
        }
        came_so_far = any(
            key[::2] == (partition, "write") and key[1] not in TIMED_TYPES for key in self.rows
        )
        table = self.plan.table
        return segment_bytes(table, written, notes.segment_scale, unit) if came_so_far else 0


def _partition_fields(measured: Measured, partition: int) -> dict[str, Any]:
    plan, notes = measured.plan, measured.raw.partitions[partition]
    samples = [sample for sample in measured.samples if sample.partition == partition]
    decisions, loops_s = sum(s.decisions for s in samples), fsum(s.loop_s for s in samples)

    def by_access(name: str) -> dict[Access, list[Any]]:
        return {
            access: [
                getattr(measured.types[partition, kind, access], name) for kind in OFFICIAL_TYPES
            ]
            for access in ACCESSES
        }

    types = by_access("bandwidth_MBps")
    averages = {access: access_average(of, of[0]) for access, of in types.items()}
    transfers = [*chain(*chain(*by_access("transfers").values()))]
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
        "weighted_MBps": by_access("weighted_MBps"),
        "access": averages,
        "bytes": {access: sum(moved) for access, moved in by_access("moved").items()},
        "wellformed_factor": {
            access: measured.wellformed_factor(partition, access) for access in ACCESSES
        },
        "values": values,
        "b_eff_io_MBps": values[plan.options.release],
    }


# --- in the shape of the file --------------------------------------------------------------


def derive(plan: Plan, raw: BEffIoResult) -> dict[str, Any]:
    """Return everything in a result file that follows from plan and raw fields.

    Raw are the environment, the partitions' notes, the samples but for ideal time and bandwidth,
    and of the types' rows times and status.
    """
    measured = Measured(plan, raw)
    partitions = [_partition_fields(measured, index) for index in range(len(plan.partitions))]
    missing = len(plan.sample_keys()) - raw.samples.status.count("measured")
    medium, rows = medium_of(raw), [measured.types[key] for key in raw.types.keys]
    return {
        "definition": plan.options.release,
        "procedure": plan.options.procedure,
        "schedule": {
            **{name: getattr(plan.options, name) for name in SETTINGS},
            "m_part_bytes": plan.m_part,
            "unit_s": plan.unit_s,
            "planned_s": plan.planned_s,
        },
        "type_names": [
            {"type": kind, "name": TYPE_NAMES[kind], "official": kind in OFFICIAL_TYPES}
            for kind in plan.types
        ],
        "patterns": [pattern.model_dump() for pattern in plan.table.values()],
        "samples": {
            "ideal_s": [plan.unit_s * plan.table[p].U for p in raw.samples.pattern],
            "bandwidth_MBps": list(measured.of_pattern.values()),
        },
        "types": {
            "bytes": [row.moved for row in rows],
            "open_to_close_s": [row.open_to_close_s for row in rows],
            "bandwidth_MBps": [row.bandwidth_MBps for row in rows],
        },
        "partitions": partitions,
        "summary": summary_fields(
            raw.environment.total_memory_bytes, partitions, raw.environment.filesystem.peak_MBps
        ),
        # a run that was stopped just when it ended is not complete, though all was measured
        "complete": raw.complete and missing == 0,
        "criteria": _verdicts(measured, partitions),
        "medium": medium.model_dump(),
        "cautions": [caution.model_dump() for caution in cautions_of(raw)],
        "digest": {"samples": raw.samples.digested(), "types": raw.types.digested()},
    }


def summary_fields(
    memory_bytes: int,
    partitions: Sequence[dict[str, Any]],
    peak_MBps: Figure = None,  # noqa: N803 - the unit of the field
) -> dict[str, Any]:
    """Return the system value, the maximum over the partitions, and that partition's figures."""
    value = highest(part["b_eff_io_MBps"] for part in partitions)
    best = next((part for part in partitions if value == part["b_eff_io_MBps"] is not None), None)
    averages = dict.fromkeys(ACCESSES) if best is None else best["access"]
    of_access = {access: [part["bytes"][access] for part in partitions] for access in ACCESSES}
    moved = {access: None if None in of else sum(of) for access, of in of_access.items()}
    written, time_s = moved["write"], value and memory_bytes / (value * BYTES_PER_MB)
    return {
        "b_eff_io_MBps": value,
        "values": {name: highest(part["values"][name] for part in partitions) for name in RELEASES},
        "processes": None if best is None else best["processes"],
        **{f"{access}_MBps": averages[access] for access in ACCESSES},
        "bytes_per_access": moved,
        "percent_of_memory": None if written is None else 100 * written / memory_bytes,
        "total_memory_write_min": None if time_s is None else time_s / 60,
        "percent_of_peak": 100 * value / peak_MBps if value and peak_MBps else None,
    }


def _verdicts(measured: Measured, partitions: Sequence[dict[str, Any]]) -> dict[str, Judgement]:
    """Judge whether the value compares with others (section 5.1), by codes of the criteria."""
    plan, raw = measured.plan, measured.raw
    options, data = plan.options, raw.data_check
    shortest_s = shortest_valid_time_s(options.release, len(plan.partitions))
    tried = zip(raw.samples.keys, raw.samples.status, strict=True)
    failed = {key for key, status in tried if status == "failed"}
    files = {key for key, row in measured.rows.items() if row.status == "failed"}
    in_full = sum(_is_in_full(measured, sample) for sample in measured.samples)
    full = exactly(len(plan.sample_keys()), in_full)
    has_value = any(part["b_eff_io_MBps"] for part in partitions)
    wrong = exactly(0, None if data.mode == "none" else data.wrong_chunks)
    types = exactly(len(OFFICIAL_TYPES), len({*plan.types} & {*OFFICIAL_TYPES}))
    as_released = options.rewrite == "all" or options.release == "2.1"
    bounds = {raw.schedule.max_data_bytes, raw.schedule.max_segment_bytes}
    return {
        "scheduled time": Judgement(options.time_s >= shortest_s, shortest_s, options.time_s, "s"),
        "shared file pointers": Judgement(SHARED in plan.types and raw.pointer == "shared"),
        "no error": exactly(0, len(failed) + len(files - {*map(plan.type_of, failed)})),
        "read from the file system": _origin(measured, partitions),
        "measured in full": replace(full, met=full.met and raw.complete and has_value),
        "data": replace(wrong, met=data.chunks_checked > 0 and data.wrong_chunks == 0),
        "schedule": replace(types, met=types.met and as_released and bounds == {None}),
    }


def _is_in_full(measured: Measured, sample: Any) -> bool:
    """Whether neither space nor a bound of the user made a pattern shorter."""
    is_cut = measured.raw.partitions[sample.partition].segment_cut != "none"
    is_timed = measured.plan.table[sample.pattern].type in TIMED_TYPES
    is_whole = sample.stop not in ("space", "max-data") and (is_timed or not is_cut)
    return sample.status == "measured" and is_whole


def _origin(measured: Measured, partitions: Sequence[dict[str, Any]]) -> Judgement:
    """Judge where the read came from or, if that is unknown or a cache is given, what was moved.

    That is the memory of the system or, where its length is given, 20 times the file system's
    cache (section 5.4), for the access method that moved least.
    """
    share, plan, environment = disk_share(measured.raw), measured.plan, measured.raw.environment
    cache = environment.filesystem.cache_bytes
    if share is not None and (cache is None or share < NEARLY_ALL):
        return Judgement(share >= NEARLY_ALL, 100 * NEARLY_ALL, 100 * share, "percent")
    needed = environment.total_memory_bytes if cache is None else _CACHE_FACTOR * cache
    moved = min(
        sum(part["bytes"][access] for part in partitions)
        for access in ACCESSES
        if any(plan.runs(access, kind) for kind in plan.types)
    )
    return Judgement(moved >= needed, needed, moved, "bytes")
