"""All figures of a list as records: for JSON, comma-separated values and the browser."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from beff.list.figures import DEFAULT_WEIGHTS, FIGURES, values_of
from beff.list.folder import ListedSystem
from beff.list.pages import marks
from beff.list.ranking import RankedGroup, RankedSystem
from beff.list.standings import Figures, Standing, Usual
from beff.model.plain_text import csv_cell
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
    first = standing.used[0]
    hardware = row.system.hardware
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
        "not_counted": _not_counted(standing),
        "runs": sum(usual.runs for usual in row.system.usual),
        **{figure.field: standing.figure(figure.key) for figure in FIGURES},
        **dict(zip(_ACCESSES, standing.io.accesses if standing.io else [None] * 3, strict=True)),
    }


def _not_counted(standing: Standing) -> str | None:
    """Say which runs do not count, and why."""
    return (
        "; ".join(f"{one.entry.benchmark}: {one.why}" for one in standing.used if one.why) or None
    )


_ACCESSES = next(figure.beside for figure in FIGURES if figure.beside)


def standings_record(sections: Sequence[RankedGroup]) -> Record:
    """Return what a reader needs who ranks by himself."""
    return {
        "criteria": [
            {
                "key": figure.key,
                "field": figure.field,
                "label": figure.label,
                "unit": figure.unit,
                "less_is_better": figure.less_is_better,
                "explanation": figure.explanation,
            }
            for figure in FIGURES
        ],
        "default_weights": DEFAULT_WEIGHTS,
        "systems": [
            {
                "system": row.system.slug,
                "group": section.group.name,
                "figures": row.standing.figures,
                "low": row.standing.low,
                "high": row.standing.high,
            }
            for section in sections
            for row in section.rows
        ],
    }


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


_WORDS = ("site", "cpus", "accelerators", "interconnect", "file_system")


def data_script(systems: tuple[ListedSystem, ...], root: str, io_release: str) -> str:
    """Return data.js; `root` is the way from its page to the top of the site.

    `io_release` is that of b_eff_io by which the list ranks.
    """
    words: dict[str | None, int] = {}
    rows = [_row(system, words) for system in systems]
    content = {
        "root": root,
        "criteria": [
            {
                "key": figure.key,
                "factor": figure.shown_factor,
                "less_is_better": figure.less_is_better,
                "benchmark": figure.benchmark,
                "value": figure.key in values_of(io_release),
                "shown": figure.always_shown,
                "absent": figure.absent,
            }
            for figure in FIGURES
        ],
        "words": list(words),
        "systems": rows,
    }
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    safe = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f"globalThis.BEFF_LIST={safe};\n"


def _row(system: ListedSystem, words: dict[str | None, int]) -> list[Any]:
    hardware = system.hardware
    places = [words.setdefault(getattr(hardware, name), len(words)) for name in _WORDS]
    usual = [_usual(one) for one in system.usual]
    return [system.slug, system.name, hardware.rmax_gflops, hardware.year, places, usual]


def _usual(usual: Usual) -> list[Any]:
    entry = usual.entry

    def own(row: Figures) -> list[float | None]:
        pairs = zip(FIGURES, row, strict=True)
        return [_short(value) for figure, value in pairs if figure.benchmark == entry.benchmark]

    figures, low, high = map(own, (usual.figures, usual.low, usual.high))
    return [
        *(usual.group, entry.benchmark, entry.processes, entry.nodes),
        *(usual.share, usual.year, usual.runs),
        "" if usual.why else " ".join(marks(entry)),
        figures,
        0 if low == figures else low,
        0 if high == figures else high,
        [None if value is None else _short(float(f"{value:.4g}")) for value in usual.accesses],
        usual.why,
    ]


def _short(value: float | None) -> float | None:
    """Return a number as JSON has it shortest."""
    return int(value) if value is not None and value.is_integer() else value
