"""Whether the result says what its raw fields show: disk or memory, and loops that were cut."""

from beff.analysis.b_eff_io.measured import Measured
from beff.analysis.b_eff_io.pattern_table import OFFICIAL_TYPES
from beff.analysis.common.criteria import numbers_in
from beff.analysis.finding import Comparison
from beff.model.b_eff_io_result import BEffIoResult, Stop

NEARLY_ALL = 0.95
"""From this share on, data that did not come from memory make the bandwidth the disk's."""
_CUTS: tuple[Stop, ...] = ("space", "max-data")


def check_stamps(measured: Measured, check: Comparison) -> None:
    """Check the sentence on disk or memory and the cautions on loops that ended early."""
    result = measured.result
    _check_medium(result, check)
    told = [numbers_in(caution) for caution in result.cautions]
    _check_amount(measured, told, check)
    for cut in _CUTS:
        numbers = _patterns_cut_by(cut, measured)
        if numbers:
            check.require(
                any(found[-len(numbers) :] == numbers for found in told),
                ["cautions"],
                f"without the patterns stopped by {cut}",
                f"with the numbers {', '.join(map(str, numbers))}",
            )


def _patterns_cut_by(cut: Stop, measured: Measured) -> tuple[int, ...]:
    return tuple(
        sorted({key.pattern for key, sample in measured.samples.items() if sample.stop == cut})
    )


def _check_amount(measured: Measured, told: list[tuple[int, ...]], check: Comparison) -> None:
    """Check that a caution says where less than the memory of the system was written."""
    memory = measured.result.environment.total_memory_bytes
    written = sum(
        row.bytes
        for key, row in measured.types.items()
        if key.access == "write" and key.type in OFFICIAL_TYPES
    )
    if 0 < written < memory:
        percent = numbers_in(f"{100 * written / memory:.1f}")
        check.require(
            percent in told,
            ["cautions"],
            "without the amount of data",
            f"with the numbers {', '.join(map(str, percent))}",
        )


def disk_share(result: BEffIoResult) -> float | None:
    """Share of the read data that did not come from the nodes' page caches; None if unknown.

    What was not resident before the read, or what the kernel counted as read from disk, whichever
    is less; a count of 0 says nothing, since file systems that it does not count give 0 too.
    """
    if result.environment.filesystem.in_memory:
        return 0.0
    states = [state for state in result.cache if state.access == "read"]
    rows = result.types.rows()
    read = sum(row.bytes for row in rows if row.key.access == "read")
    from_disk = sum(state.read_from_disk_bytes or 0 for state in states)
    known = [state for state in states if state.resident_before_bytes is not None]
    files = sum(state.file_bytes for state in known)
    resident = sum(state.resident_before_bytes or 0 for state in known)
    shares = []
    if files > 0:
        shares.append(max(0.0, 1 - resident / files))
    if from_disk > 0 and read > 0:
        shares.append(from_disk / read)
    return min(1.0, *shares) if shares else None


def _check_medium(result: BEffIoResult, check: Comparison) -> None:
    """Check the percentage told, and that everything but disk is a caution, too."""
    share = disk_share(result)
    from_disk = share is not None and share >= NEARLY_ALL
    numbers: tuple[int, ...] = ()
    if share is not None and not result.environment.filesystem.in_memory:
        percent = 100 * share
        numbers = numbers_in(f"{percent if from_disk else 100 - percent:.0f}")
    check.require(
        numbers_in(result.medium) == numbers,
        ["medium"],
        result.medium,
        f"a sentence with the numbers {', '.join(map(str, numbers)) or 'none'}",
    )
    check.require(
        (result.medium in result.cautions) != from_disk,
        ["cautions"],
        "with the sentence on disk or memory" if from_disk else "without it",
        "without it" if from_disk else "with the sentence on disk or memory",
    )
