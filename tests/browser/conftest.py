"""A browser without a network, and pages of results to show in it."""

import json
import shutil
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from support.fleet_folder import map_fields, write_map
from support.results import Plan, make_result

from beff.cli.app import main
from chromium import PATIENCE_MS, axe, browser, complaints_of

__all__ = ["axe", "browser"]

ROOT = Path(__file__).resolve().parents[2]

IO_RESULT = ROOT / "tests" / "data" / "b_eff_io_short.json"
UNFOLD = "document.querySelectorAll('.fold').forEach(one => { one.open = true; })"
FLEET = ("n1", "n2", "n3", "n4", "n5")
FULL = Plan(processes=4, hosts=(2, 2))


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a file with the network off; settings are those of a browser context.

    Its sections are unfolded but for one that asks for them as they are. Errors, and requests for
    anything but the file, fail the test.
    """
    contexts, complaints = [], []

    def opened(
        file: Path, *, width: int = 1280, dark: bool = False, folded: bool = False, **settings: Any
    ) -> Page:
        context = browser.new_context(
            offline=True,
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            **settings,
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        complaints.append(complaints_of(page, file.as_uri()))
        page.goto(file.as_uri())
        if not folded:
            page.evaluate(UNFOLD)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [*chain(*complaints)] == []


def write_page(folder: Path, *results: Path) -> Path:
    """Write the report of results and return its file."""
    target = folder / "report.html"
    assert main(["show", *map(str, results), "-o", str(target)]) == 0
    return target


def write_result(folder: Path, name: str, document: dict[str, Any]) -> Path:
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def copied(folder: Path, result: Path) -> Path:
    """Put a stored result beside its page."""
    return Path(shutil.copy(result, folder))


@pytest.fixture(scope="session")
def b_eff_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a full run of b_eff with 4 processes on 2 nodes."""
    folder = tmp_path_factory.mktemp("b_eff")
    return write_page(folder, write_result(folder, "full", make_result(FULL)))


@pytest.fixture(scope="session")
def b_eff_io_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a short run of b_eff_io."""
    folder = tmp_path_factory.mktemp("b_eff_io")
    return write_page(folder, copied(folder, IO_RESULT))


@pytest.fixture(scope="session")
def several_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of results of both benchmarks and of several numbers of processes."""
    folder = tmp_path_factory.mktemp("several")
    names = {"two": 2, "four": 4, "eight_on_one_long_name": 8}
    plans = {
        name: Plan(processes=n, repetitions=1, rmax_gflops=10.0 * n) for name, n in names.items()
    }
    results = [write_result(folder, name, make_result(plan)) for name, plan in plans.items()]
    return write_page(folder, *results, copied(folder, IO_RESULT))


@pytest.fixture(scope="session")
def map_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a map of 64 hosts, of which one is slow."""
    folder = tmp_path_factory.mktemp("map")
    hosts = [f"node{number}" for number in range(64)]
    return write_page(folder, write_result(folder, "map", map_fields(hosts, 1, {"node7": 1.6})))


@pytest.fixture(scope="session")
def fleet_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a fleet of five hosts, of which n4 is slow."""
    folder = tmp_path_factory.mktemp("fleet")
    for seed, ago in enumerate((4, 2), 1):
        write_map(folder / "maps", map_fields(FLEET, ago, {"n4": 1.4}, seed))
    target = folder / "fleet.html"
    assert main(["nodes", "--fleet", str(folder / "maps"), "--show", "-o", str(target)]) == 1
    return target


@pytest.fixture(params=["b_eff_page", "b_eff_io_page", "several_page"])
def any_page(request: pytest.FixtureRequest) -> Path:
    page: Path = request.getfixturevalue(request.param)
    return page
