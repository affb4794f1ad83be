"""From the journal of a run that was cut off to a partial result, of any benchmark."""

from collections.abc import Callable
from dataclasses import replace
from math import fsum
from typing import Any

from beff.definition import b_eff, b_eff_io, b_eff_io_plan, b_eff_plan
from beff.definition.b_eff_io_patterns import TIMED_TYPES
from beff.result.b_eff_io_samples import Samples as IoSamples
from beff.result.b_eff_io_samples import Types
from beff.result.b_eff_result import Samples
from beff.result.b_pairs_result import HalvesMeasured, PairsAlone, Retests
from beff.result.errors import ResultError
from beff.result.journal_file import DERIVED, Journal, Row
from beff.result.load import as_b_eff, as_b_eff_io, as_b_pairs
from beff.result.record import Columns
from beff.verify.common.criteria import as_criteria
from beff.verify.subject import sound_document


def _recovered(journal: Journal, kind: str) -> dict[str, Any]:
    """Say where the result comes from: how the run ended, and how much it measured."""
    facts: dict[str, Any] = {"end": journal.end or "cut off", "measured": len(journal.rows[kind])}
    if kind == "sample":
        facts["planned"] = journal.loops
    return {"code": "recovered" if kind == "sample" else "recovered rounds", "facts": facts}


_DATA_CHECK_LOST = {"code": "data check lost", "facts": {}}


def cut_off(environment: Row, measured_s: float) -> Row:
    """Return the environment of a run of which nobody knows when it ended."""
    wall_s = max(environment["wall_s"], measured_s)
    return {**environment, "finished_at": None, "wall_s": wall_s}


def merged(stored: Any, derived: Any) -> Any:
    """Return a document with its derived part replaced; what is unknown here stays.

    Objects merge by name, lists of objects by position; everything else is replaced.
    """
    if isinstance(stored, dict) and isinstance(derived, dict):
        both = {name: merged(stored.get(name), value) for name, value in derived.items()}
        return {**stored, **both}
    if _are_objects(stored) and _are_objects(derived) and len(stored) == len(derived):
        return [merged(before, now) for before, now in zip(stored, derived, strict=True)]
    return derived


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


def recover_b_eff(source: str, journal: Journal) -> dict[str, Any]:
    """Return the document as if the run had been stopped after its last whole loop.

    What only the end of a run knows is not made up: the outcome of the data check is lost, so the
    result is not valid, and the accounting holds the timed loops alone. Raises ResultError when the
    journal's entries make no result.
    """
    header, samples = journal.header, journal.rows["sample"]
    left_out = [
        {"code": b_eff_plan.NOT_MEASURED, "facts": row} for row in journal.rows["not_measured"]
    ]
    said = [_recovered(journal, "sample"), _DATA_CHECK_LOST]
    measured_s = fsum(sample["time_max_s"] for sample in samples)
    fields = {
        **header,
        "complete": False,
        "valid": False,
        "cautions": [*header["cautions"], *left_out, *said],
        "environment": cut_off(header["environment"], measured_s),
        "data_check": {
            "enabled": False,
            "messages_checked": 0,
            "wrong_messages": 0,
            "first_error": None,
        },
        "accounting": {
            "elapsed_s": measured_s,
            "loops_s": measured_s,
            "latency_s": 0.0,
            "warm_up_s": 0.0,
            "preparation_and_checks_s": 0.0,
            "unaccounted_s": 0.0,
        },
        "digest": {"algorithm": "fnv1a64", "samples": "0" * 16},
        "samples": _columns(Samples, samples),
    }
    result = as_b_eff(sound_document(source, fields))
    recovered: dict[str, Any] = merged(fields, b_eff.derive(b_eff_plan.plan_of(result), result))
    return recovered


_UNTIL_COMPUTED: dict[str, float | None] = dict(zip(DERIVED, (0.0, None), strict=True))


def _columns(table: type[Columns], rows: list[Row]) -> dict[str, list[Any]]:
    """Return the columns of a table; what the journal leaves out is computed later."""
    return {
        name: [row.get(name, _UNTIL_COMPUTED.get(name)) for row in rows] for name in table.columns()
    }


def recover_b_eff_io(source: str, journal: Journal) -> dict[str, Any]:
    """Return the document as if the run had been stopped after its last whole pattern.

    What only the end of a run knows is not made up: the outcome of the data check and what was in
    the page caches are lost, so the result is not valid. A type that was not closed has no row.
    Raises ResultError when the journal's entries make no result.
    """
    header = journal.header
    journal = replace(journal, rows={**journal.rows, "sample": _countable(header, journal)})
    fields = {
        **header,
        "complete": False,
        "valid": False,
        "samples": _columns(IoSamples, journal.rows["sample"]),
        "types": _columns(Types, journal.rows["type"]),
        "partitions": _partitions(source, header, journal.rows["notes"]),
        "data_check": {
            **header["data_check"],
            "chunks_checked": 0,
            "wrong_chunks": 0,
            "first_error": None,
        },
        "digest": {**header["digest"], "samples": "0" * 16, "types": "0" * 16},
    }
    fields["cautions"] = [*header["cautions"], _recovered(journal, "sample"), _DATA_CHECK_LOST]
    samples, types = fields["samples"], fields["types"]
    fields["elapsed_s"] = fsum((*samples["time_s"], *types["open_s"], *types["close_s"]))
    fields["environment"] = cut_off(fields["environment"], fields["elapsed_s"])
    result = as_b_eff_io(sound_document(source, fields))
    recovered: dict[str, Any] = merged(
        fields, b_eff_io.derive(b_eff_io_plan.plan_of(result), result)
    )
    return recovered


