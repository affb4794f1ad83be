"""What a result was measured under, each condition once: when two runs are measured alike.

Comparing, histories, baselines of maps and files of expectations all ask here.
"""

import json
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from hashlib import blake2b
from typing import Any

from beff.definition.b_eff_io_medium import medium_of
from beff.definition.b_eff_patterns import OFFICIAL_METHODS
from beff.definition.criteria import most_on_a_device
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.bounds import not_yet, runs_text
from beff.result.contract import AnyResult
from beff.result.load import Document
from beff.result.numbers import duration, format_size
from beff.result.result_parts import ImportedHead

SIZE_LEAP = 1.07
"""Memory that differs by less is the same: an update of the system changes what it reports."""
UNKNOWN = object()
"""What an imported result lacks, or what a condition does not apply to."""


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
    """Its name, where it is in a result, a path of fields or a function, and how to say it.

    `of` are the benchmarks that it is of, all without any. `expected` is the field of an
    expectation that states it; one that is `needed` has to be stated. Two values are the same where
    they are `like` each other. A `remedy` says how runs are measured in which it is equal.
    """

    name: str
    where: str | Callable[[Any], Any]
    show: Callable[[Any], str] = str
    use: Use = Use.SAME
    of: tuple[str, ...] = ()
    expected: str = ""
    needed: bool = True
    like: Callable[[Any, Any], bool] = operator.eq
    remedy: str = ""

    def found(self, result: AnyResult) -> Any:
        """Return what holds for a result; of an imported one, what is not there is not known."""
        try:
            found = _at(result, self.where) if isinstance(self.where, str) else self.where(result)
        except (AttributeError, LookupError, TypeError):
            if not isinstance(result, ImportedHead):
                raise
            return UNKNOWN
        return UNKNOWN if found is None and isinstance(result, ImportedHead) else found


Conditions = Sequence[Condition]


def _at(found: Any, path: str) -> Any:
    for name in path.split("."):
        if found is None:
            return None
        found = found.get(name) if isinstance(found, dict) else getattr(found, name)
    return found


def memory_of(result: AnyResult) -> str:
    """Return in which memory the buffers of a result lay."""
    buffers = getattr(result.environment, "buffers", None)
    return "host" if buffers is None else str(buffers.memory)


def _on_one_device(result: Any) -> Any:
    """Return the most processes that share a device; of buffers on hosts it does not apply."""
    buffers = result.environment.buffers
    return UNKNOWN if buffers is None else most_on_a_device(buffers)


def message_of(result: Any) -> int | None:
    """Return how long the messages of b_pairs through the whole network were, in bytes."""
    asked = result.plan.bisection or result.plan.processes_per_host
    return None if asked is None else int(asked.message_bytes)


def _without(path: str, *names: str) -> Callable[[Any], Any]:
    """Return how to read a part of a result but for some of its fields."""

    def read(result: Any) -> Any:
        found = _at(result, path)
        return found and found.model_dump(by_alias=True, exclude=set(names))

    return read


def _which_one(found: object) -> str:
    """Name by its digest what has too many parts for a sentence."""
    return f"one ({_short_digest(found)})" if found else "none"


def _short_digest(found: object) -> str:
    return blake2b(json.dumps(found, sort_keys=True).encode(), digest_size=3).hexdigest()


def _is_like_size(asked: int, found: int) -> bool:
    return max(asked, found) <= SIZE_LEAP * min(asked, found)


def _said(text: str | None) -> str:
    return "none" if text is None else f'"{text}"'


def _size_or_none(size: int | None) -> str:
    return "none" if size is None else format_size(size)


def _show_cores(cores: tuple[int | None, int | None]) -> str:
    fewest, most = cores
    if most is None:
        return "not known"
    return str(most) if fewest == most else f"{fewest} to {most}"


def _show_simulation(found: Any) -> str:
    if found is None or found["platform"] is None:
        return "none" if found is None else "not known"
    platform, which = found["platform"], f"({_short_digest(found)})"
    parts = platform["name"], platform["description"], *found["settings"]
    return " ".join((", ".join(filter(None, parts)), which))


_EFF, _IO, _PAIRS = ("b_eff",), ("b_eff_io",), ("b_pairs",)
_EXPECTED = Use(0)
"""Of a condition that only expectations state."""

