"""What a command is about: sound results, one of each run, and the figures of their summaries."""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from beff.definition.common import UnsoundError, balance_of
from beff.definition.verify import plan_of
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_io_result import Summary as IoSummary
from beff.result.b_eff_result import RULES, BEffFigures, Summary, why_alone
from beff.result.b_pairs_result import BPairsResult, MapResult, PairsSummary
from beff.result.bounds import Figure, Record, Shown
from beff.result.contract import AnyResult
from beff.result.errors import ResultError, one_line
from beff.result.load import (
    Document,
    LeftOut,
    check_document,
    files_of,
    in_silence,
    load_document,
    read_results,
)
from beff.result.numbers import as_list, unit_of
from beff.result.places import is_folder
from beff.result.result_parts import RMax


class SummaryFigure(NamedTuple):
    """A field of the summary, or a `part` of one: what readers call it, and its unit.

    Of MB/s more is better, of us less. The fields of the models say all of it (`Shown`).
    """

    name: str
    label: str
    unit: str
    part: str = ""
    weighed: bool = False
    decides: bool = False

    def of(self, result: AnyResult) -> Figure:
        """Return the figure of a result."""
        field = getattr(result.summary, self.name)
        figure: Figure = field.get(self.part) if self.part else field
        return figure

    def label_in(self, result: AnyResult) -> str:
        """Return the label, with what the definition calls its value and its first group."""
        if not isinstance(result, BEffFigures):
            return self.label
        label = self.label.replace("b_eff", value_name(result))
        rings_first = RULES[result.definition].rings_first
        return label if rings_first else label.replace("rings", "cyclic grids")


def _figures(summary: type[Record]) -> tuple[SummaryFigure, ...]:
    return tuple(
        SummaryFigure(
            name, shown.label.format(part), unit_of(name), part, shown.weighed, shown.decides
        )
        for name, field in summary.model_fields.items()
        for shown in field.metadata
        if isinstance(shown, Shown)
        for part in shown.parts
    )


_B_EFF, _B_EFF_IO, _B_PAIRS = _figures(Summary), _figures(IoSummary), _figures(PairsSummary)
WEIGHED = tuple(figure for figure in _B_EFF if figure.weighed)
"""The figures of b_eff that a reader weighs against those of another run."""
NETWORK = tuple(figure for figure in _B_PAIRS if figure.weighed)
"""The figures of b_pairs about the network as a whole, where it was measured."""


def summary_figures(result: AnyResult) -> tuple[SummaryFigure, ...]:
    """Return the figures of the result's benchmark, the value first."""
    if isinstance(result, MapResult):
        return _B_PAIRS
    return _B_EFF if isinstance(result, BEffFigures) else _B_EFF_IO


def main_value(result: AnyResult) -> Figure:
    """Return b_eff or b_eff_io in MB/s; of b_pairs the bandwidth between two in the middle."""
    return summary_figures(result)[0].of(result)


def value_name(result: AnyResult) -> str:
    """Return what the value is called: of a shortened b_eff `b_eff short`, else the benchmark."""
    return RULES[result.definition].value if isinstance(result, BEffFigures) else result.benchmark


def value_processes(result: AnyResult) -> int:
    """Return the number of processes that the value is of."""
    stored = result.summary.processes if isinstance(result, BEffIoFigures) else None
    return result.environment.processes if stored is None else stored


def with_rmax(document: Document, rmax: RMax) -> Document:
    """Return the document with R_max and the balance; everything else stays as it is.

    Raises ResultError where its value has no balance.
    """
    if isinstance(document.result, MapResult):
        raise ResultError("a map of pairs has no value; beff check judges it", document.source)
    if isinstance(document.result, BEffFigures) and (why := why_alone(document.result.definition)):
        raise ResultError(f"{why}; a balance needs a run without --quick", document.source)
    summary = document.fields["summary"]
    balance = balance_of(main_value(document.result), rmax.gflops)
    added = {"rmax_gflops": rmax.gflops, "balance_bytes_per_flop": balance}
    fields = {**document.fields, "summary": {**summary, **added}, "rmax": rmax.model_dump()}
    return check_document(document.source, fields)


_MOST = 4
"""Partitions in detail; more would be read by nobody, and are in the result file."""


def deciding(result: BEffIoFigures) -> int | None:
    """Return the index of the partition whose value is that of the run; None without a value."""
    value = result.summary.b_eff_io_MBps
    values = [partition.values[result.definition] for partition in result.partitions]
    return values.index(value) if value is not None and value in values else None


def in_detail(result: BEffIoFigures) -> list[int]:
    """Return the indices of all partitions; of many, the deciding one and the largest ones."""
    best, count = deciding(result), len(result.partitions)
    last = range(max(0, count - _MOST), count)
    if best is None or best in last:
        return list(last)
    return [best, *last[1:]]


