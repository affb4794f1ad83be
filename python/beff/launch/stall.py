"""Noticing that a run does not go on any more."""

import time
from collections.abc import Callable
from pathlib import Path

_START_WITHIN_S = 120.0


class StallWatch:
    """Tells when a file, the journal of a run, has not grown for `limit_s` seconds.

    The time before the first line counts only with `from_start`, since a launcher may wait in a
    queue, and starting may take two minutes in any case.
    """

    def __init__(
        self,
        path: Path,
        limit_s: float,
        from_start: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = path
        self._limit_s = limit_s
        self._clock = clock
        self._size = self._present_size()
        self._since = clock() if from_start else None
        self._begun = False

    def stalled(self) -> bool:
        """Look at the file."""
        size = self._present_size()
        if size != self._size:
            self._size = size
            self._since = self._clock()
            self._begun = True
        limit_s = self._limit_s if self._begun else max(self._limit_s, _START_WITHIN_S)
        return self._since is not None and self._clock() - self._since > limit_s

    def _present_size(self) -> int:
        try:
            return self._path.stat().st_size
        except OSError:
            return -1
