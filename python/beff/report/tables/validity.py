"""Whether a result may be compared, and what speaks against it."""

from beff.report.parts.sentences import found_text, required_text
from beff.report.tables.table import Table, text
from beff.result.contract import AnyResult
from beff.result.load import Document
from beff.verify.analysis import Steadiness, analysis_of


def verdict(result: AnyResult) -> str:
    """Return validity in the words that stand beside every number."""
    return "VALID" if result.valid else "NOT VALID"


def stamps(document: Document) -> str:
    """Return validity and, where a run repeats its loops, whether it was quiet or noisy.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    steadiness = analysis_of(document).steadiness
    known = steadiness != Steadiness.UNKNOWN
    return f"{verdict(document.result)}, {steadiness.value}" if known else verdict(document.result)


def verdict_sentence(result: AnyResult) -> str:
    """Say whether the result is valid for comparison, and if not, which criteria it misses."""
    if result.valid:
        return "VALID for comparison: all criteria are met."
    missed = [criterion.code for criterion in result.criteria if not criterion.met]
    reasons = f" Criteria not met: {', '.join(missed)}." if missed else ""
    whole = "" if result.complete else " The measurement is not complete."
    return f"NOT VALID for comparison.{reasons}{whole}"


def criteria_table(result: AnyResult) -> Table:
    """All criteria with what was required and found."""
    return Table(
        "criteria",
        "Criteria of validity",
        (text("criterion"), text("required"), text("found"), text("met")),
        tuple(
            (
                entry.code,
                required_text(entry),
                found_text(entry, result),
                "yes" if entry.met else "NO",
            )
            for entry in result.criteria
        ),
        marks=tuple("" if entry.met else "bad" for entry in result.criteria),
    )
