"""b_eff by its definition (IPDPS paper, section 4), in its order and with its symbols.

    b(pat, L, mthd, rep) = L · messages of pat · looplength / time of the slowest process

    b_eff = logavg( logavg_ringpatterns  ( sum_L( max_mthd( max_rep( b ))) / 21 ),
                    logavg_randompatterns( sum_L( max_mthd( max_rep( b ))) / 21 ) )

Bandwidths are in MB/s, 10^6 byte/s. A figure exists only where all that enters it was measured.
What is measured, pat, L, mthd and rep, is in b_eff_plan.py and b_eff_patterns.py.
"""
# ruff: noqa: N802, N803 - MBps as in the result file

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import fsum, isclose
from statistics import median_low
from typing import Any, TypeVar

from beff.definition.averages import highest, known, logavg, mean
from beff.definition.b_eff_patterns import (
    OFFICIAL_METHODS,
    PING_PONG,
    RANDOM_PATTERNS,
    patterns_for,
)
from beff.definition.b_eff_plan import MESSAGE_SIZES, Plan, plan_of
from beff.definition.balance import balance_of
from beff.definition.compare import Whole
from beff.definition.criteria import Judgement, criteria_fields, exactly
from beff.definition.digest import columns_digest
from beff.result.b_eff_result import RULES, BEffResult, Samples
from beff.result.bounds import Figure, runs_text
from beff.result.numbers import BYTES_PER_MB

REPETITIONS = 3
Condensed = TypeVar("Condensed")


# --- from loops to the value -----------------------------------------------------------------

Cell = tuple[int, str, int]
"""What repetitions have in common: pat, mthd and the index of L."""


@dataclass(frozen=True)
class PatternFigures:
    """Of one pattern: max_mthd max_rep b at each L, its sum_L / 21, and that by each method."""

    by_size: list[Figure]
    average: Figure
    by_method: dict[str, Figure]
    latency_us: Figure


@dataclass(frozen=True)
class GroupAverages:
    """logavg over the ring patterns and over the random patterns, and logavg of the two."""

    first: Figure
    random: Figure
    both: Figure


@dataclass(frozen=True)
class Figures:
    """Everything that is derived from the loops; `b_eff.both` is the value."""

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


def figures_of(plan: Plan, best: Mapping[Cell, float]) -> Figures:
    """Return all figures, with max_rep b of each cell."""
    every_size = range(MESSAGE_SIZES)
    patterns = {}
    for p, facts in plan.patterns.items():
        b = {
            name: [best.get((p, name, size)) for size in every_size]
            for name in facts.methods(plan.methods)
        }
        official = [of_sizes for name, of_sizes in b.items() if name in OFFICIAL_METHODS]
        by_size = [highest(of_sizes[size] for of_sizes in official) for size in every_size]
        by_method = {name: known(mean, of_sizes) for name, of_sizes in b.items()}
        latency_us = message_time_us(facts.senders, by_size[0])
        patterns[p] = PatternFigures(by_size, known(mean, by_size), by_method, latency_us)
    averages = {p: of.average for p, of in patterns.items()}
    return Figures(
        patterns,
        _group_averages(plan, averages),
        [
            _group_averages(plan, {p: of.by_size[size] for p, of in patterns.items()})
            for size in every_size
        ],
    )


def _group_averages(plan: Plan, b: Mapping[int, Figure]) -> GroupAverages:
    first, random = (
        known(logavg, map(b.get, group)) for group in (plan.ring_patterns, RANDOM_PATTERNS)
    )
    return GroupAverages(first, random, known(logavg, (first, random)))


def message_time_us(senders: float, one_byte_MBps: Figure) -> Figure:
    """Time of one message in µs: at 1 byte, MB/s are messages per µs, shared by the senders."""
    return None if one_byte_MBps is None else senders / one_byte_MBps


