"""Running a measuring program to its end, with signals passed on to it."""

import ctypes
import math
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import IO

from beff.result.errors import LaunchError
from beff.result.numbers import format_size

LOOK_EVERY_S = 0.5
"""Rare enough not to disturb the measurement on machines without a spare core."""
_LONGEST_TAIL = 30
_MOST_KEPT, _MOST_OUTPUT = 1 << 20, 1 << 26
_END_WITHIN_S = 10.0


@dataclass(frozen=True)
class Ended:
    """How a run ended.

    Exit code of the launcher, signal that was passed on, whether the launcher was killed as a
    second one came, whether it was ended because it did not go on, and what was written on standard
    output and on standard error, of that the last 1 MiB at most.
    """

    exit_code: int
    stopped_by: signal.Signals | None = None
    killed: bool = False
    stalled: bool = False
    standard_error: bytes = b""
    output: bytes = b""

    @property
    def way_out(self) -> str:
        """What to do where srun waited for the step in which it was called; else empty."""
        return _WAY_OUT if self.stalled and waits_for_itself(self.standard_error) else ""

    @cached_property
    def error_lines(self) -> Sequence[str]:
        """The last lines printed, each once: of many processes, all may say the same.

        Without signs that are not shown: Open MPI passes on words with a NUL before them.
        """
        for written in (self.standard_error, self.output):
            lines = dict.fromkeys(filter(str.strip, map(printable, written.splitlines())))
            if lines:
                return list(lines)[-_LONGEST_TAIL:]
        return ()


_WAY_OUT = (
    "this shell is itself a step of the job: leave it, or let srun share with it by --overlap"
    " (SLURM_OVERLAP=1)"
)


def waits_for_itself(words: bytes) -> bool:
    """Whether srun says that it waits, and this process is in a step, which it then waits for."""
    return b"step creation temporarily disabled" in words and "SLURM_STEP_ID" in os.environ


_SAID_OF_SIGNAL = re.compile(
    rb"(EXIT STRING: .*)?\(signal (\d+)\)|\bon\s+signal\s+(\d+)|\bBY SIGNAL: (\d+)", re.IGNORECASE
)
"""How hydra, on standard output, Open MPI's mpiexec and Intel's say that a process died."""
_OWN_WORDS = re.compile(rb"^(b_eff|b_eff_io|b_pairs|beff): ", re.MULTILINE)
"""How a program begins that says why it ends; launchers then kill the other processes."""
_DIED_EARLY = b"unable to forward PMI response to MPI process"
"""What hydra may say instead of naming the signal by which a process died in MPI_Init."""
_SMALL_BYTES = 512 << 20
"""A container's /dev/shm has 64 MB: MPICH 5.0 dies by SIGSEGV with 16 processes, not with 8."""
_FATAL = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGKILL)


def death_in(ended: Ended) -> str:
    """Name the signal that ended a process of the run; empty without one.

    Hydra joins the numbers of all processes by OR, and kills those that are left. Shells and srun
    add 128.
    """
    report = _SAID_OF_SIGNAL.search(ended.standard_error) or _SAID_OF_SIGNAL.search(ended.output)
    code = ended.exit_code
    number = int(report[2] or report[3] or report[4]) if report else max(-code, code - 128)
    spoke = _OWN_WORDS.search(ended.standard_error)
    if _DIED_EARLY in ended.standard_error and not report and not spoke:
        return f"a process died in MPI_Init{_of_shared_memory(_SMALL_BYTES)}"
    if number not in set(signal.Signals) or (number == signal.SIGKILL and spoke):
        return ""
    possible = [signal.Signals(number)]
    if report and report[1] and number not in _FATAL:
        possible = [each for each in _FATAL if each | signal.SIGKILL == number] or possible
    names = " or ".join(f"{each.name} ({signal.strsignal(each)})" for each in possible)
    blamed = {signal.SIGBUS: math.inf, signal.SIGSEGV: _SMALL_BYTES}
    likely = (_of_shared_memory(below) for one, below in blamed.items() if one in possible)
    return f"a process died by {names}{next(likely, '')}"


def _of_shared_memory(below_bytes: float) -> str:
    """Blame /dev/shm where it is smaller than this."""
    try:
        space = os.statvfs("/dev/shm")
    except OSError:
        return ""
    if space.f_blocks * space.f_frsize >= below_bytes:
        return ""
    size, free = (format_size(n * space.f_frsize) for n in (space.f_blocks, space.f_bavail))
    return (
        f"; the likely reason is /dev/shm, by which processes exchange messages: of its {size} on"
        f" this host {free} are free; docker run --shm-size=1g gives a container more, an emptyDir"
        " of medium Memory mounted there a pod"
    )


PassOn = Callable[["subprocess.Popen[bytes]", signal.Signals], None]
"""Passes a signal on to the launcher, which passes it on to the processes, or to these."""


_ENDING = (
    *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT),
    *(signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU),
)
"""Signals by which users, terminals and batch systems end a job."""


