"""How far a run is, read from its journal."""

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beff.result.errors import ResultError
from beff.result.journal import JournalHeader, parse_header
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


_UNREADABLE = (ValueError, KeyError, TypeError)
"""Raised by a line that is not understood: what cannot be shown must not end the measurement."""


class Follower(ABC):
    """Reads what was added to a journal since the last look; each program has one of its own."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._offset = 0
        self._rest = b""
        self._begun_at: float | None = None
        self._loops = 0
        self._names: dict[int, str] = {}
        self._counts: Counter[bytes] = Counter()
        self._last: dict[bytes, bytes] = {}

    def look(self) -> Progress | None:
        """Return the present progress; None before the journal has its first line."""
        lines = self._new_lines()
        if self._begun_at is None and lines:
            self._begun_at = self._clock()
            with suppress(*_UNREADABLE):
                self._begin(parse_header(lines.pop(0).decode()))
        for line in lines:
            kind = line[2:20].partition(b'"')[0]
            self._counts[kind] += 1
            self._last[kind] = line
        return None if self._begun_at is None else self._progress(self._clock() - self._begun_at)

    def _new_lines(self) -> list[bytes]:
        """Return the whole lines that are new, without ends; none while there is no file."""
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

    def _begin(self, header: JournalHeader) -> None:
        """Take what the first line says; without it, the run goes on without a share."""
        self._loops = header.loops

    def _entry(self, kind: bytes) -> Any:
        """Return the last entry of a kind. Raises one of _UNREADABLE."""
        return parse_json(self._last[kind].decode())

    @abstractmethod
    def _progress(self, elapsed_s: float) -> Progress | None:
        """Say how far the run is so long after its first line was seen."""


class BEffFollower(Follower):
    """Follows b_eff."""

    def _begin(self, header: JournalHeader) -> None:
        patterns = header.result.get("patterns", [])
        self._names = {pattern["id"]: pattern["name"] for pattern in patterns}
        super()._begin(header)

    def _progress(self, elapsed_s: float) -> Progress:
        pattern = so_far = ""
        with suppress(*_UNREADABLE):
            pattern = self._names.get(self._entry(b"sample")["sample"]["pattern"], "")
        with suppress(*_UNREADABLE):  # without a value, as with --patterns
            notes = self._entry(b"notes")["notes"]
            value = rate(float(notes["b_eff_MBps"]))
            so_far = f"; b_eff so far {value}, repetitions: {notes['repetitions']}"
        done = self._counts[b"sample"]
        share = done / self._loops if self._loops else None
        return Progress(share, f"{done} of {self._loops} loops", pattern + so_far)


class IoFollower(Follower):
    """Follows b_eff_io; the names are those of types, by pattern."""

    _time_s = 0.0

    def _begin(self, header: JournalHeader) -> None:
        result = header.result
        self._time_s = float(result["schedule"]["time_s"])
        types = {entry["type"]: entry["name"] for entry in result["type_names"]}
        self._names = {pattern["number"]: types[pattern["type"]] for pattern in result["patterns"]}
        super()._begin(header)

    def _progress(self, elapsed_s: float) -> Progress:
        samples = self._counts[b"sample"]
        if not self._loops:
            return Progress(None, f"patterns: {samples}", "")
        done = f"{samples} of {self._loops} patterns"
        if self._time_s:
            so_far = percent(elapsed_s / self._time_s)
            done += f", {so_far} of T = {format_duration(self._time_s)} elapsed"
        share, now = 0.0, ""
        with suppress(*_UNREADABLE, ZeroDivisionError):
            entry = self._entry(b"sample")
            now = self._describe(entry["sample"])
            share = elapsed_s / (elapsed_s + float(entry["to_come_s"]))
        return Progress(share, done, now)

    def _describe(self, sample: dict[str, Any]) -> str:
        """Say what was measured, and how fast it was."""
        number, where = sample["pattern"], counted(sample["processes"], "process")
        name = f"{sample['access']}, {where}, pattern {number} ({self._names[number]})"
        if sample["status"] != "measured" or not sample["time_s"] > 0:
            return f"{name} {sample['status']}"
        return f"{name} {rate(sample['bytes'] / sample['time_s'] / BYTES_PER_MB)}"


class BPairsFollower(Follower):
    """Follows b_pairs."""

    def _progress(self, elapsed_s: float) -> Progress | None:
        rounds, crossing = self._counts[b"round"], self._counts[b"step"] + self._counts[b"fill"]
        if not self._loops:
            return None
        if crossing:
            return Progress(None, f"{rounds} rounds, {crossing} steps", "the whole network")
        now = "what looks slow, alone" if self._counts[b"retest"] else "pairs"
        return Progress(None, f"{rounds} rounds, {self._loops} at least", now)
