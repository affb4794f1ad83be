"""Which map belongs to a run, and where the line about its limit stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.machines.faults import Fault
from support.machines.flat import CALM, flat
from support.machines.result import make_map
from support.programs.limited import MAP_RATE, Script, limited
from support.reports import run_beff, written

from beff.report.parts.answer import answer_of
from beff.result.load import load_document
from beff.twin.limit import limit_of, pairs_beside

EIGHT = flat(8, **CALM)
PORT = {"name": "ib0", "kind": "infiniband", "rate_MBps": 1.05e-6 * MAP_RATE, "state": "active"}
ROOFS = {
    "copy_MBps_per_process": None,
    "hosts": [{"hosts": "node[1-8]", "network": [PORT], "pcie_below_maximum": []}],
    "took_s": 0.2,
}


def line(folder: Path) -> str:
    """What is to be said, by result and map."""
    pairs = folder / "b_pairs_8p.json"
    limit = limit_of(
        load_document(folder / "b_eff_8p.json"), load_document(pairs) if pairs.exists() else None
    )
    assert limit is not None
    assert (limit.roof == "port rate") == pairs.exists()
    return limit.sentence


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    written(tmp_path, "b_eff_8p.json", limited(Script()))
    written(tmp_path, "b_pairs_8p.json", make_map(EIGHT, roofs=ROOFS))
    return tmp_path


def test_the_map_is_found_beside_the_result(folder: Path) -> None:
    result = load_document(folder / "b_eff_8p.json")
    pairs = pairs_beside(result)
    assert pairs is not None
    assert pairs.source.endswith("b_pairs_8p.json")
    assert pairs_beside(result, [pairs]) is pairs
    assert pairs_beside(pairs) is None
    assert answer_of(result, pairs).limits == line(folder)


def test_a_map_that_cannot_be_read_is_none(folder: Path) -> None:
    result = load_document(folder / "b_eff_8p.json")
    (folder / "b_pairs_8p.json").write_text('{"benchmark": "b_pairs"}', encoding="utf-8")
    assert pairs_beside(result) is None


def test_the_first_screen_of_the_page(folder: Path) -> None:
    target = folder / "page.html"
    run_beff("report", folder / "b_eff_8p.json", "--output", target)
    first, _, _ = target.read_text(encoding="utf-8").partition('<section id="picture"')
    assert "L" + line(folder)[1:] in first


def test_the_hosts_with_the_slower_port_are_named(tmp_path: Path) -> None:
    """Half of the hosts have half of the port that the others have."""
    slower = range(4, 8)
    script = Script(slow=dict.fromkeys(slower, 0.5))
    fast, slow = ({**PORT, "rate_MBps": PORT["rate_MBps"] * share} for share in (1.0, 0.5))
    hosts = [
        {"hosts": names, "network": [port], "pcie_below_maximum": []}
        for names, port in (("node[1-4]", fast), ("node[5-8]", slow))
    ]
    faults = tuple(Fault(2.0, hosts=(host,), kinds=("large",)) for host in slower)
    machine = flat(8, **CALM, faults=faults)
    written(tmp_path, "b_eff_8p.json", limited(script))
    written(tmp_path, "b_pairs_8p.json", make_map(machine, roofs={**ROOFS, "hosts": hosts}))
    sentence = line(tmp_path)
    named = r"leave each of node\[5-8\] \(the others have 12.2 GB/s\), of 6.12 GB/s"
    assert re.search(rf"port rate: [\d.]+ .B/s {named}", sentence)
