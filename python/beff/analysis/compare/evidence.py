"""The changes of all figures between two sides, and what is said of each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, expm1, log, log1p
from statistics import median

from beff.analysis.compare.far_off import far_off
from beff.analysis.compare.holm import holm_levels
from beff.analysis.compare.interval import (
    MEASURED_FROM,
    ONE_AFTER_THE_OTHER,
    Change,
    change,
    scatter,
)
from beff.analysis.compare.quantity import DECIDING, VALUES, Figures, Quantity
from beff.analysis.compare.report import Row, Table
from beff.analysis.compare.units import Sessions, Units
from beff.analysis.compare.verdict import judge, not_told

ERROR_RATE = 0.05
"""Probability that one of the rows judged together is wrongly slower or faster, at most (Holm)."""


@dataclass(frozen=True)
class Evidence:
    """The figures of the runs of both sides that all of them have.

    `noise` gives the standard deviation of a figure from run to run, as a share, where the runs do
    not tell it; `noise_is_known` that the user said so. `alternated` as in `Comparison`.
    """

    a: Sequence[Figures]
    b: Sequence[Figures]
    quantities: Sequence[Quantity]
    sessions: Sessions
    alternated: bool
    noise: Callable[[Quantity], float]
    noise_is_known: bool = False

    @property
    def degrees(self) -> int:
        """Degrees of freedom of the noise."""
        return self.sessions.units([0.0] * len(self.a), [0.0] * len(self.b)).degrees

    @property
    def noise_is_measured(self) -> bool:
        """Whether the runs tell their noise."""
        return self.degrees >= MEASURED_FROM

    def change(self, quantity: Quantity) -> Change:
        """Return the change of one figure."""
        units = self._units(quantity)
        alike = not (self.alternated or self.sessions.are_units)
        widening = ONE_AFTER_THE_OTHER if alike else 1.0
        return change(units, log1p(self.noise(quantity)), widening)

    def spread(self, quantity: Quantity) -> float:
        """Return the standard deviation of a figure from unit to unit, as a share."""
        units = self._units(quantity)
        found = expm1(scatter(units))
        return found if self.noise_is_measured else max(found, self.noise(quantity))

    def far_off(self) -> Iterator[tuple[int, int, Quantity, float]]:
        """Yield side (0: A), place, value and distance of runs far off, once each."""
        told = set()
        for quantity in () if self.sessions.are_units else self.quantities:
            for side, place, share in (
                far_off(self._units(quantity)) if quantity.table == VALUES else ()
            ):
                if (side, place) not in told:
                    told.add((side, place))
                    yield side, place, quantity, share

    def tables(self, deciding: Mapping[Quantity, float], threshold: float) -> tuple[Table, ...]:
        """Return all rows by table; `deciding` has the levels of those that decide."""
        tables = []
        for name in dict.fromkeys(quantity.table for quantity in self.quantities):
            quantities = [quantity for quantity in self.quantities if quantity.table == name]
            found = {quantity: self.change(quantity) for quantity in quantities}
            levels = deciding if name in DECIDING else levels_of(found, threshold)
            rows = [self._row(q, found[q], 1 - levels[q], threshold) for q in quantities]
            tables.append(Table(name, tuple(rows)))
        return tuple(tables)

    def _units(self, quantity: Quantity) -> Units:
        return self.sessions.units(_logs(self.a, quantity), _logs(self.b, quantity))

    def _row(self, quantity: Quantity, found: Change, confidence: float, threshold: float) -> Row:
        a, b = (exp(median(_logs(side, quantity))) for side in (self.a, self.b))
        told = self.noise_is_measured or self.noise_is_known or quantity.table == VALUES
        more_is_better = quantity.more_is_better
        judged = judge(found, confidence, threshold, more_is_better) if told else not_told(found)
        return Row(
            quantity=quantity,
            a=a,
            b=b,
            change=expm1(found.of_medians),
            confidence=judged.confidence,
            interval=judged.interval,
            verdict=judged.verdict,
            smallest_loss=-expm1(-found.half_width(confidence) - log1p(threshold)),
        )


def deciding_levels(evidence: Sequence[Evidence], threshold: float) -> list[dict[Quantity, float]]:
    """Return the level of each figure that decides, of all comparisons together."""
    chances = {
        (place, quantity): one.change(quantity).chance_within(log1p(threshold))
        for place, one in enumerate(evidence)
        for quantity in one.quantities
        if quantity.table in DECIDING
    }
    levels = dict(zip(chances, holm_levels(list(chances.values()), ERROR_RATE), strict=True))
    return [
        {quantity: level for (at, quantity), level in levels.items() if at == place}
        for place in range(len(evidence))
    ]


def levels_of(found: Mapping[Quantity, Change], threshold: float) -> dict[Quantity, float]:
    """Return the level of each figure of a family by itself."""
    chances = [one.chance_within(log1p(threshold)) for one in found.values()]
    return dict(zip(found, holm_levels(chances, ERROR_RATE), strict=True))


def _logs(runs: Sequence[Figures], quantity: Quantity) -> list[float]:
    return [log(run[quantity]) for run in runs]
