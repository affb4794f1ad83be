"""Verification of a result file, of whichever benchmark: derive everything again, and compare.

Of imported results, what was printed twice must agree, and derived figures fit.
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from beff.definition import b_eff, b_eff_io, b_eff_io_plan, b_eff_plan
from beff.definition.averages import highest
from beff.definition.b_eff_io import access_average, value_1, value_2_1
from beff.definition.balance import balance_of
from beff.definition.compare import Recheck, UnsoundError, Verification
from beff.result.b_eff_io_result import BEffIoResult, ImportedBEffIo
from beff.result.b_eff_io_samples import ACCESSES, TypeKey
from beff.result.b_eff_result import BEffResult, ImportedBEff
from beff.result.b_pairs_result import BPairsResult
from beff.result.bounds import Figure
from beff.result.contract import AnyResult, ImportedResult
from beff.result.environment import Environment
from beff.result.errors import DisagreementError
from beff.result.host_list import expand_host_list
from beff.result.imported_pairs import ImportedPairs
from beff.result.load import Document
from beff.result.numbers import BYTES_PER_MB

_THREE_DECIMALS = 0.5e-3
_NO_DECIMALS = 0.5
_VALUE_ERROR = 1e-3
"""Rounding of the averages and totals that a value is made of; means do not enlarge it."""


def derived_fields(result: AnyResult) -> dict[str, Any]:
    """Return everything that follows from the raw fields of a result, in the shape of its file.

    Raises UnsoundError.
    """
    if isinstance(result, BEffResult):
        return b_eff.derive(b_eff_plan.plan_of(result), result)
    if isinstance(result, BEffIoResult):
        return b_eff_io.derive(b_eff_io_plan.plan_of(result), result)
    from beff.definition import b_pairs, b_pairs_plan, imported_pairs  # noqa: PLC0415 - NumPy

    if isinstance(result, BPairsResult):
        return b_pairs.derive(b_pairs_plan.plan_of(result), result)
    return imported_pairs.derive(result) if isinstance(result, ImportedPairs) else {}


def environment_fields(environment: Environment, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what follows in the environment from the placement of the processes.

    The memory of the system is that of its processes; of b_eff_io, where it may be stated by an
    option, that of its nodes, if it is more.
    """
    total = environment.memory_per_process_bytes * environment.processes
    if "total_memory_bytes" in options:
        stated = options["total_memory_bytes"]
        of_nodes = environment.nodes_memory_bytes or 0
        total = max(stated if isinstance(stated, int) else 0, of_nodes, total)
    placed = Counter(environment.placement)
    hosts = [{"processes": placed[index]} for index in range(len(environment.hosts))]
    return {"total_memory_bytes": total, "hosts": hosts}


def verify_imported(result: ImportedResult) -> Verification:
    """Compare printed figures with each other, within the rounding of their digits."""
    check = Recheck([])
    e = result.environment
    total = e.memory_per_process_bytes * e.processes
    check.compare(["environment", "total_memory_bytes"], e.total_memory_bytes, total)
    s, rmax = result.summary, result.rmax
    value = getattr(s, f"{result.benchmark}_MBps")
    given = s.rmax_gflops if rmax is None else rmax.gflops
    balance = {"rmax_gflops": given, "balance_bytes_per_flop": balance_of(value, given)}
    check.compare(["summary"], s.model_dump(), balance)
    if isinstance(result, ImportedBEff):
        _check_b_eff(result, check)
    else:
        check.sound(lambda: require_columns(result))
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


def require_columns(result: ImportedBEffIo) -> None:
    """Raise UnsoundError for a column that refers to what is not there."""
    partitions = range(len(result.partitions))
    numbers = {pattern.number for pattern in result.patterns}
    kinds = {entry.type for entry in result.type_names}
    s, t, of_patterns = result.samples, result.types, [one.type for one in result.patterns]
    for table, name, column, known in (
        ("samples", "partition", s.partition, partitions),
        ("samples", "pattern", s.pattern, numbers),
        ("types", "partition", t.partition, partitions),
        ("types", "type", t.type, kinds),
        ("patterns", "type", of_patterns, kinds),
    ):
        for index, value in enumerate(column):
            if value not in known:
                raise UnsoundError([table, name, index], value, f"a known {name}")


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
        values = {
            "1": value_1(*map(partition.access.get, ACCESSES)),
            "2.1": value_2_1(types["write"], types["rewrite"][0], types["read"]),
        }
        expected = values.get(release)
        _compare_printed(path, partition.values.get(release), expected, _VALUE_ERROR, check)
    printed = [partition.values.get(release) for partition in partitions]
    maximum = highest(printed)
    check.compare(["summary", "b_eff_io_MBps"], result.summary.b_eff_io_MBps, maximum)
    if maximum is not None:
        minutes = result.environment.total_memory_bytes / (maximum * BYTES_PER_MB) / 60
        path = ["summary", "total_memory_write_min"]
        check.compare(path, result.summary.total_memory_write_min, minutes)


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
    """Compare all that a result says with what follows from its plan and raw fields."""
    result, check = document.result, Recheck([])
    if isinstance(result, ImportedResult):
        return verify_imported(result)
    derived = check.sound(lambda: derived_fields(result))
    if derived is not None:
        if not isinstance(result, ImportedPairs):
            environment = result.environment
            names = [host.name for host in environment.hosts]
            listed = expand_host_list(environment.host_list, len(names))
            check.compare(["environment", "host_list"], listed, names)
            if isinstance(result, BPairsResult) and result.roofs is not None:
                listed = [n for one in result.roofs.hosts for n in expand_host_list(one.hosts)]
                check.compare(["roofs", "hosts"], sorted(listed), sorted(names if listed else []))
            fields = environment_fields(environment, result.options)
            check.compare(["environment"], document.fields["environment"], fields)
        check.compare([], document.fields, derived)
    not_checked = tuple(result.imported.not_known) if isinstance(result, ImportedPairs) else ()
    return Verification(tuple(check.findings), check.figures, _samples(result), not_checked)


def _samples(result: AnyResult) -> int:
    """Count the raw samples."""
    if isinstance(result, BPairsResult):
        rounds = (text for rounds in result.passes.small_ns for text in rounds if text)
        return 2 * sum(text.count(" ") + 1 for text in rounds)
    return len(result.samples) if isinstance(result, BEffResult | BEffIoResult) else 0


def require_verified(document: Document) -> None:
    """Raise DisagreementError for a result whose figures do not follow from its samples."""
    findings = verify(document).findings
    if findings:
        more = f" ({len(findings) - 1} more disagreements)" if len(findings) > 1 else ""
        raise DisagreementError(f"does not verify: {findings[0]}{more}", document.source)
