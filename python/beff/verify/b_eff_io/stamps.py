"""Whether the result says what its raw fields show: disk or memory, and loops that were cut."""

from beff.definition.compare import Recheck
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.bounds import OFFICIAL_TYPES
from beff.result.result_parts import Statement
from beff.verify.b_eff_io.schedule import IoMeasured

NEARLY_ALL = 0.95
"""From this share on, data that did not come from memory make the bandwidth the disk's."""
_NEARLY_NONE = 0.05
FROM_FILE_SYSTEM = "read from the file system"
BOUNDED = "stopped by the bound of data"
LESS_THAN_MEMORY = "less than memory"


def check_stamps(measured: IoMeasured, check: Recheck) -> None:
    """Check the medium, and that what the raw fields show is a caution."""
    result = measured.result
    medium = medium_of(result)
    check.compare(["medium"], result.medium.model_dump(), medium.model_dump())
    due = cautions_due(measured)
    codes = {medium.code, *(one.code for one in due)}
    stored = [one.model_dump() for one in result.cautions if one.code in codes]
    expected = [one.model_dump() for one in due]
    check.compare(["cautions"], stored, expected)


def cautions_due(measured: IoMeasured) -> list[Statement]:
    """Return the cautions that follow from the raw fields: medium, cut loops, less than memory."""
    medium = medium_of(measured.result)
    found = [] if medium.code == FROM_FILE_SYSTEM else [medium]
    for stop, code in (("space", "stopped by space"), ("max-data", BOUNDED)):
        cut = {key.pattern for key, sample in measured.samples.items() if sample.stop == stop}
        if cut:
            found.append(Statement(code=code, facts={"patterns": sorted(cut)}))
    memory = measured.result.environment.total_memory_bytes
    written = sum(
        row.bytes
        for key, row in measured.types.items()
        if key.access == "write" and key.type in OFFICIAL_TYPES
    )
    if 0 < written < memory:
        share = 100 * written / memory
        found.append(Statement(code=LESS_THAN_MEMORY, facts={"written_percent": share}))
    return found


def disk_share(result: BEffIoResult) -> float | None:
    """Share of the read data that did not come from the nodes' page caches; None if unknown.

    What was not resident before the read, what the kernel counted as read from disk, or what the
    devices under the files have read, whichever is least. A count of 0 of the kernel says nothing,
    since file systems that it does not count give 0 too; one of the devices does. Where caches lie
    between that nobody counts, only what came from memory is known.
    """
    file_system = result.environment.filesystem
    if file_system.in_memory:
        return 0.0
    states = [state for state in result.cache if state.access == "read"]
    read = sum(row.bytes for row in result.types.rows if row.key.access == "read")
    known = [state for state in states if state.resident_before_bytes is not None]
    files = sum(state.file_bytes for state in known)
    shares = [1.0]
    if files > 0:
        resident = sum(state.resident_before_bytes or 0 for state in known)
        shares.append(max(0.0, 1 - resident / files))
    if read > 0:
        from_disk = sum(state.read_from_disk_bytes or 0 for state in states)
        by_devices = [state.read_by_devices_bytes for state in states]
        counted = [size for size in by_devices if size is not None]
        if from_disk > 0:
            shares.append(from_disk / read)
        if file_system.reads_seen_by == "devices" and states and len(counted) == len(states):
            shares.append(sum(counted) / read)
    is_seen = file_system.reads_seen_by != "nothing" or min(shares) < NEARLY_ALL
    return min(shares) if len(shares) > 1 and is_seen else None


def medium_of(result: BEffIoResult) -> Statement:
    """Say what the read bandwidth is of."""
    share, file_system = disk_share(result), result.environment.filesystem
    if file_system.in_memory:
        return Statement(code="files in memory", facts={})
    if share is None:
        uncounted = file_system.reads_seen_by == "nothing"
        code = "caches not counted" if uncounted else "origin not reported"
        return Statement(code=code, facts={})
    if share >= NEARLY_ALL:
        return Statement(code=FROM_FILE_SYSTEM, facts={"disk_percent": 100 * share})
    code = "read from memory" if share <= _NEARLY_NONE else "read from both"
    return Statement(code=code, facts={"cached_percent": 100 - 100 * share})
