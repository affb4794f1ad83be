"""Which charts there are: a new one is a function of its own and a row here."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from beff.charts import b_eff, b_eff_io, b_eff_shares, maps, several
from beff.charts.b_eff import Loops, loops_of
from beff.charts.b_eff_io import IoSubject, io_subject
from beff.charts.chart import Chart, stamped
from beff.charts.files import files_of
from beff.charts.patterns import patterns_of
from beff.charts.repeated import lines_of
from beff.judge.hosts import check_hosts
from beff.maps.pair_map import pair_map
from beff.report.parts.partitions import in_detail
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_result import BEffFigures, BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.load import Document
from beff.verify.subject import LabelledResult, Subject


@dataclass(frozen=True)
class Measured:
    """Results with what their charts need, each found once."""

    subject: Subject

    @cached_property
    def b_eff(self) -> list[LabelledResult]:
        """The results of b_eff."""
        return [e for e in self.subject.results if isinstance(e.document.result, BEffFigures)]

    @cached_property
    def io(self) -> list[LabelledResult]:
        """The results of b_eff_io."""
        return [e for e in self.subject.results if isinstance(e.document.result, BEffIoFigures)]

    @cached_property
    def loop_lines(self) -> list[tuple[str, list[Loops]]]:
        """The lines of results of b_eff that hold samples."""
        found = (
            (line.label, [loops_of(one) for one in line.results if isinstance(one, BEffResult)])
            for line in lines_of(self.b_eff)
        )
        return [line for line in found if line[1]]

    @cached_property
    def io_lines(self) -> list[tuple[str, list[IoSubject]]]:
        """The lines of results of b_eff_io."""
        return [
            (
                line.label,
                [io_subject(line.label, o) for o in line.results if isinstance(o, BEffIoFigures)],
            )
            for line in lines_of(self.io)
        ]

    @property
    def loops(self) -> list[Loops]:
        """Those of a single result of b_eff, else nothing: it alone is shown in detail."""
        return (
            [loops for _, runs in self.loop_lines for loops in runs] if len(self.b_eff) == 1 else []
        )

    @property
    def partitions(self) -> list[tuple[IoSubject, int]]:
        """Those to show of a single result of b_eff_io, that which gives the value first."""
        if len(self.io) != 1:
            return []
        ((_, (only,)),) = self.io_lines
        if only.best is None:
            return []
        others = (p for p in in_detail(only.result) if p != only.best)
        return [(only, partition) for partition in (only.best, *others)]


Charts = Callable[[Measured], Iterable[Chart | None]]


def _of_loops(draw: Callable[[Loops], Chart | None]) -> Charts:
    return lambda measured: map(draw, measured.loops)


def _of_partitions(draw: Callable[[IoSubject, int], Chart | None]) -> Charts:
    return lambda measured: (draw(*partition) for partition in measured.partitions)


CHARTS: tuple[Charts, ...] = (
    lambda measured: [several.values_side_by_side(measured.subject)],
    _of_loops(b_eff_shares.shares),
    _of_loops(b_eff.shares_of_best),
    _of_loops(b_eff.rings_and_random),
    _of_loops(b_eff_shares.area_under_the_curve),
    _of_loops(b_eff.methods),
    _of_loops(b_eff.additional_patterns),
    _of_loops(b_eff.grids_by_method),
    _of_loops(b_eff.time_per_message),
    lambda measured: [several.overlay(measured.loop_lines)],
    lambda measured: [several.beside_published(measured.b_eff)],
    lambda measured: [several.balance(measured.b_eff)],
    _of_partitions(b_eff_io.by_access_and_type),
    _of_partitions(b_eff_io.types),
    lambda measured: [several.io_overlay(measured.io_lines)],
    lambda measured: [b_eff_io.value_over_processes(measured.io_lines)],
)
"""All charts in the order of showing; None where the results have no data for one."""


def charts_of(subject: Subject) -> Iterator[Chart]:
    """Yield all charts that the results have data for, in the order of showing.

    A single result is shown in detail, several of a benchmark over each other. Captions say which
    results are not complete. Raises ResultError.
    """
    measured = Measured(subject)
    for draw in CHARTS:
        for chart in draw(measured):
            if chart is not None:
                shown = _shown(chart, measured)
                yield _stamped(replace(chart, caption=chart.caption + _remark(shown)), shown)


def _shown(chart: Chart, measured: Measured) -> Sequence[LabelledResult]:
    """Return the results that a chart shows."""
    if chart.key == "values_side_by_side":
        return measured.subject.results
    return measured.io if chart.key.startswith("io_") else measured.b_eff


def _stamped(chart: Chart, shown: Sequence[LabelledResult]) -> Chart:
    """Say which of the results that a chart shows are not valid."""
    lines = [line for line in lines_of(shown) if not line.results[0].valid]
    if len(lines) == len(lines_of(shown)):
        return stamped(chart)
    return stamped(chart, [line.label for line in lines]) if lines else chart


def _remark(results: Sequence[LabelledResult]) -> str:
    """Say which results are not complete."""
    labels = [entry.label for entry in results if not entry.document.result.complete]
    if not labels:
        return ""
    which = f" ({', '.join(labels)})" if len(results) > 1 else ""
    return f" Not complete{which}: what was not measured is missing."


def charts_beside(document: Document) -> Iterator[Chart]:
    """Yield the charts that a single result alone has: what was measured, or maps of it."""
    result = document.result
    found: list[Chart | None] = []
    if isinstance(result, BEffFigures):
        found = [patterns_of(result)]
    elif isinstance(result, BEffIoFigures):
        found = [files_of(result)]
    else:
        if isinstance(result, BPairsResult):
            found = [maps.bisection(result)]
        found += [
            maps.pairs_chart(pair_map(result), check_hosts(document).bad_hosts),
        ]
        found = [one if one is None or result.valid else stamped(one) for one in found]
    return (chart for chart in found if chart is not None)


def every_chart(subject: Subject) -> Iterator[Chart]:
    """Yield the charts of results, and of a single one also those beside. Raises ResultError."""
    yield from charts_of(subject)
    if len(subject.results) == 1:
        yield from charts_beside(subject.results[0].document)