@lru_cache(maxsize=8)
def sound(document: Document) -> Document:
    """Return a result unless its samples belong to nothing, which the schema cannot see.

    Whether its figures are right is another question; `verify` answers it. Raises ResultError.
    """
    try:
        plan_of(document.result)
    except UnsoundError as unsound:
        raise ResultError(f"is damaged: {unsound.finding}", document.source) from None
    return document


def load_sound_document(path: Path) -> Document:
    """Read a result from whose samples figures can be computed. Raises ResultError."""
    return sound(load_document(path))


def load_sound(paths: Sequence[Path], left_out: LeftOut = in_silence) -> list[Document]:
    """Read the results that files, and folders with all inside, hold, as `read_results` does."""
    return read_results(paths, load_sound_document, left_out=left_out)


Key = TypeVar("Key")
Run = TypeVar("Run")
Value = TypeVar("Value")


def by_key(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Return the values of each key; keys are in the order of their first values."""
    values_of: dict[Key, list[Value]] = {}
    for key, value in pairs:
        values_of.setdefault(key, []).append(value)
    return values_of


def _times(run: Document) -> NDArray[Any]:
    """Return the times of all samples; of a result without any what was measured, or everything."""
    if isinstance(run.result, BPairsResult):
        passes = run.result.passes
        return np.array(" ".join(chain(*passes.small_ns, *passes.large_ns)).split(), dtype="S16")
    name, every = "time_max_s" if run.benchmark == "b_eff" else "time_s", run.fields
    if not run.is_imported and len(every["samples"][name]):
        return np.asarray(every["samples"][name])
    measured = [every["plan"], every["meetings"]] if isinstance(run.result, MapResult) else every
    return np.array([json.dumps(measured, sort_keys=True, default=as_list)])


def _mark(run: Document, begin: int, times: NDArray[Any]) -> str:
    return f"{run.benchmark} {begin} {blake2b(times.tobytes(), digest_size=8).hexdigest()}"


def samples_of(run: Document) -> str:
    """Return what only results of the same run have in common: a hash of all times."""
    return _mark(run, 0, _times(run))


_PARTS, _FEWEST_TIMES = 16, 8


@lru_cache(maxsize=4096)
def marks_of(run: Document) -> frozenset[str]:
    """Return marks of a run, of all samples and of parts of them: runs that share any are one.

    No two runs take the same times in a part. A copy some of whose samples were changed still has
    the other parts.
    """
    times = _times(run)
    size = max(_FEWEST_TIMES, len(times) // _PARTS)
    parts = {begin: times[begin : begin + size] for begin in range(0, len(times) - size + 1, size)}
    # else clocks are too coarse to tell runs
    telling = {begin: of for begin, of in parts.items() if len(np.unique(of)) >= _FEWEST_TIMES}
    return frozenset([samples_of(run), *(_mark(run, *part) for part in telling.items())])


def grouped(
    runs: Iterable[Run], marks: Callable[[Run], Collection[str]], preferred: Callable[[Run], bool]
) -> list[list[Run]]:
    """Group copies of the same run; in front stands the one that counts, a preferred one if any."""
    groups: list[list[Run]] = []
    group_of: dict[str, list[Run]] = {}
    for run in runs:
        marks_of_run = marks(run)
        group = next((group_of[mark] for mark in marks_of_run if mark in group_of), None)
        if group is None:
            groups.append(group := [])
        group.append(run)
        group_of |= dict.fromkeys(marks_of_run, group)
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
    *,
    with_rmax: bool = True,
    left_out: LeftOut = in_silence,
    load: Callable[[Path], Document] = load_sound_document,
) -> Subject:
    """Read the results that files and folders hold, of each run one. Raises ResultError.

    Of copies of a run, one with R_max is taken, or by choice one without.
    """
    documents = read_results(paths, load, left_out=left_out)
    kept, copies = once(documents, with_rmax=with_rmax)
    files = [Path(document.source) for document in kept]
    groups: dict[str, str] = {}
    for folder in filter(is_folder, paths):
        for file in files_of(folder):
            groups.setdefault(str(file), one_line(str(folder)))
    labels = map(one_line, short_labels(files, taken=[*groups.values()]))
    results = [
        LabelledResult(label, document, groups.get(document.source, ""))
        for label, document in zip(labels, kept, strict=True)
    ]
    return Subject(tuple(results), tuple(map(one_line, copies)))


def short_labels(paths: Sequence[Path], taken: Sequence[str] = ()) -> list[str]:
    """Return the stems of the files, each with as many of its folders as make it unique.

    None is one of the `taken`.
    """
    parts = [(*path.resolve().parent.parts, path.stem) for path in paths]
    used = [1] * len(paths)
    while True:
        labels = ["/".join(part[-count:]) for part, count in zip(parts, used, strict=True)]
        longer = [
            count + (count < len(part) and (labels.count(label) > 1 or label in taken))
            for label, part, count in zip(labels, parts, used, strict=True)
        ]
        if longer == used:
            return labels
        used = longer
