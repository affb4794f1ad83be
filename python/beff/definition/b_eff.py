"""b_eff by its definition (IPDPS paper, section 4), in its order and with its symbols.

    b(pat, L, mthd, rep) = L · messages of pat · looplength / time of the slowest process

    b_eff = logavg( logavg_ringpatterns  ( sum_L( max_mthd( max_rep( b ))) / 21 ),
                    logavg_randompatterns( sum_L( max_mthd( max_rep( b ))) / 21 ) )

Bandwidths are in MB/s, 10^6 byte/s. A figure exists only where all that enters it was measured.
What is measured, pat, L, mthd and rep, is in b_eff_plan.py.
"""
# ruff: noqa: N802, N815 - MBps as in the result file

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import fsum, isclose, isnan
from typing import Any

import numpy as np

from beff.definition.b_eff_plan import (
    LARGEST_PATTERN,
    MESSAGE_SIZES,
    OFFICIAL_METHODS,
    PING_PONG,
    RANDOM_PATTERNS,
    Plan,
    patterns_for,
    plan_of,
    ring_seed,
)
from beff.definition.common import Judgement, Whole, exactly, known, mean
from beff.result.b_eff_result import RULES, BEffResult, Samples
from beff.result.bounds import Figure, Floats, runs_text
from beff.result.numbers import BYTES_PER_MB

REPETITIONS = 3


def figure(value: Floats | float) -> Figure:
    """Return a figure as results have it: None in place of NaN."""
    return None if np.isnan(value) else float(value)


def figures(values: Floats) -> list[Figure]:
    """Return a row of figures as results have them."""
    return [None if isnan(value) else value for value in values.tolist()]


# --- from loops to the value -----------------------------------------------------------------


@dataclass(frozen=True)
class Averages:
    """logavg over the ring patterns and over the random patterns, and logavg of the two.

    Each is a number, or one for each size.
    """

    first: Floats
    random: Floats

    @property
    def both(self) -> Floats:
        """The average that is the value, b_eff."""
        return np.sqrt(self.first * self.random)

    def at(self, size: int) -> "Averages":
        """Return those at one of the sizes."""
        return Averages(self.first[size], self.random[size])


def averages(plan: Plan, b: Floats) -> Averages:
    """Average over patterns, the first axis, by their ids."""
    first, random = np.log(b[plan.ring_patterns]), np.log(b[RANDOM_PATTERNS])
    return Averages(np.exp(first.mean(axis=0)), np.exp(random.mean(axis=0)))


class Figures:
    """Everything that is derived from max_rep b, by id of the pattern, size and method.

    `by_size` has max_mthd b of the methods that count, `average` its sum_L / 21, and `by_method`
    that by each method; `value` are the averages over patterns, and `of_sizes` those at each size.
    """

    def __init__(self, plan: Plan, b: Floats, counting: Sequence[str] = OFFICIAL_METHODS) -> None:
        methods = [index for index, name in enumerate(plan.methods) if name in counting]
        self.by_size: Floats = np.fmax.reduce(b[:, :, methods], axis=2, initial=np.nan)
        self.average, self.by_method = self.by_size.mean(axis=1), b.mean(axis=1)
        self.value, self.of_sizes = averages(plan, self.average), averages(plan, self.by_size)

    @property
    def pingpong_MBps(self) -> float:
        """Bandwidth of the ping-pong at the largest message."""
        return float(self.by_size[PING_PONG, -1])


