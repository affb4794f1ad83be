"""The rules of validity, judged again."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from beff.result.b_eff_result import RULES, BEffResult
from beff.verify.b_eff.definition import MESSAGE_SIZES, OFFICIAL_METHODS, REPETITIONS, patterns_for
from beff.verify.b_eff.schedule import (
    LoopPlan,
    fewest_repetitions,
    schedule_of,
)
from beff.verify.common.criteria import (
    Judgement,
    compare_verdicts,
    data_verdict,
    exactly,
    judged,
)
from beff.verify.common.verification import Recheck


@dataclass(frozen=True)
class _Run:
    """What a criterion is judged by."""

    result: BEffResult
    schedule: LoopPlan


def check_criteria(result: BEffResult, check: Recheck) -> None:
    """Compare every criterion with the verdict that the raw fields give."""
    compare_verdicts(result.criteria, verdicts_of(result), check)
    whole = len(result.samples) == schedule_of(result).loops
    check.compare(["complete"], result.complete, whole)


def verdicts_of(result: BEffResult) -> dict[str, Judgement]:
    """Judge by the raw fields, by codes of the criteria."""
    return judged(_JUDGES, _Run(result, schedule_of(result)), result.environment)


def _loop_time(run: _Run) -> Judgement:
    seconds, required = run.schedule.loop_time_s, RULES[run.result.definition].shortest_loop_s
    return Judgement(math.isclose(seconds, required), required, seconds, "s")


def _repetitions(run: _Run) -> Judgement:
    rules = RULES[run.result.definition]
    required = run.schedule.repetitions if rules.any_repetitions else REPETITIONS
    return exactly(required, fewest_repetitions(run.result))


_JUDGES: dict[str, Callable[[_Run], Judgement]] = {
    "complete": lambda run: exactly(run.schedule.loops, len(run.result.samples)),
    "patterns": lambda run: exactly(
        len(patterns_for(run.result.environment.processes)), len(run.result.patterns)
    ),
    "message sizes": lambda run: exactly(MESSAGE_SIZES, len(run.schedule.sizes)),
    "methods": lambda run: exactly(
        len(OFFICIAL_METHODS), len(set(run.result.methods) & set(OFFICIAL_METHODS))
    ),
    "repetitions": _repetitions,
    "loop time": _loop_time,
    "data": lambda run: data_verdict(run.result.data_check),
}
