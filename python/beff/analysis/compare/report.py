"""What comparing two sides yields: plain records for the table, the JSON and the diagram."""

from collections.abc import Iterator
from dataclasses import dataclass

from beff.analysis.compare.interval import MEASURED_FROM, Interval
from beff.analysis.compare.quantity import DECIDING, SIZES, VALUES, Quantity
from beff.analysis.compare.verdict import Verdict


@dataclass(frozen=True)
class Row:
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
    verdict: Verdict
    smallest_loss: float


@dataclass(frozen=True)
class Table:
    """Figures of one kind."""

    name: str
    rows: tuple[Row, ...]

    def with_verdict(self, *verdicts: Verdict) -> tuple[Row, ...]:
        """Return the rows with one of these verdicts."""
        return tuple(row for row in self.rows if row.verdict in verdicts)


@dataclass(frozen=True)
class Comparison:
    """The comparison of one benchmark with one number of processes.

    `tables` begins with the values. `noise` is the standard deviation of the first of them from
    unit to unit, as a share; assumed unless there are enough. The unit is the run, or the session
    where `sessions_are_units`; `degrees` are those of freedom. `alternated` tells whether the
    sides alternated in time, None where that is not known; `one_after_the_other` that all of one
    side lies before all of the other. `differences` are what should have been the same and was
    not, `remarks` what may explain a change, `far_off` which runs lie far off the others of their
    side, `not_compared` what some run does not tell.
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
    tables: tuple[Table, ...]

    @property
    def name(self) -> str:
        """Benchmark and number of processes."""
        return f"{self.benchmark} with {self.processes} processes"

    @property
    def noise_is_measured(self) -> bool:
        """Whether the noise comes from the runs."""
        return self.degrees >= MEASURED_FROM

    @property
    def values(self) -> tuple[Row, ...]:
        """The values, which decide."""
        return self._rows(VALUES)

    @property
    def sizes(self) -> tuple[Row, ...]:
        """The message sizes, which decide as well."""
        return self._rows(SIZES)

    @property
    def deciding(self) -> tuple[Row, ...]:
        """All rows that decide."""
        return (*self.values, *self.sizes)

    @property
    def beside_values(self) -> tuple[Table, ...]:
        """All tables but that of the values."""
        return tuple(table for table in self.tables if table.name != VALUES)

    def decides(self, table: Table) -> bool:
        """Whether the rows of a table decide."""
        return table.name in DECIDING

    def _rows(self, name: str) -> tuple[Row, ...]:
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
        return any(row.verdict == Verdict.SLOWER for row in self._deciding())

    @property
    def not_slower(self) -> bool:
        """Whether a slowdown beyond the threshold is ruled out in all figures that decide."""
        return self.decided and all(row.verdict.is_no_slowdown for row in self._deciding())

    @property
    def decided(self) -> bool:
        """Whether everything that belongs together was compared by the values that decide."""
        return not self.refusals and all(c.values for c in self.comparisons)

    def _deciding(self) -> Iterator[Row]:
        for comparison in self.comparisons:
            yield from comparison.deciding
