"""Noticing that a run does not go on any more."""

import time
from collections.abc import Callable
from pathlib import Path

_START_WITHIN_S = 120.0


class StallWatch:
    """Notices when a file, the journal of a run, has not been written for `limit_s` seconds.

    The measuring program touches a journal that it cannot write any more, on a full disk.

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
        self._state = self._present_state()
        self._since = clock() if from_start else None
        self._begun = False

    def stalled(self) -> bool:
        """Look at the file."""
        state = self._present_state()
        if state != self._state:
            self._state = state
            self._since = self._clock()
            self._begun = True
        limit_s = self._limit_s if self._begun else max(self._limit_s, _START_WITHIN_S)
        return self._since is not None and self._clock() - self._since > limit_s

    def _present_state(self) -> tuple[int, int] | None:
        try:
            state = self._path.stat()
        except OSError:
            return None
        return state.st_size, state.st_mtime_ns
