"""Verification of a result file, whichever benchmark it belongs to."""

from collections.abc import Callable

from beff.analysis.b_eff.verify_b_eff import verify_b_eff
from beff.analysis.b_eff_io.verify_b_eff_io import verify_b_eff_io
from beff.analysis.common.verification import Verification
from beff.analysis.imported.verify_imported import verify_imported
from beff.model.contract import ImportedResult
from beff.model.errors import DisagreementError
from beff.model.load import Document

Verifier = Callable[[Document], Verification]


def verify_b_pairs(document: Document) -> Verification:
    """Load what verifies results of b_pairs, with NumPy, only where there is one."""
    from beff.analysis.b_pairs import verify_b_pairs as b_pairs  # noqa: PLC0415

    return b_pairs.verify_b_pairs(document)


VERIFIERS: dict[str, Verifier] = {
    "b_eff": verify_b_eff,
    "b_eff_io": verify_b_eff_io,
    "b_pairs": verify_b_pairs,
}
"""Benchmark as named in the file → recomputation of its result."""


def verify(document: Document) -> Verification:
    """Recompute every derived number."""
    if isinstance(document.result, ImportedResult):
        return verify_imported(document.result)
    return VERIFIERS[document.benchmark](document)


def require_verified(document: Document) -> None:
    """Raise DisagreementError for a result whose figures do not follow from its samples."""
    findings = verify(document).findings
    if findings:
        more = f" ({len(findings) - 1} more disagreements)" if len(findings) > 1 else ""
        raise DisagreementError(f"{document.source}: does not verify: {findings[0]}{more}")