@dataclass(frozen=True)
class Measured:
    """The loops of a run, and the figures by each choice of the repetition, each derived once."""

    plan: Plan
    samples: Samples

    @property
    def sizes(self) -> Sequence[int]:
        """All sizes in byte."""
        return self.plan.L

    @property
    def methods(self) -> Sequence[str]:
        """The methods to whose names samples refer."""
        return self.plan.methods

    @cached_property
    def official(self) -> Figures:
        """By max_rep, as the definition has it."""
        return figures_of(self.plan, over_repetitions(self, max))

    @cached_property
    def median(self) -> Figures:
        """By the median repetition; of an even number, by the slower of the two in the middle."""
        return figures_of(self.plan, over_repetitions(self, median_low))

    @cached_property
    def worst(self) -> Figures:
        """By the slowest repetition of each loop."""
        return figures_of(self.plan, over_repetitions(self, min))

    @cached_property
    def alone(self) -> dict[int, Figures]:
        """By each repetition alone."""
        best: dict[int, dict[Cell, float]] = {}
        loops = zip(self.samples.repetition, bandwidths(self), strict=True)
        for repetition, (pattern, method, size, b) in loops:
            best.setdefault(repetition, {})[pattern, self.methods[method], size] = b
        return {number: figures_of(self.plan, best[number]) for number in sorted(best)}


@lru_cache(maxsize=8)
def measured_of(result: BEffResult) -> Measured:
    """Return the loops of a result. Raises UnsoundError where they are not those of its plan."""
    return Measured(plan_of(result), result.samples)


def bandwidths(measured: Measured) -> Iterator[tuple[int, int, int, float]]:
    """Pattern, index of the method, index of the size and b of every loop."""
    s, L, patterns = measured.samples, measured.plan.L, measured.plan.patterns  # noqa: N806
    columns = zip(s.pattern, s.method, s.size, s.loop_length, s.time_max_s, strict=True)
    for pattern, method, size, looplength, time_s in columns:
        transferred = L[size] * patterns[pattern].messages * looplength
        yield pattern, method, size, transferred / time_s / BYTES_PER_MB


def over_repetitions(
    measured: Measured, condense: Callable[[Sequence[float]], Condensed]
) -> Mapping[Cell, Condensed]:
    """Return one b for the repetitions of each cell."""
    repetitions: dict[Cell, list[float]] = {}
    for pattern, method, size, b in bandwidths(measured):
        repetitions.setdefault((pattern, measured.methods[method], size), []).append(b)
    return {cell: condense(values) for cell, values in repetitions.items()}


# --- in the shape of the file ----------------------------------------------------------------


def derive(plan: Plan, raw: BEffResult) -> dict[str, Any]:
    """Return everything in a result file that follows from plan and raw fields.

    Raw are the environment, cautions, the samples, R_max, the times that only the run knows, and
    what the data check and the leaving messages of patterns counted.
    """
    a, loops = raw.accounting, loops_s(raw)
    others = a.latency_s, a.warm_up_s, a.preparation_and_checks_s, a.unaccounted_s
    stated = raw.options.get("rmax_gflops", raw.summary.rmax_gflops)
    given, figures = stated if raw.rmax is None else raw.rmax.gflops, figure_fields(raw)
    balance = balance_of(figures["summary"]["b_eff_MBps"], given)
    figures["summary"] |= {"rmax_gflops": given, "balance_bytes_per_flop": balance}
    return {
        "accounting": {"loops_s": loops, "elapsed_s": fsum((loops, *others))},
        **figures,
        "complete": len(raw.samples) == plan.loops,
        **criteria_fields(raw, _verdicts(plan, raw)),
        "digest": {"samples": columns_digest(raw.samples.digested())},
    }


def loops_s(result: BEffResult) -> float:
    """Time of all timed loops: the sum over the samples of the slowest process's time."""
    return fsum(result.samples.time_max_s)


