"""What comparing two sides yields: plain records."""

from collections.abc import Iterator
from dataclasses import dataclass

from beff.judge.benchmarks import DECIDING, SIZES, VALUES, Quantity
from beff.judge.change import ChangeVerdict, Claim, Interval
from beff.judge.evidence import Basis
from beff.result.numbers import counted


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

    @property
    def decides(self) -> bool:
        """Whether its rows decide."""
        return self.name in DECIDING


@dataclass(frozen=True)
class Comparison:
    """The comparison of one benchmark with one number of processes.

    `tables` begins with the values. `rests_on` is what the verdict rests on, `by_runs` what is said
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
    rests_on: Basis
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
        return f"{self.benchmark} with {counted(self.processes, 'process')}"

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
