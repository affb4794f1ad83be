"""The site of a list: pages, data, result files, editions."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from beff.list.editions import checked_out, file_of, tags
from beff.list.figures import FIGURES, IO_KEYS
from beff.list.folder import SYSTEMS, Broken, ListedSystem, ResultList, read_list, slug_of
from beff.list.output import Output, draw_reports
from beff.list.pages import page
from beff.list.plots import HEIGHT, TREND_HEIGHT, WIDTH, plots, trend
from beff.list.ranking import RankedGroup, columns, sections
from beff.list.tables import (
    csv_text,
    data_script,
    hardware_record,
    json_text,
    ranked_record,
    result_record,
    result_records,
    standings_record,
)
from beff.result.errors import BeffError
from beff.result.places import is_file
from beff.store.index import program_digest
from beff.store.trend import series_of

_STATIC = Path(__file__).parent / "static"
_MODULES = ("ranking", "list")
_LIST_FILES = (
    *("index.html", "data.js"),
    *("api/systems.json", "api/systems.csv", "api/standings.json"),
)
"""Of the list and of each edition."""
_FIRST_ROWS = 50
"""Of each group on the first page; its script shows all when asked."""


class Preset(NamedTuple):
    """Weights with a name and a page of their own in the site."""

    name: str
    weights: dict[str, float]
    path: str


@dataclass(frozen=True)
class Built:
    """How many files a site has, and what could not be used."""

    files: int
    broken: list[Broken]


def build(folder: Path, output_dir: Path, *, reports: bool = False) -> Built:
    """Write the site of a list into a folder of its own. Raises BeffError.

    Figures are not recomputed: `check` has done that before a result came into the list.
    """
    listed = read_list(folder)
    output = Output(output_dir)
    names, broken = _write_editions(output, folder, listed)
    _write_lists(output, listed, "", names)
    drawn = draw_reports(folder, listed.systems, output) if reports else set()
    for system in listed.systems:
        _write_system(output, listed, system, drawn)
        for entry in system.entries:
            if entry.file:
                source = folder / SYSTEMS / system.slug / "results" / entry.file
                output.copy(f"results/{system.slug}/{entry.file}", source)
    about = {"settings": listed.settings, "root": ""}
    output.write("about.html", page("about.html", **about))
    drawing = {"plots": plots(listed.systems), "width": WIDTH, "height": HEIGHT}
    output.write("plots.html", page("plots.html", **drawing, **about))
    output.write("assets/list.js", _script())
    for name in ("list.css", "icon.svg"):
        output.copy(f"assets/{name}", _STATIC / name)
    _write_pages_of_gone(output, listed, names)
    return Built(output.finish(), [*listed.all_broken(), *broken])


def _script() -> str:
    """Return the modules as one script that browsers run from file://, too."""
    lines = [
        line.removeprefix("export ")
        for module in _MODULES
        for line in (_STATIC / f"{module}.js").read_text("utf-8").splitlines()
        if not line.startswith("import ")
    ]
    return '"use strict";\n(() => {\n' + "\n".join(lines) + "\n})();\n"


def _write_lists(
    output: Output, listed: ResultList, place: str, names: tuple[str, ...], edition: str = ""
) -> None:
    """Write the list itself: its pages with and without script, and its data."""
    root = "../" * place.count("/")
    settings = listed.settings
    release = settings.io_release
    presets = [
        Preset(name, _all(weights, release), f"ranking/{slug_of(name)}.html")
        for name, weights in settings.presets.items()
    ]
    weights = _all(settings.weights, release)
    found = sections(listed.systems, weights)
    values: dict[str, Any] = {
        "settings": settings,
        "root": root,
        "data": "",
        "edition": edition,
        "editions": names,
        "presets": presets,
        "heading": f"{settings.title}, {edition}" if edition else settings.title,
    }
    standings = standings_record(listed.systems)
    output.write(f"{place}data.js", data_script(standings))
    output.write(f"{place}index.html", _list_page(values, found, weights, script=True))
    records = [ranked_record(section, row) for section in found for row in section.rows]
    output.write(f"{place}api/systems.json", json_text(records))
    output.write(f"{place}api/systems.csv", csv_text(records))
    output.write(f"{place}api/standings.json", json_text(standings))
    if edition:
        return
    results = result_records(listed.systems)
    output.write("api/results.json", json_text(results))
    output.write("api/results.csv", csv_text(results))
    output.write("api/edition.yaml", file_of(listed.hashes()))
    for preset in presets:
        shown = {**values, "root": "../", "heading": f"{settings.title}: {preset.name}"}
        rows = sections(listed.systems, preset.weights)
        output.write(preset.path, _list_page(shown, rows, preset.weights, script=False))