CONDITIONS: Conditions = (
    Condition("definition", "definition", of=(*_EFF, *_PAIRS), expected="definition"),
    Condition("release", "definition", of=_IO),
    Condition("definition", "definition", use=_EXPECTED, of=_IO, expected="definition"),
    Condition("procedure", "procedure", of=_IO, expected="procedure"),
    Condition("processes", "environment.processes", expected="processes", needed=False),
    Condition("nodes", "environment.nodes", of=_PAIRS),
    Condition(
        "L_max",
        lambda result: result.message_sizes_bytes[-1],
        format_size,
        of=_EFF,
        expected="lmax_bytes",
        like=_is_like_size,
        remedy="measure both with one --memory-per-process",
    ),
    Condition(
        "methods",
        lambda result: [method for method in OFFICIAL_METHODS if method in result.methods],
        ", ".join,
        of=_EFF,
    ),
    Condition(
        "patterns",
        lambda result: [pattern.id for pattern in result.patterns],
        lambda ids: f"{len(ids)} of them ({_short_digest(ids)})",
        of=_EFF,
    ),
    Condition("message sizes measured", "options.sizes", of=_EFF),
    Condition("repetitions", "options.repetitions", of=_EFF),
    Condition(
        "random rings", lambda result: result.options.get("random_order", "uniform"), of=_EFF
    ),
    Condition(
        "loop time", "options.loop_time_s", lambda time: duration(time) if time else "none", of=_EFF
    ),
    Condition("partitions", lambda result: [one.processes for one in result.partitions], of=_IO),
    Condition(
        "scheduled time", "schedule.time_s", duration, of=_IO, expected="time_s", like=math.isclose
    ),
    Condition(
        "pattern types", lambda result: [one.name for one in result.type_names], ", ".join, of=_IO
    ),
    Condition("rewrite", "schedule.rewrite", of=_IO),
    Condition("file pointers", "pointer", of=_IO),
    Condition(
        "hints",  # what was asked for, and not what the library made of it
        lambda result: [one.model_dump(exclude={"accepted"}) for one in result.hints],
        _which_one,
        of=_IO,
    ),
    Condition("bound of the data", "schedule.max_data_bytes", _size_or_none, of=_IO),
    Condition("bound of a segment", "schedule.max_segment_bytes", _size_or_none, of=_IO),
    Condition("largest chunk", "schedule.m_part_bytes", format_size, of=_IO),
    Condition("unit of segments", "schedule.segment_unit_bytes", format_size, of=_IO),
    Condition(
        "what the bandwidth is of",
        lambda result: medium_of(result).code if isinstance(result, BEffIoResult) else None,
        of=_IO,
    ),
    Condition(
        "bisection", _without("plan.bisection", "longest_s", "at_10_GBps_s"), _which_one, of=_PAIRS
    ),
    Condition("processes per host", _without("plan.processes_per_host"), _which_one, of=_PAIRS),
    Condition("processes that share a device", _on_one_device),
    Condition("simulated", "environment.simulated", lambda it: "simulated" if it else "real"),
    Condition("program", lambda r: f"{r.program.version} ({r.program.git_commit})", use=Use.REMARK),
    Condition(
        "nodes", "environment.nodes", use=Use.REMARK | Use.MACHINE, expected="nodes", needed=False
    ),
    Condition(
        "memory of the buffers",
        memory_of,
        use=Use.REMARK | Use.HISTORY | Use.MAP,
        expected="buffers",
    ),
    Condition(
        "simulated network",
        _without("environment.simulation", "simulator", "version", "folded_memory"),
        _show_simulation,
        use=Use.REMARK | Use.MACHINE,
    ),
    Condition("hosts", "environment.host_list", use=Use.REMARK),
    Condition("placement of the processes", "environment.placement", runs_text, use=Use.REMARK),
    Condition("bound processes", "environment.binding.bound_processes", use=Use.REMARK),
    Condition("OMP_NUM_THREADS", "environment.omp_num_threads", _said, use=Use.REMARK),
    Condition(
        "cores of a process",
        lambda result: (
            result.environment.binding.cores_per_process_min,
            result.environment.binding.cores_per_process_max,
        ),
        _show_cores,
        use=Use.REMARK,
    ),
    Condition("processor", "environment.cpu.model", use=Use.REMARK | Use.MACHINE),
    Condition("MPI library", "environment.mpi.library", use=Use.REMARK),
    Condition("kernel", "environment.uname.release", use=Use.REMARK),
    Condition("build", "environment.build_type", use=Use.REMARK),
    Condition(
        "memory per process", "environment.memory_per_process_bytes", format_size, use=Use.REMARK
    ),
    Condition("valid", "valid", lambda valid: "yes" if valid else "no", use=Use.REMARK),
    Condition("data check", "data_check.enabled", use=Use.REMARK, of=_EFF),
    Condition("file system", "environment.filesystem.kind", use=Use.REMARK, of=_IO),
    Condition("mount", "environment.filesystem.mount", use=Use.REMARK, of=_IO),
    Condition("file system note", "environment.filesystem.note", _said, use=Use.REMARK, of=_IO),
    Condition("data check", "data_check.mode", use=Use.REMARK, of=_IO),
    Condition(
        "program that measured",
        lambda result: getattr(result.plan, "measured_by", "b_pairs"),
        use=Use.MAP,
        of=_PAIRS,
    ),
    Condition("unit", "plan.unit", use=Use.MAP, of=_PAIRS),
    Condition("short messages", "plan.small_bytes", use=Use.MAP, of=_PAIRS),
    Condition("long messages", "plan.large_bytes", use=Use.MAP, of=_PAIRS),
    Condition("processes of a host", "plan.per_host", use=Use.MAP, of=_PAIRS),
    Condition(
        "messages",
        message_of,
        format_size,
        use=_EXPECTED,
        of=_PAIRS,
        expected="message_bytes",
        needed=False,
        like=_is_like_size,
    ),
    Condition(
        "processes of a host in the bisection",
        "plan.bisection.processes",
        use=_EXPECTED,
        of=_PAIRS,
        expected="bisection_processes",
        needed=False,
    ),
)


