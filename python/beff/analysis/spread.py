"""How far the repetitions within one run differ: the values by other choices than the maximum.

The official values take the best repetition of each loop and stay as they are. The same averages
over the median or the worst repetition, or over one repetition alone, show how much that choice
mattered.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import log
from statistics import fmean, median_low

from beff.analysis.b_eff.averages import Measured, bandwidths, figures_of, over_repetitions
from beff.analysis.b_eff.derive import measured_of, summary_fields
from beff.analysis.b_eff.schedule import only_repetition, repetitions_of
from beff.analysis.common.summary_figures import WEIGHED, SummaryFigure
from beff.analysis.subject import require_sound_structure
from beff.model.b_eff_result import BEffResult
from beff.model.load import Document, as_b_eff
from beff.model.result_parts import Figure

SLICES = 10
"""The run is cut into this many parts, each with the same number of loops, in order of time."""

_MEASURED_ONCE = "b_eff_io measures each pattern once: how far it repeats, only repeated runs show"
_IMPORTED = "the figures were imported from a print that holds no samples"
_ONE_REPETITION = "each loop was measured once: this run does not show how far it repeats"


@dataclass(frozen=True)
class ValueSpread:
    """One value of the summary by other choices of the repetition, in the value's unit."""

    value: SummaryFigure
    official: float
    """By the best repetition of each loop, as the result has it."""
    median: float
    """By the median repetition; of an even number, by the slower one of the two in the middle."""
    worst: float
    by_repetition: tuple[Figure, ...]
    """By the first repetitions alone, by the second ones alone, and so on."""

    @property
    def behind(self) -> float:
        """How far the median is from the best: |median / official - 1|."""
        return abs(self.median / self.official - 1)

    @property
    def range(self) -> float:
        """From the worst to the best repetitions, as a share of the median."""
        return abs(self.official - self.worst) / self.median

    @property
    def drift(self) -> Figure:
        """By the last repetitions alone / by the first alone - 1."""
        first, last = self.by_repetition[0], self.by_repetition[-1]
        return None if first is None or last is None else last / first - 1


@dataclass(frozen=True)
class Spread:
    """The spread of all values that the run has.

    `note` says why there are none. `behind_over_run` says, for each of SLICES parts of the run,
    how far the loops in it are behind the best repetition of the same loop: the mean of
    ln(best / loop), 0 when all are equal. A part far above the others was disturbed.
    """

    repetitions: int
    values: tuple[ValueSpread, ...]
    behind_over_run: tuple[float, ...]
    note: str | None = None


@lru_cache(maxsize=8)
def spread_of(document: Document) -> Spread:
    """Return the spread of a result of any benchmark.

    Raises ResultError when nothing can be recomputed from its samples.
    """
    if document.is_imported:
        return Spread(0, (), (), _IMPORTED)
    if document.benchmark == "b_pairs":
        return Spread(1, (), ())
    if document.benchmark != "b_eff":
        return Spread(1, (), (), _MEASURED_ONCE)
    require_sound_structure(document)
    return b_eff_spread(as_b_eff(document))


def b_eff_spread(result: BEffResult) -> Spread:
    """Return the spread of a result of b_eff, which must have a sound structure."""
    measured = measured_of(result)
    repetitions = repetitions_of(result.samples)
    if len(repetitions) < 2:
        return Spread(len(repetitions), (), (), _ONE_REPETITION)
    official = result.summary.model_dump()
    median = _summary(result, measured, median_low)
    worst = _summary(result, measured, min)
    alone = [
        _summary(result, replace(measured, samples=only_repetition(result.samples, number)), max)
        for number in repetitions
    ]
    values = []
    for value in WEIGHED:
        best, middle, least = (by[value.name] for by in (official, median, worst))
        if best and middle and least:
            by_repetition = tuple(by[value.name] for by in alone)
            values.append(ValueSpread(value, best, middle, least, by_repetition))
    return Spread(len(repetitions), tuple(values), _behind_over_run(measured))


def by_the_median(result: BEffResult) -> dict[str, Figure]:
    """Return the summary by the median repetition of each loop. Needs a sound structure."""
    return _summary(result, measured_of(result), median_low)


def _summary(
    result: BEffResult, measured: Measured, condense: Callable[[Sequence[float]], float]
) -> dict[str, Figure]:
    figures = figures_of(measured, condense)
    return summary_fields(result, figures, measured.sizes[-1])


def _behind_over_run(measured: Measured) -> tuple[float, ...]:
    best = over_repetitions(measured, max)
    behind = [
        log(best[pattern, measured.methods[method], size] / b)
        for pattern, method, size, b in bandwidths(measured)
    ]
    return tuple(fmean(part) for part in _parts(behind) if part)


def _parts(values: list[float]) -> Iterable[list[float]]:
    edges = [round(index * len(values) / SLICES) for index in range(SLICES + 1)]
    return (values[start:end] for start, end in pairwise(edges))