def _all(weights: dict[str, float], io_release: str) -> dict[str, float]:
    """Return the weight of each figure; `io` of a list.yaml is that of the list's release."""
    own = {IO_KEYS[io_release] if key == "io" else key: one for key, one in weights.items()}
    return {figure.key: own.get(figure.key, 0.0) for figure in FIGURES}


def _list_page(
    values: dict[str, Any], found: list[RankedGroup], weights: dict[str, float], *, script: bool
) -> str:
    longest = max(len(section.rows) for section in found if not section.group.folded)
    return page(
        "list.html",
        **values,
        tables=[_table(found, weights, folded=folded) for folded in (False, True)],
        weights=weights,
        script=script,
        most=_FIRST_ROWS if script else max(longest, 1),
        longest=longest,
    )


def _table(found: list[RankedGroup], weights: dict[str, float], *, folded: bool) -> dict[str, Any]:
    """Return what stands in the table of today, or in the folded one."""
    here = [section for section in found if section.group.folded == folded]
    return {
        "sections": here,
        "columns": columns(here, weights),
        "ranked": sum(row.rank is not None for section in here for row in section.rows),
        "total": sum(len(section.rows) for section in here),
    }


def _write_system(
    output: Output, listed: ResultList, system: ListedSystem, drawn: set[str]
) -> None:
    files = (f"systems/{system.slug}.html", f"api/systems/{system.slug}.json")
    if output.stays(files, _made_of(listed, system, drawn)):
        return
    in_time = sorted(
        system.entries, key=lambda one: (one.measured_at is not None, str(one.measured_at))
    )
    valid = [entry for entry in system.entries if entry.status == "valid"]
    series = [(found, trend(found)) for found in series_of(valid) if len(found.entries) > 1]
    text = page(
        "system.html",
        settings=listed.settings,
        root="../",
        system=system,
        entries=in_time[::-1],
        series=series,
        width=WIDTH,
        height=TREND_HEIGHT,
        reports=drawn,
    )
    output.write(files[0], text)
    results = [result_record(system, entry) for entry in system.entries]
    record = hardware_record(system) | {"results": results}
    output.write(files[1], json_text(record))


def _made_of(listed: ResultList, system: ListedSystem, drawn: set[str]) -> str:
    """Return a digest of all that the page of a system shows, and of what draws it."""
    results = [
        (entry.file, entry.sha256, entry.sha256 in drawn)
        if entry.sha256
        else entry.model_dump_json()
        for entry in system.entries
    ]
    parts = (listed.settings, system.slug, system.hardware, system.sized, system.broken, results)
    return hashlib.sha256(f"{program_digest()} {parts}".encode()).hexdigest()


def _write_editions(
    output: Output, folder: Path, listed: ResultList
) -> tuple[tuple[str, ...], list[Broken]]:
    """Write editions that are not there already.

    Returns their names, the newest first, and those that cannot be made.
    """
    commits = tags(folder)
    found = {*commits, *listed.editions}
    broken = []
    for name, hashes in listed.editions.items():
        if name not in commits:
            then = listed.of(hashes)
            shown = f"{program_digest()} {then.settings} {standings_record(then.systems)}"
            if not output.stays(_files_of(name), hashlib.sha256(shown.encode()).hexdigest()):
                _write_lists(output, then, f"editions/{name}/", (), name)
    for name, commit in commits.items():
        if output.stays(_files_of(name), f"{program_digest()} {commit}"):
            continue
        try:
            with checked_out(folder, commit) as as_it_was:
                _write_lists(output, read_list(as_it_was), f"editions/{name}/", (), name)
        except BeffError as problem:
            broken.append(Broken(f"tag {name}", str(problem)))
            found.remove(name)
    return tuple(sorted(found, reverse=True)), broken


def _files_of(edition: str) -> list[str]:
    return [f"editions/{edition}/{name}" for name in _LIST_FILES]


def _write_pages_of_gone(output: Output, listed: ResultList, names: tuple[str, ...]) -> None:
    """Write a page for each system that editions have and the list has no more."""
    there = {system.slug for system in listed.systems}
    gone: dict[str, list[str]] = {}
    for name in names:
        path = output.folder / f"editions/{name}/api/systems.json"
        rows = json.loads(path.read_text("utf-8")) if is_file(path) else []
        for slug in dict.fromkeys(row["system"] for row in rows):
            if slug not in there:
                gone.setdefault(slug, []).append(name)
    for slug, editions in gone.items():
        values = {"settings": listed.settings, "root": "../", "slug": slug, "editions": editions}
        output.write(f"systems/{slug}.html", page("gone.html", **values))
