"""The words for what a result holds as facts: criteria, cautions, the medium of a read.

The measuring programs have their own in core/record/sentences.cpp.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from beff.definition.b_eff_patterns import OFFICIAL_METHODS
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_result import BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.contract import AnyResult
from beff.result.load import Document
from beff.result.numbers import counted, duration, format_size, of_one, rate, times
from beff.result.result_parts import Criterion, Statement
from beff.verify.analysis import analysis_of

_STATEMENTS = {
    "stopped": "the run was stopped early: {by}",
    "stopped between repetitions": "the run was stopped early: {by}; of {planned} repetitions each"
    " pattern has at least {fewest}",
    "recovered": "recovered from the journal of a run that was {end}; {measured} of {planned} loops"
    " were measured",
    "recovered rounds": "recovered from the journal of a run that was {end}; {measured} rounds were"
    " measured",
    "data check lost": "the result of the data check was lost with the run",
    "random order 3.6": "the random rings are drawn as in release 3.6, where ranks that follow each"
    " other stay neighbours more often than by chance",
    "wrong data": "wrong data: {first}",
    "method not measured": "{method} is not measured: {why}",
    "oversubscribed": "oversubscribed: some node runs more processes than it has usable cores"
    " ({cores}); waiting processes take turns on a core, so short times are those of the scheduler",
    "cpu quota": "a cgroup allows {cpus} CPUs of time",
    "shared cores": "processes share cores: more of them than cores are bound to the same cores"
    " (sets of them: {sets}); hardware threads of one core count once",
    "shared kernel": "{hosts} share a kernel with others, as containers do: their cores and memory"
    " are counted once, and messages between them may not leave the machine",
    "memory of hosts chosen": "--memory auto: buffers are in the memory of hosts: {why}",
    "shared device": "{processes} processes share device {device}: they take turns on it, so short"
    " times are those of its time slices",
    "device buffers not seen": "buffers in {memory} memory, driver {driver}, were not seen on this"
    " library: {library}",
    "unexplained time": "the loops and the harness's own work explain only {explained_percent} of"
    " the elapsed {elapsed_s}; the rest went into barriers and waiting, so the processors were not"
    " dedicated to this run or the loops were very short",
    "long loops at a jump": "{long} of {loops} loops took more than twice the time they were"
    " planned for, most where the speed jumps in all repetitions: at {sizes} byte",
    "scattered long loops": "{long} of {loops} loops took more than twice the time they were"
    " planned for, now and then, so others had the cores: at {sizes} byte",
    # in results from before the two above
    "disturbed loops": "{disturbed} of {loops} loops took more than twice the time they were"
    " planned for; something else was running, or the speed jumps between message sizes",
    "unbound processes": "{unbound} of {processes} processes are not bound to a core, so the system"
    " may move them while they measure",
    "unused RDMA": "{sent_bytes} left by {by} although {unused} is active, on {hosts}",
    "bounded L_max": "L_max is bounded to 128 MiB (memory per process / 128 would be larger)",
    "other nodes": "nodes that the processes run on: {nodes}, although {variable} is {expected}",
    "heterogeneous job": "the processes run in one of the {components} components of a"
    " heterogeneous job (SLURM_HET_SIZE); srun --het-group starts them in others, too",
    "failed pattern": "pattern {pattern} failed in the {access} of {processes} processes: {error}",
    "failed file": "the file of type {type} failed in the {access} of {processes} processes:"
    " {error}",
    "more failures": "{count} more patterns or files failed",
    "read from the file system": "The read bandwidth is that of the file system: reads came from"
    " it, not from page cache ({disk_percent}).",
    "read from memory": "The read bandwidth is that of memory, not of a disk: {cached_percent} of"
    " the data came from the nodes' page caches.",
    "read from both": "The read bandwidth is a mixture of memory and file system: {cached_percent}"
    " of the data came from the nodes' page caches.",
    "files in memory": "All bandwidths are those of memory: the file system lies in memory.",
    "caches not counted": "Whether the read bandwidth is that of a disk or of memory is not known:"
    " the file system has caches in the nodes that are not counted.",
    "origin not reported": "Whether the read bandwidth is that of a disk or of memory is not known:"
    " this system reports neither what was in the page caches nor what was read from disk.",
    "stopped by space": "stopped by space, to leave the file system its reserve: patterns"
    " {patterns}",
    "stopped by the bound of data": "stopped by the bound of written data: patterns {patterns}",
    "less than memory": "the initial write moved less than the memory of the system:"
    " {written_percent} of it",
    "cut segments": "types 3 and 4 of {processes} processes repeat only {repeated_percent} of what"
    " types 0-2 ask for, bounded by {by}",
    "costly decisions": "agreeing on when to stop took up to {loops_percent} of the loops' time"
    " with {processes} processes",
    "no shared pointers": "type 1 used individual file pointers: this MPI library's shared ones"
    " cannot be used here",
    "individual pointers": "type 1 used individual file pointers, as asked for",
    "shifted reader": "each process read what a process of another node had written",
    "bounded M_PART": "M_PART is bounded to {m_part_bytes} (memory of a process / 128 would be"
    " larger)",
    "file left": "could not be removed: {file}",
    "short bisection": "the bisection ended after its time with {steps} of {planned} steps; the"
    " least of all may be lower; give it more by --bisection-time",
    "imported": "imported, not known: {not_known}",
    "printed criterion": "as printed, {text}",
    "printed errors": "the print reports {errors} errors on {processes} processes",
    "release not printed": "the release is not printed; taken as definition 3.5, rings and random",
    "shortened benchmark": "measured by a shortened benchmark, {name}",
}


@dataclass(frozen=True)
class _Words:
    required: str
    found: str
    reason: str
    """Why a result is not valid."""


_CRITERIA = {
    "complete": _Words(
        "{required} loops (every planned loop measured)",
        "{found} loops",
        "{found} of {required} loops measured",
    ),
    "passes": _Words(
        "at least {required} passes (every pass and retest ended)",
        "{found} passes",
        "{found} of {required} passes measured",
    ),
    "patterns": _Words("{required}", "{found}", "{found} of {required} patterns measured"),
    "message sizes": _Words(
        "{required}", "{found}", "{found} of {required} message sizes measured"
    ),
    "methods": _Words(
        "sendrecv, alltoallv, nonblocking",
        "{methods}",
        "only by {methods} ({required} methods needed)",
    ),
    "repetitions": _Words("{required}", "{found}", "{repetitions} ({required} needed)"),
    "loop time": _Words("{required}", "{found}", "loops of {found}, not of {required}"),
    "data": _Words(
        "{required} wrong (compared with what was sent or written)",
        "wrong {compared}: {found}, of {checked} checked",
        "{found} wrong {compared}",
    ),
    "scheduled time": _Words("at least {required}", "{found}", "T = {found} ({required} needed)"),
    "shared file pointers": _Words("used for type 1", "{use}", "shared file pointers: {use}"),
    "no error": _Words(
        "{required} failed patterns or files",
        "{found} failed patterns or files",
        "{found} failed patterns or files",
    ),
    "read from the file system": _Words(
        "at least {required} {origin}",
        "{found} {origin}",
        "only {found} of the reads came from the file system",
    ),
    "measured in full": _Words(
        "{required} patterns (every pattern of the plan, none cut short)",
        "{found} patterns",
        "{missing} of {required} patterns cut short or missing",
    ),
    "schedule": _Words(
        "{required} official types (rewrite as in the release, no bound of data or segments)",
        "{found} official types (types {types}, rewrite {rewrite})",
        "{found} of {required} official types",
    ),
    "build": _Words("optimised, no sanitizers", "{build}", "built as {build}, not for release"),
    "machine": _Words("a real one, not simulated", "{machine}", "{machine}"),
    "device buffers confirmed": _Words(
        "memory, driver and MPI library that were seen to work, and devices that the system shows",
        "{devices}",
        "buffers on a device: {devices}",
    ),
    "a device for each process": _Words(
        "{required} process on each device",
        "{found} on one",
        "{found} processes share a device",
    ),
    "measured here": _Words(
        "all samples, to be checked",
        "figures that another program printed",
        "measured here: figures that another program printed (needs all samples, to be checked)",
    ),
}
_UNKNOWN = _Words("{required}", "{found}", "{code}: {found} (needs {required})")
"""Of a criterion of a newer version."""


def sentence(statement: Statement) -> str:
    """Write what a reader should know; of a newer version's code as it stands."""
    facts = _Known((name, fact_text(name, fact)) for name, fact in statement.facts.items())
    words = _STATEMENTS.get(statement.code)
    return statement.code if words is None else _filled(words, facts)


