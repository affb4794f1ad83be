"""The site of a list: one page, its data, and the results as measured."""

import csv
import io
import json
import shutil
from pathlib import Path

from beff.list.folder import FIGURES, RESULTS, Objection, read_list
from beff.list.rows import Row, data_of
from beff.result.errors import BeffError, TargetError
from beff.result.places import is_file, is_folder
from beff.result.plain_text import csv_cell

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
        "results.csv": _csv(data["systems"]),
        "list.js": "\n".join(scripts),
        **{name: (_STATIC / name).read_text("utf-8") for name in ("index.html", "list.css")},
    }
    try:
        _clear(output_dir)
        for name, content in files.items():
            (output_dir / name).write_text(content, "utf-8")
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


def _csv(systems: list[Row]) -> str:
    """Return a line for each result, of all figures that can have a weight."""
    names = [figure["name"] for figure in FIGURES]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["system", *_COLUMNS, "valid", "why", *names])
    for system in systems:
        for row in system["results"]:
            values = system["hardware"] | {one["name"]: one["value"] for one in row["figures"]}
            facts = [
                system["name"],
                *(row.get(name) for name in _COLUMNS),
                row["valid"],
                row["why"],
            ]
            writer.writerow([csv_cell(cell) for cell in (*facts, *map(values.get, names))])
    return file.getvalue()