def conditions_of(benchmark: str, use: Use) -> list[Condition]:
    """Return the conditions of a benchmark that any of these uses asks for."""
    return [one for one in CONDITIONS if one.use & use and (not one.of or benchmark in one.of)]


def expected_of(benchmark: str) -> list[Condition]:
    """Return the conditions that an expectation of a benchmark can state."""
    return [one for one in CONDITIONS if one.expected and (not one.of or benchmark in one.of)]


def differences(a: Sequence[Document], b: Sequence[Document], use: Use) -> list[str]:
    """Say of each condition that it does not hold for all runs of a benchmark that have it."""
    sentences = []
    for condition in conditions_of(a[0].benchmark, use):
        found = [(run, condition.found(run.result)) for run in (*a, *b)]
        known = [(run, value) for run, value in found if value is not UNKNOWN]
        other = next(((run, value) for run, value in known if value != known[0][1]), None)
        if other is None:
            continue
        here, there = condition.show(known[0][1]), condition.show(other[1])
        sources = known[0][0].source, other[0].source
        remedy = f"; {condition.remedy}" if condition.remedy else ""
        sentences.append(
            f"{condition.name}: {here} in {sources[0]}, {there} in {sources[1]}{remedy}"
        )
        if condition.name == "definition":  # by which all else may differ
            break
    return sentences


SERIES = Use.SAME | Use.HISTORY | Use.MACHINE
"""Equal in all runs of a series."""


def key_of(run: Document, use: Use = SERIES) -> dict[str, str]:
    """Return conditions of a run, by name and as they are said: those of its series, by default.

    One that does not apply, or of an option that was not given, is left out.
    """
    asked = conditions_of(run.benchmark, use)
    values = ((one, one.found(run.result)) for one in asked)
    return {
        one.name: one.show(value)
        for one, value in values
        if value is not UNKNOWN and value is not None
    }


def not_given(runs: Sequence[Document]) -> list[str]:
    """Name the conditions of comparing that some imported run lacks."""
    return [
        condition.name
        for condition in conditions_of(runs[0].benchmark, Use.SAME)
        if any(run.is_imported and condition.found(run.result) is UNKNOWN for run in runs)
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
        wrong = wrong_data(run.result)
        if wrong:
            yield f"{run.source} was measured with wrong data: {wrong} errors found"


def wrong_data(result: AnyResult) -> int:
    """Return how many messages or chunks were wrong."""
    check = getattr(result, "data_check", None)
    return getattr(check, "wrong_messages", 0) or getattr(check, "wrong_chunks", 0)
