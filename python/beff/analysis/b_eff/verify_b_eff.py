"""Recomputation of a result of b_eff."""

from typing import Any

from beff.analysis.b_eff.criteria import check_criteria
from beff.analysis.b_eff.derive import derived_fields, loops_s, unaccounted_s
from beff.analysis.b_eff.sample_checks import (
    check_loop_lengths,
    check_release_3_6,
    check_samples,
    has_sound_structure,
)
from beff.analysis.b_eff.schedule import check_options
from beff.analysis.b_eff.sent_bytes import check_sent_bytes
from beff.analysis.common.balance import check_balance
from beff.analysis.common.checks import check_counts, check_environment
from beff.analysis.common.verification import Recheck, Verification
from beff.model.b_eff_result import BEffResult
from beff.model.load import Document, as_b_eff

_ROUNDING = 1e-12
"""Rounding of a few additions, as a share of the largest number added."""


def verify_b_eff(document: Document) -> Verification:
    """Compare every derived value with its recomputation, and the raw ones with each other.

    Raises ResultError when the document is no result of b_eff.
    """
    result = as_b_eff(document)
    check = Recheck([])
    elapsed_s = result.accounting.elapsed_s
    check_environment(result.environment, result.options, "accounting.elapsed_s", elapsed_s, check)
    if has_sound_structure(result, check):
        check_options(result, check)
        check_samples(result, check)
        check_loop_lengths(result, check)
        check_release_3_6(result, check)
        check_sent_bytes(result, check)
        _check_accounting(result, check)
        data = result.data_check
        counts = data.messages_checked, data.wrong_messages
        check_counts("messages", *counts, data.first_error, check, is_on=data.enabled)
        check_criteria(result, check)
        check_balance(result, check)
        derived = derived_fields(result)
        digest = derived.pop("digest")
        check.compare([], document.fields, derived)
        _check_methods_shown(result, derived["patterns"], check)
        check.compare(["digest"], document.fields["digest"], digest)
    return Verification(tuple(check.findings), check.figures, len(result.samples))


def _check_accounting(result: BEffResult, check: Recheck) -> None:
    """Check that the parts add up; the rest may be near zero, its rounding is that of the whole."""
    accounting = result.accounting
    check.compare(["accounting", "loops_s"], accounting.loops_s, loops_s(result))
    rest = unaccounted_s(accounting)
    check.figures += 1
    check.require(
        abs(accounting.unaccounted_s - rest) <= _ROUNDING * accounting.elapsed_s,
        ["accounting", "unaccounted_s"],
        accounting.unaccounted_s,
        rest,
    )


def _check_methods_shown(result: BEffResult, derived: list[dict[str, Any]], check: Recheck) -> None:
    """Check that a pattern shows the methods it was measured by and no other."""
    for index, (pattern, expected) in enumerate(zip(result.patterns, derived, strict=True)):
        shown = sorted(pattern.bandwidth_by_method_MBps)
        measured_by = sorted(expected["bandwidth_by_method_MBps"])
        path: list[str | int] = ["patterns", index, "bandwidth_by_method_MBps"]
        check.require(shown == measured_by, path, f"given for {shown}", f"given for {measured_by}")
