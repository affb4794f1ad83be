"""The page from file:// in a browser: weights, search, keyboard, narrow windows, accessibility."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from beff.cli.app import main
from chromium import PATIENCE_MS, complaints_of

pytestmark = pytest.mark.thorough

TODAY, HISTORIC = "#systems > tbody:nth-of-type(1)", "#systems > tbody:nth-of-type(2)"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page, wide and with scripts, that must complain of nothing."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    shown = context.new_page()
    complaints = complaints_of(shown, "file:")
    yield shown
    context.close()
    assert complaints == []


def start(page: Page, site: Path, chosen: str = "") -> None:
    page.goto("about:blank")
    page.goto(f"{(site / 'index.html').as_uri()}{chosen and '#' + chosen}")


def names(page: Page, body: str) -> list[str]:
    return page.locator(f"{body} th button").all_inner_texts()


def row(page: Page, name: str) -> list[str]:
    """The cells of a system, line by line."""
    found = page.locator("#systems > tbody > tr").filter(has=page.get_by_role("button", name=name))
    return found.first.locator("> td, > th").all_inner_texts()


def test_what_counts_and_what_does_not(page: Page, mixed: Path) -> None:
    """A system has its rank and how sure that is, or why there is no figure."""
    start(page, mixed / "site")
    assert page.title() == "b_eff list"
    assert names(page, TODAY) == ["Once", "Thrice", "Part", "Short", "Stopped"]
    expect(page.locator("#status")).to_have_text("10 of 16 systems ranked")
    once, thrice, part, short = (row(page, name) for name in ("Once", "Thrice", "Part", "Short"))
    assert once[0].split() == ["1", "1", "run"]
    assert thrice[0].split() == ["2"]
    assert (part[0], part[4]) == ("\u2013", "on a part only")
    assert (short[0], short[4]) == ("\u2013", "not valid")
    heads = page.locator("#systems > thead th").all_inner_texts()
    assert "b_eff_io\nGB/s" in heads  # of historic systems
    assert not [head for head in heads if head.startswith(("balance", "R_max", "memory"))]


def test_weights_by_the_keyboard_and_the_address(page: Page, site: Path) -> None:
    start(page, site)
    assert names(page, TODAY) == ["Model"]
    assert names(page, HISTORIC)[:2] == ["Cray T3E/900-512", "NEC SX-4/32"]
    page.locator("summary", has_text="weights").press("Enter")
    page.locator("#b_eff").press("Home")
    page.locator("#per_process").press("End")
    assert names(page, HISTORIC)[0] == "NEC SX-5/8B"
    expect(page.locator("#is_per_process")).to_have_text("10")
    again = page.url
    page.goto("about:blank")
    page.goto(again)
    assert names(page, HISTORIC)[0] == "NEC SX-5/8B"
    communication = page.get_by_role("button", name="communication")
    expect(communication).to_have_attribute("aria-pressed", "false")
    communication.press("Enter")
    assert names(page, HISTORIC)[0] == "Cray T3E/900-512"
    expect(communication).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="file I/O").press("Space")
    assert names(page, HISTORIC)[0] == "IBM SP"
    page.get_by_role("link", name="Start again").press("Enter")
    expect(communication).to_have_attribute("aria-pressed", "true")


def test_search_and_facets(page: Page, site: Path) -> None:
    start(page, site)
    search = page.locator('input[name="search"]')
    search.fill("model cpu")
    assert names(page, "#systems") == ["Model"]
    search.fill("stuttgart CRAY")
    assert names(page, "#systems") == ["Cray T3E/900-512"]
    search.press("Enter")
    search.fill("")
    page.locator("summary", has_text="Choose").press("Enter")
    page.locator('select[name="site"]').select_option("HLRS Stuttgart")
    assert names(page, "#systems") == ["Hitachi SR 8000", "NEC SX-5"]
    search.fill("nothing")
    assert names(page, "#systems") == []


def test_a_system_is_a_row_that_opens(page: Page, site: Path) -> None:
    """By the keyboard; its results stand in their order in time, with files to be had."""
    start(page, site)
    model = page.get_by_role("button", name="Model")
    expect(model).to_have_attribute("aria-expanded", "false")
    model.press("Enter")
    expect(model).to_have_attribute("aria-expanded", "true")
    expect(model).to_be_focused()
    detail = page.locator("tr.detail")
    assert "Model CPU" in detail.locator("dl").inner_text()
    days = detail.locator("tbody th").all_inner_texts()
    assert days == [f"2026-03-0{day} 00:00" for day in range(7, 0, -1)]
    for link in detail.locator("a").all():
        assert (site / (link.get_attribute("href") or "")).is_file()
    again = page.url
    start(page, site)
    assert detail.count() == 0
    page.goto(again)
    expect(detail).to_have_count(1)
    model.press("Space")
    expect(detail).to_have_count(0)


def test_what_others_write_is_text(page: Page, tmp_path: Path) -> None:
    hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>\u2028</td>'
    folder = tmp_path / "list"
    assert main(["list", "init", str(folder), "--title", hostile[:60]]) == 0
    place = folder / "systems" / "evil" / "results"
    place.mkdir(parents=True)
    (place.parent / "system.yaml").write_text(f"name: Evil\nsite: '{hostile}'\ncpus: '{hostile}'\n")
    (place / "<b>.json").write_text("{}", "utf-8")
    assert main(["list", "build", str(folder), "--output-dir", str(tmp_path / "site")]) == 3
    start(page, tmp_path / "site", f"open=Evil&search={hostile[:5]}")
    assert "<b>.json: is not the name of a file of a list" in page.locator("tr.detail").inner_text()
    assert page.locator("img, script:not([src]), td b").count() == 0
    data = json.loads((tmp_path / "site" / "data.json").read_text("utf-8"))
    site = page.locator("#systems > tbody th small").first
    expect(site).to_have_text(data["systems"][0]["hardware"]["site"])


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
@pytest.mark.parametrize("chosen", ["", "open=Model"])
def test_the_page_is_no_wider_than_its_window_or_hard_to_reach(  # noqa: PLR0917 - parameters
    browser: Browser, site: Path, axe: str, chosen: str, width: int, dark: bool
) -> None:
    """With all that it can unfold."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        bypass_csp=True,  # axe-core is a script that the page itself would not let in
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    start(page, site, chosen)
    for summary in page.locator("summary").all() if chosen else ():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    edges = "all => Math.max(...all.map(one => one.getBoundingClientRect().right))"
    assert width < 1280 or page.locator("#systems").evaluate_all(edges) <= width
    page.add_script_tag(content=axe)
    found = page.evaluate("axe.run()")["violations"]
    context.close()
    assert [violation["id"] for violation in found] == []
