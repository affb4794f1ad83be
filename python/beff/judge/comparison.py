"""What comparing two sides yields: plain records, as JSON, and the verdict in sentences."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from beff.judge.benchmarks import DECIDING, SIZES, VALUES, Quantity
from beff.judge.change import SIDE_BY_SIDE, ChangeVerdict, Claim, Interval
from beff.judge.evidence import Basis
from beff.judge.steps import KNOWN_FROM
from beff.result.numbers import change, counted, percent


@dataclass(frozen=True)
class ComparedFigure:
    """One figure on both sides, by the mean over fenced runs, and what to say of it.

    `change` is that between them, as a share. `interval` is the one from which `verdict` was read,
    with its `confidence`. `noise` is the standard deviation from run to run, or from session to
    session where days decide, as a share. `smallest_loss`, a share, is what would have been called
    slower.
    """

    quantity: Quantity
    a: float
    b: float
    change: float
    confidence: float
    interval: Interval
    verdict: ChangeVerdict
    noise: float
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

    `tables` begins with the values. `basis` is what the verdict rests on, `by_runs` what is said
    beside the scatter of the runs alone. `sessions` counts those of both sides and of the history;
    `sessions_are_shared` says whether both sides ran in each of theirs. `alternated` says whether
    the sides alternated in time, None where that is not known, `side_by_side` that they did not in
    a session of both, which widens the intervals, and `one_after_the_other` that all of one side
    lies before all of the other. `differences` are what should have been the same and was not,
    `remarks` what may explain a change, `far_off` which runs lie far off the others of their side,
    `not_compared` what some run lacks.
    """

    benchmark: str
    processes: int
    runs_a: tuple[str, ...]
    runs_b: tuple[str, ...]
    basis: Basis
    by_runs: Claim
    sessions: int
    sessions_are_shared: bool
    alternated: bool | None
    side_by_side: bool
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
        "rests_on": comparison.basis.value,
        "by_runs": comparison.by_runs.value,
        **_fields(comparison, "sessions", "sessions_are_shared"),
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
        **_fields(row, "confidence", "noise"),
        "verdict": row.verdict.value,
    }


_MOST_OPEN = 3
"""Named of what is open; the tables have all."""


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
    open_ones = _named(report, lambda verdict: not verdict.is_no_slowdown, _MOST_OPEN)
    if open_ones:
        return f"inconclusive whether B is slower by {threshold}: {', '.join(open_ones)}{also}"
    if not report.decided:
        return f"no slowdown in what was compared, but not everything could be compared{also}"
    return f"no slowdown of B beyond the threshold of {threshold}{also}"


def _named(
    report: Report, wanted: Callable[[ChangeVerdict], bool], most: int | None = None
) -> list[str]:
    """Name the figures with such verdicts, of each comparison at most so many."""
    several = len(report.comparisons) > 1
    named = []
    for comparison in report.comparisons:
        mine = [row for row in comparison.values if wanted(row.verdict)]
        names = [f"{row.quantity.name} {change(row.change)}" for row in mine]
        sizes = [row for row in comparison.sizes if wanted(row.verdict)]
        if sizes:
            names.append(_sizes(sizes, len(comparison.sizes)))
        more = 0 if most is None else len(names) - most
        if more > 1:
            names[most:] = [f"{more} more"]
        if names:
            where = f" ({comparison.name})" if several else ""
            named.append(f"{', '.join(names)}{where}")
    return named


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


ENOUGH_RUNS = 3
"""Runs of each side from which their noise is measured."""


def rests_on(comparison: Comparison) -> str:
    """Say what the verdict rests on, and what would show more; without a full stop."""
    first = next(iter(comparison.values), None)
    if first is None:
        return "no figure that decides was measured"
    runs = f"{counted(len(comparison.runs_a), 'run')} of A and {len(comparison.runs_b)} of B"
    share = f"{percent(first.noise, 1)} (standard deviation)"
    beside = f"Beside the scatter of the runs alone: {comparison.by_runs.value}"
    if comparison.basis == Basis.NOTHING:
        return (
            f"--between-days always asks for more than days differ by, which {KNOWN_FROM} sessions"
            f" show: name a folder of them by --history. {beside}"
        )
    if comparison.basis == Basis.ASSUMED:
        return (
            f"{runs} do not show how much runs differ: {share} is assumed for"
            f" {first.quantity.name} (--run-noise), so a loss of less than"
            f" {percent(first.smallest_loss)} cannot be seen. Measure at least {ENOUGH_RUNS} of"
            " each side"
        )
    of_days = comparison.basis == Basis.DAYS
    unit = "session" if of_days else "run"
    on = f"{comparison.sessions} sessions" if of_days else f"the scatter of {runs}"
    said = f"this rests on {on}: {first.quantity.name} differs from {unit} to {unit} by {share}"
    if of_days:
        return f"{said}. {beside}"
    if comparison.sessions_are_shared:
        return said
    return f"{said}. How much days differ is not known: {KNOWN_FROM} sessions would show it"


def order_sentences(comparison: Comparison) -> Iterator[str]:
    """Say what the order of the runs in time leaves open."""
    if comparison.one_after_the_other:
        yield (
            "All runs of one side were made before all of the other: a change of the machine in"
            " between looks the same as one of yours. Alternate them (A B A B ...) to find out."
        )
    if comparison.side_by_side:
        order = (
            "Whether A and B alternated in time is not known"
            if comparison.alternated is None
            else "A and B were measured one after the other in a session"
        )
        yield (
            f"{order}, and runs next to each other are alike: the intervals are"
            f" {SIDE_BY_SIDE:g} times as wide as those of sides that alternate."
        )
