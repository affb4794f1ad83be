"""Verification of a result file of any benchmark: derive everything again, and compare.

A partial result is derived in the same way from the journal of a run that was cut off. In imported
results figures that were printed twice must agree, and those that follow from others must fit.
"""

from collections import Counter
from collections.abc import Callable, Collection
from functools import lru_cache
from itertools import product
from math import fsum
from typing import Any

from beff.definition import b_eff, b_eff_io, b_eff_io_plan, b_eff_plan, b_pairs, b_pairs_plan
from beff.definition.b_eff_io import access_average, summary_fields, value_1, value_2_1
from beff.definition.b_eff_plan import NOT_MEASURED
from beff.definition.common import (
    ALGORITHM,
    NOT_CHECKED,
    Disagreement,
    Printed,
    UnsoundError,
    Verification,
    balance_of,
    columns_digest,
    compared,
    criteria_fields,
    half_digit,
)
from beff.result.b_eff_io_result import BEffIoResult, ImportedBEffIo, PartitionNotes
from beff.result.b_eff_io_samples import ACCESSES, Types
from beff.result.b_eff_io_samples import Samples as IoSamples
from beff.result.b_eff_result import BEffResult, ImportedBEff, Samples
from beff.result.b_pairs_result import (
    BPairsResult,
    HalvesMeasured,
    ImportedPairs,
    MapMachine,
    MapResult,
    PairsAlone,
    Retests,
)
from beff.result.bounds import OFFICIAL_TYPES, Columns, Row
from beff.result.contract import AnyResult
from beff.result.environment import Environment
from beff.result.errors import DisagreementError, ResultError
from beff.result.host_list import expand_host_list
from beff.result.load import Document, Journal, check_document
from beff.result.numbers import BYTES_PER_MB
from beff.result.result_parts import ImportedHead, MeasuredHead

_VALUE_ERROR = 1e-3
"""Rounding of the averages and totals that a value is made of; means do not enlarge it."""


def _environment_fields(result: AnyResult) -> dict[str, Any]:
    """Return the part of the environment that follows from the placement of the processes.

    The memory of the system is that of its processes. In b_eff_io, where an option may state it, it
    is that of the nodes if they have more.
    """
    environment = result.environment
    if isinstance(environment, MapMachine):
        return {}
    total = environment.memory_per_process_bytes * environment.processes
    if not isinstance(environment, Environment) or isinstance(result, ImportedHead):
        return {"total_memory_bytes": total}
    if "total_memory_bytes" in result.options:
        stated = result.options["total_memory_bytes"]
        of_nodes = environment.nodes_memory_bytes or 0
        total = max(stated if isinstance(stated, int) else 0, of_nodes, total)
    placed = Counter(environment.placement)
    hosts = [{"processes": placed[index]} for index in range(len(environment.hosts))]
    return {"total_memory_bytes": total, "hosts": hosts}


def _of_b_eff_print(_: None, result: ImportedBEff) -> dict[str, Any]:
    s, n = result.summary, result.environment.processes
    summary: dict[str, Any] = {}
    for name in ("b_eff", "at_lmax", "rings_at_lmax"):
        each = getattr(s, f"{name}_per_process_MBps")
        if each is not None:
            summary[f"{name}_MBps"] = Printed(n * each, n * half_digit(each))
    if s.b_eff_MBps is not None:
        memory = result.environment.total_memory_bytes
        summary["total_memory_exchange_s"] = memory / (s.b_eff_MBps * BYTES_PER_MB)
    return {"summary": summary}


def require_columns(result: ImportedBEffIo) -> None:
    """Raise UnsoundError for a column that refers to what is not there."""
    known: dict[str, Collection[int]] = {
        "partition": range(len(result.partitions)),
        "pattern": {pattern.number for pattern in result.patterns},
        "type": {entry.type for entry in result.type_names},
    }
    of_patterns = {"type": [pattern.type for pattern in result.patterns]}
    tables = {"samples": vars(result.samples), "types": vars(result.types), "patterns": of_patterns}
    for (table, columns), (name, numbers) in product(tables.items(), known.items()):
        for index, value in enumerate(columns.get(name, ())):
            if value not in numbers:
                raise UnsoundError([table, name, index], value, f"a known {name}")


