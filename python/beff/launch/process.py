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
    second one came, whether it was ended because it did not go on, last lines printed, and what was
    written on standard output and on standard error, of that the last 1 MiB at most.
    """

    exit_code: int
    stopped_by: signal.Signals | None = None
    killed: bool = False
    stalled: bool = False
    error_lines: Sequence[str] = ()
    standard_error: bytes = b""
    output: bytes = b""
    way_out: str = ""


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
    said = _SAID_OF_SIGNAL.search(ended.standard_error) or _SAID_OF_SIGNAL.search(ended.output)
    code = ended.exit_code
    number = int(said[2] or said[3] or said[4]) if said else max(-code, code - 128)
    spoke = _OWN_WORDS.search(ended.standard_error)
    if _DIED_EARLY in ended.standard_error and not said and not spoke:
        return f"a process died in MPI_Init{_of_shared_memory(_SMALL_BYTES)}"
    if number not in set(signal.Signals) or (number == signal.SIGKILL and spoke):
        return ""
    possible = [signal.Signals(number)]
    if said and said[1] and number not in _FATAL:
        possible = [each for each in _FATAL if each | signal.SIGKILL == number] or possible
    names = " or ".join(f"{each.name} ({signal.strsignal(each)})" for each in possible)
    likely = ""
    if signal.SIGBUS in possible:
        likely = _of_shared_memory()
    elif signal.SIGSEGV in possible:
        likely = _of_shared_memory(_SMALL_BYTES)
    return f"a process died by {names}{likely}"


def _of_shared_memory(below_bytes: float = math.inf) -> str:
    """Blame /dev/shm where it is smaller than this."""
    try:
        found = os.statvfs("/dev/shm")
    except OSError:
        return ""
    if found.f_blocks * found.f_frsize >= below_bytes:
        return ""
    size, free = (format_size(n * found.f_frsize) for n in (found.f_blocks, found.f_bavail))
    return (
        f"; the likely reason is /dev/shm, by which processes exchange messages: of its {size} on"
        f" this host {free} are free; docker run --shm-size=1g gives a container more, an emptyDir"
        " of medium Memory mounted there a pod"
    )


PassOn = Callable[["subprocess.Popen[bytes]", signal.Signals], None]


def signal_launcher(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    """Pass a signal on to the launcher, which passes it on to the processes."""
    process.send_signal(number)


_ENDING = (
    *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT),
    *(signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU),
)
"""Signals by which users, terminals and batch systems end a job."""


class _Stopper:
    """Passes the first of these signals on and kills the launcher at the second."""

    def __init__(self, process: "subprocess.Popen[bytes]", pass_on: PassOn) -> None:
        self._process = process
        self._pass_on = pass_on
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
    before = {number: signal.getsignal(number) for number in _ENDING}
    numbers = [number for number in _ENDING if before[number] is not signal.SIG_IGN]
    for number in numbers:
        signal.signal(number, stopper)
    try:
        yield
    finally:
        for number in numbers if stopper.stopped_by is None else ():
            signal.signal(number, before[number])


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
    pass_on: PassOn = signal_launcher,
) -> Ended:
    """Run a command; `look` is called twice a second and at the end.

    When `stalled` says so, the command is ended. What it writes on standard error is shown after
    ten seconds in which it has not `begun`. It gets its own session, so that a Ctrl-C reaches
    it once, from here, by `pass_on`; `environment` is set beside that of this process. Raises
    LaunchError when it cannot be started.
    """
    with _temporary_file() as output, _temporary_file() as errors:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env={
                    **os.environ,
                    "BEFF_LAUNCH_COMMAND": shlex.join(command),  # which the program records
                    **(environment or {}),
                },
                start_new_session=True,
                preexec_fn=_end_with_us(),  # noqa: PLW1509 - no other thread runs
            )
        except OSError as problem:
            raise LaunchError(f"{command[0]} cannot be started ({problem.strerror})") from None
        stopper = _Stopper(process, pass_on)
        words = EarlyWords(errors, begun)
        gave_up = False
        with _handling(stopper):
            while _still_runs(process):
                with suppress(OSError):  # of a terminal that is gone
                    look()
                words.look()
                if stalled() or words.way_out:
                    gave_up = True
                    _end(process)
            with suppress(OSError):
                look()
        last_lines = _tail(errors) or _tail(output)
        return Ended(
            process.returncode,
            stopper.stopped_by,
            stopper.killed,
            gave_up,
            last_lines,
            _end_of(errors, _MOST_KEPT),
            _end_of(output, _MOST_OUTPUT),
            words.way_out,
        )


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
_IN_VAIN = b"step creation temporarily disabled"
"""What srun says that waits for the step in which it was called itself."""
_WAY_OUT = (
    "this shell is itself a step of the job: leave it, or let srun share with it by --overlap"
    " (SLURM_OVERLAP=1)"
)


class EarlyWords:
    """Shows what launcher and program write on standard error while nothing has begun.

    There is a `way_out` where the launcher waits for what will not come.
    """

    def __init__(
        self,
        errors: IO[bytes],
        begun: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._errors = errors.fileno()
        self._begun = begun
        self._clock = clock
        self._since = clock()
        self._shown = 0
        self.way_out = ""

    def look(self) -> None:
        """Show whole lines that are new."""
        if self._clock() - self._since < _SHOWN_AFTER_S or self._begun():
            return
        added = os.pread(self._errors, _MOST_KEPT, self._shown)
        lines = added[: added.rfind(b"\n") + 1]
        self._shown += len(lines)
        for line in lines.splitlines():
            print(f"  {printable(line)}", file=sys.stderr)
            if _IN_VAIN in line and "SLURM_STEP_ID" in os.environ:
                self.way_out = _WAY_OUT


def printable(line: bytes) -> str:
    """Return a line without signs that are not shown."""
    return "".join(filter(str.isprintable, line.decode(errors="replace").expandtabs()))


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
    lines = map(printable, file.read().splitlines())
    different = dict.fromkeys(line for line in lines if line.strip())
    return list(different)[-_LONGEST_TAIL:]
