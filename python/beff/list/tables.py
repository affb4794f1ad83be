"""All figures of a list as records: for JSON, comma-separated values and the browser."""

import csv
import io
import json
from collections.abc import Sequence
from itertools import product
from typing import Any

from beff.list.figures import ACCESSES, DEFAULT_WEIGHTS, FIGURES
from beff.list.folder import ListedSystem
from beff.list.pages import marks, texts
from beff.list.ranking import GROUPS, RankedGroup, RankedSystem, standings
from beff.list.standings import LEAST_SHARES, Standing
from beff.result.plain_text import csv_cell
from beff.store.entry import COLUMNS, Entry

Record = dict[str, Any]


def hardware_record(system: ListedSystem) -> Record:
    """Return a system and its hardware; None is unknown."""
    known = system.hardware.model_dump(exclude={"name", "memory"})
    return (
        {"system": system.slug, "name": system.name}
        | known
        | {"memory_bytes": system.hardware.memory}
    )


def result_record(system: ListedSystem, entry: Entry) -> Record:
    """Return a result without its samples."""
    return {"system": system.slug} | entry.model_dump(mode="json", include=set(COLUMNS))


def result_records(systems: Sequence[ListedSystem]) -> list[Record]:
    """Return all results."""
    return [result_record(system, entry) for system in systems for entry in system.entries]


def ranked_record(section: RankedGroup, row: RankedSystem) -> Record:
    """Return a row of the list. `score` is 1 for the best of its group in all that has a weight."""
    place, standing = row.rank, row.standing
    first, hardware = standing.used[0], row.system.hardware
    not_counted = (f"{one.entry.benchmark}: {one.why}" for one in standing.used if one.why)
    return {
        "system": row.system.slug,
        "name": row.system.name,
        "group": section.group.name,
        "rank": place.rank if place else None,
        "rank_best": place.best if place else None,
        "rank_worst": place.worst if place else None,
        "score": place.score if place else None,
        **{name: getattr(hardware, name) for name in ("site", "interconnect", "nodes", "cores")},
        "year": row.year,
        "processes": first.entry.processes,
        "share": first.share,
        "io_processes": standing.io.entry.processes if standing.io else None,
        "io_share": standing.io.share if standing.io else None,
        "not_counted": "; ".join(not_counted) or None,
        "runs": sum(usual.runs for usual in row.system.usual),
        **{figure.field: standing.figure(figure.key) for figure in FIGURES},
        **dict(zip(ACCESSES, standing.io.accesses if standing.io else [None] * 3, strict=True)),
    }


def standings_record(systems: Sequence[ListedSystem]) -> Record:
    """Return what a reader needs who ranks by himself, and the script of the list.

    A system has a row in each group for each choice of its runs, by how much of the machine they
    `used`; what stands in the cells of that row is in `texts`.
    """
    rows: dict[tuple[str, Standing], list[str]] = {}
    for group, used in product(GROUPS, LEAST_SHARES):
        for _, standing in standings(systems, group, used):
            rows.setdefault((group.name, standing), []).append(used)
    return {
        "criteria": [{name: getattr(figure, name) for name in _CRITERION} for figure in FIGURES],
        "default_weights": DEFAULT_WEIGHTS,
        "systems": [
            _standing_record(RankedSystem(systems[standing.id], standing, None, 0))
            | {"group": group, "used": used}
            for (group, standing), used in sorted(rows.items(), key=lambda row: row[0][1].id)
        ],
    }


def _standing_record(row: RankedSystem) -> Record:
    hardware, standing = row.system.hardware, row.standing
    searched = (row.system.name, *(getattr(hardware, name) for name in _SEARCHED))
    return {
        "system": row.system.slug,
        "name": row.system.name,
        "year": row.year,
        "processes": standing.used[0].entry.processes,
        "runs": standing.runs,
        "figures": standing.figures,
        "low": standing.low,
        "high": standing.high,
        "fills": row.fills,
        "marks": marks(standing),
        "texts": {cell: text for cell, text in texts(row).items() if text},
        "searched": "\n".join(word or "" for word in searched).lower(),
    }


_CRITERION = ("key", "field", "benchmark", "label", "unit", "less_is_better", "explanation")
_SEARCHED = ("site", "cpus", "accelerators", "interconnect", "file_system")


def json_text(content: Any) -> str:
    """Return JSON, a line for each entry of a list."""
    if isinstance(content, list):
        return "[\n" + ",\n".join(map(_line, content)) + "\n]\n"
    return _line(content) + "\n"


def _line(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, allow_nan=False)


def csv_text(records: Sequence[Record]) -> str:
    """Return records as comma-separated values with a line of names."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(records[0] if records else [])
    writer.writerows([csv_cell(cell) for cell in record.values()] for record in records)
    return file.getvalue()


def data_script(record: Record) -> str:
    """Return data.js: the standings, where pages from file:// can read them, too."""
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    safe = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f"globalThis.BEFF_LIST={safe};\n"
