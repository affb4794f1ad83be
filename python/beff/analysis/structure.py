"""Whether a result hangs together, so that figures and tables can be made of it."""

from collections.abc import Callable

from beff.analysis.b_eff.sample_checks import has_sound_structure as is_sound_b_eff
from beff.analysis.b_eff_io.structure import has_sound_structure as is_sound_b_eff_io
from beff.analysis.finding import Comparison
from beff.analysis.imported.verify import has_sound_columns
from beff.model.errors import ResultError
from beff.model.load import Document, as_b_eff, as_b_eff_io

Check = Callable[[Document, Comparison], bool]

_MEASURED: dict[str, Check] = {
    "b_eff": lambda document, check: is_sound_b_eff(as_b_eff(document), check),
    "b_eff_io": lambda document, check: is_sound_b_eff_io(as_b_eff_io(document), check),
}
_IMPORTED: dict[str, Check] = {
    "b_eff": lambda document, _: as_b_eff(document).imported is not None,
    "b_eff_io": lambda document, check: has_sound_columns(as_b_eff_io(document), check),
}


def require_sound_structure(document: Document) -> None:
    """Refuse a result whose samples belong to nothing, which the schema cannot tell.

    Whether its figures are right is another question; `verify` answers it. Raises ResultError.
    """
    check = Comparison([])
    checks = _IMPORTED if document.is_imported else _MEASURED
    if not checks[document.benchmark](document, check):
        raise ResultError(f"{document.source}: is damaged: {check.findings[0]}")
