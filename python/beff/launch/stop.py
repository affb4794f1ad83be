"""Asking a run to stop, so that it still writes its result."""

import os
import signal
import subprocess
from collections.abc import Callable

from beff.launch.engine import output_of
from beff.launch.errors import LaunchError
from beff.launch.launcher import Flavour
from beff.launch.target import Target

_STOP_WITHIN_S = 30


def stop_of(target: Target) -> Callable[["subprocess.Popen[bytes]", signal.Signals], None]:
    """Return what asks a run of this target to stop when we receive a signal.

    Most launchers pass a signal on. srun answers SIGINT with the state of its tasks, and SIGTERM by
    killing them; so Slurm itself is asked to send SIGTERM to the step of this engine.
    """
    if target.launcher.flavour is not Flavour.SRUN:
        return lambda process, received: process.send_signal(received)

    def stop(process: "subprocess.Popen[bytes]", _received: signal.Signals) -> None:
        steps = _steps_called(target.engine.path.name)
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
