"""Whether a result hangs together, so that figures and tables can be made of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from beff.analysis.b_eff.sample_checks import has_sound_structure as is_sound_b_eff
from beff.analysis.b_eff_io.structure import has_sound_structure as is_sound_b_eff_io
from beff.analysis.common.verification import Recheck
from beff.analysis.imported.verify_imported import has_sound_columns
from beff.model.b_eff_io_result import BEffIoResult, ImportedBEffIo
from beff.model.b_eff_result import BEffResult
from beff.model.b_pairs_result import BPairsResult
from beff.model.contract import AnyResult
from beff.model.errors import ResultError
from beff.model.load import Document, check_document, load_document
from beff.model.result_files import LeftOut, Loaded, in_silence, load_documents


def require_sound_structure(document: Document) -> None:
    """Refuse a result whose samples belong to nothing, which the schema cannot see.

    Whether its figures are right is another question; `verify` answers it. Raises ResultError.
    """
    check = Recheck([])
    if not _is_sound(document.result, check):
        raise ResultError(f"{document.source}: is damaged: {check.findings[0]}")


def load_sound(
    paths: Sequence[Path],
    loaded: Loaded | None = None,
    *,
    maps: bool = True,
    left_out: LeftOut = in_silence,
) -> list[Document]:
    """Read the results that files, and folders with all inside, hold, as `load_documents`."""
    return load_documents(paths, loaded, maps=maps, load=_load_sound, left_out=left_out)


def _load_sound(path: Path) -> Document:
    document = load_document(path)
    require_sound_structure(document)
    return document


def sound_document(source: str, fields: dict[str, Any]) -> Document:
    """Return fields as a document from which figures can be computed. Raises ResultError."""
    document = check_document(source, fields)
    require_sound_structure(document)
    return document


def _is_sound(result: AnyResult, check: Recheck) -> bool:
    if isinstance(result, BEffResult):
        return is_sound_b_eff(result, check)
    if isinstance(result, BEffIoResult):
        return is_sound_b_eff_io(result, check)
    if isinstance(result, BPairsResult):
        from beff.analysis.b_pairs.verify_b_pairs import (  # noqa: PLC0415 - NumPy
            has_sound_structure as is_sound_b_pairs,
        )

        return is_sound_b_pairs(result, check)
    return not isinstance(result, ImportedBEffIo) or has_sound_columns(result, check)
