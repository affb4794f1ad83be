"""What a command is about: sound results of one or several benchmarks, of each run one."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from beff.definition.b_eff_io_plan import has_sound_structure as is_sound_b_eff_io
from beff.definition.b_eff_plan import has_sound_structure as is_sound_b_eff
from beff.definition.compare import Recheck
from beff.definition.verify import has_sound_columns
from beff.result.b_eff_io_result import BEffIoFigures, BEffIoResult, ImportedBEffIo
from beff.result.b_eff_result import BEffFigures, BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.contract import AnyResult
from beff.result.errors import ResultError
from beff.result.imported_pairs import ImportedPairs
from beff.result.load import Document, check_document, load_document
from beff.result.places import is_folder
from beff.result.plain_text import one_line
from beff.result.result_files import (
    LeftOut,
    Loaded,
    files_of,
    in_silence,
    read_results,
    without_maps,
)


@lru_cache(maxsize=8)
def require_sound_structure(document: Document) -> None:
    """Refuse a result whose samples belong to nothing, which the schema cannot see.

    Whether its figures are right is another question; `verify` answers it. Raises ResultError.
    """
    check = Recheck([])
    if not _is_sound(document.result, check):
        raise ResultError(f"is damaged: {check.findings[0]}", document.source)


def load_sound(
    paths: Sequence[Path],
    loaded: Loaded | None = None,
    *,
    maps: bool = True,
    left_out: LeftOut = in_silence,
    load: Callable[[Path], Document] | None = None,
) -> list[Document]:
    """Read the results that files, and folders with all inside, hold, as `read_results` does.

    Maps of pairs are left out by choice. Files are read by `load`, else by `load_sound_document`.
    """
    read = load or load_sound_document
    return read_results(paths, read if maps else without_maps(read), loaded, left_out=left_out)


def load_sound_document(path: Path) -> Document:
    """Read a result from whose samples figures can be computed. Raises ResultError."""
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
        from beff.definition.b_pairs_plan import (  # noqa: PLC0415 - NumPy
            has_sound_structure as is_sound_b_pairs,
        )

        return is_sound_b_pairs(result, check)
    if isinstance(result, ImportedPairs):
        from beff.definition.imported_pairs import has_sound_structure  # noqa: PLC0415 - NumPy

        return has_sound_structure(result, check)
    return not isinstance(result, ImportedBEffIo) or has_sound_columns(result, check)


Run = TypeVar("Run")


def samples_of(run: Document) -> str:
    """Return what only results of the same run have in common: the digest of the samples.

    Where there are none, as in an imported result, everything else must be the same.
    """
    if isinstance(run.result, ImportedPairs):
        return json.dumps([run.fields["plan"], run.fields["meetings"]], sort_keys=True)
    measured = "passes" if run.benchmark == "b_pairs" else "samples"
    if run.is_imported or not any(run.fields[measured].values()):
        return json.dumps(run.fields, sort_keys=True)
    return f"{run.benchmark} {run.fields['digest']['samples']}"


def grouped(
    runs: Iterable[Run], samples: Callable[[Run], str], preferred: Callable[[Run], bool]
) -> list[list[Run]]:
    """Group copies of the same run; in front stands the one that counts, a preferred one if any."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(samples(run), []).append(run)
    return [sorted(group, key=lambda run: not preferred(run)) for group in groups.values()]


def once(
    runs: Sequence[Document], *, with_rmax: bool = True
) -> tuple[tuple[Document, ...], tuple[str, ...]]:
    """Return the runs without copies, and one sentence for each copy that was left out.

    Of copies, one with R_max counts, or by choice one without.
    """
    groups = grouped(
        runs, samples_of, lambda run: (run.fields.get("rmax") is not None) is with_rmax
    )
    sentences = [
        f"{copy.source} holds the same samples as {kept.source}: it counts once"
        for kept, *copies in groups
        for copy in copies
    ]
    return tuple(group[0] for group in groups), tuple(sentences)


def apart(
    runs: Sequence[Document], others: Sequence[Document]
) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
    """Return the runs that are no copies of others, and those that are."""
    keys = {samples_of(run) for run in others}
    return (
        tuple(run for run in runs if samples_of(run) not in keys),
        tuple(run for run in runs if samples_of(run) in keys),
    )


@dataclass(frozen=True)
class LabelledResult:
    """A result and the short name that distinguishes it from the others of a report.

    `group` is the folder by which it was named together with others; empty for a file.
    """

    label: str
    document: Document
    group: str = ""


@dataclass(frozen=True)
class Subject:
    """The results of a report, at least one, in the order in which they were named.

    `copies` has a sentence for each result that was left out, as another one is of the same run.
    """

    results: tuple[LabelledResult, ...]
    copies: tuple[str, ...] = ()

    def b_eff(self) -> list[tuple[str, BEffFigures]]:
        """Label and result of each run of b_eff."""
        typed = ((entry.label, entry.document.result) for entry in self.results)
        return [(label, result) for label, result in typed if isinstance(result, BEffFigures)]

    def b_eff_io(self) -> list[tuple[str, BEffIoFigures]]:
        """Label and result of each run of b_eff_io."""
        typed = ((entry.label, entry.document.result) for entry in self.results)
        return [(label, result) for label, result in typed if isinstance(result, BEffIoFigures)]


def load_subject(
    paths: Sequence[Path],
    loaded: Loaded | None = None,
    *,
    maps: bool = True,
    with_rmax: bool = True,
    left_out: LeftOut = in_silence,
    load: Callable[[Path], Document] | None = None,
) -> Subject:
    """Read the results that files and folders hold, of each run one. Raises ResultError.

    Of copies of a run, one with R_max is taken, or by choice one without.
    """
    documents = load_sound(paths, loaded, maps=maps, left_out=left_out, load=load)
    kept, copies = once(documents, with_rmax=with_rmax)
    files = [Path(document.source) for document in kept]
    groups: dict[str, str] = {}
    for folder in filter(is_folder, paths):
        for file in files_of(folder):
            groups.setdefault(str(file), one_line(str(folder)))
    labels = map(one_line, short_labels(files, taken=[*groups.values()]))
    found = [
        LabelledResult(label, document, groups.get(document.source, ""))
        for label, document in zip(labels, kept, strict=True)
    ]
    return Subject(tuple(found), tuple(map(one_line, copies)))


def short_labels(paths: Sequence[Path], taken: Sequence[str] = ()) -> list[str]:
    """Return the stems of the files, each with as many of its folders as make it unique.

    None is one of the `taken`.
    """
    parts = [(*path.resolve().parent.parts, path.stem) for path in paths]
    used = [1] * len(paths)
    while True:
        labels = ["/".join(part[-count:]) for part, count in zip(parts, used, strict=True)]
        longer = [
            count + 1
            if (labels.count(label) > 1 or label in taken) and count < len(part)
            else count
            for label, part, count in zip(labels, parts, used, strict=True)
        ]
        if longer == used:
            return labels
        used = longer
