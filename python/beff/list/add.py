"""Putting a result in its place, byte for byte, once it verifies and is no copy of another."""

from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from beff.list.folder import (
    HARDWARE,
    RESULTS,
    SYSTEMS,
    Measured,
    System,
    read_measured,
    slug_of,
)
from beff.list.hardware import Hardware, differences, read_hardware
from beff.list.rows import reasoned, sized, used_share
from beff.result.b_eff_result import why_alone
from beff.result.errors import BeffError, ResultError
from beff.result.numbers import counted
from beff.result.places import is_taken
from beff.result.strict_json import packed, read_bytes
from beff.store.entry import Entry
from beff.store.plausibility import copy_factor
from beff.store.reading_files import LARGEST_BYTES

_HALF = 0.5
"""Of its machine, what a run of b_eff uses at least to count where no reader asks else."""


class NotTakenError(ResultError):
    """A result of a definition of its own kind, or with the samples of another of the list."""


@dataclass(frozen=True)
class Added:
    """Where a result was put, whether it counts, and where its system's hardware differs."""

    path: Path
    new: bool
    place: str
    differences: tuple[str, ...]


def add(folder: Path, result: Path, system: str | None, there: list[Measured]) -> Added:
    """Verify a result and put it into a list, and to those that are there. Raises BeffError.

    Without a name the system's follows from the hosts'. What no list takes raises NotTakenError,
    and what does not verify DisagreementError.
    """
    one = read_measured(result)
    entry, name = one.entry, system or one.machine.name or ""
    slug = slug_of(name)
    when = f"{entry.measured_at:%Y-%m-%dT%H%M%SZ}"
    file = f"{entry.benchmark}_{entry.processes}p_{when}_{(entry.sha256 or '')[:8]}.json.gz"
    path = f"{SYSTEMS}/{slug}/{RESULTS}/{file}"
    if entry.benchmark == "b_eff" and (why := why_alone(entry.definition or "3.5")):
        raise NotTakenError(f"{why}, and stands in no list", result)
    for other in there:
        if other.path != path and (factor := copy_factor(one.rates, other.rates)):
            raise NotTakenError(f"is the measurement of {other.path}, times {factor:.6g}", result)
    new = not is_taken(folder / path)
    stated = folder / SYSTEMS / slug / HARDWARE
    try:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if new:
            (folder / path).write_bytes(packed(read_bytes(result, LARGEST_BYTES)))
            there.append(replace(one, path=path))
        if not is_taken(stated):
            known = one.machine.model_copy(update={"name": name}).model_dump(exclude_none=True)
            text = yaml.safe_dump(known, sort_keys=False, allow_unicode=True, width=100)
            stated.write_text(text, "utf-8")
    except OSError as problem:
        raise BeffError(f"{folder / path}: cannot be written ({problem.strerror})") from None
    hardware = read_hardware(stated)
    own = [each for each in there if each.path.startswith(f"{SYSTEMS}/{slug}/")]
    place = _place(entry, sized(System(slug, hardware, tuple(own))))
    return Added(folder / path, new, place, tuple(differences(hardware, one.machine)))


def _place(entry: Entry, system: Hardware) -> str:
    """Say what a result used, and whether it counts."""
    share = used_share(entry.nodes, entry.processes, system)
    part = "an unknown part" if share is None else f"{100 * min(share, 1):.0f} %"
    size = f"{counted(entry.processes or 0, 'process')} on {counted(entry.nodes or 0, 'node')}"
    why = reasoned(entry)
    if not why and entry.benchmark == "b_eff" and share is not None and share < _HALF:
        why = "b_eff counts from half of the machine on"
    counts = f"does not count: {why}" if why else "counts"
    return f"used {size}, {part} of the machine; {counts}"
