"""The figures of repeated runs, and what they say of each change."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, expm1, log, log1p
from statistics import median

from beff.analysis.compare.benchmarks import DECIDING, VALUES, Figures, Quantity
from beff.analysis.compare.report import ComparedFigure, ComparedTable
from beff.analysis.series.change import Change, fenced
from beff.analysis.series.evidence import Basis, Evidence
from beff.analysis.series.verdict import Claim, claim_of, confidence_of, judge_change, undecided


@dataclass(frozen=True)
class Runs:
    """The figures that all runs of both sides and of a history have, in order of time.

    `noise` gives the standard deviation of a figure from run to run, as a share, where the runs do
    not show it; `noise_is_known` that the user said so.
    """

    a: Sequence[Figures]
    b: Sequence[Figures]
    history: Sequence[Figures]
    quantities: Sequence[Quantity]
    evidence: Evidence
    noise: Callable[[Quantity], float]
    noise_is_known: bool = False

    @property
    def deciding(self) -> list[Quantity]:
        """The figures that decide."""
        return [quantity for quantity in self.quantities if quantity.table in DECIDING]

    def by_runs(self, quantity: Quantity) -> Change:
        """Return the change of a figure beside the scatter of the runs."""
        a, b, _ = self._logs(quantity)
        return self.evidence.by_runs(a, b, log1p(self.noise(quantity)))

    def claim_by_runs(self, confidence: float, threshold: float) -> Claim:
        """Return what the figures that decide say together beside the scatter of the runs."""
        return claim_of(
            judge_change(self.by_runs(one), confidence, threshold, one.more_is_better).verdict
            for one in self.deciding
        )

    def tables(self, confidence: float, threshold: float) -> tuple[ComparedTable, ...]:
        """Return all rows by table; `confidence` is that of the rows that decide."""
        tables = []
        for name in dict.fromkeys(quantity.table for quantity in self.quantities):
            own = [quantity for quantity in self.quantities if quantity.table == name]
            of_table = confidence if name in DECIDING else confidence_of(len(own))
            rows = [self._row(quantity, of_table, threshold) for quantity in own]
            tables.append(ComparedTable(name, tuple(rows)))
        return tuple(tables)

    def far_off(self) -> Iterator[tuple[int, int, Quantity, float]]:
        """Yield side (0: A), place, value and distance of runs that were drawn in, once each."""
        seen = set()
        values = [quantity for quantity in self.quantities if quantity.table == VALUES]
        for quantity in values if self.evidence.basis == Basis.RUNS else ():
            sides = self._logs(quantity)[:2]
            for side, (logs, kept) in enumerate(zip(sides, fenced(sides), strict=True)):
                for place, (own, within) in enumerate(zip(logs, kept, strict=True)):
                    if own != within and (side, place) not in seen:
                        seen.add((side, place))
                        yield side, place, quantity, expm1(own - median(logs))

    def _logs(self, quantity: Quantity) -> tuple[list[float], list[float], list[float]]:
        a, b, history = (
            [log(run[quantity]) for run in runs] for runs in (self.a, self.b, self.history)
        )
        return a, b, history

    def _row(self, quantity: Quantity, confidence: float, threshold: float) -> ComparedFigure:
        basis = self.evidence.basis
        found = self.evidence.change(*self._logs(quantity), log1p(self.noise(quantity)))
        guessed = basis == Basis.ASSUMED and not (self.noise_is_known or quantity.table == VALUES)
        judged = (
            undecided(found)
            if guessed or basis == Basis.NOTHING
            else judge_change(found, confidence, threshold, quantity.more_is_better)
        )
        return ComparedFigure(
            quantity=quantity,
            a=exp(found.a),
            b=exp(found.b),
            change=expm1(found.estimate),
            confidence=judged.confidence,
            interval=judged.interval,
            verdict=judged.verdict,
            noise=expm1(found.noise),
            smallest_loss=-expm1(-found.half_width(confidence) - log1p(threshold)),
        )
