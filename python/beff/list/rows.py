"""The data of a list: rows as `beff show --json` prints them, with what the list adds."""

from collections.abc import Mapping
from typing import Any

from beff.definition.b_eff_plan import MEMORY_PER_LMAX
from beff.definition.balance import balance_of
from beff.importers.published import published_io_results, published_results
from beff.list.folder import FIGURES, Measured, ResultList, System
from beff.list.hardware import Hardware
from beff.result.b_eff_result import why_alone
from beff.result.numbers import BYTES_PER_MB, counted, duration, format_size, unit_of
from beff.store.entry import Entry
from beff.verify.common.summary_figures import WEIGHED

Row = dict[str, Any]
WHOLE = 0.95
"""The share from which on a run used the whole system: some nodes are always out of order."""
_STATUS = {"invalid": "not valid", "partial": "not complete"}


def why_not(entry: Entry) -> str:
    """Say in few words why a result alone counts in no ranking; nothing where it may."""
    if entry.simulated:
        return "simulated"
    if entry.buffers:
        return f"buffers on {entry.buffers}"
    if entry.benchmark == "b_eff" and why_alone(entry.definition or "3.5"):
        return f"definition {entry.definition}"
    if entry.random_order:
        return f"random rings of release {entry.random_order}"
    return _STATUS.get(entry.status, "")


def reasoned(entry: Entry) -> str:
    """Say the same with what the result misses."""
    why = why_not(entry)
    return f"{why} ({entry.not_met})" if why and entry.not_met else why


def used_share(nodes: int | None, processes: int | None, system: Hardware) -> float | None:
    """Return how much of its system a run used: of the nodes, or of the cores of a single one.

    None where the size of the system is unknown. More processes than cores are more than 1.
    """
    if nodes and (system.nodes or 0) > 1:
        return nodes / (system.nodes or 1)
    return (processes or 0) / system.cores if system.cores else None


def sized(system: System) -> Hardware:
    """Return the hardware with the size of the largest run where nobody stated it."""
    known = {
        name: max((getattr(one.machine, name) or 0 for one in system.results), default=0) or None
        for name in ("nodes", "cores")
        if getattr(system.hardware, name) is None
    }
    return system.hardware.model_copy(update=known)


def data_of(listed: ResultList) -> Row:
    """Return all that the page shows and ranks, and a reader needs who ranks by himself."""
    copies = listed.copies()
    systems = [
        {
            "name": system.hardware.name,
            "historic": False,
            "hardware": _hardware(system.hardware),
            "results": [_row(one, sized(system), copies) for one in system.results],
            "refused": [
                f"{one.path}: {one.sentence}"
                for one in listed.refused
                if one.path.split("/")[1:2] == [system.slug]
            ],
        }
        for system in listed.systems
    ]
    settings = listed.settings
    return {
        "title": settings.title,
        "repository": settings.repository,
        "presets": settings.presets,
        "figures": FIGURES,
        "systems": systems + (published_systems() if settings.published else []),
    }


def _hardware(machine: Hardware) -> Row:
    memory = format_size(machine.memory) if machine.memory else None
    return machine.model_dump(exclude={"name"}) | {"memory": memory}


def _row(one: Measured, system: Hardware, copies: dict[str, tuple[str, float]]) -> Row:
    """Return a result of today. Of copies that whose path comes first counts."""
    entry, figures = one.entry, list(one.summary["figures"])
    share = used_share(entry.nodes, entry.processes, system)
    other, _ = copies.get(one.path, ("", 1.0))
    names = {figure["name"] for figure in figures}
    if "balance_bytes_per_flop" not in names and (share or 0.0) >= WHOLE:
        balance = balance_of(entry.b_eff_MBps, system.rmax_gflops)
        figures += _figures({"balance_bytes_per_flop": balance})
    return one.summary | {
        "file": one.site_path,
        "sha256": entry.sha256,
        "measured_at": entry.measured_at and f"{entry.measured_at:%Y-%m-%dT%H:%M:%SZ}",
        "processes": entry.processes,
        "nodes": entry.nodes,
        "share": share,
        "procedure": entry.procedure,
        "schedule": _schedule(entry),
        "mpi": entry.mpi,
        "why": why_not(entry) or (f"copy of {other}" if other and other < one.path else ""),
        "figures": figures,
    }


def _schedule(entry: Entry) -> str | None:
    """Say of how many sizes a run of b_eff_io is, and in what time."""
    if not entry.io_time_s or not entry.io_partition_time_s:
        return None
    sizes = round(entry.io_time_s / entry.io_partition_time_s)
    return f"{counted(sizes, 'size')} in {duration(entry.io_time_s)}"


def _figures(values: Mapping[str, float | None]) -> list[Row]:
    return [
        {
            "name": name,
            "label": _LABELS.get(name, name.removesuffix("_MBps")),
            "value": value,
            "unit": unit_of(name.partition(".")[0]),
        }
        for name, value in values.items()
        if value is not None
    ]


_LABELS = {figure.name: figure.label for figure in WEIGHED}
_LABELS["balance_bytes_per_flop"] = "b_eff / R_max"
_B_EFF = {"b_eff_MBps", "b_eff_per_process_MBps", "at_lmax_MBps", "pingpong_MBps"}
_B_EFF_IO = {"write_MBps", "rewrite_MBps", "read_MBps"}
_SAME_MACHINE = {"Cray T3E": "Cray T3E/900-512"}
"""b_eff_io was measured on the machine that the caption of Figure 3 names T3E900-512."""
_YEAR = 2001
"""Of Table 1; the papers do not say when exactly was measured."""


def published_systems() -> list[Row]:
    """Return the systems of the papers and their figures, which nobody can recompute."""
    table, files = published_results(), published_io_results()
    found: dict[str, list[Row]] = {}
    for row in table.rows:
        memory = row.processes * row.lmax_bytes * MEMORY_PER_LMAX
        exchange = {"total_memory_exchange_s": memory / (row.b_eff_MBps * BYTES_PER_MB)}
        found.setdefault(row.system, []).append(
            {
                "benchmark": "b_eff",
                "definition": None,
                "processes": row.processes,
                "nodes": None,
                "measured_at": str(_YEAR),
                "source": table.source if row.note is None else f"{table.source}; {row.note}",
                "figures": _figures(row.model_dump(include=_B_EFF) | exchange),
            }
        )
    for one in files.rows:
        value = {"b_eff_io_MBps": one.b_eff_io_MBps, f"values.{one.release}": one.b_eff_io_MBps}
        found.setdefault(_SAME_MACHINE.get(one.system, one.system), []).append(
            {
                "benchmark": "b_eff_io",
                "definition": one.release,
                "processes": None if one.unit == "nodes" else one.count,
                "nodes": one.count if one.unit == "nodes" else None,
                "measured_at": str(files.sources[one.source].year),
                "source": files.sources[one.source].text,
                "figures": _figures(value | one.model_dump(include=_B_EFF_IO)),
            }
        )
    return [_printed_system(name, rows) for name, rows in found.items()]


def _printed_system(name: str, rows: list[Row]) -> Row:
    machine = Hardware.model_validate(published_results().machines.get(name, {}))
    for row in rows:
        share = used_share(row["nodes"], row["processes"], machine)
        row |= {"share": share, "valid": None, "reasons": [], "why": ""}
    hardware = _hardware(machine)
    return {"name": name, "historic": True, "hardware": hardware, "results": rows, "refused": []}