def cautions_of(document: Document, but: Collection[str] = ()) -> list[str]:
    """Return what the result file holds, but for some codes, then what follows from samples.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    run = analysis_of(document)
    added = [f"noisy: {run.why_noisy}; measure again, alone"] if run.why_noisy else []
    added += (
        [f"{run.why_apart}, which shows no level; measure again, alone"] if run.why_apart else []
    )
    held = [sentence(one) for one in document.result.cautions if one.code not in but]
    return [*held, *added]


def cautions_of_runs(runs: Sequence[Document]) -> tuple[str, ...]:
    """Return one sentence for each caution. Raises ResultError as `cautions_of` does."""
    sources: dict[str, list[str]] = {}
    for run in runs:
        for caution in cautions_of(run):
            sources.setdefault(caution, []).append(run.source)
    return tuple(
        f"{first}{f' and {len(more)} more' if more else ''}: {caution}"
        for caution, (first, *more) in sources.items()
    )


def required_text(criterion: Criterion) -> str:
    """Write what a criterion requires."""
    facts = _Known(_numbers(criterion))
    return _filled(_CRITERIA.get(criterion.code, _UNKNOWN).required, facts)


def found_text(criterion: Criterion, result: AnyResult) -> str:
    """Write what was found in a result."""
    return _filled(_CRITERIA.get(criterion.code, _UNKNOWN).found, _facts(criterion, result))


def reasons(result: AnyResult) -> list[str]:
    """Return a phrase for each criterion that is not met, each once; none of a valid result."""
    unmet = (one for one in result.criteria if not one.met)
    return list(dict.fromkeys(phrase for one in unmet for phrase in _phrases(one, result)))


def _phrases(criterion: Criterion, result: AnyResult) -> Iterator[str]:
    words, facts = _CRITERIA.get(criterion.code, _UNKNOWN), _facts(criterion, result)
    match criterion.code:
        case "data" if not criterion.found:
            yield "no data was checked"
        case "read from the file system" if facts["medium"] == "files in memory":
            yield "measured in memory, not on a file system"
        case "read from the file system" if criterion.unit == "bytes":
            moved = "{found} moved in an access method (the cache given needs {required})"
            is_known = facts["medium"] == criterion.code
            yield _filled(moved, facts) if is_known else "where the reads came from is not known"
        case "read from the file system" if criterion.found == 0:
            yield "none of the reads came from the file system"
        case "measured in full" if criterion.found == criterion.required:
            yield "no value"
        case "schedule" if isinstance(result, BEffIoResult):
            yield from _schedule_phrases(criterion, result, _filled(words.reason, facts))
        case _:
            yield _filled(words.reason, facts)


def _schedule_phrases(criterion: Criterion, result: BEffIoResult, of_types: str) -> Iterator[str]:
    schedule = result.schedule
    if criterion.found != criterion.required:
        yield of_types
    if schedule.max_data_bytes is not None:
        yield f"writing capped at {format_size(schedule.max_data_bytes)}"
    if schedule.max_segment_bytes is not None:
        yield f"segments capped at {format_size(schedule.max_segment_bytes)}"


def _numbers(criterion: Criterion) -> dict[str, str]:
    found, required = criterion.found, criterion.required
    return {
        "code": criterion.code,
        "required": _number(required, criterion.unit),
        "found": _number(found, criterion.unit),
        "repetitions": counted(int(found or 0), "repetition"),
        "missing": f"{(required or 0) - (found or 0):.0f}",
        "use": "used" if criterion.met else "not used",
        "origin": "moved in each access method"
        if criterion.unit == "bytes"
        else "read from beyond the page caches",
    }


def _filled(words: str, facts: Mapping[str, str]) -> str:
    return of_one(words.format_map(facts))


class _Known(dict[str, str]):
    """Facts for a sentence; of a damaged result some may be missing."""

    def __missing__(self, key: str) -> str:
        return "not known"


def _facts(criterion: Criterion, result: AnyResult) -> _Known:
    """Return all that the words for a criterion are filled with."""
    facts = _Known(_numbers(criterion))
    if isinstance(result, BEffResult | BEffIoResult | BPairsResult):
        environment = result.environment
        facts["build"] = environment.build_type
        facts["machine"] = "simulated" if environment.simulated else "real"
        if (buffers := environment.buffers) is not None:
            devices = (device for group in buffers.hosts for device in group.devices)
            shown = "shown" if all(one.on_pci_bus for one in devices) else "not shown"
            kind = "confirmed" if buffers.confirmed else "experimental"
            facts["devices"] = f"{buffers.memory}, {kind}; {shown} by the system"
    if isinstance(result, BEffIoResult):
        facts |= {
            "medium": result.medium.code,
            "types": " ".join(str(kind.type) for kind in result.type_names),
            "rewrite": result.schedule.rewrite,
            "compared": "chunks",
            "checked": str(result.data_check.chunks_checked),
        }
        return facts
    facts["compared"] = "messages"
    if isinstance(result, BEffResult):
        official = [name for name in result.methods if name in OFFICIAL_METHODS]
        facts["methods"] = ", ".join(official) or "none"
        facts["checked"] = str(result.data_check.messages_checked)
    return facts


_WRITTEN: Mapping[str, Callable[[Any], str]] = {
    "s": duration,
    "bytes": lambda count: format_size(int(count)),
    "percent": "{:.3g} %".format,
    "MBps": rate,
    "times": times,
    "share": "{:.2f}".format,
    "taper": "{:.1f}".format,
}
"""How a number is written, by its unit."""


def _number(value: float | None, unit: str) -> str:
    return "not known" if value is None else _WRITTEN.get(unit, "{:.0f}".format)(value)


def fact_text(name: str, fact: Any) -> str:
    """Write it in the unit at the end of its name."""
    if isinstance(fact, list):
        return ", ".join(map(str, fact))
    unit = name.rpartition("_")[2]
    if unit in _WRITTEN and not isinstance(fact, str):
        return _number(fact, unit)
    return f"{fact:.3g}" if isinstance(fact, float) else str(fact)
