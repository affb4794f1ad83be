"""The list as plain files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pages import dangers, parse

from beff.cli.app import main
from beff.store.database import Store
from store_support import OFFICIAL, add, bytes_of, result_of


@pytest.fixture
def exported(store: Store, tmp_path: Path) -> Path:
    add(store, result_of(plan=OFFICIAL), "<b>New</b>")
    add(store, result_of(plan=OFFICIAL, speed=2.0), "Hidden", published=False)
    folder = tmp_path / "export"
    database = str(store.engine.url.database)
    assert main(["serve", "--export", str(folder), "--database", database]) == 0
    return folder


def test_all_links_lead_to_files(exported: Path) -> None:
    pages = sorted(exported.rglob("*.html"))
    assert len(pages) == 14  # list, explanation, 12 systems
    for page in pages:
        parsed = parse(page.read_text(encoding="utf-8"))
        links = [(tag, name) for tag, name in (("a", "href"), ("link", "href"), ("script", "src"))]
        for tag, name in links:
            for attributes in parsed.named(tag):
                if "data-preset" in attributes:
                    continue  # the page's script answers; its address is for a server
                target = attributes.get(name, "").partition("#")[0]
                if target:
                    assert not target.startswith(("/", "http")), (page, target)
                    assert (page.parent / target).is_file(), (page, target)


def test_the_list_is_whole_and_harmless(exported: Path) -> None:
    page = (exported / "index.html").read_text(encoding="utf-8")
    assert len(parse(page).rows) == 11
    assert "IBM SP" in page.partition("Not ranked")[2]
    assert dangers(page, 1) == []
    assert "default-src 'none'" in page
    everything = "".join(path.read_text("utf-8") for path in exported.rglob("*.html"))
    assert "Hidden" not in everything + (exported / "standings.json").read_text("utf-8")
    systems = json.loads((exported / "standings.json").read_text("utf-8"))["systems"]
    assert {system["name"] for system in systems} >= {"<b>New</b>", "NEC SX-5"}


def test_result_files_are_there(exported: Path) -> None:
    (file,) = (exported / "files").iterdir()
    assert file.read_bytes() == bytes_of(result_of(plan=OFFICIAL))


def test_an_export_replaces_an_export_and_nothing_else(
    exported: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    database = str(store.engine.url.database)
    arguments = ["serve", "--database", database, "--export"]
    (exported / "systems" / "99.html").write_text("old")
    assert main([*arguments, str(exported)]) == 0
    assert not (exported / "systems" / "99.html").exists()
    (exported / "thesis.tex").write_text("precious")
    assert main([*arguments, str(exported)]) == 1
    assert "holds thesis.tex, which is no part of a list" in capsys.readouterr().err
    assert (exported / "thesis.tex").exists()
