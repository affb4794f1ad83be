"""The site of a list: one page, its data, and the results as measured.

The data are rows as `beff show --json` prints them, with what the list adds.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from beff.definition.common import balance_of
from beff.definition.subject import WEIGHED
from beff.imports.published import published_results
from beff.list.folder import FIGURES, RESULTS, Measured, Objection, ResultList, System, read_list
from beff.list.hardware import Hardware
from beff.result.errors import BeffError, TargetError
from beff.result.numbers import format_size, unit_of
from beff.result.places import is_file, is_folder
from beff.show.formats import write_rows

Row = dict[str, Any]
WHOLE = 0.95
"""The share from which on a run used the whole system: some nodes are always out of order."""


def why_not(row: Row) -> str:
    """Say why a result alone counts in no ranking, with what it misses; nothing where it may."""
    why: str = row["why"]
    return f"{why} ({'; '.join(row['reasons'])})" if why and row["reasons"] else why


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
    copies, systems = listed.copies(), list[Row]()
    for system in listed.systems:
        refused = (one for one in listed.refused if one.path.split("/")[1:2] == [system.slug])
        row: Row = {"name": system.hardware.name, "historic": False}
        row |= {"hardware": _hardware(system.hardware)}
        row["results"] = [_row(result, sized(system), copies) for result in system.results]
        systems.append(row | {"refused": [f"{one.path}: {one.sentence}" for one in refused]})
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


def _row(result: Measured, system: Hardware, copies: dict[str, tuple[str, float]]) -> Row:
    """Return a result of today. Of copies that whose path comes first counts."""
    row, figures = result.row, {figure["name"]: figure["value"] for figure in result.row["figures"]}
    share = used_share(row["nodes"], row["processes"], system)
    other, _ = copies.get(result.path, ("", 1.0))
    more = []
    if "balance_bytes_per_flop" not in figures and (share or 0.0) >= WHOLE:
        balance = balance_of(figures.get("b_eff_MBps"), system.rmax_gflops)
        more = _figures({"balance_bytes_per_flop": balance})
    why = row["why"] or (f"copy of {other}" if other and other < result.path else "")
    row = row | {"file": result.site_path, "share": share, "why": why}
    return row | {"figures": [*row["figures"], *more]}


def _figures(values: Mapping[str, float | None]) -> list[Row]:
    rows: list[Row] = []
    for name, value in ((name, value) for name, value in values.items() if value is not None):
        row: Row = {"name": name, "label": _LABELS.get(name, name.removesuffix("_MBps"))}
        rows.append(row | {"value": float(value), "unit": unit_of(name.partition(".")[0])})
    return rows


_LABELS = {figure.name: figure.label for figure in WEIGHED}
_LABELS["balance_bytes_per_flop"] = "b_eff / R_max"
_B_EFF = (
    "b_eff_MBps",
    "b_eff_per_process_MBps",
    "at_lmax_MBps",
    "pingpong_MBps",
    "total_memory_exchange_s",
)
_B_EFF_IO = ("write_MBps", "rewrite_MBps", "read_MBps")
_SAME_MACHINE = {"Cray T3E": "Cray T3E/900-512"}
"""b_eff_io was measured on the machine that the caption of Figure 3 names T3E900-512."""
_YEAR = 2001
"""Of Table 1; the papers do not say when exactly was measured."""


def published_systems() -> list[Row]:
    """Return the systems of the papers and their figures, which nobody can recompute."""
    table, files = published_results(), published_results().b_eff_io
    by_system: dict[str, list[Row]] = {}

    def put(system: str, facts: Row, figures: Mapping[str, float | None]) -> None:
        by_system.setdefault(system, []).append(facts | {"figures": _figures(figures)})

    for row in table.rows:
        facts: Row = {"benchmark": "b_eff", "definition": None, "measured_at": str(_YEAR)}
        facts |= {"processes": row.processes, "nodes": None}
        facts["source"] = table.source if row.note is None else f"{table.source}; {row.note}"
        put(row.system, facts, {name: getattr(row, name) for name in _B_EFF})
    for row in files.rows:
        source, of_nodes = files.sources[row.source], row.unit == "nodes"
        facts = {"benchmark": "b_eff_io", "definition": row.release, "source": source.text}
        facts |= {"processes": None if of_nodes else row.count, "measured_at": str(source.year)}
        facts["nodes"] = row.count if of_nodes else None
        figures = {"b_eff_io_MBps": row.b_eff_io_MBps, f"values.{row.release}": row.b_eff_io_MBps}
        figures |= {name: getattr(row, name) for name in _B_EFF_IO}
        put(_SAME_MACHINE.get(row.system, row.system), facts, figures)
    systems: list[Row] = []
    for name, rows in by_system.items():
        machine = Hardware.model_validate(table.machines.get(name, {}))
        for row in rows:
            share = used_share(row["nodes"], row["processes"], machine)
            row |= {"share": share, "valid": None, "reasons": [], "why": ""}
        system: Row = {"name": name, "historic": True, "hardware": _hardware(machine)}
        systems.append({**system, "results": rows, "refused": []})
    return systems


_STATIC = Path(__file__).parent / "static"
_MARK = "# A site of beff list build, made anew by the next\n*\n"
"""The .gitignore of a site, which marks a folder of ours and keeps git out of it."""


def build(folder: Path, output_dir: Path) -> list[Objection]:
    """Write the site of a list into a folder of its own, and return what is not in it.

    Raises BeffError.
    """
    listed = read_list(folder)
    data = data_of(listed)
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    scripts = [(_STATIC / name).read_text("utf-8") for name in ("ranking.js", "list.js")]
    files = {
        "data.json": text,
        "data.js": f"globalThis.BEFF_LIST = {text};\n",
        "list.js": "\n".join(scripts),
        **{name: (_STATIC / name).read_text("utf-8") for name in ("index.html", "list.css")},
    }
    try:
        _clear(output_dir)
        for name, content in files.items():
            (output_dir / name).write_text(content, "utf-8")
        write_rows([*_csv_rows(data["systems"])], output_dir / "results.csv")
        for one in (one for system in listed.systems for one in system.results):
            (output_dir / one.site_path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / one.path, output_dir / one.site_path)
    except OSError as problem:
        raise BeffError(f"{output_dir}: cannot be written ({problem.strerror})") from None
    return list(listed.refused)


def _clear(folder: Path) -> None:
    """Make the folder of a site, without the results of the last one. Raises TargetError."""
    mark = folder / ".gitignore"
    if not is_folder(folder):
        folder.mkdir(parents=True)
    if any(folder.iterdir()) and not (is_file(mark) and mark.read_text("utf-8") == _MARK):
        raise TargetError(f"{folder}: holds other files; build into a folder of its own")
    mark.write_text(_MARK, "utf-8")
    shutil.rmtree(folder / RESULTS, ignore_errors=True)


_COLUMNS = ("benchmark", "definition", "procedure", "measured_at", "processes", "nodes", "share")


def _csv_rows(systems: list[Row]) -> Iterator[Row]:
    """Yield a line for each result, of all figures that can have a weight."""
    for system in systems:
        for row in system["results"]:
            values = system["hardware"] | {one["name"]: one["value"] for one in row["figures"]}
            facts = {name: row.get(name) for name in (*_COLUMNS, "valid", "why")}
            figures = {figure["name"]: values.get(figure["name"]) for figure in FIGURES}
            yield {"system": system["name"], **facts, **figures}
