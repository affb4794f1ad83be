"""Two sides of runs in, a report out: the figures of all runs, and what they say of each change."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, expm1, log, log1p, sqrt
from statistics import median, pstdev

from beff.judge.benchmarks import (
    ASSUMED_NOISE,
    DECIDING,
    VALUES,
    Figures,
    Quantity,
    compared_figures,
    figures_without_one,
)
from beff.judge.change import (
    MEASURED_FROM,
    THRESHOLD,
    Change,
    Claim,
    claim_of,
    confidence_of,
    fenced,
    judge_change,
    undecided,
)
from beff.judge.comparison import ComparedFigure, ComparedTable, Comparison, Report
from beff.judge.conditions import Use, differences, not_given, unusable
from beff.judge.evidence import Basis, Evidence, evidence_of
from beff.judge.sides import Sides, match_sides, on_both_sides, with_history
from beff.result.load import Document
from beff.result.numbers import change
from beff.verify.subject import apart, once


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


_NAMED = 5
"""Figures without a counterpart that are named; of more, their number."""


@dataclass(frozen=True)
class CompareSettings:
    """What the user decides.

    `threshold` is the smallest change that matters, as a share. `assumed_noise` is the standard
    deviation of a figure from run to run, as a share, taken where too few runs show it; None for
    that of the benchmark. With `force`, results are compared that should not be; with
    `between_days` only what exceeds the differences between days counts.
    """

    threshold: float = THRESHOLD
    assumed_noise: float | None = None
    force: bool = False
    between_days: bool = False


@dataclass(frozen=True)
class _Read:
    """Both sides with the figures that all of their runs have, and why not to compare them.

    The runs of the history have these figures as well. `missing` are those that some run lacks.
    """

    sides: Sides
    common: list[Quantity]
    missing: list[Quantity]
    reasons: tuple[str, ...]


def compare(
    a: Sequence[Document],
    b: Sequence[Document],
    settings: CompareSettings,
    history: Sequence[Document] = (),
) -> Report:
    """Compare repeated runs with sound structure; each side holds at least one.

    Of the `history` those runs count that were measured in the same way and are on neither side.
    """
    (once_a, copies_a), (once_b, copies_b) = once(a), once(b)
    earlier, _ = apart(once(history)[0], (*once_a, *once_b))
    matching = match_sides(once_a, once_b)
    read = [_read(with_history(sides, earlier)) for sides in matching.matched]
    usable = [found for found in read if settings.force or not found.reasons]
    refusals = [
        f"{found.sides.name}: {reason}"
        for found in read
        if found not in usable
        for reason in found.reasons
    ]
    runs = [_runs(found, settings) for found in usable]
    confidence = confidence_of(max(sum(len(one.deciding) for one in runs), 1))
    return Report(
        threshold=settings.threshold,
        comparisons=tuple(
            _comparison(found, one, confidence, settings.threshold)
            for found, one in zip(usable, runs, strict=True)
        ),
        refusals=tuple(refusals) if matching.matched else matching.unmatched,
        unpaired=matching.unmatched,
        copies=(*copies_a, *copies_b, *on_both_sides(once_a, once_b)),
    )


def why_not(a: Document, b: Document) -> tuple[str, ...]:
    """Return why results of one benchmark are not compared without force; else nothing."""
    return _read(Sides((a,), (b,))).reasons


def _read(sides: Sides) -> _Read:
    figures = [compared_figures(run.result) for run in (*sides.a, *sides.b)]
    found = dict.fromkeys(quantity for run in figures for quantity in run)
    common = [quantity for quantity in found if all(quantity in run for run in figures)]
    known = frozenset(common)
    reasons = [*unusable((*sides.a, *sides.b)), *differences(sides.a, sides.b, Use.SAME)]
    if not reasons and not any(quantity.table == VALUES for quantity in common):
        reasons = ["no value was measured in all runs"]
    history = [run for run in sides.history if known <= compared_figures(run.result).keys()]
    missing = [quantity for quantity in found if quantity not in known]
    return _Read(replace(sides, history=tuple(history)), common, missing, tuple(reasons))


def _runs(found: _Read, settings: CompareSettings) -> Runs:
    sides = found.sides
    a, b, history = (
        [compared_figures(run.result) for run in runs] for runs in (sides.a, sides.b, sides.history)
    )
    values = [log(run[found.common[0]]) for run in history]
    evidence = evidence_of(sides.times, values, between_days=settings.between_days)
    assumed = settings.assumed_noise
    if assumed is None:
        assumed = ASSUMED_NOISE[sides.benchmark]
    within = {} if evidence.degrees_of_runs >= MEASURED_FROM else _noise_within_runs(sides)
    return Runs(
        a,
        b,
        history,
        found.common,
        evidence,
        noise=lambda quantity: max(assumed, expm1(within.get(quantity, 0.0))),
        noise_is_known=settings.assumed_noise is not None,
    )


def _comparison(found: _Read, runs: Runs, confidence: float, threshold: float) -> Comparison:
    sides, evidence = found.sides, runs.evidence
    return Comparison(
        benchmark=sides.benchmark,
        processes=sides.processes,
        runs_a=tuple(sorted(run.source for run in sides.a)),
        runs_b=tuple(sorted(run.source for run in sides.b)),
        rests_on=evidence.basis,
        by_runs=runs.claim_by_runs(confidence, threshold),
        sessions=evidence.sessions,
        sessions_are_shared=evidence.are_shared,
        alternated=evidence.alternated,
        side_by_side=evidence.basis == Basis.RUNS and evidence.are_side_by_side,
        one_after_the_other=sides.one_after_the_other,
        differences=found.reasons,
        not_compared=tuple(_not_compared(found)),
        remarks=tuple(differences(sides.a, sides.b, Use.REMARK)),
        far_off=tuple(
            f"{(sides.a, sides.b)[side][place].source}: {quantity.name} {change(share)} from the"
            f" median of {'AB'[side]}"
            for side, place, quantity, share in runs.far_off()
        ),
        tables=runs.tables(confidence, threshold),
    )


def _not_compared(found: _Read) -> Iterator[str]:
    """Say which conditions and figures some run does not have, so that nobody misses them."""
    sides = found.sides
    names = not_given((*sides.a, *sides.b))
    if names:
        yield f"not known of every run, so not checked to be the same: {', '.join(names)}"
    everything = (*found.common, *found.missing)
    for table in dict.fromkeys(quantity.table for quantity in everything):
        missing = [quantity.name for quantity in found.missing if quantity.table == table]
        if missing:
            of_table = sum(quantity.table == table for quantity in everything)
            named = "; ".join(missing[:_NAMED]) + ("; ..." if missing[_NAMED:] else "")
            yield f"{table}: {len(missing)} of {of_table} are not in every run: {named}"


def _noise_within_runs(sides: Sides) -> dict[Quantity, float]:
    """Return the standard error of ln(figure) by the jackknife, of the noisiest run.

    A figure is made of the best of the repetitions, so it is formed anew without each of them in
    turn (Tukey): with n of them the variance is (n - 1) times that of what comes out.
    """
    noise: dict[Quantity, float] = {}
    for run in (*sides.a, *sides.b):
        without = list(figures_without_one(run.result))
        for quantity in without[0] if without else ():
            logs = [log(rest[quantity]) for rest in without if quantity in rest]
            error = sqrt(len(logs) - 1) * pstdev(logs)
            noise[quantity] = max(error, noise.get(quantity, 0.0))
    return noise
