"""`beff twin predict`: what it offers, what it refuses, and wrong use."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from support.machines.flat import QUIET
from support.machines.leaves import Leaves, Level
from support.machines.machine import broken
from support.machines.result import make_map
from support.programs.limited import MAP_RATE, Script, limited
from support.reports import written

from beff.cli.app import main
from beff.cli.common import exit_codes
from beff.twin.platform import from_file

LEAVES = broken(Leaves((Level((4, 4), hop=1.3, taper=2.0),)), **QUIET, passes=20)


def folder_of(folder: Path, **script: Any) -> Path:
    """Results of two leaves of four hosts with half of their bandwidth up."""
    run = Script(leaf=4, uplink=2 * MAP_RATE, latency_s=2e-6, **script)
    written(folder, "b_eff_8p.json", limited(run))
    written(folder, "b_pairs_8p.json", make_map(LEAVES))
    return folder


def predict(*words: object) -> int:
    return main(["twin", "predict", *map(str, words)])


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of(tmp_path_factory.mktemp("results"))


def predicted(text: str) -> list[float]:
    """Value, least and most."""
    found = re.search(r"b_eff predicted: ([\d.]+) GB/s \(([\d.]+) GB/s to ([\d.]+) GB/s\)", text)
    assert found is not None, text
    return [float(number) for number in found.groups()]


def test_the_placement_that_was_measured(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert predict(results, "--placement", "block") == exit_codes.OK
    told = capsys.readouterr().out
    value, low, high = predicted(told)
    assert low < value < high
    measured = re.search(r"b_eff measured: ([\d.]+) GB/s", told)
    assert measured is not None
    assert low <= float(measured[1]) <= high


def test_hosts_in_turn_are_slower_by_what_crosses(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = tmp_path / "order.txt"
    order.write_text("".join(f"node{host}\n" for host in (1, 5, 2, 6, 3, 7, 4, 8)))
    assert predict(results, "--placement", order) == exit_codes.OK
    dealt = capsys.readouterr().out
    assert predict(results / "b_eff_8p.json", "-n", "8") == exit_codes.OK
    block = capsys.readouterr().out
    assert predicted(dealt)[0] < 0.9 * predicted(block)[0]
    assert re.search(r"the uplink of node\[(1-4|5-8)\]", dealt)


def test_a_leaf_alone_has_no_uplink(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert predict(results, "--hosts", "node[1-4]") == exit_codes.OK
    told = capsys.readouterr().out
    assert "on 4 processes" in told
    assert "uplink" not in told


def test_a_platform_has_the_hosts_and_the_rates(results: Path, tmp_path: Path) -> None:
    file = tmp_path / "twin.xml"
    assert predict(results, "--platform", file) == exit_codes.OK
    assert from_file(file).hosts == tuple(f"node{number}" for number in range(1, 9))
    links = {
        link.get("id"): float(str(link.get("bandwidth")).removesuffix("Bps"))
        for link in ET.parse(file).getroot().iter("link")
    }
    assert links["port3"] == pytest.approx(MAP_RATE, rel=0.05)
    assert links["up1"] == pytest.approx(2 * MAP_RATE, rel=0.06)
    assert predict(results, "--platform", file) == exit_codes.WRONG_USAGE


def test_a_structure_that_is_not_understood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torus = folder_of(tmp_path, far=0.4 * MAP_RATE)
    assert predict(torus, "--placement", "cyclic") == exit_codes.NOT_VALID
    told = capsys.readouterr().out
    assert "structure not understood" in told
    assert "b_eff predicted" not in told
    assert re.search(r"the farthest: random \d+ 0\.\d\d,", told)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ((), "--placement"),
        (("--hosts", "node9"), "node9"),
        (("--hosts", "node1"), "at least two"),
        (("-n", "9"), "2 to 8"),
        (("--placement", "nowhere.txt"), "nowhere.txt"),
    ],
)
def test_wrong_use_is_named(
    results: Path, options: tuple[str, ...], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert predict(results, *options) == exit_codes.WRONG_USAGE
    assert named in capsys.readouterr().err


def test_without_a_map_it_says_how_to_measure_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, "b_eff_8p.json", limited(Script()))
    assert predict(tmp_path, "--placement", "block") == exit_codes.WRONG_USAGE
    assert "beff nodes --processes 8" in capsys.readouterr().err


def test_two_processes_on_a_host_that_had_one(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = tmp_path / "order.txt"
    order.write_text("node1 node1 node2 node2")
    assert predict(results, "--placement", order) == exit_codes.NOT_VALID
    assert "node1 has 2 processes" in capsys.readouterr().out
