"""The raw samples of b_eff_io, and its types from opening to closing, as in the result file."""
# ruff: noqa: N815 - the field names are the contract

from typing import ClassVar, Literal

from beff.result import bounds as t

Access = Literal["write", "rewrite", "read"]
Status = Literal["measured", "failed", "skipped"]
Stop = Literal["once", "time", "count", "space", "max-data", "error", "stopped"]

ACCESSES: tuple[Access, ...] = ("write", "rewrite", "read")
"""In the order in which a run goes through them."""


Key = tuple[int, int, Access]
"""What a row belongs to: index of the partition, number of the pattern or type, access method."""


class Keyed(t.Columns):
    """Bandwidths, which are the fourth column; the first three are the key."""

    @property
    def keys(self) -> list[Key]:
        """What each row belongs to."""
        return list(zip(*(getattr(self, name) for name in self.columns()[:3]), strict=True))

    @property
    def bandwidth_of(self) -> dict[Key, t.Figure]:
        """Bandwidth of each in MB/s."""
        return dict(zip(self.keys, getattr(self, self.columns()[3]), strict=True))


class PrintedSamples(Keyed):
    """The bandwidth of each pattern in each access method."""

    partition: t.Column[t.Index]
    """index into partitions"""
    pattern: t.Column[t.Index]
    """its number"""
    access: t.Column[Access]
    """in which it was measured"""
    bandwidth_MBps: t.Column[t.Figure]
    """bytes / time_s, or as printed; null without a measurement"""


class Samples(PrintedSamples):
    """All patterns that were tried or left out."""

    repetitions: t.Column[t.Count]
    """calls of each process without an error"""
    bytes: t.Column[t.Count]
    """of all processes"""
    time_s: t.Column[t.Seconds]
    """view, calls, sync and barrier, slowest process"""
    loop_s: t.Column[t.Seconds]
    """without sync and last barrier"""
    decisions: t.Column[t.Count]
    """agreements inside the time"""
    status: t.Column[Status]
    """of the measurement"""
    ideal_s: t.Column[t.Seconds]
    """its U in seconds, for this access"""
    stop: t.Column[Stop | None]
    """what ended the calls; null for a skipped pattern"""
    error: t.Column[t.Text | None]
    """the library's text, or why it was skipped"""

    DIGESTED: ClassVar = (
        *("partition", "pattern", "access", "repetitions", "bytes", "time_s", "loop_s"),
        *("decisions", "status"),
    )


class PrintedTypes(Keyed):
    """The bandwidth of each type in each access method."""

    partition: t.Column[t.Index]
    """index into partitions"""
    type: t.Column[t.Index]
    """its number"""
    access: t.Column[Access]
    """in which it was measured"""
    bandwidth_MBps: t.Column[t.Figure]
    """bytes / open_to_close_s, or as printed; null without a measurement"""


class Types(PrintedTypes):
    """All types whose file was opened or left out."""

    bytes: t.Column[t.Count]
    """of all its patterns, once-call and fill-up included"""
    open_s: t.Column[t.Seconds]
    """of the slowest process"""
    close_s: t.Column[t.Seconds]
    """of the slowest process"""
    open_to_close_s: t.Column[t.Seconds]
    """open, times of the patterns, close"""
    status: t.Column[Status]
    """measured when all its patterns are"""
    error: t.Column[t.Text | None]
    """the library's text, or why it was skipped"""

    DIGESTED: ClassVar = (
        *("partition", "type", "access", "bytes", "open_s", "close_s", "open_to_close_s"),
        "status",
    )
