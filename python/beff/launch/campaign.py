"""Runs of the measuring programs: what is started, followed and stopped, and what each leaves."""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from beff.launch.follow import BEffFollower, BPairsFollower, Follower, IoFollower, Progress
from beff.launch.numbering import Numbering
from beff.launch.process import LOOK_EVERY_S, Ended, PassOn, run_to_end, signal_launcher
from beff.result.contract import MeasuredResult
from beff.result.errors import ResultError
from beff.result.journal import SUFFIX, is_held, remove_left, roll_of
from beff.result.load import Document, as_b_eff, as_b_eff_io, as_b_pairs, load_document
from beff.result.places import modified

_FOLLOWERS: dict[str, type[Follower]] = {
    "b_eff": BEffFollower,
    "b_eff_io": IoFollower,
    "b_pairs": BPairsFollower,
}
_READERS: dict[str, Callable[[Document], MeasuredResult]] = {
    "b_eff": as_b_eff,
    "b_eff_io": as_b_eff_io,
    "b_pairs": as_b_pairs,
}
ENDINGS = (".json", ".txt", SUFFIX)
"""Of the files that a run writes, and no other may have."""
_REFUSED = 2
"""Exit code of a program that was asked for what cannot be; another run may write there."""
_END_WITHIN_S = 15.0
"""Processes whose launcher has died end within 10 s."""


@dataclass(frozen=True)
class Start:
    """One run that is to be made.

    `prefix` begins the names of its files, in a folder that exists when it is started; `launcher`
    is named to the user. `numbering` is what the launcher is asked for. A run whose journal does
    not grow for `stall_limit_s` is ended; that counts from the start where it `starts_at_once`.
    `environment` is set beside that of this process, `pass_on` tells the processes of a signal.
    With `shows_errors`, what is written on standard error is shown during the whole run.
    """

    benchmark: str
    processes: int
    title: str
    prefix: Path
    command: list[str]
    launcher: Path
    numbering: Numbering | None = None
    stall_limit_s: float = math.inf
    starts_at_once: bool = True
    environment: Mapping[str, str] = field(default_factory=dict)
    pass_on: PassOn = signal_launcher
    shows_errors: bool = False

    def file(self, ending: str) -> Path:
        """Return what the run has in a file, by the ending of its name."""
        return Path(f"{self.prefix}{ending}")

    @property
    def files(self) -> list[Path]:
        """The files of the run."""
        return [self.file(ending) for ending in ENDINGS]


@dataclass(frozen=True)
class Left:
    """What a run left: how it ended, its result, or the problem with that.

    Nothing counts that was there before; `has_journal` says whether the run has begun one.
    """

    start: Start
    ended: Ended
    document: Document | None = None
    problem: ResultError | None = None
    has_journal: bool = False

    @property
    def result(self) -> MeasuredResult | None:
        """The result, typed."""
        return None if self.document is None else _READERS[self.start.benchmark](self.document)

    @property
    def is_refused(self) -> bool:
        """Whether the program has refused its options, and measured nothing."""
        return self.ended.exit_code == _REFUSED

    def makes_needless(self, start: Start) -> bool:
        """Whether the run would be the same, as on one node numberings are."""
        return (
            self.result is not None
            and self.result.environment.nodes == 1
            and (start.benchmark, start.processes) == (self.start.benchmark, self.start.processes)
            and start.numbering is not self.start.numbering
        )


Shown = Callable[[Start], AbstractContextManager[Callable[[Progress | None], None]]]
"""Shows a run as long as it lasts: gives what is called with its progress."""


@dataclass(frozen=True)
class Campaign:
    """Runs that are made one after the other, whose results go into a folder."""

    folder: Path
    starts: Iterable[Start]

    def measure(self, shown: Shown) -> Iterator[Left]:
        """Make the runs, until one is stopped or refused. Raises LaunchError."""
        left: Left | None = None
        for start in self.starts:
            if left is not None and left.makes_needless(start):
                continue
            left = made(start, shown)
            yield left
            if left.ended.stopped_by is not None or left.is_refused:
                return


def made(start: Start, shown: Shown) -> Left:
    """Make one run, and read what it leaves. Raises LaunchError."""
    journal, result = start.file(SUFFIX), start.file(".json")
    before = modified(result)
    follower = _FOLLOWERS[start.benchmark](journal)
    watch = StallWatch(journal, start.stall_limit_s, from_start=start.starts_at_once)
    with shown(start) as show:
        ended = run_to_end(
            start.command,
            lambda: show(follower.look()),
            stalled=watch.stalled,
            begun=lambda: watch.begun and not start.shows_errors,
            environment=start.environment,
            pass_on=start.pass_on,
        )
    roll, until = roll_of(journal), time.monotonic() + _END_WITHIN_S
    while ended.killed and is_held(roll) and time.monotonic() < until:
        time.sleep(LOOK_EVERY_S)  # processes write what they have measured
    remove_left(roll)
    document = problem = None
    if ended.exit_code != _REFUSED and modified(result) != before:
        try:
            read = load_document(result)
            _READERS[start.benchmark](read)
            document = read
        except ResultError as found:
            problem = found
    return Left(start, ended, document, problem, watch.begun)


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
        self._before = self._state = self._present_state()
        self._since = clock() if from_start else None

    @property
    def begun(self) -> bool:
        """Whether the file has been written since the watch began."""
        return self._present_state() != self._before

    def stalled(self) -> bool:
        """Look at the file."""
        state = self._present_state()
        if state != self._state:
            self._state = state
            self._since = self._clock()
        begun = state != self._before
        limit_s = self._limit_s if begun else max(self._limit_s, _START_WITHIN_S)
        return self._since is not None and self._clock() - self._since > limit_s

    def _present_state(self) -> tuple[int, int] | None:
        try:
            state = self._path.stat()
        except OSError:
            return None
        return state.st_size, state.st_mtime_ns
