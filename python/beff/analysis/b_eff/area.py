"""The value as an area under a curve (IPDPS paper, section 4). Bandwidths are in MB/s.

value = processes · asymptotic bandwidth per process · area under the curve / rectangle.

The curve is the bandwidth of a pattern over the 21 sizes at equal distances, as 21 columns of equal
width: that is the mean over the sizes, which the formula of the paper asks for. The rectangle has
the width of all columns and the height of the asymptotic bandwidth, which is that at L_max. Over
patterns each factor is averaged as the value is: on the logarithmic scale.
"""
# ruff: noqa: N802, N815 - MBps as in the result file

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from beff.analysis.b_eff.averages import logavg
from beff.analysis.b_eff.definition import RANDOM_PATTERNS, in_first_group
from beff.analysis.b_eff.derive import measured_of
from beff.model.b_eff_result import BEffResult
from beff.model.result_parts import Figure


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
    """The three values taken apart, and the share of each averaged pattern by its id."""

    first: Area
    random: Area
    both: Area
    shares: Mapping[int, float]


def areas_of(result: BEffResult) -> Areas | None:
    """Take the value apart. None where an averaged pattern lacks a size, so that there is none."""
    measured = measured_of(result)
    figures = measured.official
    if figures.b_eff.both is None:
        return None
    asymptotic: dict[int, float] = {}
    shares: dict[int, float] = {}
    for pattern, of in figures.patterns.items():
        averaged = pattern in RANDOM_PATTERNS or in_first_group(result.definition, pattern)
        at_lmax: Figure = of.by_size[-1]
        if averaged and of.average is not None and at_lmax is not None:
            asymptotic[pattern] = at_lmax / measured.processes
            shares[pattern] = of.average / at_lmax

    def area(patterns: list[int]) -> Area:
        return Area(
            measured.processes,
            logavg(asymptotic[pattern] for pattern in patterns),
            logavg(shares[pattern] for pattern in patterns),
        )

    first = area([pattern for pattern in shares if pattern not in RANDOM_PATTERNS])
    random = area([pattern for pattern in shares if pattern in RANDOM_PATTERNS])
    both = Area(
        measured.processes,
        sqrt(first.asymptotic_MBps * random.asymptotic_MBps),
        sqrt(first.share * random.share),
    )
    return Areas(first, random, both, shares)