class Measured:
    """The loops of a run, and the figures by each choice of the repetition."""

    def __init__(self, plan: Plan, samples: Samples) -> None:
        self.plan, self.samples = plan, samples
        messages = np.zeros(LARGEST_PATTERN + 1)
        messages[[*plan.patterns]] = [facts.messages for facts in plan.patterns.values()]
        s, loop = samples, (samples.pattern, samples.size, samples.method)
        moved = np.array(plan.L)[s.size] * messages[s.pattern] * s.loop_length
        b, cell = moved / s.time_max_s / BYTES_PER_MB, np.ravel_multi_index(loop, plan.cells.shape)
        in_order = np.lexsort((b, cell))
        self._b = b[in_order]
        self._cells = np.unique(cell[in_order], return_index=True, return_counts=True)

    def best(self, share: float = 1.0) -> Floats:
        """Return b of each pattern, size and method in the best repetition.

        With a share of 0.5 it is that in the median repetition, the slower of two in the middle,
        and with 0 that in the worst.
        """
        cells, begin, count = self._cells
        chosen = np.full(self.plan.cells.shape, np.nan)
        chosen.flat[cells] = self._b[begin + (share * (count - 1)).astype(np.int64)]
        return chosen

    @cached_property
    def official(self) -> Figures:
        """By max_rep, as the definition has it."""
        return Figures(self.plan, self.best())

    @cached_property
    def whole_repetitions(self) -> dict[int, int]:
        """Count by pattern the repetitions that have all their loops."""
        planned, s = self.plan.cells.sum(axis=(1, 2)), self.samples
        of, loops = np.unique(s.pattern << 31 | s.repetition, return_counts=True)
        pattern = of >> 31
        whole = np.bincount(pattern[loops == planned[pattern]], minlength=len(planned))
        return {p: int(whole[p]) for p in self.plan.patterns}


@lru_cache(maxsize=8)
def measured_of(result: BEffResult) -> Measured:
    """Return the loops of a result. Raises UnsoundError where they are not those of its plan."""
    return Measured(plan_of(result), result.samples)


# --- in the shape of the file ----------------------------------------------------------------


def derive(plan: Plan, raw: BEffResult) -> dict[str, Any]:
    """Return everything in a result file that follows from plan and raw fields.

    Raw are the environment, the cautions, the samples, R_max, the times that only the run knows,
    and what was counted: by the data check, and of messages that leave a host.
    """
    a, loops = raw.accounting, fsum(raw.samples.time_max_s.tolist())
    others = a.latency_s, a.warm_up_s, a.preparation_and_checks_s, a.unaccounted_s
    return {
        "accounting": {"loops_s": loops, "elapsed_s": fsum((loops, *others))},
        **figure_fields(raw),
        "complete": len(raw.samples) == plan.loops,
        "criteria": _verdicts(plan, raw),
        "digest": {"samples": raw.samples.digested()},
    }


_OF_PATTERN = ("id", "name", "group", "processes", "messages")


def figure_fields(result: BEffResult) -> dict[str, Any]:
    """Return those of the derived fields that hold figures."""
    measured = measured_of(result)
    plan, derived = measured.plan, measured.official
    drawn = plan.options.seed, plan.options.random_order
    by_method = [dict(zip(plan.methods, figures(of), strict=True)) for of in derived.by_method]
    patterns: list[dict[str, Any]] = [
        {
            **{name: getattr(facts, name) for name in _OF_PATTERN},
            "averaged": p in (*RANDOM_PATTERNS, *plan.ring_patterns),
            "ring_sizes": runs_text(facts.ring_sizes),
            "seed": ring_seed(*drawn, p, plan.n) if p in RANDOM_PATTERNS else None,
            "bandwidth_MBps": figure(derived.average[p]),
            "bandwidth_by_size_MBps": figures(derived.by_size[p]),
            "bandwidth_by_method_MBps": Whole(
                {name: by_method[p][name] for name in facts.methods(plan.methods)}
            ),
            "latency_us": figure(facts.senders / derived.by_size[p, 0]),
            "repetitions": measured.whole_repetitions[p],
        }
        for p, facts in plan.patterns.items()
    ]
    if 0 in plan.patterns and plan.n % 2 == 1:
        # rings of two and a ring of three, which release 3.6 weighs apart
        by_size = result.patterns[0].release_3_6_by_size_MBps or []
        patterns[0]["release_3_6_MBps"] = known(mean, by_size)
    return {
        "message_sizes_bytes": plan.L,
        "patterns": patterns,
        "summary": summary_fields(result, derived),
    }


