"""Ending a run that is stopped, and finding one that hangs."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from beff.launch.engine import output_of
from beff.launch.launcher import Flavour
from beff.launch.target import Target
from beff.result.errors import LaunchError

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


_STOP_WITHIN_S = 30


def stop_of(target: Target) -> Callable[["subprocess.Popen[bytes]", signal.Signals], None]:
    """Return what asks a run of this target to stop when we receive a signal.

    Most launchers pass a signal on. srun answers SIGINT with the state of its tasks, and SIGTERM by
    killing them; so Slurm itself is asked to send SIGTERM to the step of this engine.
    """
    if target.launcher.flavour is not Flavour.SRUN:
        return lambda process, received: process.send_signal(received)

    def stop(process: "subprocess.Popen[bytes]", _received: signal.Signals) -> None:
        steps = _steps_called(target.engine.name)
        if not (steps and _send_sigterm(steps)):
            process.terminate()

    return stop


def _steps_called(name: str) -> list[str]:
    """Return the steps of this job with this name, which is that of their program."""
    job = os.environ.get("SLURM_JOB_ID", "")
    ask = ["squeue", "--steps", "--noheader", f"--jobs={job}", "--format=%i %j"]
    try:
        rows = [line.split() for line in output_of(ask).splitlines()]
    except LaunchError:
        return []
    return [row[0] for row in rows if row[1:] == [name]]


def _send_sigterm(steps: list[str]) -> bool:
    try:
        done = subprocess.run(
            ["scancel", "--signal=TERM", *steps],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_STOP_WITHIN_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