def figure_fields(result: BEffResult) -> dict[str, Any]:
    """Return the part of what is derived that holds figures."""
    measured = Measured(plan_of(result), result.samples)
    plan, figures = measured.plan, measured.official
    repetitions = whole_repetitions(plan, result.samples)
    patterns: list[dict[str, Any]] = [
        {
            "id": p,
            "name": facts.name,
            "group": facts.group,
            "averaged": p in (*RANDOM_PATTERNS, *plan.ring_patterns),
            "processes": facts.processes,
            "messages": facts.messages,
            "ring_sizes": runs_text(facts.ring_sizes),
            "seed": facts.seed(plan.draw),
            "bandwidth_MBps": figures.patterns[p].average,
            "bandwidth_by_size_MBps": figures.patterns[p].by_size,
            "bandwidth_by_method_MBps": Whole(figures.patterns[p].by_method),
            "latency_us": figures.patterns[p].latency_us,
            "repetitions": repetitions[p],
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
        "summary": summary_fields(result, figures, plan.L[-1]),
    }


def whole_repetitions(plan: Plan, samples: Samples) -> dict[int, int]:
    """Count by pattern the repetitions that have all their loops."""
    planned = Counter(p for p, _, _ in plan.cells)
    loops = Counter(zip(samples.pattern, samples.repetition, strict=True))
    whole = Counter(p for (p, _), measured in loops.items() if measured == planned[p])
    return {p: whole[p] for p in plan.patterns}


def summary_fields(result: BEffResult, figures: Figures, lmax: int) -> dict[str, Any]:
    """Return the summary, the columns of table 1 (section 4.1), but for R_max, which is given."""
    n, memory = result.environment.processes, result.environment.total_memory_bytes
    value, at_lmax, at_1_byte = figures.b_eff, figures.at_lmax, figures.by_size[0]
    ping_pong = figures.patterns.get(PING_PONG)
    has_memory = RULES[result.definition].memory_bytes is None

    def per_process(figure: Figure) -> Figure:
        return None if figure is None else figure / n

    return {
        "b_eff_MBps": value.both,
        "b_eff_per_process_MBps": per_process(value.both),
        "rings_MBps": value.first,
        "random_MBps": value.random,
        "lmax_bytes": lmax,
        "at_lmax_MBps": at_lmax.both,
        "at_lmax_per_process_MBps": per_process(at_lmax.both),
        "rings_at_lmax_MBps": at_lmax.first,
        "rings_at_lmax_per_process_MBps": per_process(at_lmax.first),
        "latency_us": message_time_us(n, at_1_byte.both),
        "rings_latency_us": message_time_us(n, at_1_byte.first),
        "pingpong_latency_us": None if ping_pong is None else ping_pong.latency_us,
        "pingpong_MBps": figures.pingpong_MBps,
        "total_memory_exchange_s": (
            memory / (value.both * BYTES_PER_MB) if value.both and has_memory else None
        ),
    }


def _verdicts(plan: Plan, raw: BEffResult) -> dict[str, Judgement]:
    """Judge whether the value is one of the definition, by codes of the criteria."""
    whole, measurable = whole_repetitions(plan, raw.samples), {p for p, _, _ in plan.cells}
    rules, data = RULES[plan.definition], raw.data_check
    repetitions = plan.repetitions if rules.any_repetitions else REPETITIONS
    loop_s, required_s = plan.loop_time_s, rules.shortest_loop_s
    return {
        "complete": exactly(plan.loops, len(raw.samples)),
        "patterns": exactly(len(patterns_for(plan.n)), len(plan.patterns)),
        "message sizes": exactly(MESSAGE_SIZES, len(plan.sizes)),
        "methods": exactly(len(OFFICIAL_METHODS), len({*plan.methods} & {*OFFICIAL_METHODS})),
        "repetitions": exactly(repetitions, min((whole[p] for p in measurable), default=0)),
        "loop time": Judgement(isclose(loop_s, required_s), required_s, loop_s, "s"),
        "data": exactly(0, data.wrong_messages if data.enabled else None),
    }
