"""Recomputation of a result of b_eff: it hangs together, and its figures follow from samples."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from beff.result.b_eff_result import RULES, BEffResult
from beff.result.load import Document, as_b_eff
from beff.verify.b_eff.definition import (
    LARGEST_FIXED_SIZE,
    MESSAGE_SIZES,
    OFFICIAL_METHODS,
    REPETITIONS,
    largest_message,
    patterns_for,
)
from beff.verify.b_eff.derive import derived_fields, loops_s, unaccounted_s
from beff.verify.b_eff.schedule import (
    LoopPlan,
    check_option_types,
    check_options,
    fewest_repetitions,
    schedule_of,
)
from beff.verify.common.checks import check_environment
from beff.verify.common.criteria import (
    Judgement,
    compare_verdicts,
    data_verdict,
    exactly,
    judged,
)
from beff.verify.common.summary_figures import check_balance
from beff.verify.common.verification import Recheck, Verification


def has_sound_structure(result: BEffResult, check: Recheck) -> bool:
    """Whether anything can be recomputed: numbers, ids and indices are in range.

    What is not is noted in `check`.
    """
    before = len(check.findings)
    environment = result.environment
    n = environment.processes
    check.require(n >= 2, ["environment", "processes"], n, "at least 2")
    memory = environment.memory_per_process_bytes
    check.require(
        largest_message(memory) > LARGEST_FIXED_SIZE,
        ["environment", "memory_per_process_bytes"],
        memory,
        "more than 512 KiB",
    )
    required = RULES[result.definition].memory_bytes
    check.require(
        required in (None, memory),
        ["environment", "memory_per_process_bytes"],
        memory,
        f"{required} by definition {result.definition}",
    )
    check_option_types(result, check)
    if len(check.findings) > before:
        return False
    _check_pattern_ids(result, check)
    if len(check.findings) == before:
        _check_indices(result, check)
    return len(check.findings) == before


def _check_pattern_ids(result: BEffResult, check: Recheck) -> None:
    existing = patterns_for(result.environment.processes)
    before = -1
    for index, pattern in enumerate(result.patterns):
        path: list[str | int] = ["patterns", index, "id"]
        check.require(pattern.id in existing, path, pattern.id, "a pattern of this many processes")
        check.require(pattern.id > before, path, pattern.id, f"more than {before}")
        before = pattern.id


def _check_indices(result: BEffResult, check: Recheck) -> None:
    existing = patterns_for(result.environment.processes)
    facts = {pattern.id: existing[pattern.id] for pattern in result.patterns}
    s = result.samples
    names = {number: fact.methods(result.methods) for number, fact in facts.items()}
    methods = dict(enumerate(result.methods))
    if all(
        0 <= size < MESSAGE_SIZES and methods.get(method) in names.get(pattern, ())
        for pattern, size, method in set(zip(s.pattern, s.size, s.method, strict=True))
    ):
        return
    for index, (pattern, size, method) in enumerate(zip(s.pattern, s.size, s.method, strict=True)):
        if pattern not in facts:
            check.report(["samples", "pattern", index], pattern, "the id of one of the patterns")
        if not 0 <= size < MESSAGE_SIZES:
            check.report(["samples", "size", index], size, f"less than {MESSAGE_SIZES}")
        if not 0 <= method < len(result.methods):
            check.report(["samples", "method", index], method, f"less than {len(result.methods)}")
        elif pattern in facts:
            name = result.methods[method]
            measured_by = facts[pattern].methods(result.methods)
            if name not in measured_by:
                check.report(["samples", "method", index], name, f"one of {measured_by}")


def check_keys(result: BEffResult, check: Recheck) -> None:
    """Check that each loop was planned, and is there once. Needs a sound structure."""
    s, schedule = result.samples, schedule_of(result)
    seen = set[tuple[int, int, int, int]]()
    keys = zip(s.repetition, s.size, s.pattern, s.method, strict=True)
    for index, key in enumerate(keys):
        repetition, size, *_ = key
        sizes, most = schedule.sizes, schedule.repetitions
        check.require(size in sizes, ["samples", "size", index], size, "one of options.sizes")
        path: list[str | int] = ["samples", "repetition", index]
        check.require(repetition < most, path, repetition, f"less than {most}")
        check.require(key not in seen, path, repetition, "another one: this loop is there twice")
        seen.add(key)


_ROUNDING = 1e-12
"""Rounding of a few additions, as a share of the largest number added."""


def verify_b_eff(document: Document) -> Verification:
    """Compare the keys of the samples with the plan, every derived value with its recomputation.

    Raises ResultError when the document is no result of b_eff.
    """
    result = as_b_eff(document)
    check = Recheck([])
    check_environment(result.environment, result.options, check)
    if has_sound_structure(result, check):
        check_options(result, check)
        check_keys(result, check)
        accounting = result.accounting
        check.compare(["accounting", "loops_s"], accounting.loops_s, loops_s(result))
        # may be near zero, so its rounding is that of the whole
        rest = unaccounted_s(accounting)
        check.figures += 1
        check.require(
            abs(accounting.unaccounted_s - rest) <= _ROUNDING * accounting.elapsed_s,
            ["accounting", "unaccounted_s"],
            accounting.unaccounted_s,
            rest,
        )
        check_criteria(result, check)
        check_balance(result, check)
        derived = derived_fields(result)
        digest = derived.pop("digest")
        check.compare([], document.fields, derived)
        for index, (pattern, expected) in enumerate(
            zip(result.patterns, derived["patterns"], strict=True)
        ):
            shown = sorted(pattern.bandwidth_by_method_MBps)
            measured_by = sorted(expected["bandwidth_by_method_MBps"])
            path: list[str | int] = ["patterns", index, "bandwidth_by_method_MBps"]
            check.require(
                shown == measured_by, path, f"given for {shown}", f"given for {measured_by}"
            )
        check.compare(["digest"], document.fields["digest"], digest)
    return Verification(tuple(check.findings), check.figures, len(result.samples))


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
