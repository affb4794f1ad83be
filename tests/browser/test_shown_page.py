"""The page of a report as its reader has it: in a browser, without a network."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page
from support.results import Plan, make_result
from support.texts import of_one_text

from beff.cli.app import main
from beff.definition.subject import load_subject
from beff.show.charts.table import charts_of

Open = Callable[..., Page]
pytestmark = pytest.mark.timeout(900)

WIDTHS = (1280, 400)
LARGEST_PAGE = 2_000_000
HOSTILE = (
    "</script><script>window.harmed = 1</script><img src=x onerror='window.harmed = 2'>\"'`&<!--"
)


def chart(page: Page) -> Locator:
    return page.locator(".chart").first


def tip(page: Page) -> str:
    return chart(page).locator(".tip").inner_text()


# --- what is there ---


@pytest.mark.parametrize("shown", ["b_eff_page", "b_eff_io_page", "several_page", "fleet_page"])
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_the_page_opens_without_complaint(
    shown: str, width: int, dark: bool, open_page: Open, request: pytest.FixtureRequest
) -> None:
    page = open_page(request.getfixturevalue(shown), width=width, dark=dark)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("shown", ["b_eff_page", "b_eff_io_page", "several_page", "map_page"])
def test_a_page_has_few_screens(
    shown: str, open_page: Open, request: pytest.FixtureRequest
) -> None:
    """Of 900 pixels: folded, and unfolded on a wide and on a narrow screen."""
    for width, is_folded, most in ((1280, True, 2), (1280, False, 15), (400, False, 30)):
        page = open_page(request.getfixturevalue(shown), width=width, folded=is_folded)
        if not is_folded:
            page.evaluate(
                "document.querySelectorAll('details').forEach(one => { one.open = true })"
            )
        assert page.evaluate("document.documentElement.scrollHeight") <= most * 900


def test_what_is_folded_is_found_by_link_and_button(b_eff_page: Path, open_page: Open) -> None:
    page = open_page(b_eff_page, folded=True)
    table = page.locator("#analysis-1-patterns")
    assert table.is_hidden()
    page.locator("nav a", has_text="How the number came about").click()
    table.wait_for(state="visible")
    assert page.locator("details.fold[open]").count() == 1
    page.locator("#unfold").click()
    assert page.locator("details.fold:not([open])").count() == 0
    page.locator("#unfold").click()
    assert page.locator("details.fold[open]").count() == 0


@pytest.mark.parametrize("width", WIDTHS)
def test_no_head_of_a_table_reaches_into_the_next(
    several_page: Path, width: int, open_page: Open
) -> None:
    page = open_page(several_page, width=width)
    wide = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.innerText)"
    assert page.locator("#overview thead th").evaluate_all(wide) == []


def test_all_diagrams_are_drawn(any_page: Path, open_page: Open) -> None:
    results = sorted(any_page.parent.glob("*.json"))
    expected = [chart.key for chart in charts_of(load_subject(results))]
    page = open_page(any_page)
    diagrams = page.locator("figure.diagram:not([id$='-drawing'])")
    drawn = diagrams.evaluate_all("all => all.map(one => one.id)")
    assert sorted(drawn) == sorted(expected)
    assert expected
    for picture in diagrams.locator(".chart svg").all():
        box = picture.bounding_box()
        assert box is not None
        assert box["width"] > 200
        assert box["height"] > 100
        assert picture.locator(".point").count() > 0


def test_text_of_diagrams_is_legible_and_no_panel_is_cut_on_a_telephone(
    any_page: Path, open_page: Open
) -> None:
    page = open_page(any_page, width=400)
    sizes = """panels => panels.map(one => {
      const scale = one.getBoundingClientRect().width / parseFloat(one.getAttribute("width"));
      const texts = [...one.querySelectorAll("text")];
      const fonts = texts.map(text => parseFloat(getComputedStyle(text).fontSize) * scale);
      return [Math.min(...fonts), one.getBoundingClientRect().right];
    })"""
    found = page.locator(".chart svg").evaluate_all(sizes)
    assert len(found) > 5
    for font, right in found:
        assert font >= 10
        assert right <= 400


def test_what_is_compared_stands_side_by_side(several_page: Path, open_page: Open) -> None:
    page = open_page(several_page, width=1280)
    tops = "all => all.map(one => Math.round(one.getBoundingClientRect().top))"
    for parts in ("#answer .headline", "#overlay .chart svg"):
        found = page.locator(parts).evaluate_all(tops)
        assert len(found) >= 2
        assert found[0] == found[1]


def test_a_full_run_fits_the_page(b_eff_page: Path) -> None:
    assert b_eff_page.stat().st_size < LARGEST_PAGE


# --- diagrams ---


def points_of(page: Page) -> Iterator[tuple[Locator, str]]:
    """Points of the first diagram with their texts, as the file without the script has them."""
    for point in chart(page).locator(".point").all():
        yield point, point.locator("title").text_content() or ""


def test_pointing_at_a_point_shows_its_text(b_eff_page: Path, open_page: Open) -> None:
    still = open_page(b_eff_page, java_script_enabled=False)
    texts = [text for _, text in points_of(still)]
    page = open_page(b_eff_page)
    points = chart(page).locator(".point")
    assert points.count() == len(texts)
    point = points.nth(len(texts) // 2)
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert tip(page) in texts
    assert re.search(r"\d [kMG]B/s", tip(page))
    page.mouse.move(2, 2)
    assert tip(page) == ""


def test_keys_step_through_the_points(b_eff_page: Path, open_page: Open) -> None:
    page = open_page(b_eff_page)
    chart(page).focus()
    keyboard = page.keyboard
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "End", "Home", "ArrowLeft"):
        keyboard.press(key)
        seen.append(tip(page))
    first, second, other_line, last, back, stays = seen
    assert all(seen)
    assert first != second
    assert second != other_line
    assert last not in (first, second, other_line)
    assert back == stays
    keyboard.press("Enter")
    faded = chart(page).locator(".point.faded").count()
    assert 0 < faded < chart(page).locator(".point").count()
    keyboard.press("Escape")
    assert tip(page) == ""
    assert chart(page).locator(".faded").count() == 0


def test_keys_reach_every_host_of_a_fleet(fleet_page: Path, open_page: Open) -> None:
    page = open_page(fleet_page)
    chart(page).focus()
    seen = set()
    for key in ("ArrowRight", *["ArrowRight"] * 4, "ArrowDown"):
        page.keyboard.press(key)
        seen.add(tip(page).partition(":")[0])
    assert seen == {"n1", "n2", "n3", "n4", "n5"}


def test_a_name_in_the_legend_sets_its_line_apart(b_eff_page: Path, open_page: Open) -> None:
    page = open_page(b_eff_page)
    entry = chart(page).locator(".role-legend-label text").first
    entry.click()
    faded = chart(page).locator(".point.faded").count()
    assert 0 < faded < chart(page).locator(".point").count()
    lines = chart(page).locator(".mark-line path")
    assert 0 < lines.and_(chart(page).locator(".faded")).count() < lines.count()
    entry.click()
    assert chart(page).locator(".faded").count() == 0


# --- tables ---


def test_a_column_sorts_its_table(b_eff_page: Path, open_page: Open) -> None:
    page = open_page(b_eff_page)
    table = page.locator("#analysis-1-patterns")
    head = table.locator("thead th").nth(3)
    cells = table.locator("tbody tr td:nth-child(4)")
    for order, reverse in (("ascending", False), ("descending", True)):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == order
        values = [float(text) for text in cells.all_inner_texts()]
        assert values == sorted(values, reverse=reverse)


# --- for everyone ---


def test_the_button_changes_light_and_dark(b_eff_page: Path, open_page: Open) -> None:
    page = open_page(b_eff_page)
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.locator("#theme").click()
    dark = page.evaluate(ground)
    assert light == "rgb(255, 255, 255)"
    assert dark != light
    page.locator("#theme").click()
    assert page.evaluate(ground) == light


CONTRAST = "document, { runOnly: ['color-contrast'] }"


@pytest.mark.parametrize(
    ("shown", "looked_at"),
    [
        ("b_eff_page", "document"),
        ("b_eff_page", CONTRAST),
        ("b_eff_io_page", "document"),
        ("fleet_page", "document"),
        ("several_page", "{ include: ['nav', '#answer', '#overview', '#overlay'] }"),
    ],
)
def test_nobody_is_shut_out(
    shown: str, looked_at: str, axe: str, open_page: Open, request: pytest.FixtureRequest
) -> None:
    """In the dark other colours; of several results what is shown of all together."""
    page = open_page(request.getfixturevalue(shown), dark=looked_at == CONTRAST)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    page.evaluate(axe)
    found = page.evaluate(f"axe.run({looked_at})")["violations"]
    serious = [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_headings_and_landmarks_are_in_order(any_page: Path, open_page: Open) -> None:
    page = open_page(any_page)
    levels = page.locator("h1, h2, h3, h4, h5").evaluate_all("all => all.map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert page.locator("main").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_without_a_script_nothing_is_missing(b_eff_page: Path, open_page: Open) -> None:
    page = open_page(b_eff_page, java_script_enabled=False)
    assert page.locator("#theme").is_hidden()
    assert page.locator(".with-script").first.is_hidden()
    assert page.locator(".chart svg").first.is_visible()
    page.locator("#analysis-1 > details > summary").click()
    assert page.locator("#analysis-1-sizes tbody tr").count() == 21


def test_print_leaves_out_what_only_a_screen_can_do(b_eff_page: Path, open_page: Open) -> None:
    page = open_page(b_eff_page, dark=True)
    page.emulate_media(media="print")
    assert page.locator(".bar").is_hidden()
    assert page.locator(".hint").first.is_hidden()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 31, 36)"
    assert len(page.pdf()) > 10_000


# --- text of others ---


@pytest.mark.parametrize("benchmark", ["b_eff", "b_eff_io"])
def test_no_text_becomes_markup_or_script(benchmark: str, tmp_path: Path, open_page: Open) -> None:
    stored = Path(__file__).parents[1] / "data" / "b_eff_io_short.json"
    good = make_result(Plan()) if benchmark == "b_eff" else json.loads(stored.read_text())
    file = of_one_text(good, HOSTILE, tmp_path / "hostile.json")
    target = tmp_path / "report.html"
    assert main(["show", str(file), "-o", str(target)]) == 0
    page = open_page(target)
    assert page.evaluate("window.harmed") is None
    assert page.locator("img, script:not([type])").count() == 0
    assert HOSTILE in page.locator(".cautions li").first.inner_text()
    if benchmark == "b_eff":
        chart(page).focus()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("window.harmed") is None