def _of_b_eff_io_print(_: None, result: ImportedBEffIo) -> dict[str, Any]:
    totals = result.types.bandwidth_of
    partitions = []
    for index, partition in enumerate(result.partitions):
        types = {
            access: [totals.get((index, kind, access)) for kind in OFFICIAL_TYPES]
            for access in ACCESSES
        }
        averages = {access: access_average(of, of[0]) for access, of in types.items()}
        values = {
            "1": value_1(*map(partition.access.get, ACCESSES)),
            "2.1": value_2_1(types["write"], types["rewrite"][0], types["read"]),
        }
        value = Printed(values.get(result.definition), _VALUE_ERROR)
        access = {name: Printed(average, _VALUE_ERROR / 2) for name, average in averages.items()}
        partitions.append({"access": access, "values": {result.definition: value}})
    memory, printed = result.environment.total_memory_bytes, result.partitions
    summary = summary_fields(memory, [partition.model_dump() for partition in printed])
    return {"partitions": partitions, "summary": summary}


_DEFINITIONS: dict[type, tuple[Callable[[Any], Any], Callable[[Any, Any], dict[str, Any]]]] = {
    BEffResult: (b_eff_plan.plan_of, b_eff.derive),
    BEffIoResult: (b_eff_io_plan.plan_of, b_eff_io.derive),
    BPairsResult: (b_pairs_plan.plan_of, b_pairs.derive),
    ImportedBEff: (lambda _: None, _of_b_eff_print),
    ImportedBEffIo: (require_columns, _of_b_eff_io_print),
    ImportedPairs: (b_pairs.require_pairs, b_pairs.derive_imported),
}
"""Of each kind of result its plan, and what follows from plan and raw fields."""


def plan_of(result: AnyResult) -> Any:
    """Return the plan of a measured result, which its rows must follow; None of a printed one.

    The columns of that must refer to what is there. Raises UnsoundError.
    """
    return _DEFINITIONS[type(result)][0](result)


def derived_fields(result: AnyResult) -> dict[str, Any]:
    """Return everything that follows from the raw fields of a result, in the shape of its file.

    Criteria, digest and balance are made alike for all benchmarks. Of a printed result these are
    the figures that follow from others. Raises UnsoundError.
    """
    _, derive = _DEFINITIONS[type(result)]
    fields = {"environment": _environment_fields(result), **derive(plan_of(result), result)}
    if isinstance(result, MeasuredHead):
        fields |= criteria_fields(result, fields["criteria"])
        digests = {name: columns_digest(columns) for name, columns in fields["digest"].items()}
        fields["digest"] = {"algorithm": ALGORITHM, **digests}
    if not isinstance(result, MapResult):
        value_name, given = f"{result.benchmark}_MBps", result.summary.rmax_gflops
        if isinstance(result, BEffResult):  # the plan has checked its options
            given = result.options.get("rmax_gflops", given)
        given = given if result.rmax is None else result.rmax.gflops
        is_printed = isinstance(result, ImportedHead)
        value = (vars(result.summary) if is_printed else fields["summary"])[value_name]
        balance = balance_of(value, given)
        fields["summary"] |= {"rmax_gflops": given, "balance_bytes_per_flop": balance}
    return fields


