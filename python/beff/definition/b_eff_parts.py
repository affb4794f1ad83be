"""The value of b_eff taken apart: as an area under a curve, by method, by repetition."""
# ruff: noqa: N802, N815 - MBps as in the result file

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from beff.definition.averages import logavg
from beff.definition.b_eff import (
    Figures,
    Measured,
    bandwidths,
    figures_of,
    measured_of,
    over_repetitions,
)
from beff.definition.b_eff_patterns import OFFICIAL_METHODS, RANDOM_PATTERNS
from beff.result.b_eff_result import BEffResult, Samples


@dataclass(frozen=True)
class Area:
    """A value taken apart: `processes` · `asymptotic_MBps` · `share` is the value.

    `asymptotic_MBps` is that of one process. `share` is the area under the curve over that of the
    rectangle; it is above 1 where short messages are faster than the longest.
    """

    processes: int
    asymptotic_MBps: float
    share: float

    @property
    def value_MBps(self) -> float:
        """Multiply the factors."""
        return self.processes * self.asymptotic_MBps * self.share


@dataclass(frozen=True)
class Areas:
    """The three values taken apart, and the share of each averaged pattern by its id.

    The value as an area under a curve (IPDPS paper, section 4): processes · asymptotic bandwidth
    per process · area under the curve / rectangle. The curve is the bandwidth of a pattern over the
    21 sizes at equal distances, as columns of equal width, so its area is the mean over the sizes.
    The rectangle is as wide, and as high as the bandwidth at L_max. Over patterns each factor is
    averaged as the value is: on the logarithmic scale.
    """

    first: Area
    random: Area
    both: Area
    shares: Mapping[int, float]


def areas_of(result: BEffResult) -> Areas | None:
    """Take the value apart. None where an averaged pattern lacks a size, so that there is none."""
    measured = measured_of(result)
    n, rings, figures = measured.plan.n, measured.plan.ring_patterns, measured.official
    if figures.b_eff.both is None:
        return None
    curves = {p: figures.patterns[p] for p in (*rings, *RANDOM_PATTERNS)}
    at_lmax = {p: of.by_size[-1] or 0.0 for p, of in curves.items()}
    shares = {p: (of.average or 0.0) / at_lmax[p] for p, of in curves.items()}

    def area(patterns: Sequence[int]) -> Area:
        return Area(
            n, logavg(at_lmax[p] / n for p in patterns), logavg(shares[p] for p in patterns)
        )

    first, random = area(rings), area(RANDOM_PATTERNS)
    asymptotic = logavg((first.asymptotic_MBps, random.asymptotic_MBps))
    both = Area(n, asymptotic, logavg((first.share, random.share)))
    return Areas(first, random, both, shares)


Slices = list[tuple[str, Figures, int]]
"""Name and figures of some loops, and of how many patterns and sizes they hold the best."""


def by_method(measured: Measured) -> Slices:
    """Return one slice per method, the additional ones included."""
    holders = [measured.samples.method[row] for row in _best_rows(measured, measured.methods)]
    best, official = over_repetitions(measured, max), OFFICIAL_METHODS[:1]
    alone = replace(measured.plan, methods=official)  # as if it were one, which it need not be
    slices = []
    for index, name in enumerate(measured.methods):
        own = {(p, *official, size): b for (p, method, size), b in best.items() if method == name}
        slices.append((name, figures_of(alone, own), holders.count(index)))
    return slices


def by_repetition(measured: Measured) -> Slices:
    """Return one slice per repetition; the official methods alone count."""
    holders = [measured.samples.repetition[row] for row in _best_rows(measured, OFFICIAL_METHODS)]
    return [
        (f"repetition {number + 1}", figures, holders.count(number))
        for number, figures in measured.alone.items()
    ]


def _best_rows(measured: Measured, methods: Container[str]) -> list[int]:
    """Return the rows of samples that are the first best by these methods of pattern and size."""
    best: dict[tuple[int, int], tuple[float, int]] = {}
    for row, (pattern, method, size, b) in enumerate(bandwidths(measured)):
        if measured.methods[method] in methods:
            best[pattern, size] = max(best.get((pattern, size), (0.0, 0)), (b, -row))
    return [-row for _, row in best.values()]


def repetitions_of(samples: Samples) -> list[int]:
    """Return the numbers of the repetitions that occur, rising."""
    return sorted(set(samples.repetition))
