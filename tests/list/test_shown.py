"""What a list shows of results that do not count, of single runs and of runs of other sizes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from beff.list.folder import ListedSystem
from beff.list.pages import sizes, sureness
from beff.list.ranking import columns, sections
from beff.list.standings import set_aside, usual_runs
from beff.store.entry import Entry
from beff.store.hardware import Hardware
from chromium import PATIENCE_MS

CELLS = "name rank firm year interconnect cpus b_eff latency io rmax balance processes io_processes"


def test_what_does_not_count_is_said(mixed: Path) -> None:
    rows = json.loads((mixed / "site" / "api" / "systems.json").read_text("utf-8"))
    today = {row["name"]: row for row in rows if row["group"] == "cold"}
    assert {name: (row["rank"], row["not_counted"]) for name, row in today.items()} == {
        "Once": (1, "b_eff_io: not valid"),
        "Thrice": (2, None),
        "Part": (None, "b_eff: on a part only"),
        "Short": (None, "b_eff: not valid"),
        "Stopped": (None, "b_eff_io: not complete"),
    }
    assert today["Part"]["b_eff_MBps"] is today["Short"]["b_eff_MBps"] is None
    page = (mixed / "site" / "systems" / "short.html").read_text("utf-8")
    assert "not valid, so not ranked" in page
    assert "1 repetition (3 needed)" in page


def test_script_and_page_show_the_same_of_it(browser: Browser, mixed: Path) -> None:
    """All cells, and which of them are hidden, of every preset."""
    site = mixed / "site"
    with_script, without = browser.new_context(), browser.new_context(java_script_enabled=False)
    shown, plain = with_script.new_page(), without.new_page()
    for page in (shown, plain):
        page.set_default_timeout(PATIENCE_MS)
    shown.goto((site / "index.html").as_uri())
    for preset in ("communication", "i-o", "latency", "balance"):
        plain.goto((site / f"ranking/{preset}.html").as_uri())
        shown.locator(f'a[data-preset][href="ranking/{preset}.html"]').click()
        assert content(shown) == content(plain)
        assert "not valid" in content(plain)["io"]
    with_script.close()
    without.close()


def content(page: Page) -> dict[str, list[str]]:
    """All texts of each column in a page, with a sign at hidden ones, and its hidden headings."""
    texts = "all => all.map(e => (e.closest('td,th').hidden ? '-' : '') + e.textContent.trim())"
    found: dict[str, list[str]] = {
        cell: page.locator(f'#systems tbody [data-cell="{cell}"]').evaluate_all(texts)
        for cell in CELLS.split()
    }
    found["heads"] = page.locator("#systems thead [data-key]").evaluate_all(
        "all => all.map(e => e.hidden + e.textContent.trim())"
    )
    return found


def test_a_part_of_the_machine_counts_where_asked_for(browser: Browser, mixed: Path) -> None:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    names = '#systems tbody[data-group="cold"] [data-cell="name"]'
    for used, first in (("half", "Once"), ("any", "Part"), ("whole", "Once")):
        page.goto("about:blank")
        page.goto(f"{(mixed / 'site' / 'index.html').as_uri()}#used={used}")
        assert page.locator(names).first.text_content() == first
    page.close()


MACHINE = Hardware(name="M", nodes=1, cores=2)


def listed(slug: str, *entries: Entry, hardware: Hardware = MACHINE) -> ListedSystem:
    usual = usual_runs(hardware, entries, "1")
    shown = (*usual, *set_aside(hardware, entries, usual))
    return ListedSystem(slug, "1", hardware, hardware, entries, shown, ())


def b_eff(value: float, **more: Any) -> Entry:
    fields = {"benchmark": "b_eff", "status": "valid", "processes": 2, "nodes": 1}
    return Entry(**(fields | {"b_eff_MBps": value} | more))


def b_eff_io(value: float, **more: Any) -> Entry:
    fields = {"benchmark": "b_eff_io", "status": "valid", "procedure": "cold", "processes": 1}
    values = {"io_value_MBps": value, "io_value_1_MBps": value}
    return Entry(**(fields | {"nodes": 1} | values | more))


def test_columns_without_a_figure_are_left_out() -> None:
    plain = [listed("a", b_eff(1.0)), listed("b", b_eff(2.0))]
    assert columns(sections(plain, {"b_eff": 1})[:1], {"b_eff": 1}) == {"b_eff"}
    assert columns(sections(plain, {"io": 1})[:1], {"io": 1, "rmax": 0.5}) == {
        *("b_eff", "io", "rmax", "score")
    }
    known = MACHINE.model_copy(update={"rmax_gflops": 5.0, "year": 2026, "cpus": "C"})
    rich = [*plain, listed("c", b_eff_io(1.0, status="invalid"), hardware=known)]
    found = columns(sections(rich, {"b_eff": 1})[:1], {"b_eff": 1})
    assert found == {"b_eff", "io", "rmax", "year", "hardware"}


def test_how_sure_a_rank_is_needs_several_runs_and_systems() -> None:
    def said(*systems: ListedSystem, **weights: float) -> list[str]:
        return [sureness(row, weights) for row in sections(systems, weights)[0].rows]

    once, twice = listed("a", b_eff(9.0)), listed("b", b_eff(2.5), b_eff(2.6))
    assert said(once, twice, b_eff=1.0) == ["1 run", "firm"]
    assert said(twice, b_eff=1.0) == ["only one"]
    assert said(once, b_eff=1.0, io=1.0) == ["not ranked"]
    both = listed("c", b_eff(3.0), b_eff(2.0), b_eff_io(1.0))
    assert said(both, twice, b_eff=1.0) == ["1 to 2", "firm"]
    assert said(both, b_eff=1.0) == ["only one"]
    assert said(both, b_eff=1.0, io=1.0) == ["1 run"]
    historic = listed("h", b_eff(1.0, status="historic"))
    (row,) = sections([historic, once], {"b_eff": 1.0})[2].rows
    assert sureness(row, {"b_eff": 1.0}) == "only one"


def test_processes_are_those_of_each_value() -> None:
    systems = [listed("a", b_eff(1.0), b_eff_io(1.0)), listed("b", b_eff(1.0))]
    rows = sections(systems, {"b_eff": 1.0})[0].rows
    assert [sizes(row.standing) for row in rows] == [
        ("b_eff: 2 (100 %)", "b_eff_io: 1 (50 %)"),
        ("2 (100 %)", ""),
    ]
