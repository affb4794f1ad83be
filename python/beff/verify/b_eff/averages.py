"""From samples to figures (IPDPS paper, section 4). Bandwidths are in MB/s.

Maximum over methods and repetitions, mean over sizes, logarithmic averages over patterns; and the
same of some samples alone.
"""
# ruff: noqa: N802, N803, N815 - MBps as in the result file

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, fsum, log, sqrt
from statistics import median_low

from beff.result.b_eff_result import Samples
from beff.result.bounds import Figure
from beff.result.numbers import BYTES_PER_MB
from beff.verify.b_eff.definition import (
    MESSAGE_SIZES,
    OFFICIAL_METHODS,
    PING_PONG,
    RANDOM_PATTERNS,
    PatternFacts,
    in_first_group,
    patterns_for,
)

Cell = tuple[int, str, int]
"""What repetitions have in common: pattern id, method name and size index."""


@dataclass(frozen=True)
class Measured:
    """What the figures are derived from, and the figures, each derived once.

    `patterns` are the measured ones; `processes` counts all processes of the run.
    """

    definition: str
    processes: int
    sizes: list[int]
    methods: Sequence[str]
    patterns: dict[int, PatternFacts]
    samples: Samples

    @cached_property
    def official(self) -> "Figures":
        """By the best repetition of each loop, as the definition has it."""
        return figures_of(self)

    @cached_property
    def median(self) -> "Figures":
        """By the median repetition; of an even number, by the slower of the two in the middle."""
        return figures_of(self, median_low)

    @cached_property
    def worst(self) -> "Figures":
        """By the slowest repetition of each loop."""
        return figures_of(self, min)

    @cached_property
    def alone(self) -> "dict[int, Figures]":
        """By each repetition alone."""
        found: dict[int, dict[Cell, float]] = {}
        loops = zip(self.samples.repetition, bandwidths(self), strict=True)
        for repetition, (pattern, method, size, value) in loops:
            best, cell = found.setdefault(repetition, {}), (pattern, self.methods[method], size)
            best[cell] = max(value, best.get(cell, 0.0))
        return {repetition: _figures(self, best) for repetition, best in sorted(found.items())}


@dataclass(frozen=True)
class PatternFigures:
    """Figures of one pattern; a mean over the sizes exists only when all were measured."""

    by_size: list[Figure]
    average: Figure
    by_method: dict[str, Figure]
    latency_us: Figure


@dataclass(frozen=True)
class GroupAverages:
    """The logarithmic averages of one quantity over the two groups of patterns, and of both."""

    first: Figure
    random: Figure
    both: Figure


@dataclass(frozen=True)
class Figures:
    """Everything that is derived from the samples."""

    patterns: dict[int, PatternFigures]
    b_eff: GroupAverages
    by_size: list[GroupAverages]

    @property
    def at_lmax(self) -> GroupAverages:
        """The averages at the largest message."""
        return self.by_size[-1]

    @property
    def pingpong_MBps(self) -> Figure:
        """Of the ping-pong at the largest message."""
        ping_pong = self.patterns.get(PING_PONG)
        return None if ping_pong is None else ping_pong.by_size[-1]


def logavg(values: Iterable[float]) -> float:
    """Geometric mean of at least one positive value."""
    logs = [log(value) for value in values]
    return exp(fsum(logs) / len(logs))


def mean_over_sizes(by_size: list[Figure]) -> Figure:
    """Arithmetic mean over the 21 sizes; None when one of them was not measured."""
    measured = [value for value in by_size if value is not None]
    return fsum(measured) / MESSAGE_SIZES if len(measured) == MESSAGE_SIZES else None


def bandwidths(measured: Measured) -> Iterator[tuple[int, int, int, float]]:
    """Pattern id, method index, size index and bandwidth of every loop.

    b = L · messages of the pattern · loop length / time of the slowest process.
    """
    s = measured.samples
    columns = zip(s.pattern, s.method, s.size, s.loop_length, s.time_max_s, strict=True)
    for pattern, method, size, loop_length, seconds in columns:
        transferred = measured.sizes[size] * measured.patterns[pattern].messages * loop_length
        yield pattern, method, size, transferred / seconds / BYTES_PER_MB


def over_repetitions(
    measured: Measured, condense: Callable[[Sequence[float]], float]
) -> Mapping[Cell, float]:
    """One bandwidth for the repetitions of each cell."""
    repetitions: dict[Cell, list[float]] = {}
    for pattern, method, size, value in bandwidths(measured):
        key = (pattern, measured.methods[method], size)
        repetitions.setdefault(key, []).append(value)
    return {key: condense(values) for key, values in repetitions.items()}


