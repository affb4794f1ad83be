"""Repeated runs of one configuration, which are one line with a band in diagrams."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from beff.analysis.compare.conditions import Use, differences
from beff.analysis.subject import LabelledResult
from beff.model.contract import AnyResult
from beff.model.numbers import counted, rate
from beff.model.result_parts import ImportedHead

MEDIANS = " A line of repeated runs is their median, its band from the slowest to the fastest."
"""What captions say of bands."""


@dataclass(frozen=True)
class Line:
    """The runs of a line, at least one, and its name."""

    label: str
    runs: tuple[LabelledResult, ...]

    @property
    def results(self) -> list[AnyResult]:
        """The results of the runs."""
        return [one.document.result for one in self.runs]


def lines_of(results: Sequence[LabelledResult]) -> list[Line]:
    """Fold runs of one benchmark that were named together and have one configuration.

    A line of several runs has the name of their label or folder, with the number of processes where
    the same name has several lines.
    """
    folded: list[list[LabelledResult]] = []
    for entry in results:
        runs = next((runs for runs in folded if _belongs(entry, runs[0])), None)
        if runs is None:
            folded.append([entry])
        else:
            runs.append(entry)
    several = [runs[0].group for runs in folded if len(runs) > 1]

    def label(runs: Sequence[LabelledResult]) -> str:
        first = runs[0]
        if len(runs) == 1:
            return with_buffers(first.label, first.document.result)
        processes = counted(first.document.result.environment.processes, "process")
        alone = several.count(first.group) == 1
        name = first.group if alone else f"{first.group}, {processes}, as {first.label}"
        return with_buffers(name, first.document.result)

    return [Line(label(runs), tuple(runs)) for runs in folded]


def with_buffers(name: str, result: AnyResult) -> str:
    """Return the name of a line, with the device that its buffers lay on."""
    buffers = None if isinstance(result, ImportedHead) else result.environment.buffers
    return name if buffers is None else f"{name}, buffers on {buffers.memory}"


def _belongs(entry: LabelledResult, first: LabelledResult) -> bool:
    """Whether it is a repetition, by all that comparing two sides looks at."""
    if not entry.group or (entry.group, entry.is_given) != (first.group, first.is_given):
        return False
    a, b = first.document, entry.document
    return a.benchmark == b.benchmark and not differences([a], [b], Use.SAME | Use.REMARK)


def median_rows(
    runs: Iterable[Sequence[dict[str, Any]]],
    place: Callable[[dict[str, Any]], Hashable],
    name: Callable[[dict[str, Any]], str],
) -> list[dict[str, Any]]:
    """Return the rows of a line: of several runs their median, and `low` and `high` of the band.

    Rows of equal `place` are of one point; `name` begins the text of a point.
    """
    found = list(runs)
    return list(_medians(found, place, name)) if found[1:] else list(*found)


def _medians(
    runs: Sequence[Sequence[dict[str, Any]]],
    place: Callable[[dict[str, Any]], Hashable],
    name: Callable[[dict[str, Any]], str],
) -> Iterator[dict[str, Any]]:
    at: dict[Hashable, list[dict[str, Any]]] = {}
    for rows in runs:
        for row in rows:
            at.setdefault(place(row), []).append(row)
    for rows in at.values():
        known = [row["MBps"] for row in rows if row["MBps"] is not None]
        if not known:
            yield rows[0]
            continue
        low, middle, high = min(known), median(known), max(known)
        text = (
            f"{name(rows[0])}: {rate(middle)}, the median of {counted(len(known), 'run')} from"
            f" {rate(low)} to {rate(high)}"
        )
        yield rows[0] | {"MBps": middle, "low": low, "high": high, "text": text}
