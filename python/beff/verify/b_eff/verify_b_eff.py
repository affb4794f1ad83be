"""Recomputation of a result of b_eff: it hangs together, and its figures follow from samples."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from beff.result.b_eff_result import RULES, BEffResult
from beff.result.load import Document, as_b_eff
from beff.result.numbers import BYTES_PER_MB
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
from beff.verify.common.checks import check_counts, check_environment
from beff.verify.common.criteria import (
    Judgement,
    compare_verdicts,
    data_verdict,
    exactly,
    judged,
)
from beff.verify.common.summary_figures import check_balance
from beff.verify.common.verification import RELATIVE_TOLERANCE, Recheck, Verification


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


def check_samples(result: BEffResult, check: Recheck) -> None:
    """Each sample alone, and that none is there twice. Needs a sound structure."""
    existing = patterns_for(result.environment.processes)
    s = result.samples
    seen: dict[tuple[int, int, int, int], int] = {}
    slack = 1 + RELATIVE_TOLERANCE
    schedule = schedule_of(result)
    for index in range(len(s)):
        facts = existing[s.pattern[index]]
        low, mean, high = s.time_min_s[index], s.time_avg_s[index], s.time_max_s[index]
        if not low <= mean * slack:
            check.report(["samples", "time_min_s", index], low, f"at most time_avg_s = {mean}")
        if not mean <= high * slack:
            check.report(["samples", "time_avg_s", index], mean, f"at most time_max_s = {high}")
        if s.size[index] not in schedule.sizes:
            check.report(["samples", "size", index], s.size[index], "one of options.sizes")
        if s.repetition[index] >= schedule.repetitions:
            check.report(
                ["samples", "repetition", index],
                s.repetition[index],
                f"less than {schedule.repetitions}",
            )
        rank = s.slowest_rank[index]
        ranks = facts.processes if facts.by_rank else result.environment.processes
        if not 0 <= rank < ranks:
            check.report(["samples", "slowest_rank", index], rank, f"less than {ranks}")
        key = (s.pattern[index], s.size[index], s.method[index], s.repetition[index])
        if key in seen:
            check.report(
                ["samples", "repetition", index],
                s.repetition[index],
                f"another one: sample {seen[key]} has the same pattern, size and method",
            )
        seen.setdefault(key, index)


def check_release_3_6(result: BEffResult, check: Recheck) -> None:
    """Bound pattern 0 as release 3.6 has it, where n is odd: n · L · least messages per second.

    The slowest process sends one or two messages in an iteration, so in the best loop of a size it
    is n · L · loop length / time_max_s, or up to twice as much.
    """
    shown = next((pattern for pattern in result.patterns if pattern.id == 0), None)
    if shown is None or shown.release_3_6_by_size_MBps is None:
        return
    n, sizes, s = result.environment.processes, result.message_sizes_bytes, result.samples
    least: dict[int, float] = {}
    loops = zip(s.pattern, s.method, s.size, s.loop_length, s.time_max_s, strict=True)
    for pattern, method, size, length, seconds in loops:
        if pattern == 0 and result.methods[method] in OFFICIAL_METHODS and seconds > 0:
            least[size] = max(n * sizes[size] * length / seconds / BYTES_PER_MB, least.get(size, 0))
    slack = 1 + RELATIVE_TOLERANCE
    for size, value in enumerate(shown.release_3_6_by_size_MBps):
        low = least.get(size)
        possible = value is None or (
            low is not None and low <= value * slack and value <= 2 * low * slack
        )
        path: list[str | int] = ["patterns", 0, "release_3_6_by_size_MBps", size]
        check.require(possible, path, value, f"{low} to twice that" if low else None)


def check_loop_lengths(result: BEffResult, check: Recheck) -> None:
    """Definition 3.1 fixes the loop length by the message size: min(300, L_max / L), at least 1."""
    if RULES[result.definition].timed_lengths:
        return
    sizes = result.message_sizes_bytes
    s = result.samples
    for index, (size, length) in enumerate(zip(s.size, s.loop_length, strict=True)):
        fixed = max(1, min(300, sizes[-1] // sizes[size]))
        check.compare(["samples", "loop_length", index], length, fixed)


_ROUNDING = 1e-12
"""Rounding of a few additions, as a share of the largest number added."""


def verify_b_eff(document: Document) -> Verification:
    """Compare every derived value with its recomputation, and the raw ones with each other.

    Raises ResultError when the document is no result of b_eff.
    """
    result = as_b_eff(document)
    check = Recheck([])
    elapsed_s = result.accounting.elapsed_s
    check_environment(result.environment, result.options, "accounting.elapsed_s", elapsed_s, check)
    if has_sound_structure(result, check):
        check_options(result, check)
        check_samples(result, check)
        check_loop_lengths(result, check)
        check_release_3_6(result, check)
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
        data = result.data_check
        counts = data.messages_checked, data.wrong_messages
        check_counts("messages", *counts, data.first_error, check, is_on=data.enabled)
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
