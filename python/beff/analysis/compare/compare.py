"""Two sides of runs in, a report out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, expm1, log, log1p, sqrt
from statistics import median, pstdev

from beff.analysis.compare.benchmarks import BENCHMARKS, DECIDING, VALUES, Figures, Quantity
from beff.analysis.compare.conditions import differences, not_given, unusable
from beff.analysis.compare.report import (
    ChangeVerdict,
    ComparedFigure,
    ComparedTable,
    Comparison,
    Report,
)
from beff.analysis.compare.sides import Sides, match_sides, on_both_sides
from beff.analysis.compare.statistics import (
    MEASURED_FROM,
    ONE_AFTER_THE_OTHER,
    Change,
    Interval,
    Sessions,
    Units,
    change_between,
    far_off,
    holm_levels,
    scatter,
)
from beff.analysis.copies import once
from beff.model.load import Document
from beff.model.numbers import change

ERROR_RATE = 0.05
"""Probability that one of the rows judged together is wrongly slower or faster, at most (Holm)."""
EQUIVALENCE = 0.90
"""Confidence of the interval that must lie within the threshold: two one-sided tests of 5 %."""


@dataclass(frozen=True)
class Judged:
    """A verdict, and the interval that it was read from with its confidence."""

    verdict: ChangeVerdict
    interval: Interval
    confidence: float


def judge(found: Change, confidence: float, threshold: float, more_is_better: bool) -> Judged:
    """Weigh a change against noise and threshold (0.05 for 5 %).

    A side is slower or faster when the whole interval of `confidence` lies beyond the threshold:
    the better figure is surely that much above the other. All else, as "no change", is as much a
    claim, and is read from the interval of EQUIVALENCE.
    """
    sure, equal = found.interval(confidence), found.interval(EQUIVALENCE)
    gain, near = (sure, equal) if more_is_better else (sure.reversed(), equal.reversed())
    margin = log1p(threshold)
    if gain.high < -margin:
        return Judged(ChangeVerdict.SLOWER, sure, confidence)
    if gain.low > margin:
        return Judged(ChangeVerdict.FASTER, sure, confidence)
    return Judged(_within(gain, near, margin), equal, EQUIVALENCE)


def undecided(found: Change) -> Judged:
    """Return what is said where the noise is not known."""
    return Judged(ChangeVerdict.NOT_CLEAR, found.interval(EQUIVALENCE), EQUIVALENCE)


def _within(gain: Interval, near: Interval, margin: float) -> ChangeVerdict:
    if -margin <= near.low and near.high <= margin:
        if gain.high < 0:
            return ChangeVerdict.SLIGHTLY_SLOWER
        return ChangeVerdict.SLIGHTLY_FASTER if gain.low > 0 else ChangeVerdict.NO_CHANGE
    if near.low >= -margin:
        return ChangeVerdict.NOT_SLOWER
    return ChangeVerdict.NOT_FASTER if near.high <= margin else ChangeVerdict.NOT_CLEAR


@dataclass(frozen=True)
class ChangeEvidence:
    """The figures of the runs of both sides that all of them have.

    `noise` gives the standard deviation of a figure from run to run, as a share, where the runs do
    not show it; `noise_is_known` that the user said so. `alternated` as in `Comparison`.
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
        """Whether the runs show their noise."""
        return self.degrees >= MEASURED_FROM

    def change(self, quantity: Quantity) -> Change:
        """Return the change of one figure."""
        units = self._units(quantity)
        alike = not (self.alternated or self.sessions.are_units)
        widening = ONE_AFTER_THE_OTHER if alike else 1.0
        return change_between(units, log1p(self.noise(quantity)), widening)

    def spread(self, quantity: Quantity) -> float:
        """Return the standard deviation of a figure from unit to unit, as a share."""
        units = self._units(quantity)
        found = expm1(scatter(units))
        return found if self.noise_is_measured else max(found, self.noise(quantity))

    def far_off(self) -> Iterator[tuple[int, int, Quantity, float]]:
        """Yield side (0: A), place, value and distance of runs far off, once each."""
        seen = set()
        for quantity in () if self.sessions.are_units else self.quantities:
            for side, place, share in (
                far_off(self._units(quantity)) if quantity.table == VALUES else ()
            ):
                if (side, place) not in seen:
                    seen.add((side, place))
                    yield side, place, quantity, share

    def tables(
        self, deciding: Mapping[Quantity, float], threshold: float
    ) -> tuple[ComparedTable, ...]:
        """Return all rows by table; `deciding` has the levels of those that decide."""
        tables = []
        for name in dict.fromkeys(quantity.table for quantity in self.quantities):
            quantities = [quantity for quantity in self.quantities if quantity.table == name]
            found = {quantity: self.change(quantity) for quantity in quantities}
            levels = deciding if name in DECIDING else levels_of(found, threshold)
            rows = [self._row(q, found[q], 1 - levels[q], threshold) for q in quantities]
            tables.append(ComparedTable(name, tuple(rows)))
        return tuple(tables)

    def _units(self, quantity: Quantity) -> Units:
        return self.sessions.units(_logs(self.a, quantity), _logs(self.b, quantity))

    def _row(
        self, quantity: Quantity, found: Change, confidence: float, threshold: float
    ) -> ComparedFigure:
        a, b = (exp(median(_logs(side, quantity))) for side in (self.a, self.b))
        can_judge = self.noise_is_measured or self.noise_is_known or quantity.table == VALUES
        more_is_better = quantity.more_is_better
        judged = (
            judge(found, confidence, threshold, more_is_better) if can_judge else undecided(found)
        )
        return ComparedFigure(
            quantity=quantity,
            a=a,
            b=b,
            change=expm1(found.of_medians),
            confidence=judged.confidence,
            interval=judged.interval,
            verdict=judged.verdict,
            smallest_loss=-expm1(-found.half_width(confidence) - log1p(threshold)),
        )


