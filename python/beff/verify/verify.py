"""Verification of a result file, whichever benchmark it belongs to.

Of imported results, what was printed twice must agree, and derived figures fit.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from beff.definition import b_eff, b_eff_io, b_eff_io_plan, b_eff_plan
from beff.definition.b_eff_io import access_average, value_1, value_2_1
from beff.definition.compare import Recheck, Verification
from beff.result.b_eff_io_result import BEffIoResult, ImportedBEffIo, PartitionFigures, Release
from beff.result.b_eff_io_samples import ACCESSES, TypeKey
from beff.result.b_eff_result import BEffResult, ImportedBEff
from beff.result.bounds import Figure
from beff.result.contract import ImportedResult
from beff.result.errors import DisagreementError
from beff.result.imported_pairs import ImportedPairs
from beff.result.load import Document, as_b_eff_io
from beff.result.numbers import BYTES_PER_MB
from beff.verify.common.checks import check_environment
from beff.verify.common.summary_figures import check_balance

_THREE_DECIMALS = 0.5e-3
_NO_DECIMALS = 0.5
_VALUE_ERROR = 1e-3
"""Rounding of the averages and totals that a value is made of; means do not enlarge it."""


def verify_measured(
    document: Document, result: BEffResult | BEffIoResult, derived: Callable[[], dict[str, Any]]
) -> Verification:
    """Compare what a result says with what follows from its plan and raw fields."""
    check = Recheck([])
    fields = check.sound(derived)
    if fields is not None:
        check_environment(result.environment, result.options, check)
        check_balance(result, check)
        check.compare([], document.fields, fields)
    return Verification(tuple(check.findings), check.figures, len(result.samples))


def verify_imported(result: ImportedResult) -> Verification:
    """Compare printed figures with each other, within the rounding of their digits."""
    check = Recheck([])
    e = result.environment
    total = e.memory_per_process_bytes * e.processes
    check.compare(["environment", "total_memory_bytes"], e.total_memory_bytes, total)
    check_balance(result, check)
    if isinstance(result, ImportedBEff):
        _check_b_eff(result, check)
    elif has_sound_columns(result, check):
        _check_b_eff_io(result, check)
    not_checked = tuple(result.imported.not_known)
    return Verification(tuple(check.findings), check.figures, 0, not_checked=not_checked)


def _check_b_eff(result: ImportedBEff, check: Recheck) -> None:
    s, n = result.summary, result.environment.processes
    for name, whole, each in (
        ("b_eff_MBps", s.b_eff_MBps, s.b_eff_per_process_MBps),
        ("at_lmax_MBps", s.at_lmax_MBps, s.at_lmax_per_process_MBps),
        ("rings_at_lmax_MBps", s.rings_at_lmax_MBps, s.rings_at_lmax_per_process_MBps),
    ):
        if each is not None:
            _compare_printed(["summary", name], whole, n * each, n * _half_digit(each), check)
    if s.b_eff_MBps is not None:
        exchange_s = result.environment.total_memory_bytes / (s.b_eff_MBps * BYTES_PER_MB)
        path: list[str | int] = ["summary", "total_memory_exchange_s"]
        check.compare(path, s.total_memory_exchange_s, exchange_s)


def has_sound_columns(result: ImportedBEffIo, check: Recheck) -> bool:
    """Whether columns refer to what is there; notes what is not."""
    before = len(check.findings)
    patterns = {pattern.number for pattern in result.patterns}
    kinds = {entry.type for entry in result.type_names}
    partitions = range(len(result.partitions))
    for index, sample in enumerate(result.samples.keys):
        known = sample.pattern in patterns and sample.partition in partitions
        check.require(known, ["samples", "pattern", index], sample, "a known pattern")
    for index, row in enumerate(result.types.keys):
        known = row.type in kinds and row.partition in partitions
        check.require(known, ["types", "type", index], row, "a known type")
    for index, pattern in enumerate(result.patterns):
        path: list[str | int] = ["patterns", index, "type"]
        check.require(pattern.type in kinds, path, pattern.type, "a known type")
    return len(check.findings) == before


def _check_b_eff_io(result: ImportedBEffIo, check: Recheck) -> None:
    partitions, totals = result.partitions, result.types.bandwidth_of
    release = result.definition
    for index, partition in enumerate(partitions):
        types = {
            access: [totals.get(TypeKey(index, kind, access)) for kind in range(5)]
            for access in ACCESSES
        }
        for access in ACCESSES:
            average = access_average(types[access], types[access][0])
            path: list[str | int] = ["partitions", index, "access", access]
            _compare_printed(path, partition.access.get(access), average, _VALUE_ERROR / 2, check)
        path = ["partitions", index, "values", release]
        expected = _value(release, partition, types["write"], types["rewrite"][0], types["read"])
        _compare_printed(path, partition.values.get(release), expected, _VALUE_ERROR, check)
    values = [partition.values.get(release) for partition in partitions]
    maximum = max((value for value in values if value is not None), default=None)
    check.compare(["summary", "b_eff_io_MBps"], result.summary.b_eff_io_MBps, maximum)
    if maximum is not None:
        minutes = result.environment.total_memory_bytes / (maximum * BYTES_PER_MB) / 60
        path = ["summary", "total_memory_write_min"]
        check.compare(path, result.summary.total_memory_write_min, minutes)


def _value(
    release: Release,
    partition: PartitionFigures,
    write: list[Figure],
    rewritten_scatter: Figure,
    read: list[Figure],
) -> Figure:
    if release == "2.1":
        return value_2_1(write, rewritten_scatter, read)
    if release == "1":
        access = partition.access
        return value_1(access.get("write"), access.get("rewrite"), access.get("read"))
    return None


def _half_digit(value: float) -> float:
    """Half of the last printed digit: the prints have three decimals or none."""
    return _NO_DECIMALS if value == int(value) else _THREE_DECIMALS


def _compare_printed(
    path: list[str | int], stored: Figure, expected: Figure, error: float, check: Recheck
) -> None:
    """Compare a printed figure with what printed figures give; `error` is their rounding."""
    if stored is None or expected is None:
        return
    check.figures += 1
    most = error + _half_digit(stored)
    check.require(abs(stored - expected) <= most, path, stored, f"{expected:.6g} +- {most:.2g}")


@lru_cache(maxsize=8)
def verify(document: Document) -> Verification:
    """Recompute every derived number."""
    if isinstance(document.result, ImportedResult):
        return verify_imported(document.result)
    if isinstance(document.result, ImportedPairs):
        from beff.maps.verify_imported_pairs import verify_imported_pairs  # noqa: PLC0415 - NumPy

        return verify_imported_pairs(document.result)
    if document.benchmark == "b_pairs":
        from beff.maps.verify_b_pairs import verify_b_pairs  # noqa: PLC0415 - NumPy

        return verify_b_pairs(document)
    if isinstance(document.result, BEffResult):
        result = document.result
        return verify_measured(
            document, result, lambda: b_eff.derive(b_eff_plan.plan_of(result), result)
        )
    files = as_b_eff_io(document)
    return verify_measured(
        document, files, lambda: b_eff_io.derive(b_eff_io_plan.plan_of(files), files)
    )


def require_verified(document: Document) -> None:
    """Raise DisagreementError for a result whose figures do not follow from its samples."""
    findings = verify(document).findings
    if findings:
        more = f" ({len(findings) - 1} more disagreements)" if len(findings) > 1 else ""
        raise DisagreementError(f"does not verify: {findings[0]}{more}", document.source)
