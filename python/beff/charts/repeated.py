"""Repeated runs of one configuration, which are one line with a band in diagrams."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from beff.charts.chart import Row
from beff.judge.conditions import Use, differences
from beff.result.contract import AnyResult
from beff.result.numbers import counted, rate
from beff.result.result_parts import ImportedHead
from beff.verify.subject import LabelledResult

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

    A line of several runs has the name of their folder, with the number of processes where the same
    name has several lines.
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
    if not entry.group or entry.group != first.group:
        return False
    a, b = first.document, entry.document
    return a.benchmark == b.benchmark and not differences([a], [b], Use.SAME | Use.REMARK)


def median_rows(runs: Sequence[Sequence[Row]], name: Callable[[Row], str]) -> list[Row]:
    """Return the rows of a line: of several runs their median, with the band around it.

    Rows of one series and place, of those beside the lines apart, are of one point; `name` begins
    the text of a point.
    """
    if len(runs) == 1:
        return list(runs[0])
    at: dict[Hashable, list[Row]] = {}
    for row in (row for rows in runs for row in rows):
        at.setdefault((row.series, row.x, row.look == "beside"), []).append(row)
    return [_median(rows, name(rows[0])) for rows in at.values()]


def _median(rows: Sequence[Row], name: str) -> Row:
    known = [row.value for row in rows if row.y is not None]
    if not known:
        return rows[0]
    low, middle, high = min(known), median(known), max(known)
    text = (
        f"{name}: {rate(middle)}, the median of {counted(len(known), 'run')} from"
        f" {rate(low)} to {rate(high)}"
    )
    return replace(rows[0], y=middle, low=low, high=high, text=text)
