"""The site from file:// in a browser: weights, search, keyboard, narrow windows, accessibility."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from beff.cli.app import main
from chromium import PATIENCE_MS

FOLDED = "#folded summary"
CELLS = "name rank firm year interconnect cpus b_eff latency io rmax balance processes io_processes"
NAMES = '#systems tbody tr:visible [data-cell="name"]'
PAGES = ("index", "systems/model", "systems/ibm-sp", "plots", "about", "ranking/i-o")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page, wide and with scripts; errors and requests to elsewhere are complaints."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    shown = context.new_page()
    shown.on("console", lambda message: complaints.append(message.text))
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.on(
        "request",
        lambda asked: None if asked.url.startswith("file:") else complaints.append(asked.url),
    )
    yield shown
    context.close()
    assert complaints == []


def names(page: Page) -> list[str]:
    return page.locator(NAMES).all_inner_texts()


def test_script_and_page_show_the_same(browser: Browser, page: Page, mixed: Path) -> None:
    """All cells, and which of them are hidden, of every preset."""
    site = mixed / "site"
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.set_default_timeout(PATIENCE_MS)
    page.goto((site / "index.html").as_uri())
    for preset in ("communication", "i-o", "latency", "balance"):
        plain.goto((site / f"ranking/{preset}.html").as_uri())
        page.locator(f'a[data-preset][href="ranking/{preset}.html"]').click()
        assert content(page) == content(plain)
        assert "not valid" in content(plain)["io"]
    context.close()


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


def test_a_part_of_the_machine_counts_where_asked_for(page: Page, mixed: Path) -> None:
    first_name = page.locator('#systems tbody[data-group="cold"] [data-cell="name"]').first
    for used, first in (("half", "Once"), ("any", "Part"), ("whole", "Once")):
        page.goto("about:blank")
        page.goto(f"{(mixed / 'site' / 'index.html').as_uri()}#used={used}")
        assert first_name.text_content() == first


def test_weights_by_the_keyboard_and_the_address(page: Page, site: Path) -> None:
    page.goto((site / "index.html").as_uri())
    assert names(page) == ["Model"]
    page.locator(FOLDED).press("Enter")
    assert names(page)[:3] == ["Model", "Cray T3E/900-512", "NEC SX-4/32"]
    page.locator("#choice summary").first.press("Enter")
    page.locator("#w_b_eff").press("Home")
    page.locator("#w_per_process").press("End")
    assert names(page)[:3] == ["Model", "NEC SX-5/8B", "NEC SX-4/32"]
    again = page.url
    page.goto("about:blank")
    page.goto(again)
    assert names(page)[:3] == ["Model", "NEC SX-5/8B", "NEC SX-4/32"]
    page.locator('th[data-key="name"] button').first.press("Enter")
    assert names(page)[1] == "Cray T3E/900-512"
    page.locator('button[type="reset"]').press("Enter")
    expect(page.locator(NAMES).nth(1)).to_have_text("Cray T3E/900-512")


def test_search_and_filters(page: Page, site: Path) -> None:
    page.goto((site / "index.html").as_uri())
    page.locator('input[name="search"]').fill("model cpu")
    assert names(page) == ["Model"]
    expect(page.locator(FOLDED)).to_be_hidden()
    page.locator('input[name="search"]').fill("stuttgart CRAY")
    assert names(page) == ["Cray T3E/900-512"]  # unfolded, as nothing of today is there
    expect(page.locator(FOLDED)).to_contain_text("(1)")
    page.locator('input[name="search"]').fill("")
    page.locator(".filters summary").click()
    page.locator('input[name="year_to"]').fill("2020")
    assert len(names(page)) == 11


def test_an_edition_of_historic_systems_shows_them(page: Page, site: Path) -> None:
    page.goto((site / "editions" / "2026-02" / "index.html").as_uri())
    assert len(names(page)) == 11


def test_a_long_list_shows_its_rest_when_asked(
    page: Page, model_list: Path, tmp_path: Path
) -> None:
    folder, site = tmp_path / "list", tmp_path / "site"
    shutil.copytree(model_list, folder, ignore=shutil.ignore_patterns("site", ".git"))
    result = next((folder / "systems" / "model" / "results").iterdir())
    for number in range(60):
        place = folder / "systems" / f"more-{number}"
        (place / "results").mkdir(parents=True)
        shutil.copy(result, place / "results")
        (place / "system.yaml").write_text(f"name: More {number}\n", "utf-8")
    assert main(["list", "build", str(folder), "--output-dir", str(site)]) == 0
    page.goto((site / "index.html").as_uri())
    assert len(names(page)) == 50
    page.locator('input[name="search"]').fill("more 59")
    assert names(page) == ["More 59"]
    page.locator('input[name="search"]').fill("")
    page.locator("#more").press("Enter")
    assert len(names(page)) == 1 + 60
    expect(page.locator("#more")).to_be_hidden()


def test_the_chosen_alone_beside_each_other(page: Page, site: Path) -> None:
    page.goto((site / "index.html").as_uri())
    expect(page.locator("#alone")).to_be_disabled()
    page.locator(FOLDED).press("Enter")
    page.get_by_label("choose NEC SX-5/8B").check()
    page.get_by_label("choose Cray T3E/900-512").press("Space")
    page.locator("#alone").press("Enter")
    assert names(page) == ["Cray T3E/900-512", "NEC SX-5/8B"]
    page.get_by_label("choose NEC SX-5/8B").click()  # its row goes: uncheck() would wait for it
    expect(page.get_by_label("choose NEC SX-5/8B")).to_have_count(0)
    page.locator("#alone").press("Enter")
    assert len(names(page)) == 12
    page.locator("#alone").press("Enter")
    assert names(page) == ["Cray T3E/900-512"]


def test_the_boxes_and_all_columns_are_in_view(page: Page, site: Path) -> None:
    page.goto((site / "index.html").as_uri())
    page.locator(FOLDED).press("Enter")
    edges = "all => all.map(table => table.getBoundingClientRect().right)"
    assert max(page.locator("#systems table").evaluate_all(edges)) <= 1280
    assert page.locator('[data-cell="pick"]').first.is_visible()


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
@pytest.mark.parametrize("address", PAGES)
def test_no_page_is_wider_than_its_window_or_hard_to_reach(  # noqa: PLR0917 - parameters
    browser: Browser, site: Path, axe: str, address: str, width: int, dark: bool
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        bypass_csp=True,  # axe-core is a script that the page itself would not let in
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto((site / f"{address}.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.add_script_tag(content=axe)
    found = page.evaluate("axe.run()")["violations"]
    context.close()
    assert [violation["id"] for violation in found] == []
