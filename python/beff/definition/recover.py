"""From the journal of a run that was cut off to a partial result, of any benchmark."""

from collections.abc import Callable
from math import fsum
from typing import Any

from beff.definition.b_eff_plan import NOT_MEASURED
from beff.definition.compare import UnsoundError
from beff.definition.verify import derived_fields
from beff.result.b_eff_io_samples import Samples as IoSamples
from beff.result.b_eff_io_samples import Types
from beff.result.b_eff_result import Samples
from beff.result.b_pairs_result import HalvesMeasured, PairsAlone, Retests
from beff.result.errors import ResultError
from beff.result.journal_file import DERIVED, Journal, Row
from beff.result.load import check_document
from beff.result.record import Columns


def recover(source: str, journal: Journal) -> Row:
    """Return the result document of a journal, as if the run had been stopped after its last line.

    What only the end of a run knows is not made up: when it ended, the outcome of the data check,
    what was in the page caches. Raises ResultError when the lines make no result.
    """
    measured_s, lines = RECOVERIES[journal.benchmark](source, journal)
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
    if _are_objects(stored) and _are_objects(derived) and len(stored) == len(derived):
        return [merged(before, now) for before, now in zip(stored, derived, strict=True)]
    return derived


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


def recover_b_eff(_: str, journal: Journal) -> tuple[float, Row]:
    """Return the time of the loops, and what the lines of b_eff hold."""
    samples, left_out = journal.rows["sample"], journal.rows["not_measured"]
    said = ({"code": NOT_MEASURED, "facts": row} for row in left_out)
    return fsum(sample["time_max_s"] for sample in samples), {
        "cautions": _cautions(journal, "sample", *said),
        "data_check": {**journal.header["data_check"], "enabled": False},
        "accounting": dict.fromkeys(journal.header["accounting"], 0.0),
        "samples": _columns(Samples, samples),
    }


_UNTIL_COMPUTED: dict[str, float | None] = dict(zip(DERIVED, (0.0, None), strict=True))


def _columns(table: type[Columns], rows: list[Row]) -> dict[str, list[Any]]:
    """Return the columns of a table; what the journal leaves out is computed later."""
    return {
        name: [row.get(name, _UNTIL_COMPUTED.get(name)) for row in rows] for name in table.columns()
    }


def recover_b_eff_io(source: str, journal: Journal) -> tuple[float, Row]:
    """Return the time of files, and what the lines of b_eff_io hold.

    A type that was not closed has no row.
    """
    samples = _columns(IoSamples, journal.rows["sample"])
    types = _columns(Types, journal.rows["type"])
    elapsed_s = fsum((*samples["time_s"], *types["open_s"], *types["close_s"]))
    return elapsed_s, {
        "complete": False,
        "cautions": _cautions(journal, "sample"),
        "samples": samples,
        "types": types,
        "partitions": _partitions(source, journal.header, journal.rows["notes"]),
        "elapsed_s": elapsed_s,
    }


def _partitions(source: str, header: Row, notes: list[Row]) -> list[Row]:
    """Return the partitions with what was last noted of each."""
    partitions = [dict(entry) for entry in header["partitions"]]
    for note in notes:
        index = note["partition"]
        if index >= len(partitions):
            raise ResultError(f"notes of partition {index}, which the run does not have", source)
        partitions[index].update({k: v for k, v in note.items() if k != "partition"})
    return partitions


def recover_b_pairs(source: str, journal: Journal) -> tuple[float, Row]:
    """Return what the lines of b_pairs hold, of which nobody knows how long it took."""
    roofs = journal.rows["roofs"]
    return 0.0, {
        "complete": journal.end == "complete",
        "cautions": _cautions(journal, "round"),
        "passes": {kind: _passes(source, journal, kind) for kind in ("small_ns", "large_ns")},
        "retests": _columns(Retests, journal.rows["retest"]),
        "roofs": roofs[-1] if roofs else None,
        "bisection": _bisection(source, journal),
        "per_host": _per_host(journal),
    }


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


RECOVERIES: dict[str, Callable[[str, Journal], tuple[float, Row]]] = {
    "b_eff": recover_b_eff,
    "b_eff_io": recover_b_eff_io,
    "b_pairs": recover_b_pairs,
}
"""Benchmark as named in the journal → what its lines hold, in the shape of a result."""
