"""Following a run of b_eff by its journal, cheaply: the measured processes own the cores."""

from pathlib import Path

from beff.launch.progress import Look, Progress
from beff.launch.tail import Tail
from beff.model.journal import parse_header
from beff.model.numbers import rate
from beff.model.strict_json import parse_json


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
