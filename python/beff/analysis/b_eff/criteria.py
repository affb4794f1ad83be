"""The rules of validity, judged again.

The wording of a criterion may change between versions; its name, its verdict and the numbers in its
text are checked.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from beff.analysis.b_eff.message_sizes import MESSAGE_SIZES
from beff.analysis.b_eff.methods import OFFICIAL_METHODS, REPETITIONS
from beff.analysis.b_eff.patterns import patterns_for
from beff.analysis.b_eff.schedule import OFFICIAL_LOOP_TIME_S, Schedule, schedule_of
from beff.analysis.finding import Comparison
from beff.model.b_eff_result import BEffResult, Criterion
from beff.model.units import format_duration

_OPTIMISED = ("Release", "RelWithDebInfo")


@dataclass(frozen=True)
class Verdict:
    """What a criterion must say; `found` is its exact text where that is a name, not a sentence."""

    met: bool
    required_numbers: tuple[int, ...] = ()
    found_numbers: tuple[int, ...] = ()
    found: str | None = None


@dataclass(frozen=True)
class _Run:
    """What a criterion is judged by."""

    result: BEffResult
    schedule: Schedule


def check_criteria(result: BEffResult, check: Comparison) -> None:
    """Compare every criterion with the verdict that the raw fields give.

    Criteria of names unknown here come from a newer version and are left alone.
    """
    schedule = schedule_of(result)
    stored: dict[str, int] = {}
    for index, criterion in enumerate(result.criteria):
        name_path: list[str | int] = ["criteria", index, "name"]
        check.require(criterion.name not in stored, name_path, criterion.name, "given once")
        stored[criterion.name] = index
    for name, judge in _JUDGES.items():
        if name not in stored:
            check.report(["criteria"], "without it", f"with the criterion '{name}'")
            continue
        index = stored[name]
        _check_criterion(index, result.criteria[index], judge(_Run(result, schedule)), check)
    whole = len(result.samples) == schedule.loops
    check.compare(["complete"], result.complete, whole)


def _check_criterion(index: int, stored: Criterion, verdict: Verdict, check: Comparison) -> None:
    path: list[str | int] = ["criteria", index]
    check.compare([*path, "met"], stored.met, verdict.met)
    if verdict.found is not None:
        check.compare([*path, "found"], stored.found, verdict.found)
    else:
        check.require(
            _numbers(stored.found) == verdict.found_numbers,
            [*path, "found"],
            stored.found,
            f"a text with the numbers {_list(verdict.found_numbers)}",
        )
    if verdict.required_numbers:
        check.require(
            _numbers(stored.required) == verdict.required_numbers,
            [*path, "required"],
            stored.required,
            f"a text with the numbers {_list(verdict.required_numbers)}",
        )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"\d+", text))


def _list(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "none"


def _complete(run: _Run) -> Verdict:
    measured = len(run.result.samples)
    return Verdict(measured == run.schedule.loops, found_numbers=(measured, run.schedule.loops))


def _patterns(run: _Run) -> Verdict:
    existing, measured = (
        len(patterns_for(run.result.environment.processes)),
        len(run.result.patterns),
    )
    return Verdict(measured == existing, (existing,), (measured,))


def _message_sizes(run: _Run) -> Verdict:
    planned = len(run.schedule.sizes)
    return Verdict(planned == MESSAGE_SIZES, (MESSAGE_SIZES,), (planned,))


def _methods(run: _Run) -> Verdict:
    official = [method for method in run.result.methods if method in OFFICIAL_METHODS]
    return Verdict(
        set(official) == set(OFFICIAL_METHODS), found=", ".join(official) if official else "none"
    )


def _repetitions(run: _Run) -> Verdict:
    planned = run.schedule.repetitions
    return Verdict(planned == REPETITIONS, (REPETITIONS,), (planned,))


def _loop_time(run: _Run) -> Verdict:
    seconds = run.schedule.loop_time_s
    return Verdict(math.isclose(seconds, OFFICIAL_LOOP_TIME_S), found=format_duration(seconds))


def _data(run: _Run) -> Verdict:
    data = run.result.data_check
    met = data.enabled and data.wrong_messages == 0
    numbers = (data.wrong_messages, data.messages_checked) if data.enabled else ()
    return Verdict(met, found_numbers=numbers)


def _clock(run: _Run) -> Verdict:
    resolved = all(seconds > 0 for seconds in run.result.samples.time_max_s)
    return Verdict(resolved, found="yes" if resolved else "no")


def _build(run: _Run) -> Verdict:
    build_type = run.result.environment.build_type
    return Verdict(build_type in _OPTIMISED, found=build_type)


def _machine(run: _Run) -> Verdict:
    simulated = run.result.environment.simulated
    return Verdict(not simulated, found="simulated" if simulated else "real")


_JUDGES: dict[str, Callable[[_Run], Verdict]] = {
    "complete": _complete,
    "patterns": _patterns,
    "message sizes": _message_sizes,
    "methods": _methods,
    "repetitions": _repetitions,
    "loop time": _loop_time,
    "data": _data,
    "clock": _clock,
    "build": _build,
    "machine": _machine,
}
