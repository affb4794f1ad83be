"""Recomputation of a result of b_eff_io."""

from beff.analysis.b_eff_io.criteria import check_criteria
from beff.analysis.b_eff_io.derive import derived_fields, figures_of
from beff.analysis.b_eff_io.measured import measured_of
from beff.analysis.b_eff_io.sample_checks import (
    check_partitions,
    check_plan,
    check_samples,
    check_types,
)
from beff.analysis.b_eff_io.stamps import check_stamps
from beff.analysis.b_eff_io.structure import has_sound_structure
from beff.analysis.common.balance import check_balance
from beff.analysis.common.checks import check_counts, check_environment
from beff.analysis.common.verification import Recheck, Verification
from beff.model.load import Document, as_b_eff_io


def verify_b_eff_io(document: Document) -> Verification:
    """Compare every derived value with its recomputation, and the raw ones with each other.

    Raises ResultError when the document is no result of b_eff_io.
    """
    result = as_b_eff_io(document)
    check = Recheck([])
    check_environment(result.environment, result.options, "elapsed_s", result.elapsed_s, check)
    if has_sound_structure(result, check):
        measured = measured_of(result)
        figures = figures_of(measured)
        check_plan(result, check)
        check_samples(measured, check)
        check_types(measured, check)
        check_partitions(measured, check)
        data = result.data_check
        counts = data.chunks_checked, data.wrong_chunks
        check_counts("chunks", *counts, data.first_error, check, is_on=data.mode != "none")
        check_balance(result, check)
        check_criteria(measured, figures, check)
        derived = derived_fields(measured, figures)
        digest = derived.pop("digest")
        check.compare([], document.fields, derived)
        check_stamps(measured, check)
        check.compare(["digest"], document.fields["digest"], digest)
    return Verification(tuple(check.findings), check.figures, len(result.samples))
