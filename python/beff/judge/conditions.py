"""What a result was measured under, each condition once: when two runs are measured alike.

Comparing, histories, baselines of maps and files of expectations all ask here.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from hashlib import blake2b
from math import isclose
from typing import Any

from beff.definition.b_eff_plan import OFFICIAL_METHODS
from beff.definition.common import most_on_a_device
from beff.result.bounds import not_yet, runs_text
from beff.result.contract import AnyResult
from beff.result.load import Document
from beff.result.numbers import duration, format_size
from beff.result.result_parts import ImportedHead

SIZE_LEAP = 1.07
"""Sizes of memory that differ by less count as equal: an update of the system changes them."""
UNKNOWN = object()
"""The value of a condition that an imported result lacks, or that does not apply."""


class Use(Flag):
    """What asks for a condition.

    `SAME`: two sides are compared only where it is equal. `REMARK`: it may be the very reason of
    their comparison, and is said. `HISTORY`: runs are of one history, but `SAME` too. `MACHINE`:
    earlier runs are of this machine. `MAP`: maps are set beside each other.
    """

    SAME = auto()
    REMARK = auto()
    HISTORY = auto()
    MACHINE = auto()
    MAP = auto()


@dataclass(frozen=True)
class Condition:
    """A condition of benchmarks: its name, where it is in a result, and how to say it.

    `of` names the benchmarks, `where` is a path of fields or a function, and `expected` the field
    of an expectation that states it.
    """

    of: tuple[str, ...]
    use: Use
    name: str
    where: str | Callable[[Any], Any]
    show: Callable[[Any], str] = str
    expected: str = ""

    def value_in(self, result: AnyResult) -> Any:
        """Return what holds for a result; of an imported one, what is not there is not known."""
        try:
            value = _at(result, self.where) if isinstance(self.where, str) else self.where(result)
        except (AttributeError, LookupError, TypeError):
            if not isinstance(result, ImportedHead):
                raise
            return UNKNOWN
        return UNKNOWN if value is None and isinstance(result, ImportedHead) else value

    def text_of(self, value: Any) -> str:
        """Return a value in words."""
        return "none" if value is None or value == [] else self.show(value)

    def is_met(self, wanted: Any, value: Any) -> bool:
        """Whether a value is as good as the one that is wanted; sizes may differ by SIZE_LEAP."""
        if self.show is format_size:
            return bool(max(wanted, value) <= SIZE_LEAP * min(wanted, value))
        return isclose(wanted, value) if isinstance(wanted, float) else bool(wanted == value)


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        if value is None:
            return None
        value = value.get(name) if isinstance(value, dict) else getattr(value, name)
    return value


def memory_of(result: AnyResult) -> str:
    """Return in which memory the buffers of a result lay."""
    buffers = getattr(result.environment, "buffers", None)
    return "host" if buffers is None else str(buffers.memory)


def message_of(result: Any) -> int | None:
    """Return how long the messages of b_pairs through the whole network were, in bytes."""
    part = result.plan.bisection or result.plan.processes_per_host
    return None if part is None else int(part.message_bytes)


def _measured_by(result: Any) -> Any:
    """Return by what a map was measured: an imported one says so."""
    return getattr(result.plan, "measured_by", "b_pairs")


def _without(path: str, *names: str) -> Callable[[Any], Any]:
    """Return how to read a part of a result but for some of its fields."""

    def read(result: Any) -> Any:
        part = _at(result, path)
        if isinstance(part, list):
            return [each.model_dump(exclude=set(names)) for each in part]
        return part and part.model_dump(by_alias=True, exclude=set(names))

    return read


def _digest_of(value: object) -> str:
    """Name by its digest what has too many parts for a sentence."""
    return f"one ({_short_digest(value)})"


def _short_digest(value: object) -> str:
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=3).hexdigest()


def _show_ids(ids: list[int]) -> str:
    return f"{len(ids)} of them ({_short_digest(ids)})"


def _on_one_device(result: Any) -> Any:
    """Return the most processes that share a device; of buffers on hosts it does not apply."""
    buffers = result.environment.buffers
    return UNKNOWN if buffers is None else most_on_a_device(buffers)


def _cores(result: Any) -> str:
    binding = result.environment.binding
    fewest, most = binding.cores_per_process_min, binding.cores_per_process_max
    known = str(most) if fewest == most else f"{fewest} to {most}"
    return "not known" if most is None else known


def _show_simulation(value: Any) -> str:
    if (platform := value["platform"]) is None:
        return "not known"
    parts = platform["name"], platform["description"], *value["settings"]
    return f"{', '.join(filter(None, parts))} ({_short_digest(value)})"


_EFF, _IO, _PAIRS = ("b_eff",), ("b_eff_io",), ("b_pairs",)
_ALL = (*_EFF, *_IO, *_PAIRS)
_EXPECTED = Use(0)
"""Of a condition that only expectations state."""
_SAME, _REMARK, _MACHINE = Use.SAME, Use.REMARK, Use.REMARK | Use.MACHINE
_QUOTED = '"{}"'.format
_BUFFERS = Use.REMARK | Use.HISTORY | Use.MAP
_BISECTION = "plan.bisection", "longest_s", "at_10_GBps_s"
_SIMULATION = "environment.simulation", "simulator", "version", "folded_memory"
"""Parts of a result, each with the fields that are no condition."""

CONDITIONS: Sequence[Condition] = (
    Condition((*_EFF, *_PAIRS), _SAME, "definition", "definition", str, "definition"),
    Condition(_IO, _SAME, "release", "definition"),
    Condition(_IO, _EXPECTED, "definition", "definition", str, "definition"),
    Condition(_IO, _SAME, "procedure", "procedure", str, "procedure"),
    Condition(_ALL, _SAME, "processes", "environment.processes", str, "processes"),
    Condition(_PAIRS, _SAME, "nodes", "environment.nodes"),
    Condition(_EFF, _SAME, "L_max", lambda r: r.message_sizes_bytes[-1], format_size, "lmax_bytes"),
    Condition(
        _EFF, _SAME, "methods", lambda r: [m for m in OFFICIAL_METHODS if m in r.methods], ", ".join
    ),
    Condition(_EFF, _SAME, "patterns", lambda r: [one.id for one in r.patterns], _show_ids),
    Condition(_EFF, _SAME, "message sizes measured", "options.sizes"),
    Condition(_EFF, _SAME, "repetitions", "options.repetitions"),
    Condition(_EFF, _SAME, "random rings", lambda r: r.options.get("random_order", "uniform")),
    Condition(_EFF, _SAME, "loop time", "options.loop_time_s", duration),
    Condition(_IO, _SAME, "partitions", lambda r: [one.processes for one in r.partitions]),
    Condition(_IO, _SAME, "scheduled time", "schedule.time_s", duration, "time_s"),
    Condition(_IO, _SAME, "pattern types", lambda r: [t.name for t in r.type_names], ", ".join),
    Condition(_IO, _SAME, "rewrite", "schedule.rewrite"),
    Condition(_IO, _SAME, "file pointers", "pointer"),
    Condition(_IO, _SAME, "hints", _without("hints", "accepted"), _digest_of),  # as asked for
    Condition(_IO, _SAME, "bound of the data", "schedule.max_data_bytes", format_size),
    Condition(_IO, _SAME, "bound of a segment", "schedule.max_segment_bytes", format_size),
    Condition(_IO, _SAME, "largest chunk", "schedule.m_part_bytes", format_size),
    Condition(_IO, _SAME, "unit of segments", "schedule.segment_unit_bytes", format_size),
    Condition(_IO, _SAME, "what the bandwidth is of", "medium.code"),
    Condition(_PAIRS, _SAME, "bisection", _without(*_BISECTION), _digest_of),
    Condition(_PAIRS, _SAME, "processes per host", _without("plan.processes_per_host"), _digest_of),
    Condition(_ALL, _SAME, "processes that share a device", _on_one_device),
    Condition(_ALL, _SAME, "simulated", "environment.simulated", ("real", "simulated").__getitem__),
    Condition(_ALL, _REMARK, "program", lambda r: f"{r.program.version} ({r.program.git_commit})"),
    Condition(_ALL, _MACHINE, "nodes", "environment.nodes", str, "nodes"),
    Condition(_ALL, _BUFFERS, "memory of the buffers", memory_of, str, "buffers"),
    Condition(_ALL, _MACHINE, "simulated network", _without(*_SIMULATION), _show_simulation),
    Condition(_ALL, _REMARK, "hosts", "environment.host_list"),
    Condition(_ALL, _REMARK, "placement of the processes", "environment.placement", runs_text),
    Condition(_ALL, _REMARK, "bound processes", "environment.binding.bound_processes"),
    Condition(_ALL, _REMARK, "OMP_NUM_THREADS", "environment.omp_num_threads", _QUOTED),
    Condition(_ALL, _REMARK, "cores of a process", _cores),
    Condition(_ALL, _MACHINE, "processor", "environment.cpu.model"),
    Condition(_ALL, _REMARK, "MPI library", "environment.mpi.library"),
    Condition(_ALL, _REMARK, "kernel", "environment.uname.release"),
    Condition(_ALL, _REMARK, "build", "environment.build_type"),
    Condition(
        _ALL, _REMARK, "memory per process", "environment.memory_per_process_bytes", format_size
    ),
    Condition(_ALL, _REMARK, "valid", "valid", lambda valid: "yes" if valid else "no"),
    Condition(_EFF, _REMARK, "data check", "data_check.enabled"),
    Condition(_IO, _REMARK, "file system", "environment.filesystem.kind"),
    Condition(_IO, _REMARK, "mount", "environment.filesystem.mount"),
    Condition(_IO, _REMARK, "file system note", "environment.filesystem.note", _QUOTED),
    Condition(_IO, _REMARK, "data check", "data_check.mode"),
    Condition(_PAIRS, Use.MAP, "program that measured", _measured_by),
    Condition(_PAIRS, Use.MAP, "unit", "plan.unit"),
    Condition(_PAIRS, Use.MAP, "short messages", "plan.small_bytes"),
    Condition(_PAIRS, Use.MAP, "long messages", "plan.large_bytes"),
    Condition(_PAIRS, Use.MAP, "processes of a host", "plan.per_host"),
    Condition(_PAIRS, _EXPECTED, "messages", message_of, format_size, "message_bytes"),
    Condition(
        _PAIRS,
        _EXPECTED,
        "processes of a host in the bisection",
        "plan.bisection.processes",
        str,
        "bisection_processes",
    ),
)


def conditions_of(benchmark: str, use: Use) -> list[Condition]:
    """Return the conditions of a benchmark that any of these uses asks for."""
    return [one for one in CONDITIONS if one.use & use and benchmark in one.of]


def expected_of(benchmark: str) -> list[Condition]:
    """Return the conditions that an expectation of a benchmark can state."""
    return [one for one in CONDITIONS if one.expected and benchmark in one.of]


def differences(a: Sequence[Document], b: Sequence[Document], use: Use) -> list[str]:
    """Say of each condition that it does not hold for all runs of a benchmark that have it."""
    sentences = []
    for condition in conditions_of(a[0].benchmark, use):
        values = [(condition.value_in(run.result), run.source) for run in (*a, *b)]
        known = [each for each in values if each[0] is not UNKNOWN]
        if (other := next((each for each in known if each[0] != known[0][0]), None)) is None:
            continue
        here, there = (f"{condition.text_of(value)} in {run}" for value, run in (known[0], other))
        remedy = "; measure both with one --memory-per-process" * (condition.name == "L_max")
        sentences.append(f"{condition.name}: {here}, {there}{remedy}")
        if condition.name == "definition":  # by which all else may differ
            break
    return sentences


def why_unlike(group: Sequence[Document], run: Document) -> list[str]:
    """Say why a run was not measured in the same way as a group, or shows nothing."""
    if run.benchmark != group[0].benchmark:
        return [f"{run.source} is of {run.benchmark}"]
    to_compare = group if group[0].is_imported else group[:1]  # measured: has all conditions
    return [*unusable([run]), *differences(to_compare, [run], Use.SAME | Use.HISTORY)]


SERIES = Use.SAME | Use.HISTORY | Use.MACHINE
"""Equal in all runs of a series."""


def key_of(run: Document, use: Use = SERIES) -> dict[str, str]:
    """Return conditions of a run, by name and as they are said: those of its series, by default.

    One that does not apply, or of an option that was not given, is left out.
    """
    values = [(one, one.value_in(run.result)) for one in conditions_of(run.benchmark, use)]
    return {one.name: one.text_of(value) for one, value in values if value not in (UNKNOWN, None)}


def not_given(runs: Sequence[Document]) -> list[str]:
    """Name the conditions of comparing that some imported run lacks."""
    return [
        condition.name
        for condition in conditions_of(runs[0].benchmark, Use.SAME)
        if any(run.is_imported and condition.value_in(run.result) is UNKNOWN for run in runs)
    ]


def unusable(runs: Sequence[Document]) -> Iterator[str]:
    """One sentence for each run that no figure should be taken from.

    An imported one is what was printed of a run, which is not known; its cautions say so.
    """
    for run in runs:
        if run.is_imported:
            continue
        if not run.result.complete:
            yield f"{run.source} is the result of a run that did not measure everything"
        if why := not_yet(run.started_at):
            yield f"{run.source} was {why}"
        if wrong := wrong_data(run.result):
            yield f"{run.source} was measured with wrong data: {wrong} errors found"


def wrong_data(result: AnyResult) -> int:
    """Return how many messages or chunks were wrong."""
    check = getattr(result, "data_check", None)
    return getattr(check, "wrong_messages", 0) or getattr(check, "wrong_chunks", 0)
