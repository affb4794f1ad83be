"""What a command is about: sound results of one or several benchmarks, of each run one."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from beff.definition import b_eff_io_plan, b_eff_plan
from beff.definition.compare import UnsoundError
from beff.definition.verify import require_columns
from beff.result.b_eff_io_result import BEffIoFigures, BEffIoResult, ImportedBEffIo
from beff.result.b_eff_result import BEffFigures, BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.contract import AnyResult
from beff.result.errors import ResultError
from beff.result.imported_pairs import ImportedPairs, MapResult
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
    try:
        _require_plan(document.result)
    except UnsoundError as unsound:
        raise ResultError(f"is damaged: {unsound.finding}", document.source) from None


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


def _require_plan(result: AnyResult) -> None:
    """Raise UnsoundError for samples that are not those of the plan of their result."""
    if isinstance(result, BEffResult):
        b_eff_plan.plan_of(result)
    elif isinstance(result, BEffIoResult):
        b_eff_io_plan.plan_of(result)
    elif isinstance(result, MapResult):
        from beff.definition import b_pairs_plan, imported_pairs  # noqa: PLC0415 - NumPy

        if isinstance(result, ImportedPairs):
            imported_pairs.derive(result)
        else:
            b_pairs_plan.plan_of(result)
    elif isinstance(result, ImportedBEffIo):
        require_columns(result)


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


@lru_cache(maxsize=4096)
def marks_of(run: Document) -> frozenset[str]:
    """Return marks of which runs that share any are one: of all samples, and of parts of them.

    No two runs took the same times in a part. In a copy of which some samples were changed, others
    do.
    """
    return frozenset((samples_of(run), *_marks_of_parts(run)))


def _marks_of_parts(run: Document) -> Iterator[str]:
    if run.is_imported:
        return
    if isinstance(run.result, BPairsResult):
        times = " ".join(chain(*run.result.passes.small_ns, *run.result.passes.large_ns)).split()
    else:
        column = "time_max_s" if run.benchmark == "b_eff" else "time_s"
        times = [*map(repr, run.fields["samples"][column])]
    size = max(_FEWEST_TIMES, len(times) // _PARTS)
    for begin in range(0, len(times) - size + 1, size):
        part = times[begin : begin + size]
        if len({*part}) >= _FEWEST_TIMES:  # else clocks are too coarse to tell runs
            yield f"{run.benchmark} {begin} {blake2b(' '.join(part).encode()).hexdigest()}"


_PARTS, _FEWEST_TIMES = 16, 8


def grouped(
    runs: Iterable[Run], marks: Callable[[Run], Collection[str]], preferred: Callable[[Run], bool]
) -> list[list[Run]]:
    """Group copies of the same run; in front stands the one that counts, a preferred one if any."""
    groups: list[list[Run]] = []
    group_of: dict[str, list[Run]] = {}
    for run in runs:
        own = marks(run)
        group = next((group_of[mark] for mark in own if mark in group_of), None)
        if group is None:
            group = []
            groups.append(group)
        group.append(run)
        group_of |= dict.fromkeys(own, group)
    return [sorted(group, key=lambda run: not preferred(run)) for group in groups]


def once(
    runs: Sequence[Document], *, with_rmax: bool = True
) -> tuple[tuple[Document, ...], tuple[str, ...]]:
    """Return the runs without copies, and one sentence for each copy that was left out.

    Of copies, one with R_max counts, or by choice one without.
    """
    groups = grouped(runs, marks_of, lambda run: (run.fields.get("rmax") is not None) is with_rmax)
    sentences = [
        f"{copy.source} holds samples of {kept.source}: it counts once"
        for kept, *copies in groups
        for copy in copies
    ]
    return tuple(group[0] for group in groups), tuple(sentences)


def apart(
    runs: Sequence[Document], others: Sequence[Document]
) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
    """Return the runs that are no copies of others, and those that are."""
    known = frozenset().union(*map(marks_of, others))
    kept, copies = list[Document](), list[Document]()
    for run in runs:
        (kept if known.isdisjoint(marks_of(run)) else copies).append(run)
    return tuple(kept), tuple(copies)


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
