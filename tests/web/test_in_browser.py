"""The list in a browser: sliders, links, keyboard, narrow windows, accessibility."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from server import running

from beff.cli.app import main
from beff.store.database import open_store
from beff.store.hardware import parse_hardware
from beff.store.published_figures import add_published
from beff.store.tokens import create_token
from beff.web.pages import MISSING, figure
from chromium import PATIENCE_MS
from store_support import OFFICIAL, add, result_of

ROOT = Path(__file__).resolve().parents[2]
BY_B_EFF = ["Cray T3E/900-512", "NEC SX-4/32", "NEC SX-5/8B", "Hitachi SR 8000 round-robin"]
BY_PER_PROCESS = ["NEC SX-5/8B", "Model", "NEC SX-4/32", "SGI Cray SV1-B/16-8"]
NAMES = '#systems tbody [data-cell="name"]'


@dataclass
class List:
    """A page of the list; `complaints` are errors, warnings and requests to elsewhere."""

    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)

    def names(self) -> list[str]:
        return self.page.locator(NAMES).all_inner_texts()

    def open_weights(self) -> None:
        self.page.locator("#weights summary").click()

    def wait_for_first(self, name: str) -> None:
        expect(self.page.locator(NAMES).first).to_have_text(name)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Published figures and six runs of a machine that became slower."""
    name = str(tmp_path_factory.mktemp("browser") / "list.sqlite3")
    with open_store(name) as store:
        with store.write() as session:
            add_published(session)
        for day, speed in enumerate([2.0, 2.02, 1.98, 1.6, 1.58, 1.62], start=1):
            started_at = f"2026-03-{day:02}T00:00:00Z"
            add(store, result_of(plan=OFFICIAL, speed=speed, started_at=started_at), "Model")
    return name


@pytest.fixture(scope="module")
def served(database: str) -> Iterator[str]:
    with running(database) as server:
        yield server.url


