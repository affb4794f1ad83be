"""Everything in a result file that follows from its raw fields, in the file's own shape."""
# ruff: noqa: N802, N815 - MBps as in the result file

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, sqrt
from typing import Any

from beff.result.b_eff_result import RULES, Accounting, BEffResult
from beff.result.bounds import Figure, runs_text
from beff.result.numbers import BYTES_PER_MB
from beff.verify.b_eff.averages import (
    Figures,
    GroupAverages,
    Measured,
    logavg,
    mean_over_sizes,
    message_time_us,
)
from beff.verify.b_eff.definition import (
    PING_PONG,
    RANDOM_PATTERNS,
    PatternFacts,
    draw_of,
    in_first_group,
    is_averaged,
    largest_message,
    message_sizes,
    patterns_for,
)
from beff.verify.b_eff.schedule import whole_repetitions
from beff.verify.common.summary_figures import balance_of
from beff.verify.common.verification import columns_digest


def derived_fields(result: BEffResult) -> dict[str, Any]:
    """Return the derived part of the document, with the recomputed values.

    Raw are the memory per process, the number of processes, the run's seed, the methods, the ids of
    the patterns, the samples and R_max. The result must have a sound structure.
    """
    return {
        **figure_fields(result),
        "valid": all(criterion.met for criterion in result.criteria),
        "digest": {"samples": columns_digest(result.samples.digested())},
    }


def figure_fields(result: BEffResult) -> dict[str, Any]:
    """Return the part of `derived_fields` that holds figures."""
    measured = measured_of(result)
    figures = measured.official
    repetitions = whole_repetitions(result)
    summary = summary_fields(result, figures, measured.sizes[-1])
    return {
        "message_sizes_bytes": measured.sizes,
        "patterns": [
            _pattern_fields(result, facts, figures, repetitions[facts.id])
            for facts in measured.patterns.values()
        ],
        "summary": summary,
    }


@lru_cache(maxsize=8)
def measured_of(result: BEffResult) -> Measured:
    """Return what the figures are derived from. The result must have a sound structure."""
    n = result.environment.processes
    existing = patterns_for(n)
    return Measured(
        definition=result.definition,
        processes=n,
        sizes=message_sizes(largest_message(result.environment.memory_per_process_bytes)),
        methods=result.methods,
        patterns={pattern.id: existing[pattern.id] for pattern in result.patterns},
        samples=result.samples,
    )


def loops_s(result: BEffResult) -> float:
    """Time of all timed loops: the sum over the samples of the slowest process's time."""
    return fsum(result.samples.time_max_s)


def unaccounted_s(accounting: Accounting) -> float:
    """Return what is left of the elapsed time."""
    known = (
        accounting.loops_s,
        accounting.latency_s,
        accounting.warm_up_s,
        accounting.preparation_and_checks_s,
    )
    return accounting.elapsed_s - fsum(known)


def _pattern_fields(
    result: BEffResult, facts: PatternFacts, figures: Figures, repetitions: int
) -> dict[str, Any]:
    measured, release_3_6 = figures.patterns[facts.id], dict[str, Figure]()
    if facts.id == 0 and result.environment.processes % 2 == 1:
        # rings of two and a ring of three, which release 3.6 weighs apart
        shown = next(pattern for pattern in result.patterns if pattern.id == facts.id)
        by_size = shown.release_3_6_by_size_MBps or []
        release_3_6["release_3_6_MBps"] = mean_over_sizes(by_size)
    return {
        "id": facts.id,
        "name": facts.name,
        "group": facts.group,
        "averaged": is_averaged(result.definition, facts.id),
        "processes": facts.processes,
        "messages": facts.messages,
        "ring_sizes": runs_text(facts.ring_sizes),
        "seed": facts.seed(draw_of(result.options)),
        "bandwidth_MBps": measured.average,
        "bandwidth_by_size_MBps": measured.by_size,
        "bandwidth_by_method_MBps": measured.by_method,
        "latency_us": measured.latency_us,
        "repetitions": repetitions,
        **release_3_6,
    }


def _per_process(figure: Figure, processes: int) -> Figure:
    return None if figure is None else figure / processes


def summary_fields(result: BEffResult, figures: Figures, lmax: int) -> dict[str, Any]:
    """Return the summary but for R_max, which is given and not measured."""
    n = result.environment.processes
    value: GroupAverages = figures.b_eff
    at_lmax, ping_pong = figures.at_lmax, figures.patterns.get(PING_PONG)
    memory = result.environment.total_memory_bytes
    has_memory = RULES[result.definition].memory_bytes is None
    return {
        "b_eff_MBps": value.both,
        "b_eff_per_process_MBps": _per_process(value.both, n),
        "rings_MBps": value.first,
        "random_MBps": value.random,
        "lmax_bytes": lmax,
        "at_lmax_MBps": at_lmax.both,
        "at_lmax_per_process_MBps": _per_process(at_lmax.both, n),
        "rings_at_lmax_MBps": at_lmax.first,
        "rings_at_lmax_per_process_MBps": _per_process(at_lmax.first, n),
        "latency_us": message_time_us(n, figures.by_size[0].both),
        "rings_latency_us": message_time_us(n, figures.by_size[0].first),
        "pingpong_latency_us": None if ping_pong is None else ping_pong.latency_us,
        "pingpong_MBps": figures.pingpong_MBps,
        "total_memory_exchange_s": (
            memory / (value.both * BYTES_PER_MB) if value.both and has_memory else None
        ),
        "balance_bytes_per_flop": balance_of(value.both, result.summary.rmax_gflops),
    }


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
