"""A result of b_eff from its journal."""

from typing import Any

from beff.analysis.b_eff.criteria import verdicts_of
from beff.analysis.b_eff.derive import derived_fields, loops_s
from beff.analysis.common.criteria import rejudged
from beff.analysis.common.recovery import cut_off, merged, recovery_cautions
from beff.analysis.structure import sound_document
from beff.model.b_eff_result import Samples
from beff.model.errors import ResultError
from beff.model.journal import Journal
from beff.model.load import as_b_eff


def recover_b_eff(source: str, journal: Journal) -> dict[str, Any]:
    """Return the document as if the run had been stopped after its last whole loop.

    What only the end of a run knows is not made up: the outcome of the data check is lost, so the
    result is not valid, and the accounting holds the timed loops alone. Raises ResultError when the
    journal's entries make no result.
    """
    samples = _columns(source, journal.samples)
    header = journal.header.result
    fields = {
        **header,
        "complete": len(journal.samples) == journal.header.loops,
        "valid": False,
        "cautions": [*header.get("cautions", []), *recovery_cautions(journal)],
        "data_check": {
            "enabled": False,
            "messages_checked": 0,
            "wrong_messages": 0,
            "first_error": None,
        },
        "pairs": journal.pairs[-1] if journal.pairs else None,
        "roofs": journal.roofs[-1] if journal.roofs else None,
        "digest": {"algorithm": "fnv1a64", "samples": "0" * 16},
        "samples": samples,
    }
    result = as_b_eff(sound_document(source, fields))
    measured_s = loops_s(result)
    fields["environment"] = cut_off(fields["environment"], measured_s)
    fields["accounting"] = {
        "elapsed_s": measured_s,
        "loops_s": measured_s,
        "latency_s": 0.0,
        "warm_up_s": 0.0,
        "preparation_and_checks_s": 0.0,
        "unaccounted_s": 0.0,
    }
    fields["criteria"] = rejudged(fields["criteria"], verdicts_of(result))
    recovered: dict[str, Any] = merged(
        fields, derived_fields(as_b_eff(sound_document(source, fields)))
    )
    return recovered


def _columns(source: str, entries: list[dict[str, Any]]) -> dict[str, list[Any]]:
    try:
        return {name: [entry[name] for entry in entries] for name in Samples.columns()}
    except KeyError as missing:
        raise ResultError(f"{source}: a sample lacks the field {missing}") from None
