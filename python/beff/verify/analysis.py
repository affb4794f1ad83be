"""What follows from a result, each thing derived once, by whoever asks for it first.

The papers take the best repetition of each loop, which hides what disturbed the others: so a run is
stamped quiet or noisy beside its validity. The official values stay as they are; the same averages
over the median or the worst repetition, or over one repetition alone, show how much that choice
mattered. A steady load of others, which slows all repetitions alike, is counted by the system.
How often the limits err: bench/RESULTS.md.
"""

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from itertools import pairwise
from math import log
from statistics import fmean

from beff.definition.b_eff import Figures, bandwidths, measured_of, over_repetitions, summary_fields
from beff.maps.findings import noise_reason, noise_text
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_result import BEffResult
from beff.result.bounds import Figure
from beff.result.imported_pairs import MapResult
from beff.result.load import Document
from beff.result.numbers import percent
from beff.verify.common.summary_figures import WEIGHED, SummaryFigure
from beff.verify.common.wires import load_reason
from beff.verify.subject import require_sound_structure

SLICES = 10
"""The run is cut into this many parts, each with the same number of loops, in order of time."""
DISTURBED = 1.5


class Steadiness(str, Enum):
    """The stamp; `UNKNOWN` of a run that repeats nothing, as those of b_eff_io, if undisturbed."""

    QUIET = "quiet"
    NOISY = "noisy"
    UNKNOWN = "not repeated"


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
    values: tuple[ValueSpread, ...] = ()
    behind_over_run: tuple[float, ...] = ()
    note: str | None = None


@dataclass(frozen=True)
class Noise:
    """How much the repetitions of a run differ, each as a share.

    `value` and `latency`: how far b_eff and its latency by the median repetition are from those by
    the best. `disturbed`: of the loops of several iterations, those that took more than DISTURBED
    times the best repetition of the same loop, per iteration.
    """

    value: float
    latency: float
    disturbed: float

    @property
    def reasons(self) -> list[str]:
        """What makes the run noisy, in words, the value's first; none of a quiet one."""
        return [
            f"{words} {percent(found, 1)}"
            for words, found, limit in (
                ("by the median repetition the value is lower by", self.value, LIMITS.value),
                ("latency higher by", self.latency, LIMITS.latency),
                ("disturbed loops:", self.disturbed, LIMITS.disturbed),
            )
            if found > limit
        ]


LIMITS = Noise(value=0.15, latency=0.25, disturbed=0.2)
"""A run in which one of them is exceeded is noisy."""


class Analysis:
    """What follows from a result. Raises ResultError when nothing can be recomputed from it."""

    def __init__(self, document: Document) -> None:
        require_sound_structure(document)
        self.document, self.result = document, document.result

    @cached_property
    def spread(self) -> Spread:
        """How far the repetitions within the run differ."""
        result = self.result
        if self.document.is_imported:
            return Spread(0, note="the figures were imported from a print that holds no samples")
        if isinstance(result, BEffIoFigures):
            note = (
                "b_eff_io measures each pattern once: how far it repeats, only repeated runs show"
            )
            return Spread(1, note=note)
        return _spread_of(result) if isinstance(result, BEffResult) else Spread(1)

    @cached_property
    def noise(self) -> Noise | None:
        """How much the repetitions differ; None where nothing was repeated."""
        result = self.result
        if not isinstance(result, BEffResult):
            return None
        best, middle = result.summary, _summary(result, measured_of(result).median)
        value, latency = middle["b_eff_MBps"], middle["latency_us"]
        if not best.b_eff_MBps or not best.latency_us or not value or not latency:
            return None
        loops = _loops(result)
        if max(map(len, loops), default=0) < 2:
            return None
        disturbed = [time_s > DISTURBED * min(times) for times in loops for time_s in times]
        return Noise(
            value=1 - value / best.b_eff_MBps,
            latency=latency / best.latency_us - 1,
            disturbed=sum(disturbed) / len(disturbed),
        )

    @cached_property
    def map_noise(self) -> dict[str, float]:
        """By how much the times of a pair differ at short and long messages; empty if unknown."""
        if not isinstance(self.result, MapResult):
            return {}
        from beff.maps.pair_map import noise_of, pair_map  # noqa: PLC0415 - NumPy

        return noise_of(pair_map(self.result))

    @property
    def differ_text(self) -> str:
        """By how much repetitions, or the times of a pair, differ; empty where none repeat."""
        if self.map_noise:
            return noise_text(self.map_noise)
        values = self.spread.values
        return f"repetitions differ by {percent(values[0].range)}" if values else ""

    @cached_property
    def noises(self) -> tuple[str, ...]:
        """What makes the run noisy, each in words; none where nothing does."""
        of_run = [] if self.noise is None else self.noise.reasons
        others = noise_reason(self.map_noise), load_reason(self.result)
        return (*of_run, *filter(None, others))

    @property
    def why_noisy(self) -> str | None:
        """What makes the run noisy, in a sentence; None where nothing does."""
        return ", ".join(self.noises) or None

    @property
    def steadiness(self) -> Steadiness:
        """The stamp."""
        if self.why_noisy is not None:
            return Steadiness.NOISY
        is_repeated = self.noise is not None or self.map_noise
        return Steadiness.QUIET if is_repeated else Steadiness.UNKNOWN


@lru_cache(maxsize=8)
def analysis_of(document: Document) -> Analysis:
    """Return the analysis of a result, the same one each time. Raises ResultError as that does."""
    return Analysis(document)


def _spread_of(result: BEffResult) -> Spread:
    measured = measured_of(result)
    alone = [_summary(result, figures) for figures in measured.alone.values()]
    if len(alone) < 2:
        note = "each loop was measured once: this run does not show how far it repeats"
        return Spread(len(alone), note=note)
    official = result.summary.model_dump()
    median, worst = (_summary(result, figures) for figures in (measured.median, measured.worst))
    values = []
    for value in WEIGHED:
        best, middle, least = (by[value.name] for by in (official, median, worst))
        if best and middle and least:
            by_repetition = tuple(by[value.name] for by in alone)
            values.append(ValueSpread(value, best, middle, least, by_repetition))
    best_of = over_repetitions(measured, max)
    behind = [
        log(best_of[pattern, measured.methods[method], size] / b)
        for pattern, method, size, b in bandwidths(measured)
    ]
    edges = [round(index * len(behind) / SLICES) for index in range(SLICES + 1)]
    parts = (behind[start:end] for start, end in pairwise(edges))
    return Spread(len(alone), tuple(values), tuple(fmean(part) for part in parts if part))


def _summary(result: BEffResult, figures: Figures) -> dict[str, Figure]:
    return summary_fields(result, figures, measured_of(result).sizes[-1])


def _loops(result: BEffResult) -> list[list[float]]:
    """Return the times of an iteration in each repetition of each loop of several iterations."""
    s = result.samples
    loops: defaultdict[tuple[int, int, int], list[float]] = defaultdict(list)
    cells = zip(s.pattern, s.method, s.size, strict=True)
    for cell, length, time_s in zip(cells, s.loop_length, s.time_max_s, strict=True):
        if length > 1:
            loops[cell].append(time_s / length)
    return list(loops.values())
