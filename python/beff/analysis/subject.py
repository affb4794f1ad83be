"""What a report is about: one or several results of one or both benchmarks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from beff.analysis.copies import once
from beff.analysis.structure import load_sound
from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.b_eff_result import BEffFigures
from beff.model.load import Document
from beff.model.plain_text import one_line
from beff.model.result_files import LeftOut, Loaded, in_silence


@dataclass(frozen=True)
class LabelledResult:
    """A result and the short name that distinguishes it from the others of a report."""

    label: str
    document: Document


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
) -> Subject:
    """Read the results that files and folders hold, of each run one. Raises ResultError.

    Of copies of a run, one with R_max is taken, or by choice one without.
    """
    documents = load_sound(paths, loaded, maps=maps, left_out=left_out)
    kept, copies = once(documents, with_rmax=with_rmax)
    labels = map(one_line, short_labels([Path(document.source) for document in kept]))
    return Subject(tuple(map(LabelledResult, labels, kept)), tuple(map(one_line, copies)))


def short_labels(paths: Sequence[Path]) -> list[str]:
    """Return the stems of the files, each with as many of its folders as make it unique."""
    parts = [(*path.resolve().parent.parts, path.stem) for path in paths]
    used = [1] * len(paths)
    while True:
        labels = ["/".join(part[-count:]) for part, count in zip(parts, used, strict=True)]
        longer = [
            count + 1 if labels.count(label) > 1 and count < len(part) else count
            for label, part, count in zip(labels, parts, used, strict=True)
        ]
        if longer == used:
            return labels
        used = longer
