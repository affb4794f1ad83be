"""Two sides of runs in, a report out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, expm1, log, log1p
from statistics import stdev

from beff.analysis.compare.benchmarks import BENCHMARKS
from beff.analysis.compare.conditions import differences, not_told, unusable
from beff.analysis.compare.interval import change_interval, mean, noise_is_measured, scatter
from beff.analysis.compare.pairs import Pair, pair_up
from beff.analysis.compare.quantity import VALUES, Fields, Figures, Quantity
from beff.analysis.compare.report import Comparison, Report, Row, Table
from beff.analysis.compare.verdict import judge
from beff.model.imported import completed
from beff.model.load import Document

ERROR_RATE = 0.05
"""Probability that one of the intervals that belong together misses, at most (Bonferroni)."""

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

    @property
    def deciding(self) -> int:
        """How many values decide."""
        return sum(quantity.table == VALUES for quantity in self.common)


def compare(a: Sequence[Document], b: Sequence[Document], settings: Settings) -> Report:
    """Compare repeated runs with sound structure; each side holds at least one."""
    pairing = pair_up(a, b)
    read = [_read(pair) for pair in pairing.pairs]
    usable = [found for found in read if settings.force or not found.reasons]
    deciding = sum(found.deciding for found in usable)
    refusals = [
        f"{found.pair.name}: {reason}"
        for found in read
        if found not in usable
        for reason in found.reasons
    ]
    return Report(
        threshold=settings.threshold,
        comparisons=tuple(_comparison(found, deciding, settings) for found in usable),
        refusals=tuple(refusals) if pairing.pairs else pairing.unpaired,
        unpaired=pairing.unpaired,
    )


def _read(pair: Pair) -> _Figures:
    benchmark = BENCHMARKS[pair.benchmark]
    a = [benchmark.figures(_fields(run)) for run in pair.a]
    b = [benchmark.figures(_fields(run)) for run in pair.b]
    common = [quantity for quantity in a[0] if all(quantity in run for run in (*a, *b))]
    reasons = [*unusable((*pair.a, *pair.b)), *differences(pair.a, pair.b, benchmark.conditions)]
    if not reasons and not any(quantity.table == VALUES for quantity in common):
        reasons = ["no value was measured in all runs"]
    return _Figures(pair, a, b, common, tuple(reasons))


def _fields(run: Document) -> Fields:
    return completed(run.fields) if run.is_imported else run.fields


def _comparison(found: _Figures, deciding: int, settings: Settings) -> Comparison:
    pair = found.pair
    few_runs = not noise_is_measured(len(pair.a), len(pair.b))
    within = _noise_within_runs(pair) if few_runs else {}
    tables = []
    for name in dict.fromkeys(quantity.table for quantity in found.common):
        quantities = [quantity for quantity in found.common if quantity.table == name]
        together = deciding if name == VALUES else len(quantities)
        confidence = 1 - ERROR_RATE / together
        rows = [_row(found, q, confidence, within.get(q, 0.0), settings) for q in quantities]
        tables.append(Table(name, confidence, tuple(rows)))
    return Comparison(
        benchmark=pair.benchmark,
        processes=pair.processes,
        runs_a=tuple(sorted(run.source for run in pair.a)),
        runs_b=tuple(sorted(run.source for run in pair.b)),
        noise=_noise(found, within, settings),
        differences=found.reasons,
        not_compared=tuple(_not_compared(found)),
        alternated=pair.alternated,
        remarks=tuple(differences(pair.a, pair.b, BENCHMARKS[pair.benchmark].remarks)),
        tables=tuple(tables),
    )


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


def _row(
    found: _Figures, quantity: Quantity, confidence: float, within: float, settings: Settings
) -> Row:
    a, b = _logs(found.a, quantity), _logs(found.b, quantity)
    assumed = log1p(_assumed_noise(found.pair, settings))
    interval = change_interval(
        a, b, confidence, max(assumed, within), alternated=bool(found.pair.alternated)
    )
    verdict = judge(interval, settings.threshold, quantity.more_is_better)
    return Row(quantity, exp(mean(a)), exp(mean(b)), interval, verdict)


def _assumed_noise(pair: Pair, settings: Settings) -> float:
    if settings.assumed_noise is None:
        return BENCHMARKS[pair.benchmark].assumed_noise
    return settings.assumed_noise


def _logs(runs: Sequence[Figures], quantity: Quantity) -> list[float]:
    return [log(run[quantity]) for run in runs]


def _noise(found: _Figures, within: dict[Quantity, float], settings: Settings) -> float:
    """Return the standard deviation of the first value from run to run, as a share."""
    first = next((quantity for quantity in found.common if quantity.table == VALUES), None)
    assumed = _assumed_noise(found.pair, settings)
    if first is None:
        return assumed
    between = scatter(_logs(found.a, first), _logs(found.b, first))
    if noise_is_measured(len(found.a), len(found.b)):
        return expm1(between)
    return max(assumed, expm1(max(between, within.get(first, 0.0))))


def _noise_within_runs(pair: Pair) -> dict[Quantity, float]:
    """Return the standard deviation of ln(figure) over a run's repetitions, of the noisiest run."""
    noise: dict[Quantity, float] = {}
    for run in (*pair.a, *pair.b):
        repetitions = list(BENCHMARKS[pair.benchmark].by_repetition(run))
        for quantity in repetitions[0] if len(repetitions) > 1 else ():
            logs = [log(alone[quantity]) for alone in repetitions if quantity in alone]
            if len(logs) > 1:
                noise[quantity] = max(stdev(logs), noise.get(quantity, 0.0))
    return noise
