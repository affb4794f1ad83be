"""What a run was asked to measure, by its recorded options, and its repetitions."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from beff.result.b_eff_result import BEffResult, Samples
from beff.verify.b_eff.definition import (
    MESSAGE_SIZES,
    OFFICIAL_METHODS,
    RANDOM_ORDERS,
    is_seed,
    patterns_for,
)
from beff.verify.common.checks import check_asked
from beff.verify.common.verification import Recheck

NOT_MEASURED = "method not measured"
"""The caution that names a method beside the value by which messages do not get through."""


@dataclass(frozen=True)
class LoopPlan:
    """What was asked for, and the loops this makes with the result's patterns and methods."""

    sizes: tuple[int, ...]
    repetitions: int
    loop_time_s: float
    loops: int


def schedule_of(result: BEffResult) -> LoopPlan:
    """Return the schedule by the options; `sizes` null stands for all of them."""
    sizes = result.options["sizes"]
    planned_sizes = tuple(range(MESSAGE_SIZES)) if sizes is None else tuple(sizes)
    repetitions = result.options["repetitions"]
    existing = patterns_for(result.environment.processes)
    methods = measured_methods(result)
    combinations = sum(len(existing[each.id].methods(methods)) for each in result.patterns)
    return LoopPlan(
        sizes=planned_sizes,
        repetitions=repetitions,
        loop_time_s=result.options["loop_time_s"],
        loops=combinations * len(planned_sizes) * repetitions,
    )


def measured_methods(result: BEffResult) -> list[str]:
    """Return the methods but those that were tried in vain before the first measurement."""
    said = (caution for caution in result.cautions if caution.code == NOT_MEASURED)
    left_out = [caution.facts.get("method") for caution in said]
    return [name for name in result.methods if name in OFFICIAL_METHODS or name not in left_out]


def check_option_types(result: BEffResult, check: Recheck) -> None:
    """Check that the options from which anything is recomputed are there and make sense."""
    needed: dict[str, tuple[Callable[[Any], bool], str]] = {
        "seed": (is_seed, "the seed of the run"),
        "random_order": (lambda v: v in (*RANDOM_ORDERS, "missing"), "uniform or 3.6"),
        "sizes": (_is_size_list, "null or a list of size indices"),
        "repetitions": (lambda v: _is_whole(v) and v > 0, "a positive whole number"),
        "loop_time_s": (lambda v: type(v) in (int, float) and v > 0, "a time in seconds"),
    }
    for name, (is_right, meaning) in needed.items():
        value = result.options.get(name, "missing")
        check.require(is_right(value), ["options", name], value, meaning)


def check_options(result: BEffResult, check: Recheck) -> None:
    """Check that the result shows what was asked for, and R_max where it was given."""
    shown = {
        "definition": result.definition,
        "methods": result.methods,
        "patterns": [pattern.id for pattern in result.patterns],
        "memory_per_process_bytes": result.environment.memory_per_process_bytes,
    }
    check_asked(result.options, shown, check)
    if "rmax_gflops" in result.options and result.rmax is None:
        rmax = result.options["rmax_gflops"]
        check.compare(["summary", "rmax_gflops"], result.summary.rmax_gflops, rmax)


def _is_size_list(value: Any) -> bool:
    if value is None:
        return True
    return isinstance(value, list) and all(_is_whole(i) and 0 <= i < MESSAGE_SIZES for i in value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def repetitions_of(samples: Samples) -> list[int]:
    """Return the numbers of the repetitions that occur, rising."""
    return sorted(set(samples.repetition))


def whole_repetitions(result: BEffResult) -> dict[int, int]:
    """Return by pattern id how many repetitions have all their loops; 0 where there are none.

    Needs a sound structure.
    """
    s = result.samples
    loops = Counter(zip(s.pattern, s.repetition, strict=True))
    whole = _loops_of_a_repetition(result)
    return {
        pattern: sum(
            0 < loops[pattern, repetition] == whole[pattern] for repetition in set(s.repetition)
        )
        for pattern in whole
    }


def fewest_repetitions(result: BEffResult) -> int:
    """Return the smallest of these numbers; a pattern that no method measures does not count.

    0 where the methods measure none of the patterns.
    """
    planned = _loops_of_a_repetition(result)
    found = whole_repetitions(result)
    return min((found[pattern] for pattern, loops in planned.items() if loops > 0), default=0)


def _loops_of_a_repetition(result: BEffResult) -> dict[int, int]:
    sizes = len(schedule_of(result).sizes)
    existing = patterns_for(result.environment.processes)
    methods = measured_methods(result)
    return {p.id: sizes * len(existing[p.id].methods(methods)) for p in result.patterns}


def without(samples: Samples, repetition: int) -> Samples:
    """Leave out the samples of one repetition. Needs columns of equal length."""
    return samples.chosen(
        [row for row, number in enumerate(samples.repetition) if number != repetition]
    )
