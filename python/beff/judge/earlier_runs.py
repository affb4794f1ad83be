"""Results of a day beside the days of earlier ones that were measured in the same way."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from beff.judge.benchmarks import ASSUMED_NOISE, DECIDING, Quantity, compared_figures
from beff.judge.conditions import Use, differences, unusable
from beff.judge.day_rule import ERROR, Word
from beff.judge.series import Day, FigureOfDay, JudgedDay, Standing, days_of, standing_after
from beff.judge.sides import Sides, start_of, with_history
from beff.result.errors import ResultError
from beff.result.load import Document, load_document
from beff.result.numbers import change, counted
from beff.result.places import is_file
from beff.verify.common.summary_figures import main_value
from beff.verify.subject import apart, once


def days_beside(
    checked: Sequence[Document], earlier: Sequence[Document], error: float = ERROR
) -> Iterator[tuple[JudgedDay, list[Document]]]:
    """Judge each day of results beside the days of earlier ones, and yield it with its results.

    All are of one benchmark; those that are checked have figures in common. That any of all their
    days is wrongly called slower has the probability `error`: half of it is of the value, half of
    the other figures that decide.
    """
    first, *others = (compared_figures(run.result) for run in checked)
    common = [
        quantity
        for quantity in first
        if quantity.table in DECIDING and all(quantity in figures for figures in others)
    ]
    of_value = error / 2 / len(_days(checked, {}))
    of_other = of_value / max(len(common) - 1, 1)
    figures = {
        one: FigureOfDay(one.name, one.unit, of_other if place else of_value, one.more_is_better)
        for place, one in enumerate(common)
    }
    standing = standing_after(
        Standing([*figures.values()], ASSUMED_NOISE[checked[0].benchmark]),
        [day for day, _ in _days(earlier, figures)],
    )
    for day, runs in _days(checked, figures):
        judged = standing.judged(day)
        standing.add(judged)
        yield judged, runs


def _days(
    runs: Sequence[Document], figures: Mapping[Quantity, FigureOfDay]
) -> list[tuple[Day, list[Document]]]:
    values = [
        {
            figures[one]: value
            for one, value in compared_figures(run.result).items()
            if one in figures
        }
        for run in runs
    ]
    days = days_of([start_of(run) or 0.0 for run in runs], values)
    return [(day, [runs[number] for number in own]) for day, own in days]


@dataclass(frozen=True)
class AgainstEarlier:
    """How the value of a result stands beside earlier runs: so many, on the same hosts or not.

    `change` is a share; `word` is that of the day.
    """

    benchmark: str
    change: float
    word: Word
    runs: int
    same_hosts: bool

    @property
    def words(self) -> str:
        """Say it in short."""
        hosts = "" if self.same_hosts else " on other hosts"
        runs = f"{counted(self.runs, 'earlier run')}{hosts}"
        return f"{change(self.change)} against {runs}: {self.word.value}"


def against_earlier(result: Document, others: Sequence[Document]) -> AgainstEarlier | None:
    """Compare with those of the others that are earlier and alike; None without any."""
    if result.benchmark == "b_pairs" or main_value(result.result) is None or result.is_imported:
        return None
    if list(unusable([result])):
        return None
    began = start_of(result) or 0.0
    candidates, _ = apart(others, [result])
    alike = [
        run
        for run in with_history(Sides((result,), ()), candidates).history
        if (start_of(run) or 0.0) < began and not differences([result], [run], Use.MACHINE)
    ]
    known = [run for run in once(alike)[0] if main_value(run.result)]
    if not known:
        return None
    ((day, _),) = days_beside([result], known)
    value = day.figures[0]
    hosts = result.result.environment.host_list
    same = all(run.result.environment.host_list == hosts for run in known)
    return AgainstEarlier(result.benchmark, value.shares[1], value.word, len(known), same)


_MOST = 5
"""The newest ones; reading all of a long history would take longer than it is worth."""


def earlier_documents(file: Path) -> list[Document]:
    """Read the results of the same name in the folders beside that of a result.

    What cannot be read is left out, and so is everything in a folder of somebody else.
    """
    try:
        own = file.resolve()
        around = own.parent.parent
        if around.stat().st_uid != os.getuid():
            return []
        files = [one for one in around.glob(f"*/{own.name}") if one != own and is_file(one)]
        files.sort(key=lambda one: one.stat().st_mtime)
    except (OSError, ResultError):
        return []
    found = []
    for one in files[-_MOST:]:
        try:
            found.append(load_document(one))
        except ResultError:
            continue
    return found