@lru_cache(maxsize=8)
def verify(document: Document) -> Verification:
    """Compare all that a result says with what follows from its plan and raw fields."""
    result, checks = document.result, list[Disagreement | None]()
    not_checked = tuple(result.imported.not_known) if isinstance(result, ImportedHead) else ()
    try:
        derived = derived_fields(result)
    except UnsoundError as unsound:
        return Verification((unsound.finding,), 0, _samples(result), not_checked)
    if not isinstance(result, ImportedHead):
        if derived["digest"].pop("algorithm") != result.digest.algorithm:
            del derived["digest"]
            not_checked = (NOT_CHECKED,)
        names = [host.name for host in result.environment.hosts]
        listed = expand_host_list(result.environment.host_list, len(names))
        checks += compared(["environment", "host_list"], listed, names)
        if isinstance(result, BPairsResult) and result.roofs is not None:
            listed = [n for group in result.roofs.hosts for n in expand_host_list(group.hosts)]
            checks += compared(["roofs", "hosts"], sorted(listed), sorted(names if listed else []))
    checks += compared([], document.fields, derived)
    findings = tuple(check for check in checks if check is not None)
    return Verification(findings, len(checks), _samples(result), not_checked)


def _samples(result: AnyResult) -> int:
    """Count the raw samples."""
    if isinstance(result, BPairsResult):
        rounds = (text for rounds in result.passes.small_ns for text in rounds if text)
        return 2 * sum(text.count(" ") + 1 for text in rounds)
    return len(result.samples) if isinstance(result, BEffResult | BEffIoResult) else 0


def require_verified(document: Document) -> Document:
    """Return a result. Raises DisagreementError where figures do not follow from its samples."""
    findings = verify(document).findings
    if findings:
        more = f" ({len(findings) - 1} more disagreements)" if len(findings) > 1 else ""
        raise DisagreementError(f"does not verify: {findings[0]}{more}", document.source)
    return document


def recover(source: str, journal: Journal) -> Row:
    """Return the result document of a journal, as if the run had been stopped after its last line.

    What is known only at the end of a run is not made up: when it ended, the outcome of the data
    check, what was in the page caches. Raises ResultError when the lines make no result.
    """
    try:
        measured_s, lines = RECOVERIES[journal.benchmark](source, journal)
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError):
        raise ResultError("is damaged: a line lacks what it must hold", source) from None
    fields = {**journal.header, **lines, "valid": False}
    environment = fields["environment"]
    wall_s = max(environment["wall_s"], measured_s)
    fields["environment"] = {**environment, "finished_at": None, "wall_s": wall_s}
    try:
        derived = derived_fields(check_document(source, fields).result)
    except UnsoundError as unsound:
        raise ResultError(f"is damaged: {unsound.finding}", source) from None
    recovered: Row = merged(fields, derived)
    return recovered


def _cautions(journal: Journal, kind: str, *others: Row) -> list[Row]:
    """Say where the result comes from: how the run ended, and how much it measured."""
    facts: Row = {"end": journal.end or "cut off", "measured": len(journal.rows[kind])}
    if kind == "round":
        return [*journal.header["cautions"], {"code": "recovered rounds", "facts": facts}]
    recovered = {"code": "recovered", "facts": {**facts, "planned": journal.loops}}
    lost = {"code": "data check lost", "facts": {}}
    return [*journal.header["cautions"], *others, recovered, lost]


def merged(stored: Any, derived: Any) -> Any:
    """Return a document with its derived part replaced; what is unknown here stays.

    Objects merge by name, lists of objects by position; everything else is replaced.
    """
    if isinstance(stored, dict) and isinstance(derived, dict):
        both = {name: merged(stored.get(name), value) for name, value in derived.items()}
        return {**stored, **both}
    if isinstance(stored, list) and isinstance(derived, list) and len(stored) == len(derived):
        return [merged(before, now) for before, now in zip(stored, derived, strict=True)]
    return derived


def recover_b_eff(_: str, journal: Journal) -> tuple[float, Row]:
    """Return the time of the loops, and what the lines of b_eff hold."""
    samples, left_out = journal.rows["sample"], journal.rows["not_measured"]
    in_vain = ({"code": NOT_MEASURED, "facts": row} for row in left_out)
    return fsum(sample["time_max_s"] for sample in samples), {
        "cautions": _cautions(journal, "sample", *in_vain),
        "data_check": {**journal.header["data_check"], "enabled": False},
        "accounting": dict.fromkeys(journal.header["accounting"], 0.0),
        "samples": _columns(Samples, samples),
    }