def _countable(header: Row, journal: Journal) -> list[Row]:
    """Leave out a fill-up whose type was not closed: its length is not known."""
    fill_ups = {entry["number"] for entry in header["patterns"] if entry["L_bytes"] is None}
    planned = {
        row["partition"]
        for row in journal.rows["type"]
        if row["access"] == "write" and row["type"] not in TIMED_TYPES
    }
    return [
        sample
        for sample in journal.rows["sample"]
        if sample["pattern"] not in fill_ups or sample["partition"] in planned
    ]


def _partitions(source: str, header: Row, notes: list[Row]) -> list[Row]:
    """Return the partitions with what was last noted of each."""
    partitions = [dict(entry) for entry in header["partitions"]]
    for note in notes:
        index = note["partition"]
        if index >= len(partitions):
            raise ResultError(f"notes of partition {index}, which the run does not have", source)
        partitions[index].update({k: v for k, v in note.items() if k != "partition"})
    return partitions


def recover_b_pairs(source: str, journal: Journal) -> dict[str, Any]:
    """Return the document as if the run had been stopped after its last whole round.

    Raises ResultError when the journal's entries make no result.
    """
    from beff.maps.verify_b_pairs import derived_fields, verdicts_of  # noqa: PLC0415 - NumPy

    header, roofs = journal.header, journal.rows["roofs"]
    complete = journal.end == "complete"
    fields = {
        **header,
        "complete": complete,
        "valid": False,
        "cautions": [*header["cautions"], _recovered(journal, "round")],
        "passes": {kind: _passes(source, journal, kind) for kind in ("small_ns", "large_ns")},
        "retests": _columns(Retests, journal.rows["retest"]),
        "roofs": roofs[-1] if roofs else None,
        "bisection": _bisection(source, journal),
        "per_host": _per_host(journal),
        "digest": {"algorithm": "fnv1a64", "samples": "0" * 16},
    }
    fields["environment"] = cut_off(fields["environment"], 0.0)
    result = as_b_pairs(sound_document(source, fields))
    fields["criteria"] = as_criteria(verdicts_of(result))
    recovered: dict[str, Any] = merged(
        fields, derived_fields(as_b_pairs(sound_document(source, fields)))
    )
    return recovered


def _passes(source: str, journal: Journal, kind: str) -> list[list[str]]:
    passes: list[list[str]] = []
    for entry in journal.rows["round"]:
        number = entry["pass"]
        if number == len(passes):
            passes.append([])
        if number != len(passes) - 1 or entry["round"] != len(passes[-1]):
            raise ResultError("the rounds are not in their order", source)
        passes[-1].append(entry[kind])
    return passes


def _bisection(source: str, journal: Journal) -> dict[str, Any] | None:
    stored: dict[str, Any] | None = journal.header.get("bisection")
    if stored is None:
        return None
    halves = [dict(one) for one in stored["halves"]]
    of_halves: list[list[Row]] = [[] for _ in halves]
    for step in journal.rows["step"]:
        number = step["halves"]
        if number >= len(halves) or step["place"] != len(of_halves[number]):
            raise ResultError("the steps of the bisection are not in their order", source)
        of_halves[number].append(step)
    for one, steps in zip(halves, of_halves, strict=True):
        one["steps"] = _columns(HalvesMeasured, steps)
        one["mean_ns"] = [step["mean_ns"] for step in steps]
    alone = _columns(PairsAlone, journal.rows["alone"])
    return {**stored, "alone": alone, "halves": halves, "minimum": None}


def _per_host(journal: Journal) -> dict[str, Any] | None:
    if journal.header.get("per_host") is None:
        return None
    rows = journal.rows["fill"]
    return {
        "pairs": [1 if row["alone"] else row["ns"].count(" ") + 1 for row in rows],
        **{name: [row[name] for row in rows] for name in ("processes", "traffic", "ns")},
        "rate": [1.0 for _ in rows],  # until computed
    }


RECOVERIES: dict[str, Callable[[str, Journal], dict[str, Any]]] = {
    "b_eff": recover_b_eff,
    "b_eff_io": recover_b_eff_io,
    "b_pairs": recover_b_pairs,
}
"""Benchmark as named in the journal → the result document that its samples give."""


def recover(source: str, journal: Journal) -> dict[str, Any]:
    """Return the result document of a journal. Raises ResultError when there is none."""
    return RECOVERIES[journal.benchmark](source, journal)