def summary_fields(result: BEffResult, of: Figures) -> dict[str, Any]:
    """Return the summary, the columns of table 1 (section 4.1), but for R_max, which is given.

    At 1 byte MB/s are messages per µs, shared by the processes that send at the same time.
    """
    n, memory = result.environment.processes, result.environment.total_memory_bytes
    value, at_lmax, at_1_byte = of.value, of.of_sizes.at(-1), of.of_sizes.at(0)
    has_memory = RULES[result.definition].memory_bytes is None
    fields = {
        "b_eff_MBps": value.both,
        "b_eff_per_process_MBps": value.both / n,
        "rings_MBps": value.first,
        "random_MBps": value.random,
        "at_lmax_MBps": at_lmax.both,
        "at_lmax_per_process_MBps": at_lmax.both / n,
        "rings_at_lmax_MBps": at_lmax.first,
        "rings_at_lmax_per_process_MBps": at_lmax.first / n,
        "latency_us": n / at_1_byte.both,
        "rings_latency_us": n / at_1_byte.first,
        "pingpong_latency_us": 1 / of.by_size[PING_PONG, 0],
        "pingpong_MBps": of.pingpong_MBps,
        "total_memory_exchange_s": memory / (value.both * BYTES_PER_MB) if has_memory else np.nan,
    }
    lmax_bytes = plan_of(result).L[-1]
    return {**{name: figure(of) for name, of in fields.items()}, "lmax_bytes": lmax_bytes}


def _verdicts(plan: Plan, raw: BEffResult) -> dict[str, Judgement]:
    """Judge whether the value is one of the definition, by codes of the criteria."""
    whole = measured_of(raw).whole_repetitions
    measured = [whole[p] for p in plan.patterns if plan.cells[p].any()]
    rules, data = RULES[plan.options.definition], raw.data_check
    repetitions = plan.options.repetitions if rules.any_repetitions else REPETITIONS
    loop_s, required_s = plan.options.loop_time_s, rules.shortest_loop_s
    return {
        "complete": exactly(plan.loops, len(raw.samples)),
        "patterns": exactly(len(patterns_for(plan.n)), len(plan.patterns)),
        "message sizes": exactly(MESSAGE_SIZES, len(plan.sizes)),
        "methods": exactly(len(OFFICIAL_METHODS), len({*plan.methods} & {*OFFICIAL_METHODS})),
        "repetitions": exactly(repetitions, min(measured, default=0)),
        "loop time": Judgement(isclose(loop_s, required_s), required_s, loop_s, "s"),
        "data": exactly(0, data.wrong_messages if data.enabled else None),
    }


# --- the value taken apart: as an area under a curve, and by method ------------------------------


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
        """The value: the product of its factors."""
        return self.processes * self.asymptotic_MBps * self.share


def areas_of(result: BEffResult) -> dict[str, Area]:
    """Take the three values of `Averages` apart as areas under a curve (IPDPS paper, section 4).

    A value is processes · asymptotic bandwidth per process · area under the curve / rectangle. The
    curve is the bandwidth of a pattern over the 21 sizes at equal distances, as columns of equal
    width, so its area is the mean over the sizes. The rectangle is as wide, and as high as the
    bandwidth at L_max. Over patterns each factor is averaged as the value is: on the logarithmic
    scale. Nothing where an averaged pattern lacks a size, so that there is no value.
    """
    measured = measured_of(result)
    plan, derived = measured.plan, measured.official
    if np.isnan(derived.value.both):
        return {}
    at_lmax = derived.by_size[:, -1]
    rates, shares = averages(plan, at_lmax / plan.n), averages(plan, derived.average / at_lmax)
    return {
        name: Area(plan.n, float(getattr(rates, name)), float(getattr(shares, name)))
        for name in ("first", "random", "both")
    }


def by_method(measured: Measured) -> list[tuple[str, Figures]]:
    """Return what each method gives alone, the additional ones included."""
    plan, best = measured.plan, measured.best()
    return [(name, Figures(plan, best, (name,))) for name in plan.methods]