@pytest.fixture(scope="module")
def exported(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The exported list behind the plainest of web servers."""
    folder = tmp_path_factory.mktemp("export")
    assert main(["serve", "--export", str(folder), "--database", database]) == 0
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()
        thread.join()


@pytest.fixture
def shown(browser: Browser, request: pytest.FixtureRequest) -> Iterator[List]:
    """The list, wide, light, with scripts; a test's parameter changes that."""
    wish = {"url": "served", "width": 1280, "dark": False, "scripts": True}
    wish |= getattr(request, "param", {})
    url: str = request.getfixturevalue(str(wish["url"]))
    context = browser.new_context(
        viewport={"width": int(wish["width"]), "height": 900},
        color_scheme="dark" if wish["dark"] else "light",
        java_script_enabled=bool(wish["scripts"]),
    )
    context.set_default_timeout(PATIENCE_MS)
    found = List(context.new_page(), url)
    found.page.on(
        "console",
        lambda message: (
            found.complaints.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
    origin = url.partition("/index.html")[0]
    found.page.on(
        "request",
        lambda asked: None if asked.url.startswith(origin) else found.complaints.append(asked.url),
    )
    found.page.goto(url)
    found.open_weights()
    yield found
    context.close()
    assert found.complaints == []


BOTH = pytest.mark.parametrize(
    "shown", [{"url": "served"}, {"url": "exported"}], indirect=True, ids=["served", "exported"]
)


@BOTH
def test_known_weights_give_the_known_order(shown: List) -> None:
    assert shown.names()[:4] == BY_B_EFF
    shown.page.locator("#w_per_process").fill("4")
    shown.page.locator("#w_b_eff").fill("0")
    shown.wait_for_first(BY_PER_PROCESS[0])
    assert shown.names()[:4] == BY_PER_PROCESS
    assert len(shown.names()) == 11
    assert shown.page.locator("#status").inner_text() == "9 of 11 systems ranked"
    assert shown.page.locator('output[for="w_per_process"]').inner_text() == "4"


@BOTH
def test_the_link_restores_weights_and_order(shown: List) -> None:
    shown.page.locator("#w_io").fill("3")
    shown.wait_for_first("Cray T3E/900-512")
    shown.page.locator("#w_b_eff").fill("0")
    shown.wait_for_first("NEC SX-5")
    before, link = shown.names(), shown.page.url
    shown.page.goto(shown.url)
    assert shown.names()[:4] == BY_B_EFF
    shown.page.goto(link)
    shown.wait_for_first("NEC SX-5")
    assert shown.page.locator("#w_io").input_value() == "3"
    assert shown.page.locator("#w_b_eff").input_value() == "0"
    assert [name for name in shown.names() if name] == before


def test_browser_and_server_show_the_same_rows(shown: List) -> None:
    """The rows made by the script are those that the server makes for the same address."""
    for name, weight in (("w_exchange", "2"), ("w_b_eff", "3.5"), ("w_at_lmax", "1")):
        shown.page.locator(f"#{name}").fill(weight)
    shown.wait_for_first("NEC SX-4/32")
    by_script = [row.split() for row in shown.page.locator("#systems tbody tr").all_inner_texts()]
    shown.page.reload()
    by_server = [row.split() for row in shown.page.locator("#systems tbody tr").all_inner_texts()]
    assert by_script == by_server
    assert len(by_server) == 11


def test_figures_are_written_alike(shown: List) -> None:
    values = [
        0,
        1,
        39,
        604,
        19919.4,
        0.19739,
        1.1071,
        37.19,
        99.96,
        528.25,
        0.00123,
        1.234e-7,
        None,
    ]
    script = "async (values) => { const { figure } = await import('/static/list.js');"
    written = shown.page.evaluate(script + " return values.map(figure); }", values)
    assert written == [figure(value) for value in values]
    assert written[-1] == MISSING


@pytest.mark.parametrize("shown", [{"scripts": False}], indirect=True)
def test_without_scripts_the_button_ranks(shown: List) -> None:
    shown.page.locator("#w_per_process").focus()
    shown.page.keyboard.press("End")
    shown.page.locator("#w_b_eff").focus()
    shown.page.keyboard.press("Home")
    shown.page.get_by_role("button", name="Rank").click()
    assert shown.names()[:4] == BY_PER_PROCESS
    assert "w_per_process=10" in shown.page.url


def test_the_keyboard_is_enough(shown: List) -> None:
    """From the top of the page to another order, to a slider and to a system, by keys alone."""
    shown.page.goto(shown.url)
    keyboard = shown.page.keyboard
    focused = "document.activeElement.textContent.trim()"
    keyboard.press("Tab")
    assert shown.page.evaluate(focused) == "Skip to the content"
    keyboard.press("Enter")
    for name in ("communication", "I/O", "balance", "latency"):
        keyboard.press("Tab")
        assert shown.page.evaluate(focused) == name
    keyboard.press("Enter")
    shown.wait_for_first("Model")
    keyboard.press("Tab")
    assert shown.page.evaluate(focused) == "My own weights"
    keyboard.press("Enter")
    keyboard.press("Tab")
    assert shown.page.evaluate("document.activeElement.id") == "w_b_eff"
    keyboard.press("Tab")
    keyboard.press("End")
    shown.page.locator("#w_latency").press("Home")
    shown.wait_for_first(BY_PER_PROCESS[0])
    shown.page.locator(NAMES).nth(1).focus()
    keyboard.press("Enter")
    shown.page.wait_for_url("**/systems/*")
    assert shown.page.locator("h1").inner_text() == "Model"
    assert shown.page.locator("svg.trend .run").count() == 6
    assert shown.page.locator("svg.trend .step").count() == 1
    shown.page.locator("svg.trend a").first.focus()
    keyboard.press("Enter")
    shown.page.wait_for_url("**#r*")


@BOTH
def test_presets_rank_and_show_their_value(shown: List) -> None:
    shown.page.get_by_role("link", name="latency", exact=True).first.click()
    shown.wait_for_first("Model")
    assert "latency" in shown.page.locator("#chosen-head").inner_text()
    value = shown.page.locator('#systems tbody [data-cell="chosen"]').first.inner_text()
    assert value == shown.page.locator('#systems tbody [data-cell="latency"]').first.inner_text()
    current = shown.page.locator(".presets [aria-current]").all_inner_texts()
    assert current == ["latency"]


@pytest.mark.parametrize("shown", [{"width": 400}, {"width": 1280}], indirect=True)
def test_rank_name_and_value_stay_in_view(shown: List) -> None:
    shown.page.goto(shown.url)
    width = int(shown.page.viewport_size["width"]) if shown.page.viewport_size else 0
    shown.page.locator(".scroll").evaluate("box => { box.scrollLeft = 10000; }")
    for cell in ("rank", "name", "chosen"):
        box = shown.page.locator(f'#systems tbody [data-cell="{cell}"]').first.bounding_box()
        assert box is not None
        assert 0 <= box["x"] < box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= 800


def test_chosen_boxes_and_sort_links_outlive_a_slider(shown: List) -> None:
    shown.page.get_by_role("checkbox", name="compare NEC SX-4/32").check()
    shown.page.locator("#w_per_process").fill("4")
    shown.page.locator("#w_b_eff").fill("0")
    shown.wait_for_first(BY_PER_PROCESS[0])
    assert shown.page.get_by_role("checkbox", name="compare NEC SX-4/32").is_checked()
    shown.page.get_by_role("columnheader", name="Year").get_by_role("link").click()
    shown.page.wait_for_url("**sort=year**")
    assert shown.page.locator("#w_per_process").input_value() == "4"


def test_at_most_six_can_be_chosen(shown: List) -> None:
    boxes = shown.page.locator("#systems tbody input[name=s]")
    for place in range(6):
        boxes.nth(place).check()
    boxes.nth(6).click()
    assert not boxes.nth(6).is_checked()
    assert shown.page.locator("#compare [role=status]").inner_text() == "choose at most 6"


def test_sliders_have_names_for_screen_readers(shown: List) -> None:
    slider = shown.page.get_by_role("slider", name="latency")
    assert slider.get_attribute("id") == "w_latency"
    assert shown.page.get_by_role("columnheader", name="b_eff_io").count() == 1
    assert shown.page.get_by_role("checkbox", name="compare NEC SX-5/8B").count() == 1


def test_comparing(shown: List) -> None:
    for name in BY_B_EFF[:2]:
        shown.page.get_by_role("checkbox", name=f"compare {name}").check()
    shown.page.get_by_role("button", name="Compare the chosen systems").click()
    assert shown.page.locator("ul.legend li a").all_inner_texts() == BY_B_EFF[:2]


@pytest.mark.parametrize("width", [1280, 400])
def test_the_operator_sees_all_of_what_waits(
    browser: Browser, database: str, served: str, axe: str, width: int
) -> None:
    waiting = result_of(plan=OFFICIAL, speed=3.0)
    hardware = parse_hardware("f", "cpus: 2 x Example 9000\nsite: Here")
    with open_store(database) as store:
        with store.write() as session:
            token = create_token(session, f"chief {width}", operator=True)
            create_token(session, f"Example University of Somewhere {width}")
        add(store, waiting, "New", hardware=hardware, actor="ann", published=False)
    context = browser.new_context(viewport={"width": width, "height": 900}, bypass_csp=True)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(f"{served}/operator")
    page.get_by_label("Token of an operator").fill(token)
    page.get_by_role("button").click()
    expect(page.locator(".changes")).to_contain_text("2 x Example 9000")
    for table in (".changes", ".tokens"):
        hidden = "element => element.parentElement.scrollWidth - element.parentElement.clientWidth"
        assert page.locator(table).evaluate(hidden) <= 0
    page.add_script_tag(content=axe)
    impacts = {violation["impact"] for violation in page.evaluate("axe.run()")["violations"]}
    assert impacts.isdisjoint({"serious", "critical"})
    context.close()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize(
    "address",
    [
        *("", "/?w_io=1&w_b_eff=2&name=n", "/systems/1", "/compare?s=1&s=5", "/about", "/submit"),
        *("/plots", "/api", "/operator", "/nothing"),
    ],
)
def test_no_page_is_wider_than_its_window_or_hard_to_reach(  # noqa: PLR0917 - parameters
    browser: Browser, served: str, axe: str, address: str, width: int, dark: bool
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        bypass_csp=True,  # axe-core is a script that the page itself would not let in
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(served + address)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.add_script_tag(content=axe)
    found = page.evaluate("axe.run()")
    serious = [
        (violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
    context.close()
    assert serious == []
    assert len(found["passes"]) > 5
