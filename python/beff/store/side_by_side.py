"""Work on many things in as many processes as there are cores."""

import ctypes
import multiprocessing
import os
import resource
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, TypeVar

from beff.result.errors import ResultError

Work = TypeVar("Work")
Made = TypeVar("Made")

FEW = 4
"""Things so few are worked on faster in this process than others begin."""
_AHEAD = 4
"""For each process so many things are on their way, so that none waits and few are in memory."""
_SIGNAL_AT_DEATH = 1
"""Of Linux' prctl: PR_SET_PDEATHSIG."""


class Lost:
    """What was made of a thing whose process was killed: nothing."""


LOST = Lost()


def cores() -> int:
    """Return on how many cores this process may run."""
    return len(os.sched_getaffinity(0))


def side_by_side(
    act: Callable[[Work], Made], work: Sequence[Work], most_bytes: int | None = None
) -> Iterator[Made | Lost]:
    """Yield what `act` makes of each, in order; what it makes and works on can be pickled.

    Few things are worked on in this process, but where no more than `most_bytes` of memory may be
    used. What `act` raises ends all.
    """
    done = 0
    while done < len(work):
        try:
            for made in _by_processes(act, work[done:], most_bytes):
                done += 1
                yield made
        except BrokenProcessPool:  # by one of those on their way; alone, the first shows itself
            yield _alone(act, work[done], most_bytes)
            done += 1


def many_at_once(
    act: Callable[[Path], Made], files: Sequence[Path]
) -> Iterator[Made | ResultError]:
    """Yield what `act` makes of each file, in order; an error where its process was killed."""
    for file, made in zip(files, side_by_side(act, files), strict=True):
        yield ResultError("reading it was killed", file) if isinstance(made, Lost) else made


def _by_processes(
    act: Callable[[Work], Made], work: Sequence[Work], most_bytes: int | None
) -> Iterator[Made]:
    workers = min(cores(), len(work))
    if most_bytes is None and (workers == 1 or len(work) < FEW):
        yield from map(act, work)
        return
    pool = _pool(workers, act, most_bytes)
    waiting: deque[Future[Made]] = deque()
    try:
        for one in work:
            waiting.append(pool.submit(_act, one))
            if len(waiting) >= _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _alone(act: Callable[[Work], Made], one: Work, most_bytes: int | None) -> Made | Lost:
    pool = _pool(1, act, most_bytes)
    try:
        made: Made = pool.submit(_act, one).result()
    except BrokenProcessPool:
        return LOST
    finally:
        pool.shutdown()
    return made


def _pool(workers: int, act: Callable[..., Any], most_bytes: int | None) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("fork")  # which takes `act` along, whatever it is
    return ProcessPoolExecutor(workers, context, _begin, (act, most_bytes, os.getpid()))


_ACTS: list[Callable[..., Any]] = []
"""Of a process that works: the one thing that it does."""


def _begin(act: Callable[..., Any], most_bytes: int | None, parent: int) -> None:
    """Prepare a process: it ends with its parent, which alone is asked to stop."""
    ctypes.CDLL(None).prctl(_SIGNAL_AT_DEATH, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if most_bytes is not None:
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        limit = most_bytes if most == resource.RLIM_INFINITY else min(most_bytes, most)
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    _ACTS[:] = [act]


def _act(one: Any) -> Any:
    return _ACTS[0](one)
