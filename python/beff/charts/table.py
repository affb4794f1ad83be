"""Which diagrams there are: a new one is a function of its own and a row here."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from beff.analysis.b_eff_io.schedule import in_detail
from beff.analysis.subject import LabelledResult, Subject
from beff.charts.b_eff import area, lines, methods, scaling, shares, time
from beff.charts.b_eff.loops import Loops, loops_of
from beff.charts.b_eff_io import chunks, values
from beff.charts.b_eff_io.subject import IoSubject, io_subject
from beff.charts.common.panel import Figure
from beff.charts.common.repeated import lines_of
from beff.charts.overlay import IoLines, LoopLines, io_overlay, overlay
from beff.charts.side_by_side import values_side_by_side
from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.b_eff_result import BEffFigures, BEffResult

SEVERAL: tuple[Callable[[Subject], Figure | None], ...] = (values_side_by_side,)
"""Diagrams of several results of any benchmark."""

ONE_B_EFF: tuple[Callable[[Loops], Figure | None], ...] = (
    shares.shares,
    lines.rings_and_random,
    lines.rings_against_random,
    area.area_under_the_curve,
    methods.methods,
    lines.additional_patterns,
    methods.grids_by_method,
    time.time_per_message,
)
"""Diagrams of a single result of b_eff, in the order of showing; None from one without data."""

SEVERAL_B_EFF: tuple[Callable[[LoopLines], Figure | None], ...] = (overlay,)
"""Diagrams over the samples of several results of b_eff."""

VALUES_B_EFF: tuple[Callable[[scaling.Results], Figure | None], ...] = (
    scaling.beside_published,
    scaling.balance,
)
"""Diagrams of the values of one or several results of b_eff."""

ONE_PARTITION: tuple[Callable[[IoSubject, int], Figure | None], ...] = (
    chunks.by_access_and_type,
    values.types,
)
"""Diagrams of a partition of b_eff_io."""

B_EFF_IO: tuple[Callable[[IoLines], Figure | None], ...] = (
    io_overlay,
    values.value_over_processes,
)
"""Diagrams of all partitions of one or several results of b_eff_io."""


def figures_of(subject: Subject) -> Iterator[Figure]:
    """Yield all diagrams that the results have data for, in the order of showing.

    A single result is shown in detail, several of a benchmark over each other. Raises ResultError.
    """
    shared = (draw(subject) for draw in SEVERAL)
    yield from _drawn(shared, *_incomplete(subject.results))
    yield from _b_eff_figures(subject)
    yield from _b_eff_io_figures(subject)


def _b_eff_figures(subject: Subject) -> Iterator[Figure]:
    entries = [one for one in subject.results if isinstance(one.document.result, BEffFigures)]
    if not entries:
        return iter(())
    measured = [
        (line.label, [loops_of(one) for one in line.results if isinstance(one, BEffResult)])
        for line in lines_of(entries)
    ]
    of_samples = [(label, runs) for label, runs in measured if runs]
    details: Iterator[Figure | None]
    if len(entries) == sum(len(runs) for _, runs in of_samples) == 1:
        details = (draw(of_samples[0][1][0]) for draw in ONE_B_EFF)
    else:
        details = (draw(of_samples) for draw in SEVERAL_B_EFF)
    values = (draw(entries) for draw in VALUES_B_EFF)
    return _drawn(chain(details, values), *_incomplete(entries))


def _b_eff_io_figures(subject: Subject) -> Iterator[Figure]:
    entries = [one for one in subject.results if isinstance(one.document.result, BEffIoFigures)]
    lines = [
        (
            line.label,
            [io_subject(line.label, one) for one in line.results if isinstance(one, BEffIoFigures)],
        )
        for line in lines_of(entries)
    ]
    details: Iterator[Figure | None] = iter(())
    if len(entries) == 1:
        ((_, (only,)),) = lines
        partitions = _partitions_to_show(only)
        details = (draw(only, partition) for draw in ONE_PARTITION for partition in partitions)
    values = (draw(lines) for draw in B_EFF_IO)
    return _drawn(chain(details, values), *_incomplete(entries))


def _incomplete(entries: Sequence[LabelledResult]) -> tuple[list[str], int]:
    """Return the labels of results that are not complete, and how many results there are."""
    return [one.label for one in entries if not one.document.result.complete], len(entries)


def _partitions_to_show(result: IoSubject) -> list[int]:
    """Return the partitions in detail, that which gives the value first."""
    if result.best is None:
        return []
    return [result.best, *(p for p in in_detail(result.result) if p != result.best)]


def _drawn(
    figures: Iterable[Figure | None], incomplete: list[str], results: int
) -> Iterator[Figure]:
    """Yield the figures there are; their captions say which results are not complete."""
    remark = ""
    if incomplete:
        which = f" ({', '.join(incomplete)})" if results > 1 else ""
        remark = f" Not complete{which}: what was not measured is missing."
    return (replace(f, caption=f.caption + remark) for f in figures if f is not None)