def message_time_us(senders: float, one_byte_MBps: Figure) -> Figure:
    """Time of one message in µs: at 1 byte, MB/s are messages per µs, shared by the senders."""
    return None if one_byte_MBps is None else senders / one_byte_MBps


def _pattern_figures(
    facts: PatternFacts, methods: Sequence[str], best: Mapping[Cell, float]
) -> PatternFigures:
    by_method_and_size = {
        method: [best.get((facts.id, method, size)) for size in range(MESSAGE_SIZES)]
        for method in facts.methods(methods)
    }
    official = [values for name, values in by_method_and_size.items() if name in OFFICIAL_METHODS]
    by_size: list[Figure] = []
    for size in range(MESSAGE_SIZES):
        candidates = [values[size] for values in official]
        by_size.append(max((value for value in candidates if value is not None), default=None))
    return PatternFigures(
        by_size=by_size,
        average=mean_over_sizes(by_size),
        by_method={name: mean_over_sizes(values) for name, values in by_method_and_size.items()},
        latency_us=message_time_us(facts.senders, by_size[0]),
    )


def _group_averages(values: Mapping[int, Figure], first_group: list[int]) -> GroupAverages:
    """Averages over the groups; None for a group of which a pattern has no value."""

    def average(group: Sequence[int]) -> Figure:
        found = [value for value in map(values.get, group) if value is not None]
        return logavg(found) if found and len(found) == len(group) else None

    first, random = average(first_group), average(RANDOM_PATTERNS)
    both = None if first is None or random is None else sqrt(first * random)
    return GroupAverages(first, random, both)


def figures_of(measured: Measured, condense: Callable[[Sequence[float]], float] = max) -> Figures:
    """Return all figures.

    `condense` makes one bandwidth of the repetitions of a loop. The definition takes the maximum;
    with another function the figures show how far repetitions differ, and are not the official
    ones.
    """
    return _figures(measured, over_repetitions(measured, condense))


def _figures(measured: Measured, best: Mapping[Cell, float]) -> Figures:
    patterns = {
        facts.id: _pattern_figures(facts, measured.methods, best)
        for facts in measured.patterns.values()
    }
    existing = patterns_for(measured.processes)
    first_group = [pattern for pattern in existing if in_first_group(measured.definition, pattern)]

    def at_size(size: int) -> GroupAverages:
        by_pattern = {pattern: figures.by_size[size] for pattern, figures in patterns.items()}
        return _group_averages(by_pattern, first_group)

    by_size = [at_size(size) for size in range(MESSAGE_SIZES)]
    averages = {pattern: figures.average for pattern, figures in patterns.items()}
    return Figures(
        patterns=patterns,
        b_eff=_group_averages(averages, first_group),
        by_size=by_size,
    )


@dataclass(frozen=True)
class Slice:
    """`value` by groups, `at_lmax_MBps` over both, in MB/s.

    `best_in` says for how many patterns and sizes the slice holds the best sample.
    """

    name: str
    value: GroupAverages
    at_lmax_MBps: Figure
    best_in: int


def by_method(measured: Measured) -> list[Slice]:
    """Return one slice per method, the additional ones included."""
    samples = measured.samples
    holders = _holders(measured, measured.methods)
    best = over_repetitions(measured, max)
    slices = []
    for index, name in enumerate(measured.methods):
        # as if it were an official one, which it need not be
        own = {(p, OFFICIAL_METHODS[0], size): v for (p, m, size), v in best.items() if m == name}
        figures = _figures(replace(measured, methods=OFFICIAL_METHODS[:1]), own)
        best_in = sum(samples.method[row] == index for row in holders)
        slices.append(Slice(name, figures.b_eff, figures.at_lmax.both, best_in))
    return slices


def by_repetition(measured: Measured) -> list[Slice]:
    """Return one slice per repetition; the official methods alone count."""
    samples = measured.samples
    holders = _holders(measured, OFFICIAL_METHODS)
    return [
        Slice(
            f"repetition {repetition + 1}",
            figures.b_eff,
            figures.at_lmax.both,
            sum(samples.repetition[row] == repetition for row in holders),
        )
        for repetition, figures in measured.alone.items()
    ]


def _holders(measured: Measured, methods: Container[str]) -> set[int]:
    """Return the rows of samples that are the first best by these methods of pattern and size."""
    best: dict[tuple[int, int], tuple[float, int]] = {}
    for row, (pattern, method, size, value) in enumerate(bandwidths(measured)):
        key = pattern, size
        if measured.methods[method] in methods and (key not in best or value > best[key][0]):
            best[key] = value, row
    return {row for _, row in best.values()}
