"""What `beff nodes --fleet DIR --show` prints and writes of each host: a table and files."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as older_format
from support.fleet_folder import map_fields, write_map

from beff.cli.app import main
from beff.report.fleet_files import FLEET_ENDINGS

MAPS = (
    (25, ("n1", "n2", "n3", "n4", "n5")),
    (20, ("n3", "n4", "n5", "n6", "n7")),
    (15, ("n1", "n5", "n6", "n8")),
    (8, ("n2", "n3", "n6", "n7", "n8")),
)
"""How many days ago, and of whom."""
STATES = {
    **{"n8": "slow", "n1": "due", "n4": "due", "n5": "due"},
    **dict.fromkeys(("n2", "n3", "n6", "n7"), "good"),
}
"""With n8 slow from its first map on, and a host due after ten days."""
FIRST_BYTES = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<svg", ".html": b"<!doctype html>"}


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The maps of a fleet of which n8 takes 1.4 times as long for short messages only."""
    folder = tmp_path_factory.mktemp("fleet") / "maps"
    for seed, (ago, names) in enumerate(MAPS, 1):
        write_map(folder, map_fields(names, ago, {"n8": 1.4}, seed, kinds=("small",)))
    return folder


def show(maps: Path, *options: str) -> int:
    return main(["nodes", "--fleet", str(maps), "--show", "--days", "10", *options])


def written(maps: Path, target: Path, *options: str) -> Path:
    assert show(maps, "-o", str(target), *options) == 1
    return target


def hosts_of(maps: Path, tmp_path: Path, *options: str) -> dict[str, dict[str, Any]]:
    read = json.loads(written(maps, tmp_path / "fleet.json", *options).read_text())
    return {one["host"]: one for one in read["hosts"]}


def test_a_host_has_the_factor_by_which_it_is_slow(maps: Path, tmp_path: Path) -> None:
    found = hosts_of(maps, tmp_path)
    assert {name: one["state"] for name, one in found.items()} == STATES
    for name, one in found.items():
        is_slow = name == "n8"
        assert one["short_messages_factor"] == pytest.approx(1.4 if is_slow else 1.0, rel=0.03)
        assert one["long_messages_factor"] == pytest.approx(1.0, rel=0.03)
        assert 0 < one["factor_error"] < 0.03


def test_a_host_has_a_factor_for_each_of_its_maps(maps: Path, tmp_path: Path) -> None:
    found = hosts_of(maps, tmp_path)
    often = Counter(name for _, names in MAPS for name in names)
    for name, one in found.items():
        factors = one["short_messages_last_factors"]
        assert len(factors) == len(one["long_messages_last_factors"]) == often[name]
        assert factors == [pytest.approx(1.4 if name == "n8" else 1.0, rel=0.05)] * often[name]


@pytest.mark.parametrize("parse", [openmetrics, older_format])
def test_metrics_by_host(parse: Any, maps: Path, tmp_path: Path) -> None:
    text = written(maps, tmp_path / "fleet.prom").read_text()
    found = {
        (one.name, *(value for _, value in sorted(one.labels.items()))): one.value
        for family in parse(text)
        for one in family.samples
    }
    for name, one in hosts_of(maps, tmp_path).items():
        by_state = {state: found["beff_fleet_host_state", name, state] for state in STATES.values()}
        assert by_state == {state: float(state == STATES[name]) for state in STATES.values()}
        for kind in ("short", "long"):
            of_kind = found["beff_fleet_host_factor_ratio", name, kind]
            assert of_kind == one[f"{kind}_messages_factor"]
        moment = datetime.fromisoformat(one["measured_at"]).timestamp()
        assert found["beff_fleet_host_measured_timestamp_seconds", name] == moment


class Page(HTMLParser):
    """Collects the words of a page by what they stand in, and what it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.loads: list[str] = []
        self.titles: list[str] = []
        self.heads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.inside.append("row head" if given.get("scope") == "row" else tag)
        self.loads += [f"{given[name]}" for name in ("src", "href") if name in given]

    def handle_data(self, data: str) -> None:
        if self.inside[-1:] == ["title"]:
            self.titles.append(data)
        elif self.inside[-1:] == ["row head"]:
            self.heads.append(data)


def test_a_page_has_a_cell_and_a_row_for_each_host(maps: Path, tmp_path: Path) -> None:
    page = Page(written(maps, tmp_path / "fleet.html").read_text())
    assert [*page.heads] == [*hosts_of(maps, tmp_path)]
    cells = dict(title.split(": ", 1) for title in page.titles if ": " in title)
    assert {name: text.split(",")[0] for name, text in cells.items()} == STATES
    assert all(place.startswith("#") for place in page.loads)


def test_a_drawing_has_a_described_cell_for_each_host(maps: Path, tmp_path: Path) -> None:
    drawing = ElementTree.parse(written(maps, tmp_path / "fleet.svg"))
    described = [one.get("aria-label", "") for one in drawing.iter()]
    cells = [text for text in described if re.match(r"n\d: ", text)]
    assert dict(re.split(": |, ", text)[:2] for text in cells) == STATES


@pytest.mark.parametrize("ending", FIRST_BYTES)
def test_pictures_are_what_their_names_say(ending: str, maps: Path, tmp_path: Path) -> None:
    target = written(maps, tmp_path / f"fleet{ending}")
    assert target.read_bytes().startswith(FIRST_BYTES[ending])


@pytest.mark.parametrize("ending", FLEET_ENDINGS)
def test_a_file_that_exists_stays(ending: str, maps: Path, tmp_path: Path) -> None:
    target = tmp_path / f"fleet{ending}"
    target.write_text("kept")
    assert show(maps, "-o", str(target)) == 2
    assert target.read_text() == "kept"
    written(maps, target, "--overwrite")
    assert target.read_bytes() != b"kept"


def test_a_map_of_the_fleet_is_never_replaced(maps: Path) -> None:
    target = next(maps.rglob("*.json"))
    before = target.read_bytes()
    assert show(maps, "-o", str(target), "--overwrite") == 2
    assert target.read_bytes() == before


@pytest.mark.parametrize(
    "options",
    [["--show", "-o", "fleet.txt"], ["--show", "-o", "fleet"]],
)
def test_options_that_mean_nothing_are_refused(
    options: list[str], maps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["nodes", "--fleet", str(maps), *options]) == 2
    assert main(["nodes", "-o", "fleet.csv"]) == 2
    assert [*tmp_path.iterdir()] == []
