"""Whether the result says what its raw fields show: disk or memory, and loops that were cut."""

from beff.analysis.b_eff_io.schedule import IoMeasured
from beff.analysis.common.verification import Recheck
from beff.model.b_eff_io_result import BEffIoResult
from beff.model.bounds import OFFICIAL_TYPES

NEARLY_ALL = 0.95
"""From this share on, data that did not come from memory make the bandwidth the disk's."""
_NEARLY_NONE = 0.05
_IN_MEMORY = "those of memory"
_MIXTURE = "a mixture of memory and file system"
BOUNDED = "stopped by the bound of written data"
LESS_THAN_MEMORY = "the initial write moved less than the memory of the system"
_CUTS = {
    "space": "stopped by space, to leave the file system its reserve",
    "max-data": BOUNDED,
}


def check_stamps(measured: IoMeasured, check: Recheck) -> None:
    """Check the sentence on disk or memory, and that what the raw fields show is a caution."""
    result = measured.result
    sentence = medium_sentence(result)
    check.compare(["medium"], result.medium, sentence)
    share = disk_share(result)
    if share is not None and share >= NEARLY_ALL:
        without = result.medium not in result.cautions
        check.require(without, ["cautions"], "with the sentence on disk or memory", "without it")
        due = []
    else:
        due = [result.medium]
    for text in (*due, *cautions_due(measured)):
        check.require(text in result.cautions, ["cautions"], "without it", f"with '{text}'")


def cautions_due(measured: IoMeasured) -> list[str]:
    """Return the cautions that follow from the raw fields: loops cut short, less than memory."""
    texts = []
    for stop, text in _CUTS.items():
        cut = {key.pattern for key, sample in measured.samples.items() if sample.stop == stop}
        if cut:
            texts.append(f"{text}: patterns {', '.join(map(str, sorted(cut)))}")
    memory = measured.result.environment.total_memory_bytes
    written = sum(
        row.bytes
        for key, row in measured.types.items()
        if key.access == "write" and key.type in OFFICIAL_TYPES
    )
    if 0 < written < memory:
        share = f"{100 * written / memory:.1f} %"
        texts.append(f"{LESS_THAN_MEMORY}: {share} of it")
    return texts


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
    read = sum(row.bytes for row in result.types.rows() if row.key.access == "read")
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


def medium_of(result: BEffIoResult) -> str:
    """Name what the read bandwidth is of."""
    share = disk_share(result)
    if result.environment.filesystem.in_memory:
        return _IN_MEMORY
    if share is None:
        return "not known"
    if share >= NEARLY_ALL:
        return "that of the file system"
    return "that of memory, not of a disk" if share <= _NEARLY_NONE else _MIXTURE


def medium_sentence(result: BEffIoResult) -> str:
    """Say whether the read bandwidth is that of a disk or of memory."""
    share, medium = disk_share(result), medium_of(result)
    if medium == _IN_MEMORY:
        return f"All bandwidths are {_IN_MEMORY}: the file system lies in memory."
    if share is None:
        unknown = "Whether the read bandwidth is that of a disk or of memory is not known: "
        if result.environment.filesystem.reads_seen_by == "nothing":
            return unknown + "the file system has caches in the nodes that are not counted."
        return unknown + (
            "this system reports neither what was in the page caches nor what was read from disk."
        )
    origin = f"{100 - 100 * share:.0f} % of the data came from the nodes' page caches"
    if share >= NEARLY_ALL:
        origin = f"reads came from it, not from page cache ({100 * share:.0f} %)"
    return f"The read bandwidth is {medium}: {origin}."