class _Stopper:
    """Passes the first of these signals on and kills the launcher at the second."""

    def __init__(self, process: "subprocess.Popen[bytes]", pass_on: PassOn) -> None:
        self._process, self._pass_on = process, pass_on
        self._terminals = [number for number in (1, 2) if os.isatty(number)]
        self.stopped_by: signal.Signals | None = None
        self.killed = False

    def __call__(self, number: int, _frame: object) -> None:
        if number == signal.SIGHUP:  # the terminal is gone: print to nowhere from now on
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for terminal in self._terminals:
                os.dup2(nowhere, terminal)
            os.close(nowhere)
        if self._process.poll() is not None:
            return
        if self.stopped_by is None:
            self.stopped_by = signal.Signals(number)
            # launchers pass these on; others end them, or are their own
            known = number in (signal.SIGINT, signal.SIGTERM)
            self._pass_on(self._process, signal.Signals(number) if known else signal.SIGTERM)
        else:
            self.killed = True
            self._process.kill()


@contextmanager
def _handling(stopper: _Stopper) -> Iterator[None]:
    """Handle signals but those that are ignored, as nohup does with SIGHUP.

    After one has come, further ones do nothing: what is left to do is to say what was measured.
    """
    handled = [one for one in _ENDING if signal.getsignal(one) is not signal.SIG_IGN]
    before = {number: signal.signal(number, stopper) for number in handled}
    try:
        yield
    finally:
        for number, how in before.items() if stopper.stopped_by is None else ():
            signal.signal(number, how)


def _end_with_us() -> Callable[[], None]:
    """Return what lets the kernel send a child SIGTERM when this process has ended, however."""
    set_parent_death_signal = 1  # prctl(2)
    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def in_child() -> None:
        prctl(set_parent_death_signal, int(signal.SIGTERM))
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)

    return in_child


def run_to_end(
    command: list[str],
    look: Callable[[], None],
    *,
    stalled: Callable[[], bool] = lambda: False,
    begun: Callable[[], bool] = lambda: False,
    environment: Mapping[str, str] | None = None,
    pass_on: PassOn = subprocess.Popen.send_signal,
) -> Ended:
    """Run a command; `look` is called twice a second and at the end.

    When `stalled` says so, the command is ended. What it writes on standard error is shown after
    ten seconds in which it has not `begun`. It gets its own session, so that a Ctrl-C reaches
    it once, from here, by `pass_on`; `environment` is set beside that of this process. Raises
    LaunchError when it cannot be started.
    """
    recorded = {"BEFF_LAUNCH_COMMAND": shlex.join(command)}  # by the program
    with _temporary_file() as output, _temporary_file() as errors:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env={**os.environ, **recorded, **(environment or {})},
                start_new_session=True,
                preexec_fn=_end_with_us(),  # noqa: PLW1509 - no other thread runs
            )
        except OSError as problem:
            raise LaunchError(f"{command[0]} cannot be started ({problem.strerror})") from None
        stopper = _Stopper(process, pass_on)
        words = early_words(errors, begun)
        gave_up = False
        with _handling(stopper):
            while not _ends_within(process, LOOK_EVERY_S):
                with suppress(OSError):  # of a terminal that is gone
                    look()
                if next(words) or stalled():
                    gave_up = True
                    process.terminate()  # the launcher may still end its processes, or not
                    if not _ends_within(process, _END_WITHIN_S):
                        os.killpg(process.pid, signal.SIGKILL)
                        process.wait()
            with suppress(OSError):
                look()
        written = _end_of(errors, _MOST_KEPT), _end_of(output, _MOST_OUTPUT)
        return Ended(process.returncode, stopper.stopped_by, stopper.killed, gave_up, *written)


def _temporary_file() -> IO[bytes]:
    """Open a file without a name. Raises LaunchError where no folder for it can be written."""
    try:
        return tempfile.TemporaryFile()
    except OSError as problem:
        raise LaunchError(
            f"no folder for temporary files can be written ({problem.strerror}); name one by TMPDIR"
        ) from None


def _end_of(file: IO[bytes], most: int) -> bytes:
    file.seek(max(0, file.seek(0, os.SEEK_END) - most))
    return file.read()


_SHOWN_AFTER_S = 10.0


def early_words(
    errors: IO[bytes], begun: Callable[[], bool], clock: Callable[[], float] = time.monotonic
) -> Iterator[bool]:
    """Show at each step what is new on standard error of a run that has not begun, in lines.

    Yields whether it never will, as the launcher waits for itself.
    """
    since, shown, in_vain = clock(), 0, False
    while True:
        if clock() - since >= _SHOWN_AFTER_S and not begun():
            added = os.pread(errors.fileno(), _MOST_KEPT, shown)
            lines = added[: added.rfind(b"\n") + 1]
            shown += len(lines)
            for line in lines.splitlines():
                print(f"  {printable(line)}", file=sys.stderr)
            in_vain |= waits_for_itself(lines)
        yield in_vain


def printable(line: bytes) -> str:
    """Return a line without signs that are not shown."""
    return "".join(filter(str.isprintable, line.decode(errors="replace").expandtabs()))


def _ends_within(process: "subprocess.Popen[bytes]", time_s: float) -> bool:
    with suppress(subprocess.TimeoutExpired):
        process.wait(time_s)
    return process.returncode is not None
