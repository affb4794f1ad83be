"""Which charts there are: a new one is a function of its own and a row here."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from beff.definition.subject import LabelledResult, Subject, in_detail
from beff.judge.hosts import check_hosts
from beff.maps.pair_map import pair_map
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_result import BEffFigures, BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.contract import AnyResult
from beff.result.load import Document
from beff.show.charts import b_eff, b_eff_io, maps, several
from beff.show.charts.b_eff import Loops
from beff.show.charts.spec import Chart, stamped


def charts_of(subject: Subject) -> Iterator[Chart]:
    """Yield all charts that the results have data for, in the order of showing.

    A single result is shown in detail, several of a benchmark over each other. Captions say which
    results are not complete. Raises ResultError.
    """
    yield from _remarked([several.values_side_by_side(subject.results)], subject.results)
    for kind, charts in ((BEffFigures, _of_b_eff), (BEffIoFigures, _of_io)):
        entries = [entry for entry in subject.results if isinstance(entry.document.result, kind)]
        yield from _remarked(charts(entries), entries)


def _lines(
    entries: Sequence[LabelledResult], made: Callable[[AnyResult], several.Run | None]
) -> several.Lines[several.Run]:
    """Return what is made of the runs of each line, where anything is."""
    every = several.lines_of(entries)
    lines = [(label, [made(one.document.result) for one in runs]) for label, runs in every]
    return [(label, [*filter(None, runs)]) for label, runs in lines if any(runs)]


def _of_b_eff(entries: Sequence[LabelledResult]) -> Iterator[Chart]:
    lines = _lines(entries, lambda one: Loops(one) if isinstance(one, BEffResult) else None)
    if len(entries) == 1:
        yield from (draw(loops) for _, (loops,) in lines for draw in b_eff.CHARTS)
    else:
        yield several.overlay(lines)
    yield several.over_processes(entries)


def _of_io(entries: Sequence[LabelledResult]) -> Iterator[Chart]:
    lines: several.Lines[BEffIoFigures] = _lines(
        entries, lambda one: one if isinstance(one, BEffIoFigures) else None
    )
    if len(entries) == 1:
        _, (only,) = lines[0]
        partitions = dict.fromkeys((b_eff_io.best_of(only), *in_detail(only)))
        for draw in (b_eff_io.over_chunk_size, b_eff_io.types):
            yield from (draw(only, partition) for partition in partitions)
    else:
        yield several.io_overlay(lines)
    yield several.value_over_processes(lines)


def _remarked(charts: Iterable[Chart], shown: Sequence[LabelledResult]) -> Iterator[Chart]:
    """Yield those with data, which say which of the results are not complete, or not valid."""
    partial = ", ".join(one.label for one in shown if not one.document.result.complete)
    which = f" ({partial})" if shown[1:] else ""
    remark = f" Not complete{which}: what was not measured is missing." if partial else ""
    every = several.lines_of(shown)
    labels = [label for label, runs in every if not runs[0].document.result.valid]
    of_these = None if len(labels) == len(every) else labels
    for chart in (chart for chart in charts if chart.panels):
        whole = replace(chart, caption=f"{chart.caption}{remark}")
        yield stamped(whole, of_these) if labels else whole


def charts_beside(document: Document) -> Iterator[Chart]:
    """Yield the charts that a single result alone has: maps of it."""
    result = document.result
    if isinstance(result, BEffFigures | BEffIoFigures):
        return
    charts = [maps.bisection(result)] if isinstance(result, BPairsResult) else []
    charts.append(maps.pairs_chart(pair_map(result), check_hosts(document).bad_hosts))
    yield from (chart if result.valid else stamped(chart) for chart in charts if chart)


def every_chart(subject: Subject) -> Iterator[Chart]:
    """Yield the charts of results, and of a single one also those beside. Raises ResultError."""
    yield from charts_of(subject)
    if len(subject.results) == 1:
        yield from charts_beside(subject.results[0].document)
