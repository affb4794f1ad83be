"""`beff twin topology`: what is said and written of maps, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.machines.leaves import Leaves, Level
from support.machines.machine import Machine, broken
from support.machines.result import make_map
from support.machines.torus import Torus
from support.machines.ways import Flat
from support.reports import written

from beff.cli.app import main
from beff.cli.common import exit_codes
from beff.maps.topology import read_topology

PODS = broken(Leaves((Level((4,) * 5, hop=1.15), Level((8, 12), hop=1.3))), passes=20)
LONE_POD = broken(Leaves((Level((4,) * 3, hop=1.15), Level((8, 4), hop=1.3))), passes=20)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(machine: Machine, *options: str, days: int = 1) -> int:
    for day in range(days):
        written(Path(), f"{day}.json", make_map(machine, day=day))
    return main(["twin", "topology", ".", "-o", "topology.conf", *options])


def test_maps_give_a_file_that_slurm_reads() -> None:
    assert told(PODS, days=2) == exit_codes.OK
    above = read_topology(Path("topology.conf")).above
    assert above["node1"] == ("top", "pod0", "leaf0")
    assert above["node20"] == ("top", "pod1", "leaf4")
    assert told(PODS) == exit_codes.WRONG_USAGE
    assert told(PODS, "--overwrite") == exit_codes.OK


@pytest.mark.parametrize(
    "machine", [broken(Torus((4, 4, 1)), passes=20), broken(Flat(4), passes=20)]
)
def test_nothing_is_written_where_no_switches_are_sure(machine: Machine) -> None:
    assert told(machine) == exit_codes.NOT_VALID
    assert not Path("topology.conf").exists()


def test_hosts_of_which_it_is_not_known_are_named_and_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert told(LONE_POD) == exit_codes.NOT_VALID
    assert "not known where node[9-12] is" in capsys.readouterr().out
    assert set(read_topology(Path("topology.conf")).above) == {f"node{i}" for i in range(1, 9)}


def test_a_flat_network_is_one_switch() -> None:
    assert told(broken(Flat(8), passes=20)) == exit_codes.OK
    assert set(read_topology(Path("topology.conf")).above.values()) == {("leaf0",)}


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["twin", "topology", ".", "-o", "x.txt"]) == exit_codes.WRONG_USAGE
    assert "--output x.txt: must end in .conf or .yaml" in capsys.readouterr().err
    assert main(["twin", "topology", "."]) == exit_codes.WRONG_USAGE