def deciding_levels(
    evidence: Sequence[ChangeEvidence], threshold: float
) -> list[dict[Quantity, float]]:
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
    """Return the level of each figure of a family alone."""
    chances = [one.chance_within(log1p(threshold)) for one in found.values()]
    return dict(zip(found, holm_levels(chances, ERROR_RATE), strict=True))


def _logs(runs: Sequence[Figures], quantity: Quantity) -> list[float]:
    return [log(run[quantity]) for run in runs]


_NAMED = 5
"""Figures without a counterpart that are named; of more, their number."""


@dataclass(frozen=True)
class CompareSettings:
    """What the user decides.

    `threshold` is the smallest change that matters, as a share. `assumed_noise` is the standard
    deviation of a figure from run to run, as a share, taken where too few runs show it; None for
    that of the benchmark. With `force`, results are compared that should not be.
    """

    threshold: float = 0.05
    assumed_noise: float | None = None
    force: bool = False


@dataclass(frozen=True)
class _Read:
    """Both sides with the figures that all of its runs have, and why it should not be compared."""

    sides: Sides
    a: list[Figures]
    b: list[Figures]
    common: list[Quantity]
    reasons: tuple[str, ...]


def compare(a: Sequence[Document], b: Sequence[Document], settings: CompareSettings) -> Report:
    """Compare repeated runs with sound structure; each side holds at least one."""
    (once_a, copies_a), (once_b, copies_b) = once(a), once(b)
    matching = match_sides(once_a, once_b)
    read = [_read(sides) for sides in matching.matched]
    usable = [found for found in read if settings.force or not found.reasons]
    refusals = [
        f"{found.sides.name}: {reason}"
        for found in read
        if found not in usable
        for reason in found.reasons
    ]
    return Report(
        threshold=settings.threshold,
        comparisons=tuple(_comparisons(usable, settings)),
        refusals=tuple(refusals) if matching.matched else matching.unmatched,
        unpaired=matching.unmatched,
        copies=(*copies_a, *copies_b, *on_both_sides(once_a, once_b)),
    )


def _read(sides: Sides) -> _Read:
    benchmark = BENCHMARKS[sides.benchmark]
    a = [benchmark.figures(run.fields) for run in sides.a]
    b = [benchmark.figures(run.fields) for run in sides.b]
    common = [quantity for quantity in a[0] if all(quantity in run for run in (*a, *b))]
    reasons = [
        *unusable((*sides.a, *sides.b)),
        *differences(sides.a, sides.b, benchmark.conditions),
    ]
    if not reasons and not any(quantity.table == VALUES for quantity in common):
        reasons = ["no value was measured in all runs"]
    return _Read(sides, a, b, common, tuple(reasons))


