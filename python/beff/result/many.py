"""Work on many files in as many processes as there are cores, and within bounds where asked."""

import ctypes
import os
import resource
import signal
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from beff.result.errors import ResultError

Made = TypeVar("Made")

FEW = 4
"""So few are worked on faster in this process than others begin."""
_AT_ONCE, _TOGETHER = 1024, 8
"""Files for which processes are started anew, and those that one of these gets at a time."""
_SIGNAL_AT_DEATH = 1
"""Of Linux' prctl: PR_SET_PDEATHSIG."""
_MEMORY_BYTES = 3 << 30
_TIME_S = 60


def cores() -> int:
    """Return on how many cores this process may run."""
    return len(os.sched_getaffinity(0))


def many_at_once(
    act: Callable[[Path], Made], files: Sequence[Path], *, bounded: bool = False
) -> Iterator[Made | ResultError]:
    """Yield what `act` makes of each file, in order; an error where its process was killed.

    What it makes can be pickled, and what it raises ends all. Few files are worked on in this
    process. Those that may harm are worked on `bounded` in memory and time, where an error stands
    for all that was raised.
    """
    if not bounded and (cores() == 1 or len(files) < FEW):
        yield from map(act, files)
        return
    import multiprocessing  # noqa: PLC0415 - of many files
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - likewise
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 - likewise

    context = multiprocessing.get_context("fork")  # which takes `act` along, whatever it is
    done, most = 0, _AT_ONCE
    while done < len(files):
        batch = files[done : done + most]
        workers, most = min(cores(), len(batch)), _AT_ONCE
        arguments = act, bounded, os.getpid()
        with ProcessPoolExecutor(workers, context, _begin, arguments) as pool:
            try:
                for made in pool.map(_act, batch, chunksize=_TOGETHER):
                    done += 1
                    yield made
            except BrokenProcessPool:  # by one of those on their way; alone, the first shows itself
                most = 1
                if len(batch) == 1:
                    done += 1
                    yield ResultError("reading it was killed", batch[0])


_ACTS: list[Callable[[Path], Any]] = []
"""Of a process that works: the one thing that it does."""


def _begin(act: Callable[[Path], Any], bounded: bool, parent: int) -> None:
    """Prepare a process: it ends with its parent, which alone is asked to stop."""
    ctypes.CDLL(None).prctl(_SIGNAL_AT_DEATH, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if bounded:
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        limit = _MEMORY_BYTES if most == resource.RLIM_INFINITY else min(_MEMORY_BYTES, most)
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    _ACTS[:] = [partial(_in_time, act) if bounded else act]


def _act(file: Path) -> Any:
    return _ACTS[0](file)


class _TooLongError(Exception):
    """The time of a file is over; no OSError, which would be taken for one of the file."""


def _in_time(act: Callable[[Path], Made], path: Path) -> Made | ResultError:
    def took_too_long(*_: Any) -> NoReturn:
        raise _TooLongError

    signal.signal(signal.SIGALRM, took_too_long)
    signal.setitimer(signal.ITIMER_REAL, _TIME_S)
    try:
        return act(path)
    except ResultError as problem:
        return problem
    except _TooLongError:
        why = f"takes more than {_TIME_S} s to verify"
    except MemoryError:
        why = f"needs more than {_MEMORY_BYTES >> 30} GiB of memory to verify"
    except Exception as problem:
        why = f"cannot be used ({type(problem).__name__})"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return ResultError(why, path)
