"""The list as plain files for any web server; the weights still work, in the browser."""

import shutil
from pathlib import Path

from sqlalchemy import select

from beff.model.errors import BeffError
from beff.store.database import Store
from beff.store.reading import file_content
from beff.store.tables import Entry
from beff.web.html_pages import RANKING, list_values, system_values
from beff.web.listing import ListSource
from beff.web.pages import render_text
from beff.web.query import ListQuery
from beff.web.security import PAGE_POLICY
from beff.web.settings import Settings
from beff.web.tables import RankedSystem, all_standings, csv_text, ranked_system

_STATIC = Path(__file__).parent / "static"
_POLICY = PAGE_POLICY.replace("; frame-ancestors 'none'", "")
"""In a page itself; there, browsers take all but the last rule."""


def export_list(store: Store, settings: Settings, folder: Path) -> int:
    """Write all pages and files into a folder; returns their number.

    The folder must be empty or an earlier export, which is replaced. Raises BeffError.
    """
    _prepare(folder)
    source = ListSource(store)
    query = ListQuery()
    listing = source.listing(query)
    everything = source.standings()[1]
    listed = {row.standing.id for row in listing.rows}
    others = [standing for standing in everything if standing.id not in listed]
    own = {"others": others, "data": "standings.json", "rows": listing.rows, "last_page": 1}
    values = list_values(listing, query) | own

    def page(path: str, template: str, root: str, **context: object) -> None:
        text = render_text(
            template, root=root, static=True, title=settings.title, policy=_POLICY, **context
        )
        _write(folder / path, text.encode("utf-8"))

    page("index.html", "list.html", "", **values)
    page("about.html", "about.html", "", **RANKING)
    records = [ranked_system(row) for row in listing.rows]
    _write(folder / "list.csv", csv_text(records, list(RankedSystem.model_fields)).encode("utf-8"))
    standings = all_standings([row.standing for row in listing.rows])
    _write(folder / "standings.json", standings.model_dump_json().encode("utf-8"))
    for number in (standing.id for standing in everything):
        with store.read() as session:
            page(f"systems/{number}.html", "system.html", "../", **system_values(session, number))
    _write_result_files(store, folder / "files")
    shutil.copytree(_STATIC, folder / "static", dirs_exist_ok=True)
    return sum(path.is_file() for path in folder.rglob("*"))


def _prepare(folder: Path) -> None:
    parts = ("index.html", "about.html", "list.csv", "standings.json")
    folders = ("systems", "files", "static")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        foreign = [path for path in folder.iterdir() if path.name not in (*parts, *folders)]
        if foreign:
            raise BeffError(
                f"{folder}: holds {foreign[0].name}, which is no part of a list; export into a"
                " folder of its own"
            )
        for name in folders:
            shutil.rmtree(folder / name, ignore_errors=True)
    except OSError as problem:
        raise BeffError(f"{folder}: cannot be written ({problem.strerror})") from None


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)


def _write_result_files(store: Store, folder: Path) -> None:
    """Write one file after the other, so that memory holds one at a time."""
    with store.read() as session:
        numbers = session.scalars(
            select(Entry.id).where(Entry.published, Entry.sha256.is_not(None))
        ).all()
    for number in numbers:
        with store.read() as session:
            entry = session.get(Entry, number)
            if entry is not None and entry.file is not None:
                _write(folder / f"{number}.json", file_content(entry.file))
