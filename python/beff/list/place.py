"""What a result will be in a list, in a sentence for whoever adds it."""

from beff.list.folder import ListedSystem
from beff.list.listing import GROUPS
from beff.list.reasons import why_not
from beff.list.standings import Usual, standing_of
from beff.list.words import reasoned_status, share
from beff.model.numbers import counted
from beff.store.entry import Entry
from beff.store.system_figures import used_share


def place_of(system: ListedSystem, entry: Entry) -> str:
    """Say what a result of a system used, and where it counts or why it does not."""
    part = used_share(entry, system.sized)
    known = "of a machine of unknown size" if part is None else f"{share(part)} of the machine"
    return f"used {_size(entry)}, {known}; {_shown(system, entry)}"


def _shown(system: ListedSystem, entry: Entry) -> str:
    alike = (one for one in system.usual if not one.why and _is_alike(one.entry, entry))
    usual = next(alike, None)
    if why_not(entry) or usual is None:
        return f"is shown as {reasoned_status(entry)}"
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
