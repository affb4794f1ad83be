"""Two sides of runs in, a report out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import expm1, log, sqrt
from statistics import pstdev

from beff.analysis.compare.benchmarks import BENCHMARKS
from beff.analysis.compare.conditions import differences, not_told, unusable
from beff.analysis.compare.copies import on_both_sides, once
from beff.analysis.compare.evidence import Evidence, deciding_levels
from beff.analysis.compare.pairs import Pair, pair_up
from beff.analysis.compare.quantity import VALUES, Figures, Quantity
from beff.analysis.compare.report import Comparison, Report
from beff.model.load import Document
from beff.model.numbers import change

_NAMED = 5
"""Figures without a counterpart that are named; of more, their number tells."""


@dataclass(frozen=True)
class Settings:
    """What the user decides.

    `threshold` is the smallest change that matters, as a share. `assumed_noise` is the standard
    deviation of a figure from run to run, as a share, taken where too few runs tell it; None for
    that of the benchmark. With `force`, results are compared that should not be.
    """

    threshold: float = 0.05
    assumed_noise: float | None = None
    force: bool = False


@dataclass(frozen=True)
class _Figures:
    """A pair with the figures that all of its runs have, and why it should not be compared."""

    pair: Pair
    a: list[Figures]
    b: list[Figures]
    common: list[Quantity]
    reasons: tuple[str, ...]


def compare(a: Sequence[Document], b: Sequence[Document], settings: Settings) -> Report:
    """Compare repeated runs with sound structure; each side holds at least one."""
    (once_a, copies_a), (once_b, copies_b) = once(a), once(b)
    pairing = pair_up(once_a, once_b)
    read = [_read(pair) for pair in pairing.pairs]
    usable = [found for found in read if settings.force or not found.reasons]
    refusals = [
        f"{found.pair.name}: {reason}"
        for found in read
        if found not in usable
        for reason in found.reasons
    ]
    return Report(
        threshold=settings.threshold,
        comparisons=tuple(_comparisons(usable, settings)),
        refusals=tuple(refusals) if pairing.pairs else pairing.unpaired,
        unpaired=pairing.unpaired,
        copies=(*copies_a, *copies_b, *on_both_sides(once_a, once_b)),
    )


def _read(pair: Pair) -> _Figures:
    benchmark = BENCHMARKS[pair.benchmark]
    a = [benchmark.figures(run.fields) for run in pair.a]
    b = [benchmark.figures(run.fields) for run in pair.b]
    common = [quantity for quantity in a[0] if all(quantity in run for run in (*a, *b))]
    reasons = [*unusable((*pair.a, *pair.b)), *differences(pair.a, pair.b, benchmark.conditions)]
    if not reasons and not any(quantity.table == VALUES for quantity in common):
        reasons = ["no value was measured in all runs"]
    return _Figures(pair, a, b, common, tuple(reasons))


def _comparisons(usable: list[_Figures], settings: Settings) -> Iterator[Comparison]:
    """Judge all that decides together, and each table of hints of each pair by itself."""
    evidence = [_evidence(found, settings) for found in usable]
    levels = deciding_levels(evidence, settings.threshold)
    for found, one, deciding in zip(usable, evidence, levels, strict=True):
        pair = found.pair
        first = next((q for q in found.common if q.table == VALUES), None)
        yield Comparison(
            benchmark=pair.benchmark,
            processes=pair.processes,
            runs_a=tuple(sorted(run.source for run in pair.a)),
            runs_b=tuple(sorted(run.source for run in pair.b)),
            noise=_assumed_noise(pair, settings) if first is None else one.spread(first),
            degrees=one.degrees,
            sessions=one.sessions.count,
            sessions_are_units=one.sessions.are_units,
            alternated=pair.alternated,
            one_after_the_other=pair.one_after_the_other,
            differences=found.reasons,
            not_compared=tuple(_not_compared(found)),
            remarks=tuple(differences(pair.a, pair.b, BENCHMARKS[pair.benchmark].remarks)),
            far_off=tuple(_far_off(pair, one)),
            tables=one.tables(deciding, settings.threshold),
        )


def _evidence(found: _Figures, settings: Settings) -> Evidence:
    pair = found.pair
    assumed = _assumed_noise(pair, settings)
    usual = Evidence(
        a=found.a,
        b=found.b,
        quantities=found.common,
        sessions=pair.sessions,
        alternated=bool(pair.alternated),
        noise=lambda _: assumed,
        noise_is_known=settings.assumed_noise is not None,
    )
    if usual.noise_is_measured:
        return usual
    within = _noise_within_runs(pair)
    return replace(usual, noise=lambda quantity: max(assumed, expm1(within.get(quantity, 0.0))))


def _far_off(pair: Pair, evidence: Evidence) -> Iterator[str]:
    for side, place, quantity, share in evidence.far_off():
        run = (pair.a, pair.b)[side][place]
        yield f"{run.source}: {quantity.name} {change(share)} from the median of {'AB'[side]}"


def _not_compared(found: _Figures) -> Iterator[str]:
    """Say which conditions and figures some run does not have, so that nobody misses them."""
    pair = found.pair
    names = not_told((*pair.a, *pair.b), BENCHMARKS[pair.benchmark].conditions)
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


def _assumed_noise(pair: Pair, settings: Settings) -> float:
    if settings.assumed_noise is None:
        return BENCHMARKS[pair.benchmark].assumed_noise
    return settings.assumed_noise


def _noise_within_runs(pair: Pair) -> dict[Quantity, float]:
    """Return the standard error of ln(figure) by the jackknife, of the noisiest run.

    A figure is made of the best of the repetitions, so it is formed anew without each of them in
    turn (Tukey): with n of them the variance is (n - 1) times that of what comes out.
    """
    noise: dict[Quantity, float] = {}
    for run in (*pair.a, *pair.b):
        without = list(BENCHMARKS[pair.benchmark].without_one(run))
        for quantity in without[0] if without else ():
            logs = [log(rest[quantity]) for rest in without if quantity in rest]
            error = sqrt(len(logs) - 1) * pstdev(logs)
            noise[quantity] = max(error, noise.get(quantity, 0.0))
    return noise
