"""Bounds on what one case may cost, so that a hang or a flood of memory is a failure."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType


class HangError(BaseException):
    """A case used more time of the processor than it may; no command may catch it."""


@contextmanager
def bounded(cpu_s: float, memory_bytes: int) -> Iterator[None]:
    """Let what happens here use so much of the processor, and so much memory more than now.

    Time of the processor and not of the clock, so that a busy machine changes nothing. A case that
    wants more memory gets a MemoryError.
    """

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise HangError(f"more than {cpu_s} s of the processor")

    limits = resource.getrlimit(resource.RLIMIT_DATA)
    before = signal.signal(signal.SIGPROF, stop)
    resource.setrlimit(resource.RLIMIT_DATA, (_data_bytes() + memory_bytes, limits[1]))
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_DATA, limits)
        signal.signal(signal.SIGPROF, before)


def _data_bytes() -> int:
    """Memory of this process that RLIMIT_DATA counts."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (line,) = (line for line in status.splitlines() if line.startswith("VmData:"))
    return int(line.split()[1]) * 1024
