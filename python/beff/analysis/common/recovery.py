"""What recovering a result from a journal has in common for all benchmarks."""

from typing import Any

from beff.model.journal import Journal

CUT_OFF = "recovered from the journal of a run that was cut off"
ENDED = "recovered from the journal of a run that ended normally"
DATA_CHECK_LOST = "whether the received data was right was lost with the run"


def recovery_cautions(journal: Journal) -> list[str]:
    """Say where the result comes from and what it cannot know."""
    text = CUT_OFF if journal.end is None else f"{ENDED} ({journal.end})"
    share = f"{len(journal.samples)} of {journal.header.loops} loops were measured"
    return [f"{text}; {share}", DATA_CHECK_LOST]


def cut_off(environment: dict[str, Any], measured_s: float) -> dict[str, Any]:
    """Return the environment of a run of which nobody knows when it ended."""
    wall_s = max(environment["wall_s"], measured_s)
    return {**environment, "finished_at": None, "wall_s": wall_s}


def merged(stored: Any, derived: Any) -> Any:
    """Return a document with its derived part replaced; what is unknown here stays.

    Objects merge by name, lists of objects by position; everything else is replaced.
    """
    if isinstance(stored, dict) and isinstance(derived, dict):
        both = {name: merged(stored.get(name), value) for name, value in derived.items()}
        return {**stored, **both}
    if _are_objects(stored) and _are_objects(derived) and len(stored) == len(derived):
        return [merged(before, now) for before, now in zip(stored, derived, strict=True)]
    return derived


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)
