"""Two sides of results: which belong together, their days, and what B is beside A."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial

from beff.judge.benchmarks import ASSUMED_NOISE, DECIDING, Figures, Quantity, compared_figures
from beff.judge.change import THRESHOLD, Logs, change_by_runs
from beff.judge.conditions import Use, differences, unusable
from beff.judge.day_rule import ERROR, alternated, sessions_of
from beff.judge.series import (
    OF_VALUE,
    Day,
    FigureOfDay,
    JudgedDay,
    Standing,
    days_of,
    judged_figure,
    standing_after,
)
from beff.result.load import Document
from beff.result.numbers import counted
from beff.result.result_parts import ImportedHead

_PRINTED = "%a %b %d %H:%M:%S %Y"
"""How the original programs print a time: Tue Nov 23 18:13:10 2004."""


def start_of(run: Document) -> float | None:
    """Return when a run started, in seconds; None where it is not known.

    That of an imported result is as printed, without a time zone.
    """
    if not isinstance(run.result, ImportedHead):
        return run.started_at.timestamp()
    try:
        printed = datetime.strptime(run.result.imported.date or "", _PRINTED)
    except ValueError:
        return None
    return printed.replace(tzinfo=timezone.utc).timestamp()


def figures_to_judge(runs: Sequence[Figures], error: float = ERROR) -> dict[Quantity, FigureOfDay]:
    """Return the figures that decide, the value first, as all runs have them.

    That any is wrongly called slower has the probability `error`, of which the value has OF_VALUE.
    """
    first, *others = runs
    common = [
        one for one in first if one.table in DECIDING and all(one in figures for figures in others)
    ]
    of_other = (1 - OF_VALUE) * error / max(len(common) - 1, 1)
    return {
        one: judged_as(one, of_other if place else OF_VALUE * error)
        for place, one in enumerate(common)
    }


def deciding(runs: Sequence[Document], error: float = ERROR) -> dict[Quantity, FigureOfDay]:
    """Return the figures of results that decide."""
    return figures_to_judge([compared_figures(run.result) for run in runs], error)


def judged_as(quantity: Quantity, error: float) -> FigureOfDay:
    """Return a figure of a result as it is judged with a part of an error."""
    return FigureOfDay(quantity.name, quantity.unit, error, quantity.more_is_better)


_ERROR_OF_RUNS = 0.02
"""Probability that any figure of runs as fast is called slower, at most; it is less."""
Runs = Sequence[tuple[float, Figures]]
"""When each run started, in seconds, and its figures, in order of time."""


@dataclass(frozen=True)
class Sides:
    """Runs of one benchmark on both sides, and other runs of the machine, each in order of time."""

    a: tuple[Document, ...]
    b: tuple[Document, ...]
    history: tuple[Document, ...] = ()

    @property
    def starts(self) -> tuple[list[float], list[float]] | None:
        """When the runs of A and of B started, in seconds.

        Not known where that of some run is not, or has no time zone as those of a print, and so no
        order with others.
        """
        mixed = len({run.is_imported for run in (*self.a, *self.b)}) > 1
        known = [start for run in (*self.a, *self.b) if (start := start_of(run)) is not None]
        if mixed or len(known) < len(self.a) + len(self.b):
            return None
        return known[: len(self.a)], known[len(self.a) :]

    @property
    def alternated(self) -> bool | None:
        """Whether A and B alternated in time; None where that is not known."""
        return None if self.starts is None else alternated(*self.starts)

    @property
    def one_after_the_other(self) -> bool:
        """Whether all runs of one side are known to have started before all of the other."""
        if self.starts is None:
            return False
        a, b = self.starts
        return max(a) < min(b) or max(b) < min(a)

    @property
    def runs(self) -> tuple[Runs, Runs]:
        """The runs of A and of B; all are taken as one session where their times are not known."""
        sides = _runs_of(self.a), _runs_of(self.b)
        if self.starts is not None:
            return sides
        a, b = ([(0.0, own) for _, own in side] for side in sides)
        return a, b

    def judged(
        self,
        figures: Mapping[Quantity, FigureOfDay],
        limit: float = THRESHOLD,
        assumed: float | None = None,
    ) -> JudgedDay:
        """Judge B, as a whole, beside A.

        `assumed` is what runs, or days, differ by, as a share, where too few show it; None for what
        is assumed of the benchmark.
        """
        least = ASSUMED_NOISE[self.a[0].benchmark] if assumed is None else assumed
        a, b = self.runs
        others, in_turn = _runs_of(self.history), bool(self.alternated)
        return judged_beside(a, b, figures, limit, least, others=others, in_turn=in_turn)


def _runs_of(documents: Sequence[Document]) -> Runs:
    return [(start_of(run) or 0.0, compared_figures(run.result)) for run in documents]


def judged_beside(
    a: Runs,
    b: Runs,
    figures: Mapping[Quantity, FigureOfDay],
    limit: float,
    assumed: float,
    *,
    others: Runs = (),
    in_turn: bool = True,
) -> JudgedDay:
    """Judge B, as a whole, beside A; all runs have the figures.

    Where both ran in every session its level cancels out, and runs are compared: `in_turn` says
    whether sides alternated. All figures share an error then, and the whole interval of a loss lies
    beyond the limit, as runs next to each other are more alike than they seem. Else days are
    compared, and those of `others` show how much days differ, too.
    """
    of_a, of_b = _sessions(a, b)
    if {*of_a} == {*of_b}:
        judged, of_before, of_today = [], dict[str, Logs](), dict[str, Logs]()
        equal = _ERROR_OF_RUNS / len(figures) if figures else 0.0
        for quantity, one in figures.items():
            figure = replace(one, error=equal)
            of_all = [figure.log_of(run[quantity]) for _, run in (*a, *b)]
            of_before[one.name], of_today[one.name] = logs = of_all[: len(a)], of_all[len(a) :]
            change = change_by_runs(*logs, of_a, of_b, assumed=assumed, alternated=in_turn)
            judged.append(judged_figure(figure, change, limit, beyond=True))
        days = Day(b[0][0], of_today), (Day(a[0][0], of_before),)
        return JudgedDay(*days, tuple(judged), by_runs=True)
    earlier, today, beside = (
        [day for day, _ in _days_of(side, figures)] for side in (a, b, others)
    )
    empty = partial(Standing, [*figures.values()], assumed, limit)
    parts = standing_after(empty(), beside).parts
    return standing_after(empty(), earlier).judged(*today, others=parts)


def _sessions(a: Runs, b: Runs) -> tuple[list[int], list[int]]:
    """Return the session of each run of both sides."""
    numbers = sessions_of([start for start, _ in (*a, *b)])
    return numbers[: len(a)], numbers[len(a) :]


def _days_of(runs: Runs, figures: Mapping[Quantity, FigureOfDay]) -> list[tuple[Day, list[int]]]:
    values = [
        {figures[one]: value for one, value in own.items() if one in figures} for _, own in runs
    ]
    return days_of([start for start, _ in runs], values)


def days_beside(
    checked: Sequence[Document], earlier: Sequence[Document], error: float = ERROR
) -> Iterator[tuple[JudgedDay, list[Document]]]:
    """Judge each day of results beside the days of earlier ones, and yield it with its results.

    All are of one benchmark; those that are checked have figures in common. That any of all their
    days is wrongly called slower has the probability `error`.
    """
    sides = Sides(tuple(earlier), tuple(checked))
    of_earlier, of_checked = _sessions(*sides.runs)
    if {*of_earlier} == {*of_checked}:
        yield sides.judged(deciding([*earlier, *checked], error)), [*checked]
        return
    figures = deciding(checked, error / len(_days_of(_runs_of(checked), {})))
    standing = standing_after(
        Standing([*figures.values()], ASSUMED_NOISE[checked[0].benchmark]),
        [day for day, _ in _days_of(_runs_of(earlier), figures)],
    )
    for day, runs in _days_of(_runs_of(checked), figures):
        judged = standing.judged(day)
        standing.add(judged)
        yield judged, [checked[run] for run in runs]


def match_sides(
    a: Sequence[Document], b: Sequence[Document]
) -> tuple[list[Sides], tuple[str, ...]]:
    """Match the runs of both sides by benchmark and number of processes.

    One group on each side of the same benchmark belong together although the processes differ. Each
    group without a counterpart is a sentence.
    """
    groups_a, groups_b = _groups(a), _groups(b)
    if len(groups_a) == len(groups_b) == len({run.benchmark for run in (*a, *b)}) == 1:
        return [Sides(*groups_a.values(), *groups_b.values())], ()
    matched = [Sides(groups_a[key], groups_b[key]) for key in groups_a if key in groups_b]
    return matched, tuple(
        f"{kind_of(groups[key][0])}: only in {side}, {counted(len(groups[key]), 'run')}"
        for side, groups, others in (("A", groups_a, groups_b), ("B", groups_b, groups_a))
        for key in groups
        if key not in others
    )


def _groups(runs: Sequence[Document]) -> dict[tuple[str, int], tuple[Document, ...]]:
    """Return the runs by benchmark and number of processes, in that order, each in time order."""
    in_time = sorted(runs, key=lambda run: (start_of(run) or 0.0, run.source))
    groups: dict[tuple[str, int], list[Document]] = {}
    for run in in_time:
        groups.setdefault((run.benchmark, run.result.environment.processes), []).append(run)
    return {key: tuple(groups[key]) for key in sorted(groups)}


def kind_of(run: Document) -> str:
    """Return benchmark and number of processes as one text."""
    return f"{run.benchmark} with {counted(run.result.environment.processes, 'process')}"


def alike(
    sides: Sides, others: Sequence[Document], use: Use = Use.SAME | Use.HISTORY
) -> tuple[Document, ...]:
    """Return those of other runs that are usable and were measured as side A, in order of time.

    Imported runs have no history, and are none: their times are of no time zone.
    """
    if any(run.is_imported for run in (*sides.a, *sides.b)):
        return ()
    found = [
        run
        for run in others
        if run.benchmark == sides.a[0].benchmark
        and not run.is_imported
        and not list(unusable([run]))
        and not differences(sides.a, [run], use)
    ]
    return tuple(sorted(found, key=lambda run: start_of(run) or 0.0))
