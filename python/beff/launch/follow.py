"""Following a run of b_eff by its journal, cheaply: the measured processes own the cores."""

from dataclasses import dataclass
from pathlib import Path

from beff.launch.progress import Look, Progress
from beff.launch.tail import Tail
from beff.model.journal import parse_header
from beff.model.strict_json import parse_json


@dataclass(frozen=True)
class State:
    """How far a run is: loops measured of those planned, and the pattern of the last loop."""

    done: int
    total: int
    pattern: str

    def progress(self) -> Progress:
        """Return what the display shows of it."""
        share = self.done / self.total if self.total else None
        return Progress(share, f"{self.done} of {self.total} loops", self.pattern)


class Follower:
    """Reads what was added to a journal since the last look."""

    def __init__(self, path: Path) -> None:
        self._tail = Tail(path)
        self._header = b""
        self._done = 0
        self._total = 0
        self._names: dict[int, str] = {}
        self._pattern = ""

    def look(self) -> State | None:
        """Return the present state; None before the journal has its first line."""
        lines = self._tail.new_lines()
        if not self._header and lines:
            self._read_header(lines.pop(0))
        if lines:
            self._done += sum(line.startswith(b'{"sample"') for line in lines)
            self._pattern = self._pattern_of(lines[-1])
        return State(self._done, self._total, self._pattern) if self._header else None

    def _read_header(self, line: bytes) -> None:
        self._header = line
        try:
            header = parse_header(line.decode())
            self._total = header.loops
            patterns = header.result.get("patterns", [])
            self._names = {pattern["id"]: pattern["name"] for pattern in patterns}
        except (ValueError, KeyError, TypeError):
            self._total = 0  # the display then shows loops without a share; the run goes on

    def _pattern_of(self, line: bytes) -> str:
        try:
            entry = parse_json(line.decode())
            return self._names.get(entry["sample"]["pattern"], "")
        except (ValueError, KeyError, TypeError):
            return self._pattern


def follow_b_eff(journal: Path) -> Look:
    """Return a look at the run that writes this journal."""
    follower = Follower(journal)

    def look() -> Progress | None:
        state = follower.look()
        return None if state is None else state.progress()

    return look