def _columns(table: type[Columns], rows: list[Row]) -> dict[str, list[Any]]:
    """Return the columns of a table; what the journal leaves out is computed later."""
    return {
        name: [row.get(name, 0.0 if name == "ideal_s" else None) for row in rows]
        for name in table.columns()
    }


def recover_b_eff_io(_: str, journal: Journal) -> tuple[float, Row]:
    """Return the time of files, and what the lines of b_eff_io hold.

    A type that was not closed has no row.
    """
    partitions = {index: dict(entry) for index, entry in enumerate(journal.header["partitions"])}
    for note in journal.rows["notes"]:
        partitions[note["partition"]] |= {name: note[name] for name in PartitionNotes.model_fields}
    samples = _columns(IoSamples, journal.rows["sample"])
    types = _columns(Types, journal.rows["type"])
    elapsed_s = fsum((*samples["time_s"], *types["open_s"], *types["close_s"]))
    return elapsed_s, {
        "complete": False,
        "cautions": _cautions(journal, "sample"),
        "samples": samples,
        "types": types,
        "partitions": list(partitions.values()),
        "elapsed_s": elapsed_s,
    }


_TIMES = ("small_ns", "large_ns")


def recover_b_pairs(source: str, journal: Journal) -> tuple[float, Row]:
    """Return what the lines of b_pairs hold; how long they took is not known."""
    roofs, rows, per_host = journal.rows["roofs"], journal.rows["fill"], None
    passes = _in_order(source, journal.rows["round"], "pass", "round")
    if journal.header.get("per_host") is not None:
        per_host = {
            "pairs": [1 if row["alone"] else row["ns"].count(" ") + 1 for row in rows],
            **{name: [row[name] for row in rows] for name in ("processes", "traffic", "ns")},
            "rate": [1.0 for _ in rows],  # until computed
        }
    return 0.0, {
        "complete": journal.end == "complete",
        "cautions": _cautions(journal, "round"),
        "passes": {name: [[of[name] for of in rounds] for rounds in passes] for name in _TIMES},
        "retests": _columns(Retests, journal.rows["retest"]),
        "roofs": roofs[-1] if roofs else None,
        "bisection": _bisection(source, journal),
        "per_host": per_host,
    }


def _in_order(at: str, rows: list[Row], group: str, place: str, known: int = 0) -> list[list[Row]]:
    """Return rows by the number of their group, some `known`, in which each has its place."""
    groups: dict[int, list[Row]] = {number: [] for number in range(known)}
    for row in rows:
        of_group = groups.setdefault(row[group], [])
        if row[group] not in range(len(groups)) or row[place] != len(of_group):
            raise ResultError(f"a line with its {place} is not in its order", at)
        of_group.append(row)
    return list(groups.values())


def _bisection(source: str, journal: Journal) -> dict[str, Any] | None:
    stored: dict[str, Any] | None = journal.header.get("bisection")
    if stored is None:
        return None
    # where pairs alone took long, the first halves have no steps
    measured = _in_order(source, journal.rows["step"], "halves", "place", len(stored["halves"]))
    halves = [
        {**half, "steps": _columns(HalvesMeasured, of), "mean_ns": [step["mean_ns"] for step in of]}
        for half, of in zip(stored["halves"], measured, strict=True)
    ]
    alone = _columns(PairsAlone, journal.rows["alone"])
    return {**stored, "alone": alone, "halves": halves, "minimum": None}


RECOVERIES: dict[str, Callable[[str, Journal], tuple[float, Row]]] = {
    "b_eff": recover_b_eff,
    "b_eff_io": recover_b_eff_io,
    "b_pairs": recover_b_pairs,
}
"""Benchmark as named in the journal → what its lines hold, in the shape of a result."""
