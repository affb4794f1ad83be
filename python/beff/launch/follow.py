"""How far a run is, read from its journal."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beff.result.errors import ResultError
from beff.result.journal import parse_header
from beff.result.numbers import BYTES_PER_MB, counted, format_duration, percent, rate
from beff.result.places import is_file
from beff.result.strict_json import parse_json


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    `share` of the planned work from 0 to 1, None where the plan is not known; `done` says the same
    in words; `now` is what was measured last.
    """

    share: float | None
    done: str
    now: str


Look = Callable[[], Progress | None]
"""The present progress; None while nothing is known yet."""

FollowerOf = Callable[[Path], Look]
"""Makes a look at a run of the path of its journal."""


class Tail:
    """Hands out the whole lines that were added since the last look."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0
        self._rest = b""

    def new_lines(self) -> list[bytes]:
        """Return the new lines without their ends; none while the file does not exist."""
        try:
            if not is_file(self._path):  # opening a pipe would wait
                return []
            with self._path.open("rb") as file:
                file.seek(self._offset)
                added = file.read()
        except (OSError, ResultError):
            return []
        self._offset += len(added)
        *lines, self._rest = (self._rest + added).split(b"\n")
        return lines


class Follower:
    """Reads what was added to a journal since the last look."""

    def __init__(self, path: Path) -> None:
        self._tail = Tail(path)
        self._header = b""
        self._done = 0
        self._total = 0
        self._names: dict[int, str] = {}
        self._pattern = ""
        self._so_far = ""

    def look(self) -> Progress | None:
        """Return the present progress; None before the journal has its first line."""
        lines = self._tail.new_lines()
        if not self._header and lines:
            self._read_header(lines.pop(0))
        if lines:
            self._done += sum(line.startswith(b'{"sample"') for line in lines)
            self._pattern = self._pattern_of(lines[-1])
            for line in lines:
                if line.startswith(b'{"notes"'):
                    self._read_value(line)
        if not self._header:
            return None
        share = self._done / self._total if self._total else None
        done = f"{self._done} of {self._total} loops"
        return Progress(share, done, self._pattern + self._so_far)

    def _read_header(self, line: bytes) -> None:
        self._header = line
        try:
            header = parse_header(line.decode())
            self._total = header.loops
            patterns = header.result.get("patterns", [])
            self._names = {pattern["id"]: pattern["name"] for pattern in patterns}
        except (ValueError, KeyError, TypeError):
            self._total = 0  # the display then shows loops without a share; the run goes on

    def _read_value(self, line: bytes) -> None:
        try:
            notes = parse_json(line.decode())["notes"]
            value = rate(float(notes["b_eff_MBps"]))
            self._so_far = f"; b_eff so far {value}, repetitions: {notes['repetitions']}"
        except (ValueError, KeyError, TypeError):
            return  # without a value, as with --patterns

    def _pattern_of(self, line: bytes) -> str:
        try:
            entry = parse_json(line.decode())
            return self._names.get(entry["sample"]["pattern"], "")
        except (ValueError, KeyError, TypeError):
            return self._pattern


def follow_b_eff(journal: Path) -> Look:
    """Return a look at the run that writes this journal."""
    return Follower(journal).look


class _Plan:
    """What the first line of the journal says of the schedule."""

    def __init__(self, samples: int, result: dict[str, Any]) -> None:
        schedule = result["schedule"]
        self.samples = samples
        self.time_s = float(schedule["time_s"])
        names = {entry["type"]: entry["name"] for entry in result["type_names"]}
        self._types = {pattern["number"]: names[pattern["type"]] for pattern in result["patterns"]}

    def describe(self, sample: dict[str, Any]) -> str:
        """Say what was measured, and how fast it was."""
        number, processes = sample["pattern"], sample["processes"]
        where = counted(processes, "process")
        name = f"{sample['access']}, {where}, pattern {number} ({self._types[number]})"
        if sample["status"] != "measured" or not sample["time_s"] > 0:
            return f"{name} {sample['status']}"
        return f"{name} {rate(sample['bytes'] / sample['time_s'] / BYTES_PER_MB)}"


class IoFollower:
    """Reads what was added to a journal since the last look."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._tail = Tail(path)
        self._clock = clock
        self._plan: _Plan | None = None
        self._started = 0.0
        self._begun = False
        self._samples = 0
        self._to_come_s: float | None = None
        self._now = ""

    def look(self) -> Progress | None:
        """Return the present progress; None before the journal has its first line."""
        lines = self._tail.new_lines()
        if not self._begun and lines:
            self._begun = True
            self._started = self._clock()
            self._plan = _plan_of(lines.pop(0))
        for line in lines:
            if line.startswith(b'{"sample"'):
                self._count(line)
        return self._progress() if self._begun else None

    def _count(self, line: bytes) -> None:
        self._samples += 1
        if self._plan is None:
            return
        try:
            entry = parse_json(line.decode())
            self._to_come_s = float(entry["to_come_s"])
            self._now = self._plan.describe(entry["sample"])
        except (ValueError, KeyError, TypeError):
            return  # a line that cannot be shown must not end the measurement

    def _progress(self) -> Progress:
        plan = self._plan
        if plan is None:
            return Progress(None, f"patterns: {self._samples}", self._now)
        elapsed = self._clock() - self._started
        done = f"{self._samples} of {plan.samples} patterns"
        if plan.time_s:
            so_far = percent(elapsed / plan.time_s)
            done += f", {so_far} of T = {format_duration(plan.time_s)} elapsed"
        if self._to_come_s is None:
            return Progress(0.0, done, self._now)
        share = elapsed / (elapsed + self._to_come_s) if elapsed > 0 else 0.0
        return Progress(share, done, self._now)


def _plan_of(line: bytes) -> _Plan | None:
    """Read the first line; None where it is not understood: the run goes on without a share."""
    try:
        header = parse_header(line.decode())
        return _Plan(header.loops, header.result)
    except (ValueError, KeyError, TypeError):
        return None


def follow_b_eff_io(journal: Path) -> Look:
    """Return a look at the run that writes this journal."""
    return IoFollower(journal).look


def follow_b_pairs(journal: Path) -> Look:
    """Return a look at the run that writes this journal."""
    tail = Tail(journal)
    fewest, rounds, retests, crossing = 0, 0, 0, 0

    def look() -> Progress | None:
        nonlocal fewest, rounds, retests, crossing
        lines = tail.new_lines()
        if not fewest and lines:
            try:
                fewest = parse_header(lines[0].decode()).loops
            except ValueError:
                return None
        rounds += sum(line.startswith(b'{"round"') for line in lines)
        retests += sum(line.startswith(b'{"retest"') for line in lines)
        crossing += sum(line.startswith((b'{"step"', b'{"fill"')) for line in lines)
        if not fewest:
            return None
        if crossing:
            return Progress(None, f"{rounds} rounds, {crossing} steps", "the whole network")
        now = "what looks slow, alone" if retests else "pairs"
        return Progress(None, f"{rounds} rounds, {fewest} at least", now)

    return look
