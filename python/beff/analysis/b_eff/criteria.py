"""The rules of validity, judged again."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from beff.analysis.b_eff.definition import (
    MESSAGE_SIZES,
    OFFICIAL_METHODS,
    REPETITIONS,
    patterns_for,
)
from beff.analysis.b_eff.schedule import (
    OFFICIAL_LOOP_TIME_S,
    LoopPlan,
    fewest_repetitions,
    schedule_of,
)
from beff.analysis.common.criteria import (
    Judgement,
    build_verdict,
    compare_verdicts,
    data_verdict,
    device_verdicts,
    exactly,
    machine_verdict,
)
from beff.analysis.common.verification import Recheck
from beff.model.b_eff_result import BEffResult
from beff.model.result_parts import CriterionNumber


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
    """Judge by the raw fields, by names of the criteria."""
    run = _Run(result, schedule_of(result))
    judged = {name: judge(run) for name, judge in _JUDGES.items()}
    return judged | device_verdicts(result.environment)


def _complete(run: _Run) -> Judgement:
    measured, loops = len(run.result.samples), run.schedule.loops
    return Judgement(measured == loops, (exactly(loops, measured, "loops"),))


def _patterns(run: _Run) -> Judgement:
    existing, measured = (
        len(patterns_for(run.result.environment.processes)),
        len(run.result.patterns),
    )
    return Judgement(measured == existing, (exactly(existing, measured),))


def _message_sizes(run: _Run) -> Judgement:
    planned = len(run.schedule.sizes)
    return Judgement(planned == MESSAGE_SIZES, (exactly(MESSAGE_SIZES, planned),))


def _methods(run: _Run) -> Judgement:
    official = [method for method in run.result.methods if method in OFFICIAL_METHODS]
    return Judgement(
        set(official) == set(OFFICIAL_METHODS), remark=", ".join(official) if official else "none"
    )


def _repetitions(run: _Run) -> Judgement:
    measured = fewest_repetitions(run.result)
    return Judgement(measured == REPETITIONS, (exactly(REPETITIONS, measured),))


def _loop_time(run: _Run) -> Judgement:
    seconds = run.schedule.loop_time_s
    number = CriterionNumber(
        kind="exactly", required=OFFICIAL_LOOP_TIME_S, found=seconds, unit="s", what=""
    )
    return Judgement(math.isclose(seconds, OFFICIAL_LOOP_TIME_S), (number,))


_JUDGES: dict[str, Callable[[_Run], Judgement]] = {
    "complete": _complete,
    "patterns": _patterns,
    "message sizes": _message_sizes,
    "methods": _methods,
    "repetitions": _repetitions,
    "loop time": _loop_time,
    "data": lambda run: data_verdict(run.result.data_check),
    "build": lambda run: build_verdict(run.result.environment),
    "machine": lambda run: machine_verdict(run.result.environment),
}
