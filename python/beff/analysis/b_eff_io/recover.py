"""A result of b_eff_io from its journal."""

from dataclasses import replace
from math import fsum
from typing import Any

from beff.analysis.b_eff_io.criteria import verdicts_of
from beff.analysis.b_eff_io.definition import TIMED_TYPES
from beff.analysis.b_eff_io.derive import derived_fields, figures_of
from beff.analysis.b_eff_io.measured import measured_of
from beff.analysis.b_eff_io.stamps import cautions_due
from beff.analysis.common.criteria import rejudged
from beff.analysis.common.recovery import cut_off, merged, recovery_cautions
from beff.analysis.structure import sound_document
from beff.model.b_eff_io_samples import Samples, Types
from beff.model.errors import ResultError
from beff.model.journal import Journal
from beff.model.load import as_b_eff_io

_DERIVED_COLUMNS: dict[str, float | None] = {"ideal_s": 0.0, "bandwidth_MBps": None}
"""Columns that the journal leaves out, with what stands there until they are computed."""


def recover_b_eff_io(source: str, journal: Journal) -> dict[str, Any]:
    """Return the document as if the run had been stopped after its last whole pattern.

    What only the end of a run knows is not made up: the outcome of the data check and what was in
    the page caches are lost, so the result is not valid. A type that was not closed has no row.
    Raises ResultError when the journal's entries make no result.
    """
    header = journal.header.result
    journal = replace(journal, samples=_countable(header, journal))
    fields = {
        **header,
        "complete": False,
        "valid": False,
        "samples": _columns(source, journal.samples, tuple(Samples.model_fields)),
        "types": _columns(source, journal.types, tuple(Types.model_fields)),
        "partitions": _partitions(source, header, journal.notes),
        "data_check": {
            **header.get("data_check", {}),
            "chunks_checked": 0,
            "wrong_chunks": 0,
            "first_error": None,
        },
        "digest": {**header.get("digest", {}), "samples": "0" * 16, "types": "0" * 16},
    }
    fields["cautions"] = [*header.get("cautions", []), *recovery_cautions(journal)]
    result = as_b_eff_io(sound_document(source, fields))
    fields["elapsed_s"] = fsum(
        (*result.samples.time_s, *result.types.open_s, *result.types.close_s)
    )
    fields["environment"] = cut_off(fields["environment"], fields["elapsed_s"])
    measured = measured_of(as_b_eff_io(sound_document(source, fields)))
    figures = figures_of(measured)
    fields["cautions"] += cautions_due(measured)
    fields["criteria"] = rejudged(fields["criteria"], verdicts_of(measured, figures))
    measured = measured_of(as_b_eff_io(sound_document(source, fields)))
    recovered: dict[str, Any] = merged(fields, derived_fields(measured, figures))
    return recovered


def _countable(header: dict[str, Any], journal: Journal) -> list[dict[str, Any]]:
    """Leave out a fill-up whose type was not closed: its length is not known."""
    fill_ups = {
        entry.get("number") for entry in header.get("patterns", []) if entry.get("L_bytes") is None
    }
    planned = {
        row.get("partition")
        for row in journal.types
        if row.get("access") == "write" and row.get("type") not in TIMED_TYPES
    }
    return [
        sample
        for sample in journal.samples
        if sample.get("pattern") not in fill_ups or sample.get("partition") in planned
    ]


def _columns(
    source: str, rows: list[dict[str, Any]], names: tuple[str, ...]
) -> dict[str, list[Any]]:
    try:
        return {
            name: [
                _DERIVED_COLUMNS[name] if name in _DERIVED_COLUMNS else row[name] for row in rows
            ]
            for name in names
        }
    except KeyError as missing:
        raise ResultError(f"{source}: an entry lacks the field {missing}") from None


def _partitions(source: str, header: dict[str, Any], notes: list[dict[str, Any]]) -> list[Any]:
    """Return the partitions with what was last noted of each."""
    partitions = [dict(entry) for entry in header.get("partitions", [])]
    for note in notes:
        index = note.get("partition")
        if not isinstance(index, int) or not 0 <= index < len(partitions):
            raise ResultError(f"{source}: notes of partition {index}, which the run does not have")
        partitions[index].update({k: v for k, v in note.items() if k != "partition"})
    return partitions
