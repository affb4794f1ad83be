"""What the raw fields show beside the figures: disk or memory, and loops that were cut."""

from beff.result.b_eff_io_result import BEffIoResult
from beff.result.bounds import OFFICIAL_TYPES
from beff.result.result_parts import Statement

NEARLY_ALL = 0.95
"""From this share on, data that did not come from memory make the bandwidth the disk's."""
_NEARLY_NONE = 0.05
FROM_FILE_SYSTEM = "read from the file system"
BOUNDED = "stopped by the bound of data"
LESS_THAN_MEMORY = "less than memory"
_MEDIA = (
    *("files in memory", "caches not counted", "origin not reported"),
    *("read from memory", "read from both"),
)
_CUT = {"space": "stopped by space", "max-data": BOUNDED}
_DUE = {*_MEDIA, *_CUT.values(), LESS_THAN_MEMORY}


def cautions_of(result: BEffIoResult) -> list[Statement]:
    """Return the cautions; those that follow from raw fields are replaced by the ones that are due.

    These are about the medium, loops that were cut, and less data than memory.
    """
    medium, s, t = medium_of(result), result.samples, result.types
    due = [] if medium.code == FROM_FILE_SYSTEM else [medium]
    for stop, code in _CUT.items():
        cut = {pattern for pattern, how in zip(s.pattern, s.stop, strict=True) if how == stop}
        if cut:
            due.append(Statement(code=code, facts={"patterns": sorted(cut)}))
    memory = result.environment.total_memory_bytes
    rows = zip(t.access, t.type, t.bytes, strict=True)
    written = sum(moved for how, kind, moved in rows if how == "write" and kind in OFFICIAL_TYPES)
    if 0 < written < memory:
        share = 100 * written / memory
        due.append(Statement(code=LESS_THAN_MEMORY, facts={"written_percent": share}))
    cautions = []
    for stored in result.cautions:
        if stored.code not in _DUE:
            cautions.append(stored)
        elif due:
            cautions.append(due.pop(0))
    return [*cautions, *due]


def disk_share(result: BEffIoResult) -> float | None:
    """Share of the read data that did not come from the nodes' page caches; None if unknown.

    What was not resident before the read, what the kernel counted as read from disk, or what the
    devices under the files have read, whichever is least. A kernel count of 0 says nothing, since
    file systems that it does not count give 0, too; a count of 0 by the devices does. Where there
    are caches in between that nobody counts, only what came from memory is known.
    """
    file_system = result.environment.filesystem
    if file_system.in_memory:
        return 0.0
    states = [state for state in result.cache if state.access == "read"]
    read = sum(row.bytes for row in result.types.rows() if row.access == "read")
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
    """Say which medium the read bandwidth is of."""
    share, file_system = disk_share(result), result.environment.filesystem
    in_memory, uncounted, not_reported, memory, both = _MEDIA
    if file_system.in_memory:
        return Statement(code=in_memory, facts={})
    if share is None:
        is_counted = file_system.reads_seen_by != "nothing"
        return Statement(code=not_reported if is_counted else uncounted, facts={})
    if share >= NEARLY_ALL:
        return Statement(code=FROM_FILE_SYSTEM, facts={"disk_percent": 100 * share})
    code = memory if share <= _NEARLY_NONE else both
    return Statement(code=code, facts={"cached_percent": 100 - 100 * share})