def _comparisons(usable: list[_Read], settings: CompareSettings) -> Iterator[Comparison]:
    """Judge all that decides together, and each table of hints of each comparison alone."""
    evidence = [_evidence(found, settings) for found in usable]
    levels = deciding_levels(evidence, settings.threshold)
    for found, one, deciding in zip(usable, evidence, levels, strict=True):
        sides = found.sides
        first = next((q for q in found.common if q.table == VALUES), None)
        yield Comparison(
            benchmark=sides.benchmark,
            processes=sides.processes,
            runs_a=tuple(sorted(run.source for run in sides.a)),
            runs_b=tuple(sorted(run.source for run in sides.b)),
            noise=_assumed_noise(sides, settings) if first is None else one.spread(first),
            degrees=one.degrees,
            sessions=one.sessions.count,
            sessions_are_units=one.sessions.are_units,
            alternated=sides.alternated,
            one_after_the_other=sides.one_after_the_other,
            differences=found.reasons,
            not_compared=tuple(_not_compared(found)),
            remarks=tuple(differences(sides.a, sides.b, BENCHMARKS[sides.benchmark].remarks)),
            far_off=tuple(_far_off(sides, one)),
            tables=one.tables(deciding, settings.threshold),
        )


def _evidence(found: _Read, settings: CompareSettings) -> ChangeEvidence:
    sides = found.sides
    assumed = _assumed_noise(sides, settings)
    usual = ChangeEvidence(
        a=found.a,
        b=found.b,
        quantities=found.common,
        sessions=sides.sessions,
        alternated=bool(sides.alternated),
        noise=lambda _: assumed,
        noise_is_known=settings.assumed_noise is not None,
    )
    if usual.noise_is_measured:
        return usual
    within = _noise_within_runs(sides)
    return replace(usual, noise=lambda quantity: max(assumed, expm1(within.get(quantity, 0.0))))


def _far_off(sides: Sides, evidence: ChangeEvidence) -> Iterator[str]:
    for side, place, quantity, share in evidence.far_off():
        run = (sides.a, sides.b)[side][place]
        yield f"{run.source}: {quantity.name} {change(share)} from the median of {'AB'[side]}"


def _not_compared(found: _Read) -> Iterator[str]:
    """Say which conditions and figures some run does not have, so that nobody misses them."""
    sides = found.sides
    names = not_given((*sides.a, *sides.b), BENCHMARKS[sides.benchmark].conditions)
    if names:
        yield f"not known of every run, so not checked to be the same: {', '.join(names)}"
    everything = dict.fromkeys(quantity for run in (*found.a, *found.b) for quantity in run)
    common = set(found.common)
    for table in dict.fromkeys(quantity.table for quantity in everything):
        of_table = [quantity for quantity in everything if quantity.table == table]
        missing = [quantity.name for quantity in of_table if quantity not in common]
        if missing:
            named = "; ".join(missing[:_NAMED]) + ("; ..." if missing[_NAMED:] else "")
            yield f"{table}: {len(missing)} of {len(of_table)} are not in every run: {named}"


def _assumed_noise(sides: Sides, settings: CompareSettings) -> float:
    if settings.assumed_noise is None:
        return BENCHMARKS[sides.benchmark].assumed_noise
    return settings.assumed_noise


def _noise_within_runs(sides: Sides) -> dict[Quantity, float]:
    """Return the standard error of ln(figure) by the jackknife, of the noisiest run.

    A figure is made of the best of the repetitions, so it is formed anew without each of them in
    turn (Tukey): with n of them the variance is (n - 1) times that of what comes out.
    """
    noise: dict[Quantity, float] = {}
    for run in (*sides.a, *sides.b):
        without = list(BENCHMARKS[sides.benchmark].without_one(run))
        for quantity in without[0] if without else ():
            logs = [log(rest[quantity]) for rest in without if quantity in rest]
            error = sqrt(len(logs) - 1) * pstdev(logs)
            noise[quantity] = max(error, noise.get(quantity, 0.0))
    return noise
