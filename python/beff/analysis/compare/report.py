"""What comparing two sides yields: plain records, as JSON, and the verdict in sentences."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from beff.analysis.compare.benchmarks import DECIDING, SIZES, VALUES, Quantity
from beff.analysis.compare.statistics import MEASURED_FROM, ONE_AFTER_THE_OTHER, Interval
from beff.model.numbers import change, counted, percent


class ChangeVerdict(str, Enum):
    """The words, from worst to best; those that leave something open stand between."""

    SLOWER = "slower"
    SLIGHTLY_SLOWER = "slower, within threshold"
    NOT_FASTER = "not faster"
    NOT_CLEAR = "inconclusive"
    NO_CHANGE = "no change"
    NOT_SLOWER = "not slower"
    SLIGHTLY_FASTER = "faster, within threshold"
    FASTER = "faster"

    @property
    def is_no_slowdown(self) -> bool:
        """Whether a slowdown beyond the threshold is ruled out."""
        return self not in {ChangeVerdict.SLOWER, ChangeVerdict.NOT_FASTER, ChangeVerdict.NOT_CLEAR}


@dataclass(frozen=True)
class ComparedFigure:
    """One figure on both sides, as the median over the runs, and what to say of it.

    `change` is that between the medians, as a share. `interval` is the one from which `verdict` was
    read, with its `confidence`: chosen by Holm's method for slower and faster, so that of all rows
    that are judged together one is wrongly called so with 5 % at most; EQUIVALENCE for all else.
    `smallest_loss`, a share, is what would have been called slower.
    """

    quantity: Quantity
    a: float
    b: float
    change: float
    confidence: float
    interval: Interval
    verdict: ChangeVerdict
    smallest_loss: float


@dataclass(frozen=True)
class ComparedTable:
    """Figures of one kind."""

    name: str
    rows: tuple[ComparedFigure, ...]

    def with_verdict(self, *verdicts: ChangeVerdict) -> tuple[ComparedFigure, ...]:
        """Return the rows with one of these verdicts."""
        return tuple(row for row in self.rows if row.verdict in verdicts)


@dataclass(frozen=True)
class Comparison:
    """The comparison of one benchmark with one number of processes.

    `tables` begins with the values. `noise` is the standard deviation of the first of them from
    unit to unit, as a share; assumed unless there are enough. The unit is the run, or the session
    where `sessions_are_units`; `degrees` are those of freedom. `alternated` says whether the
    sides alternated in time, None where that is not known; `one_after_the_other` that all of one
    side lies before all of the other. `differences` are what should have been the same and was
    not, `remarks` what may explain a change, `far_off` which runs lie far off the others of their
    side, `not_compared` what some run lacks.
    """

    benchmark: str
    processes: int
    runs_a: tuple[str, ...]
    runs_b: tuple[str, ...]
    noise: float
    degrees: int
    sessions: int
    sessions_are_units: bool
    alternated: bool | None
    one_after_the_other: bool
    differences: tuple[str, ...]
    remarks: tuple[str, ...]
    far_off: tuple[str, ...]
    not_compared: tuple[str, ...]
    tables: tuple[ComparedTable, ...]

    @property
    def name(self) -> str:
        """Benchmark and number of processes."""
        return f"{self.benchmark} with {self.processes} processes"

    @property
    def noise_is_measured(self) -> bool:
        """Whether the noise comes from the runs."""
        return self.degrees >= MEASURED_FROM

    @property
    def values(self) -> tuple[ComparedFigure, ...]:
        """The values, which decide."""
        return self._rows(VALUES)

    @property
    def sizes(self) -> tuple[ComparedFigure, ...]:
        """The message sizes, which decide as well."""
        return self._rows(SIZES)

    @property
    def deciding(self) -> tuple[ComparedFigure, ...]:
        """All rows that decide."""
        return (*self.values, *self.sizes)

    @property
    def beside_values(self) -> tuple[ComparedTable, ...]:
        """All tables but that of the values."""
        return tuple(table for table in self.tables if table.name != VALUES)

    def decides(self, table: ComparedTable) -> bool:
        """Whether the rows of a table decide."""
        return table.name in DECIDING

    def _rows(self, name: str) -> tuple[ComparedFigure, ...]:
        return tuple(row for table in self.tables if table.name == name for row in table.rows)


@dataclass(frozen=True)
class Report:
    """All comparisons between the two sides.

    `threshold` is a share. `refusals` say what cannot be compared and why, `unpaired` which runs of
    one side have no counterpart, `copies` which runs hold the samples of another, `cautions` what
    is to be said of single runs.
    """

    threshold: float
    comparisons: tuple[Comparison, ...]
    refusals: tuple[str, ...]
    unpaired: tuple[str, ...]
    copies: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()

    @property
    def slower(self) -> bool:
        """Whether a figure that decides is slower beyond threshold and noise."""
        return any(row.verdict == ChangeVerdict.SLOWER for row in self._deciding())

    @property
    def not_slower(self) -> bool:
        """Whether a slowdown beyond the threshold is ruled out in all figures that decide."""
        return self.decided and all(row.verdict.is_no_slowdown for row in self._deciding())

    @property
    def decided(self) -> bool:
        """Whether everything that belongs together was compared by the values that decide."""
        return not self.refusals and all(c.values for c in self.comparisons)

    def _deciding(self) -> Iterator[ComparedFigure]:
        for comparison in self.comparisons:
            yield from comparison.deciding


def report_json(report: Report) -> dict[str, Any]:
    """Return the report as objects, lists, numbers and text. Shares are B / A - 1."""
    return {
        "outcome": outcome(report),
        **_fields(report, "slower", "not_slower", "decided", "threshold"),
        "comparisons": [_comparison(comparison) for comparison in report.comparisons],
        **_fields(report, "refusals", "unpaired", "copies", "cautions"),
    }


def _fields(record: Report | Comparison | ComparedFigure, *names: str) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        **_fields(comparison, "benchmark", "processes", "runs_a", "runs_b"),
        **_fields(comparison, "noise", "noise_is_measured", "sessions", "sessions_are_units"),
        **_fields(comparison, "alternated", "one_after_the_other"),
        **_fields(comparison, "differences", "remarks", "far_off", "not_compared"),
        "tables": [_table(comparison, table) for table in comparison.tables],
    }


def _table(comparison: Comparison, table: ComparedTable) -> dict[str, Any]:
    return {
        "name": table.name,
        "decides": comparison.decides(table),
        "rows": [_row(row) for row in table.rows],
    }


def _row(row: ComparedFigure) -> dict[str, Any]:
    low, high = row.interval.shares
    return {
        "label": row.quantity.label,
        "unit": row.quantity.unit,
        **_fields(row, "a", "b", "change"),
        **{"low": low, "high": high},
        "confidence": row.confidence,
        "verdict": row.verdict.value,
    }


ENOUGH_RUNS = 3
"""Runs of each side from which their noise is measured."""


def outcome(report: Report) -> str:
    """Return the verdict over all comparisons in one sentence."""
    slower = _named(report, lambda verdict: verdict == ChangeVerdict.SLOWER)
    if slower:
        return f"B is slower: {', '.join(slower)}{_in_between(report)}"
    if not report.comparisons:
        return "A and B cannot be compared"
    faster = _named(report, lambda verdict: verdict == ChangeVerdict.FASTER)
    also = f"; B is faster: {', '.join(faster)}{_in_between(report)}" if faster else ""
    threshold = f"{100 * report.threshold:g} %"
    open_ones = _named(report, lambda verdict: not verdict.is_no_slowdown)
    if open_ones:
        return f"inconclusive whether B is slower by {threshold}: {', '.join(open_ones)}{also}"
    if not report.decided:
        return f"no slowdown in what was compared, but not everything could be compared{also}"
    return f"no slowdown of B beyond the threshold of {threshold}{also}"


def _named(report: Report, wanted: Callable[[ChangeVerdict], bool]) -> list[str]:
    several = len(report.comparisons) > 1
    names = []
    for comparison in report.comparisons:
        where = f" ({comparison.name})" if several else ""
        names += [
            f"{row.quantity.name} {change(row.change)}{where}"
            for row in comparison.values
            if wanted(row.verdict)
        ]
        sizes = [row for row in comparison.sizes if wanted(row.verdict)]
        if sizes:
            names.append(f"{_sizes(sizes, len(comparison.sizes))}{where}")
    return names


def _sizes(found: list[ComparedFigure], of: int) -> str:
    """Name message sizes as one: they are many."""
    changes = sorted(row.change for row in found)
    first, last = found[0].quantity.name, found[-1].quantity.name
    if len(found) == 1:
        return f"messages of {first} {change(changes[0])}"
    return (
        f"{len(found)} of {of} message sizes from {first} to {last}"
        f" {change(changes[0])} to {change(changes[-1])}"
    )


def _in_between(report: Report) -> str:
    if not any(comparison.one_after_the_other for comparison in report.comparisons):
        return ""
    return "; a change of the machine between A and B would look the same"


def noise_sentences(comparison: Comparison) -> Iterator[str]:
    """Say where the intervals come from, and what more runs would bring."""
    first = next(iter(comparison.values), None)
    if first is None:
        return
    yield _noise(comparison, first)
    if comparison.one_after_the_other:
        yield (
            "All runs of one side were made before all of the other: a change of the machine in"
            " between looks the same as one between A and B."
        )
    if not comparison.noise_is_measured or comparison.sessions_are_units:
        return
    if not comparison.alternated:
        order = (
            "Whether A and B alternated in time is not known"
            if comparison.alternated is None
            else "A and B were measured one after the other"
        )
        yield (
            f"{order}, and runs next to each other are alike: the"
            f" intervals are {ONE_AFTER_THE_OTHER:g} times as wide as those of sides that alternate"
            " (A B A B ...)."
        )


def _noise(comparison: Comparison, first: ComparedFigure) -> str:
    a, b = len(comparison.runs_a), len(comparison.runs_b)
    share = percent(comparison.noise, 1)
    name = first.quantity.name
    unit = "session" if comparison.sessions_are_units else "run"
    units = f"{counted(a, 'run')} of A and {counted(b, 'run')} of B"
    if comparison.sessions_are_units:
        units += f" in {comparison.sessions} sessions (groups of runs with gaps in time)"
    if comparison.noise_is_measured:
        return (
            f"{units}: {name} differs from {unit} to {unit} by {share} (standard deviation around"
            " the mean of their side). That any figure is wrongly called slower or faster has a"
            " probability of 5 % at most."
        )
    more = (
        f"measure A and B in turn in every session, or in at least {ENOUGH_RUNS} sessions each"
        if comparison.sessions_are_units
        else f"at least {ENOUGH_RUNS} of each side"
    )
    return (
        f"{units} do not show how much {unit}s differ: a standard deviation of {share} is assumed"
        f" for {name} (beff compare --run-noise), so a loss of less than"
        f" {percent(first.smallest_loss)} cannot be seen. Needs repeated runs: {more}."
    )
