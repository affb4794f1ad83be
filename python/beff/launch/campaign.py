"""Runs of the measuring programs: what is started, followed and stopped, and what each leaves."""

import math
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from beff.launch.launcher import Numbering
from beff.launch.process import LOOK_EVERY_S, Ended, PassOn, run_to_end
from beff.result.armour import parse_json
from beff.result.contract import MeasuredResult
from beff.result.errors import ResultError
from beff.result.load import Document, load_document
from beff.result.numbers import BYTES_PER_MB, counted, format_duration, percent, rate
from beff.result.places import JOURNAL_SUFFIX, is_file, is_held, modified, remove_left, roll_of


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    `share` of the planned work from 0 to 1, None where the plan is not known; `done` says the same
    in words; `now` is what was measured last.
    """

    share: float | None
    done: str
    now: str


_UNREADABLE = (ValueError, KeyError, TypeError, ZeroDivisionError)
"""Raised by a line that is not understood: what cannot be shown must not end the measurement."""


_START_WITHIN_S = 120.0


class Follower:
    """Reads what was added to the journal of any program, and notices when nothing is.

    It has stalled where it was not written for `limit_s` seconds; a program touches a journal that
    it cannot write any more, on a full disk. The time before the first line counts only with
    `from_start`, since a launcher may wait in a queue, and starting may take two minutes in any
    case.
    """

    def __init__(
        self,
        path: Path,
        limit_s: float = math.inf,
        *,
        from_start: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path, self._limit_s, self._clock = path, limit_s, clock
        self._before = self._state = self._present_state()
        self._since = clock() if from_start else None
        self._offset, self._rest = 0, b""
        self._begun_at = 0.0
        self._header: dict[str, Any] | None = None
        self._lines = Counter[str]()
        self._last: dict[str, bytes] = {}

    @property
    def begun(self) -> bool:
        """Whether the journal has been written since it is followed."""
        return self._present_state() != self._before

    def stalled(self) -> bool:
        """Whether nothing was written for too long."""
        state = self._present_state()
        if state != self._state:
            self._state, self._since = state, self._clock()
        is_early = state == self._before
        limit_s = max(self._limit_s, _START_WITHIN_S) if is_early else self._limit_s
        return self._since is not None and self._clock() - self._since > limit_s

    def _present_state(self) -> tuple[int, int] | None:
        with suppress(OSError):
            state = self._path.stat()
            return state.st_size, state.st_mtime_ns
        return None

    def look(self) -> Progress | None:
        """Return the present progress; None while there is no first line, or a strange one."""
        for line in self._new_lines():
            kind = line[2:20].partition(b'"')[0].decode(errors="replace")
            self._lines[kind] += 1
            self._last[kind] = line
            if self._header is None:
                self._begun_at, self._header = self._clock(), self._entry(kind)
        with suppress(*_UNREADABLE):
            header = self._header or {}
            of = {"b_eff": self._b_eff, "b_eff_io": self._b_eff_io, "b_pairs": self._b_pairs}
            return of[header["benchmark"]](header)
        return None

    def _new_lines(self) -> list[bytes]:
        """Return the whole lines that are new, without ends; none while there is no file."""
        added = b""
        with suppress(OSError, ResultError):
            if is_file(self._path):  # opening a pipe would wait
                with self._path.open("rb") as file:
                    file.seek(self._offset)
                    added = file.read()
        self._offset += len(added)
        *lines, self._rest = (self._rest + added).split(b"\n")
        return lines

    def _entry(self, kind: str) -> dict[str, Any]:
        """Return the last entry of a kind; without fields where there is none to be read."""
        with suppress(*_UNREADABLE):
            return dict(parse_json(self._last[kind].decode()))
        return {}

    def _b_eff(self, header: dict[str, Any]) -> Progress:
        done, loops, now = self._lines["sample"], header["loops"], ""
        with suppress(*_UNREADABLE):
            names = {one["id"]: one["name"] for one in header["result"]["patterns"]}
            now = names[self._entry("sample")["sample"]["pattern"]]
        with suppress(*_UNREADABLE):  # without a value, as with --patterns
            notes = self._entry("notes")["notes"]
            value = rate(float(notes["b_eff_MBps"]))
            now += f"; b_eff so far {value}, repetitions: {notes['repetitions']}"
        return Progress(done / loops, f"{done} of {loops} loops", now)

    def _b_eff_io(self, header: dict[str, Any]) -> Progress:
        elapsed_s, time_s = self._clock() - self._begun_at, header["result"]["schedule"]["time_s"]
        elapsed = f"{percent(elapsed_s / time_s)} of T = {format_duration(time_s)} elapsed"
        done = f"{self._lines['sample']} of {header['loops']} patterns, {elapsed}"
        share, now = 0.0, ""
        with suppress(*_UNREADABLE):
            entry = self._entry("sample")
            now = _io_text(header["result"], entry["sample"])
            share = elapsed_s / (elapsed_s + entry["to_come_s"])
        return Progress(share, done, now)

    def _b_pairs(self, header: dict[str, Any]) -> Progress:
        rounds, crossing = self._lines["round"], self._lines["step"] + self._lines["fill"]
        if crossing:
            return Progress(None, f"{rounds} rounds, {crossing} steps", "the whole network")
        now = "what looks slow, alone" if self._lines["retest"] else "pairs"
        return Progress(None, f"{rounds} rounds, {header['loops']} at least", now)


def _io_text(result: dict[str, Any], sample: dict[str, Any]) -> str:
    """Say what b_eff_io has measured, and how fast it was."""
    types = {one["type"]: one["name"] for one in result["type_names"]}
    names = {one["number"]: types[one["type"]] for one in result["patterns"]}
    number, where = sample["pattern"], counted(sample["processes"], "process")
    name = f"{sample['access']}, {where}, pattern {number} ({names[number]})"
    if sample["status"] != "measured" or not sample["time_s"] > 0:
        return f"{name} {sample['status']}"
    return f"{name} {rate(sample['bytes'] / sample['time_s'] / BYTES_PER_MB)}"


ENDINGS = (".json", ".txt", JOURNAL_SUFFIX)
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
    pass_on: PassOn = subprocess.Popen.send_signal
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
        result = None if self.document is None else self.document.result
        return result if isinstance(result, MeasuredResult) else None

    @property
    def is_refused(self) -> bool:
        """Whether the program has refused its options, and measured nothing."""
        return self.ended.exit_code == _REFUSED

    def makes_needless(self, start: Start) -> bool:
        """Whether the run would be the same, as on one node numberings are."""
        if self.result is None or self.result.environment.nodes > 1:
            return False
        before, after = ((it.benchmark, it.processes) for it in (self.start, start))
        return before == after and start.numbering is not self.start.numbering


Shown = Callable[[Start], AbstractContextManager[Callable[[Progress | None], None]]]
"""Shows a run as long as it lasts: gives what is called with its progress."""


def measure(starts: Iterable[Start], shown: Shown) -> Iterator[Left]:
    """Make the runs one after the other, until one is stopped or refused. Raises LaunchError."""
    left: Left | None = None
    for start in starts:
        if left is None or not left.makes_needless(start):
            left = made(start, shown)
            yield left
            if left.ended.stopped_by is not None or left.is_refused:
                return


def made(start: Start, shown: Shown) -> Left:
    """Make one run, and read what it leaves. Raises LaunchError."""
    journal, result = start.file(JOURNAL_SUFFIX), start.file(".json")
    before = modified(result)
    follower = Follower(journal, start.stall_limit_s, from_start=start.starts_at_once)
    with shown(start) as show:
        ended = run_to_end(
            start.command,
            lambda: show(follower.look()),
            stalled=follower.stalled,
            begun=lambda: follower.begun and not start.shows_errors,
            environment=start.environment,
            pass_on=start.pass_on,
        )
    roll, until = roll_of(journal), time.monotonic() + _END_WITHIN_S
    while ended.killed and is_held(roll) and time.monotonic() < until:
        time.sleep(LOOK_EVERY_S)  # processes write what they have measured
    remove_left(roll)
    left = Left(start, ended, has_journal=follower.begun)
    if left.is_refused or modified(result) == before:
        return left
    try:
        return replace(left, document=load_document(result))
    except ResultError as problem:
        return replace(left, problem=problem)
