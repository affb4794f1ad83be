"""Verification of a result file, whichever benchmark it belongs to."""

from collections.abc import Callable

from beff.analysis.b_eff.verify import verify_b_eff
from beff.analysis.b_eff_io.verify import verify_b_eff_io
from beff.analysis.imported.verify import verify_imported
from beff.analysis.verification import Verification
from beff.model.errors import ResultError
from beff.model.load import Document

Verifier = Callable[[Document], Verification]

VERIFIERS: dict[str, Verifier] = {"b_eff": verify_b_eff, "b_eff_io": verify_b_eff_io}
"""Benchmark as named in the file → recomputation of its result."""


def verify(document: Document) -> Verification:
    """Recompute every derived number. Raises ResultError for a benchmark without a verifier."""
    if document.is_imported:
        return verify_imported(document)
    verifier = VERIFIERS.get(document.benchmark)
    if verifier is None:
        raise ResultError(
            f"{document.source}: results of {document.benchmark} are not supported by this version"
            " of beff verify"
        )
    return verifier(document)
