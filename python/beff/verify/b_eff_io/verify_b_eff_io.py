"""Recomputation of a result of b_eff_io, once it hangs together so far that this is possible."""

from collections.abc import Iterator, Sequence

from beff.definition.compare import Recheck, Verification
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.load import Document, as_b_eff_io
from beff.result.numbers import MIB
from beff.verify.b_eff_io.criteria import check_criteria
from beff.verify.b_eff_io.definition import SMALLEST_M_PART, TYPE_NAMES, patterns_of
from beff.verify.b_eff_io.derive import derived_fields, partitions_of
from beff.verify.b_eff_io.sample_checks import check_keys, check_plan
from beff.verify.b_eff_io.schedule import measured_of
from beff.verify.b_eff_io.stamps import check_stamps
from beff.verify.common.checks import check_environment
from beff.verify.common.summary_figures import check_balance

_SHORTEST_S, _LONGEST_S = 1e-12, 1e12
"""No clock resolves less and no run takes longer; figures from such times stay finite."""

_Path = list[str | int]


def has_sound_structure(result: BEffIoResult, check: Recheck) -> bool:
    """Whether numbers are in range, types and partitions rise.

    What is not is noted in `check`.
    """
    before = len(check.findings)
    _check_types(result, check)
    _check_partitions(result, check)
    m_part = result.schedule.m_part_bytes
    check.require(
        m_part >= SMALLEST_M_PART and m_part % MIB == 0,
        ["schedule", "m_part_bytes"],
        m_part,
        "a multiple of 1 MiB from 2 MiB on",
    )
    for path, seconds in _times(result):
        possible = seconds == 0 or _SHORTEST_S <= seconds <= _LONGEST_S
        check.require(possible, path, seconds, "a time that a clock can measure")
    if len(check.findings) == before:
        _check_indices(result, check)
    return len(check.findings) == before


def _check_types(result: BEffIoResult, check: Recheck) -> None:
    before = -1
    for index, entry in enumerate(result.type_names):
        path: _Path = ["type_names", index, "type"]
        check.require(entry.type < len(TYPE_NAMES), path, entry.type, "the number of a type")
        check.require(entry.type > before, path, entry.type, f"more than {before}")
        before = entry.type
    timed = any(entry.type <= 2 for entry in result.type_names)
    check.require(timed, ["type_names"], "without types 0, 1 and 2", "with one of them")


def _check_partitions(result: BEffIoResult, check: Recheck) -> None:
    before = 0
    for index, partition in enumerate(result.partitions):
        path: _Path = ["partitions", index, "processes"]
        n = partition.processes
        check.require(n > before, path, n, f"more than {before}")
        most = result.environment.processes
        check.require(n <= most, path, n, f"at most environment.processes = {most}")
        before = n


def _times(result: BEffIoResult) -> Iterator[tuple[_Path, float]]:
    yield ["schedule", "time_s"], result.schedule.time_s
    for index, partition in enumerate(result.partitions):
        yield ["partitions", index, "decision_cost_s"], partition.decision_cost_s
    for name in ("time_s", "loop_s"):
        for index, value in enumerate(getattr(result.samples, name)):
            yield ["samples", name, index], value
    for name in ("open_s", "close_s"):
        for index, value in enumerate(getattr(result.types, name)):
            yield ["types", name, index], value


def _check_indices(result: BEffIoResult, check: Recheck) -> None:
    types = [entry.type for entry in result.type_names]
    patterns = patterns_of(types, result.schedule.m_part_bytes)
    listed = [(pattern.number, pattern.type) for pattern in result.patterns]
    planned = [(facts.number, facts.type) for facts in patterns.values()]
    check.require(
        listed == planned,
        ["patterns"],
        f"a list of {len(listed)} patterns",
        f"the {len(planned)} patterns of the types of the run, by number",
    )
    partitions = range(len(result.partitions))
    s, t = result.samples, result.types
    _check_within(["samples", "partition"], s.partition, partitions, check)
    _check_within(["samples", "pattern"], s.pattern, list(patterns), check)
    _check_within(["types", "partition"], t.partition, partitions, check)
    _check_within(["types", "type"], t.type, types, check)


def _check_within(
    path: _Path, column: Sequence[int], allowed: Sequence[int], check: Recheck
) -> None:
    for index, value in enumerate(column):
        check.require(value in allowed, [*path, index], value, "one of those of the run")


def verify_b_eff_io(document: Document) -> Verification:
    """Compare the keys of the samples with the plan, every derived value with its recomputation.

    Raises ResultError when the document is no result of b_eff_io.
    """
    result = as_b_eff_io(document)
    check = Recheck([])
    check_environment(result.environment, result.options, check)
    if has_sound_structure(result, check):
        measured = measured_of(result)
        figures = partitions_of(measured)
        check_plan(result, check)
        check_keys(measured, check)
        check_balance(result, check)
        check_criteria(measured, figures, check)
        derived = derived_fields(measured, figures)
        digest = derived.pop("digest")
        check.compare([], document.fields, derived)
        check_stamps(measured, check)
        check.compare(["digest"], document.fields["digest"], digest)
    return Verification(tuple(check.findings), check.figures, len(result.samples))
