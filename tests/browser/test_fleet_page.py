"""The page of a fleet as its reader has it: by keys, without a network, on small screens too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page
from support.fleet_folder import map_fields, write_map

from beff.cli.app import main

Open = Callable[..., Page]
pytestmark = pytest.mark.timeout(900)

NAMES = ("n1", "n2", "n3", "n4", "n5")


@pytest.fixture(scope="module")
def fleet_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of five hosts, of which n4 is slow."""
    folder = tmp_path_factory.mktemp("fleet")
    for seed, ago in enumerate((4, 2), 1):
        write_map(folder / "maps", map_fields(NAMES, ago, {"n4": 1.4}, seed))
    target = folder / "fleet.html"
    assert main(["nodes", "--fleet", str(folder / "maps"), "--show", "-o", str(target)]) == 1
    return target


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_the_page_opens_without_complaint(
    fleet_page: Path, width: int, dark: bool, open_page: Open
) -> None:
    page = open_page(fleet_page, width=width, dark=dark)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_keys_reach_every_host(fleet_page: Path, open_page: Open) -> None:
    page = open_page(fleet_page)
    chart = page.locator(".chart").first
    chart.focus()
    seen = set()
    for key in ("ArrowRight", *["ArrowRight"] * 4, "ArrowDown"):
        page.keyboard.press(key)
        seen.add(chart.locator(".tip").inner_text().partition(":")[0])
    assert seen == {*NAMES}


def test_nobody_is_shut_out(fleet_page: Path, axe: str, open_page: Open) -> None:
    page = open_page(fleet_page)
    page.evaluate(axe)
    assert page.evaluate("axe.run()")["violations"] == []
