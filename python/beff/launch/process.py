"""Running a measuring program to its end, with signals passed on to it."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from beff.launch.target import launch_environment
from beff.model.errors import LaunchError

LOOK_EVERY_S = 0.5
"""Rare enough not to disturb the measurement on machines without a spare core."""
_LONGEST_TAIL = 30
_MOST_KEPT = 1 << 20
_END_WITHIN_S = 10.0


@dataclass(frozen=True)
class Ended:
    """How a run ended.

    Exit code of the launcher, signal that was passed on, whether it was ended because it did not go
    on, last lines printed, and the end of what was written on standard error, 1 MiB at most.
    """

    exit_code: int
    stopped_by: signal.Signals | None
    stalled: bool
    error_lines: list[str]
    standard_error: bytes = b""


PassOn = Callable[["subprocess.Popen[bytes]", signal.Signals], None]


def signal_launcher(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    """Pass a signal on to the launcher, which passes it on to the processes."""
    process.send_signal(number)


class _Stopper:
    """Passes the first SIGINT or SIGTERM on and kills the launcher at the second."""

    def __init__(self, process: "subprocess.Popen[bytes]", pass_on: PassOn) -> None:
        self._process = process
        self._pass_on = pass_on
        self.stopped_by: signal.Signals | None = None

    def __call__(self, number: int, _frame: object) -> None:
        if self._process.poll() is not None:
            return
        if self.stopped_by is None:
            self.stopped_by = signal.Signals(number)
            self._pass_on(self._process, self.stopped_by)
        else:
            self._process.kill()


@contextmanager
def _handling(handler: Callable[[int, object], None]) -> Iterator[None]:
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)


def _never() -> bool:
    return False


def run_to_end(
    command: list[str],
    look: Callable[[], None],
    *,
    stalled: Callable[[], bool] = _never,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    pass_on: PassOn = signal_launcher,
) -> Ended:
    """Run a command, in a folder if one is given; `look` is called twice a second and at the end.

    When `stalled` says so, the command is ended. It gets its own session, so that a Ctrl-C reaches
    it once, from here, by `pass_on`; `environment` is set beside that of this process. Raises
    LaunchError when it cannot be started.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env={**launch_environment(command), **(environment or {})},
                cwd=folder,
                start_new_session=True,
            )
        except OSError as problem:
            raise LaunchError(f"{command[0]} cannot be started ({problem.strerror})") from None
        stopper = _Stopper(process, pass_on)
        gave_up = False
        with _handling(stopper):
            while _still_runs(process):
                look()
                if stalled():
                    gave_up = True
                    _end(process)
            look()
        last_lines = _tail(errors) or _tail(output)
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - _MOST_KEPT))
        return Ended(process.returncode, stopper.stopped_by, gave_up, last_lines, errors.read())


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a command that hangs: the launcher may still end its processes, but need not."""
    process.terminate()
    try:
        process.wait(_END_WITHIN_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _still_runs(process: "subprocess.Popen[bytes]") -> bool:
    try:
        process.wait(LOOK_EVERY_S)
    except subprocess.TimeoutExpired:
        return True
    return False


def _tail(file: IO[bytes]) -> list[str]:
    """Return the last lines, each once: of many processes, all may say the same.

    Without signs that are not shown: Open MPI passes on words of a process with a NUL before them.
    """
    file.seek(0)
    text = file.read().decode(errors="replace").expandtabs()
    lines = ("".join(filter(str.isprintable, line)) for line in text.splitlines())
    different = dict.fromkeys(line for line in lines if line.strip())
    return list(different)[-_LONGEST_TAIL:]
