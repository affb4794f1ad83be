"""Following a run of b_pairs by its journal."""

from pathlib import Path

from beff.launch.follow import Look, Progress, Tail
from beff.model.journal import parse_header


def follow_b_pairs(journal: Path) -> Look:
    """Return a look at the run that writes this journal."""
    tail = Tail(journal)
    fewest, rounds, retests = 0, 0, 0

    def look() -> Progress | None:
        nonlocal fewest, rounds, retests
        lines = tail.new_lines()
        if not fewest and lines:
            try:
                fewest = parse_header(lines[0].decode()).loops
            except ValueError:
                return None
        rounds += sum(line.startswith(b'{"round"') for line in lines)
        retests += sum(line.startswith(b'{"retest"') for line in lines)
        if not fewest:
            return None
        now = "what looks slow, alone" if retests else "pairs"
        return Progress(None, f"{rounds} rounds, {fewest} at least", now)

    return look
