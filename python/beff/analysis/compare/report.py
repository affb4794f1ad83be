"""What comparing two sides yields: plain records for the table, the JSON and the diagram."""

from dataclasses import dataclass

from beff.analysis.compare.interval import Interval, noise_is_measured
from beff.analysis.compare.quantity import VALUES, Quantity
from beff.analysis.compare.verdict import Verdict


@dataclass(frozen=True)
class Row:
    """One figure on both sides, as the geometric mean over the runs, and what to say of it."""

    quantity: Quantity
    a: float
    b: float
    interval: Interval
    verdict: Verdict


@dataclass(frozen=True)
class Table:
    """Figures of one kind. `confidence` is that of each row's interval alone.

    It is chosen so that all intervals that belong together hold at once with 95 %.
    """

    name: str
    confidence: float
    rows: tuple[Row, ...]

    def with_verdict(self, *verdicts: Verdict) -> tuple[Row, ...]:
        """Return the rows with one of these verdicts."""
        return tuple(row for row in self.rows if row.verdict in verdicts)


@dataclass(frozen=True)
class Comparison:
    """The comparison of one benchmark with one number of processes.

    `tables` begins with the values that decide. `noise` is the standard deviation of the first of
    them from run to run, as a share; assumed unless there are enough runs. `alternated` tells
    whether the sides alternated in time, None where that is not known. `differences` are what
    should have been the same and was not, `remarks` what may explain a change, `not_compared` what
    some run does not tell.
    """

    benchmark: str
    processes: int
    runs_a: tuple[str, ...]
    runs_b: tuple[str, ...]
    noise: float
    alternated: bool | None
    differences: tuple[str, ...]
    remarks: tuple[str, ...]
    not_compared: tuple[str, ...]
    tables: tuple[Table, ...]

    @property
    def name(self) -> str:
        """Benchmark and number of processes."""
        return f"{self.benchmark} with {self.processes} processes"

    @property
    def noise_is_measured(self) -> bool:
        """Whether the noise comes from the runs."""
        return noise_is_measured(len(self.runs_a), len(self.runs_b))

    @property
    def values(self) -> tuple[Row, ...]:
        """The values that decide."""
        return tuple(row for table in self.tables if table.name == VALUES for row in table.rows)

    @property
    def hints(self) -> tuple[Table, ...]:
        """All other tables."""
        return tuple(table for table in self.tables if table.name != VALUES)


@dataclass(frozen=True)
class Report:
    """All comparisons between the two sides.

    `threshold` is a share. `refusals` say what cannot be compared and why, `unpaired` which runs of
    one side have no counterpart, `cautions` what is to be said of single runs.
    """

    threshold: float
    comparisons: tuple[Comparison, ...]
    refusals: tuple[str, ...]
    unpaired: tuple[str, ...]
    cautions: tuple[str, ...] = ()

    @property
    def slower(self) -> bool:
        """Whether a value that decides is slower beyond threshold and noise."""
        return any(row.verdict == Verdict.SLOWER for c in self.comparisons for row in c.values)

    @property
    def decided(self) -> bool:
        """Whether everything that belongs together was compared by the values that decide."""
        return not self.refusals and all(c.values for c in self.comparisons)
