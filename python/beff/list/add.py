"""Putting a result in its place, byte for byte, once it verifies, and saying what it is there."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beff.list.figures import used_share
from beff.list.folder import (
    HARDWARE,
    RESULTS,
    SYSTEMS,
    ListedSystem,
    read_system,
    require_list,
    slug_of,
)
from beff.list.init import hardware_text
from beff.list.pages import reasoned_status, share
from beff.list.ranking import GROUPS
from beff.list.standings import Usual, standing_of, why_not
from beff.result.b_eff_result import why_alone
from beff.result.errors import BeffError, RefusedError
from beff.result.numbers import counted, format_size
from beff.result.places import is_taken
from beff.result.strict_json import packed, read_bytes
from beff.store.entry import Entry
from beff.store.hardware import Hardware, read_hardware
from beff.store.reading_files import LARGEST_BYTES, read_entry


def place_of(system: ListedSystem, entry: Entry) -> str:
    """Say what a result of a system used, and where it counts or why it does not."""
    part = used_share(entry, system.sized)
    known = "of a machine of unknown size" if part is None else f"{share(part)} of the machine"
    return f"used {_size(entry)}, {known}; {_where_shown(system, entry)}"


def _where_shown(system: ListedSystem, entry: Entry) -> str:
    alike = (one for one in system.usual if not one.why and _is_alike(one.entry, entry))
    usual = next(alike, None)
    if why_not(entry, system.io_release) or usual is None:
        return f"is shown as {reasoned_status(entry, system.io_release)}"
    group = usual.group or GROUPS[0].name
    standing = standing_of(0, system.sized, system.usual, group)
    shown = None
    if standing is not None:
        shown = standing.b_eff if entry.benchmark == "b_eff" else standing.io
    if shown is not None and shown.why:
        return f"is shown as {shown.why}, so not ranked; b_eff counts from half of the machine on"
    where = f"b_eff_io, procedure {group}" if entry.benchmark == "b_eff_io" else "b_eff"
    return f"counts in the ranking of {where}{_beside(usual, shown)}"


def _is_alike(one: Entry, other: Entry) -> bool:
    names = ("benchmark", "procedure", "processes", "nodes")
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _beside(usual: Usual, shown: Usual | None) -> str:
    """Say which run stands in the list, of those alike and of other sizes."""
    if usual.runs == 1:
        runs = ", as 1 run, by which nobody knows how sure a rank is"
    else:
        runs = f", as one of {usual.runs} runs of its size: of the newest the middle one is shown"
    if shown is None or _is_alike(shown.entry, usual.entry):
        return runs
    return f"{runs}; the run with {_size(shown.entry)} is higher, and shown instead"


def _size(entry: Entry) -> str:
    return f"{counted(entry.processes or 0, 'process')} on {counted(entry.nodes or 0, 'node')}"


_COMPARED = ("nodes", "cores", "memory", "rmax_gflops")


@dataclass(frozen=True)
class Added:
    """Where a result was put, what it is there, and where its system's hardware differs from it."""

    path: Path
    new: bool
    place: str
    differences: tuple[str, ...]


def add(folder: Path, result: Path, system: str | None = None) -> Added:
    """Verify a result and put it into a list. Raises BeffError.

    Without a name the system's follows from the hosts'.
    """
    require_list(folder)
    entry = read_entry(result, recompute=True)
    if entry.benchmark == "b_eff" and (why := why_alone(entry.definition or "3.5")):
        raise RefusedError(f"{why}; a list takes runs without --quick", result)
    measured = entry.machine
    if measured is None:
        raise RefusedError("does not name its machine", result)
    name = system or measured.name or ""
    slug = slug_of(name)
    place = folder / SYSTEMS / slug
    when = f"{entry.measured_at:%Y-%m-%dT%H%M%SZ}" if entry.measured_at else "undated"
    file = f"{entry.benchmark}_{entry.processes}p_{when}_{(entry.sha256 or '')[:8]}.json.gz"
    path = place / RESULTS / file
    content = read_bytes(result, LARGEST_BYTES)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = not is_taken(path)
        if new:
            path.write_bytes(packed(content))
        if not is_taken(place / HARDWARE):
            named = measured.model_copy(update={"name": name})
            (place / HARDWARE).write_text(hardware_text(named), "utf-8")
    except OSError as problem:
        raise BeffError(f"{path}: cannot be written ({problem.strerror})") from None
    hardware = read_hardware(place / HARDWARE)
    found = differences(hardware, measured)
    if measured.cpus and hardware.cpus != measured.cpus:
        found.append(
            f"cpus: {hardware.cpus or 'not given'} in {HARDWARE}, {measured.cpus} in the result"
        )
    return Added(path, new, place_of(read_system(folder, slug), entry), tuple(found))


def differences(hardware: Hardware, measured: Hardware) -> list[str]:
    """Return what a result says beyond its system.yaml, which is of the whole system."""
    found = []
    for name in _COMPARED:
        own, run = getattr(hardware, name), getattr(measured, name)
        if run is not None and (own is None or run > own):
            found.append(
                f"{name}: {_shown(name, own)} in {HARDWARE}, {_shown(name, run)} in the result"
            )
    return found


def _shown(name: str, value: Any) -> str:
    if value is None:
        return "not given"
    return format_size(value) if name == "memory" else str(value)
