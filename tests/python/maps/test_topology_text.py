"""What a map shows as a file of Slurm's: read back, it has the groups of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.machines.leaves import Leaves, Level
from support.machines.machine import broken
from support.machines.measure import map_of
from support.machines.noise import Noise
from support.machines.ways import Flat, Topology

from beff.maps.topology import Topology as Known
from beff.maps.topology import read_topology
from beff.maps.topology_text import Seen, seen_groups, topology_text

NAMES = [f"c{number:02}" for number in range(40)]


def seen_on(topology: Topology, noise: float = 0.03) -> Seen:
    return seen_groups(map_of(broken(topology, spread=0.02, noise=Noise(noise), passes=20), 1))


def read_back(folder: Path, seen: Seen, name: str) -> Known:
    path = folder / name
    path.write_text(topology_text(seen, NAMES, "a map", is_yaml=path.suffix == ".yaml"))
    return read_topology(path)


@pytest.mark.parametrize("name", ["topology.conf", "topology.yaml"])
def test_leaves_are_those_of_the_machine(tmp_path: Path, name: str) -> None:
    known = read_back(tmp_path, seen_on(Leaves((Level((5, 8, 3), hop=1.3),))), name)
    assert known.above == {
        host: ("top", f"leaf{leaf}")
        for leaf, hosts in enumerate((NAMES[:5], NAMES[5:13], NAMES[13:16]))
        for host in hosts
    }


def test_leaves_that_short_messages_put_together_have_a_switch_above(tmp_path: Path) -> None:
    """Two parts that are far apart; in each, two leaves that only share uplinks of their own."""
    tree = Leaves((Level((8,) * 4, taper=4.0), Level((16, 16), hop=1.5)))
    known = read_back(tmp_path, seen_on(tree, noise=0.01), "topology.conf")
    assert {known.above[host] for host in NAMES[:16]} == {
        ("top", "part0", "leaf0"),
        ("top", "part0", "leaf1"),
    }
    assert known.above["c31"] == ("top", "part1", "leaf3")


def test_one_switch_has_no_other_above(tmp_path: Path) -> None:
    seen = seen_on(Flat(12))
    assert set(read_back(tmp_path, seen, "topology.conf").above.values()) == {("leaf0",)}
    assert "no groups are seen" in topology_text(seen, NAMES, "a map", is_yaml=False)


def test_blocks_are_as_large_as_the_smallest() -> None:
    yaml = pytest.importorskip("yaml")
    text = topology_text(seen_on(Leaves((Level((5, 8), hop=1.3),))), NAMES, "a map", is_yaml=True)
    tree, block = yaml.safe_load(text)
    assert (tree["cluster_default"], block["cluster_default"]) == (True, False)
    assert block["block"]["block_sizes"] == [5]
    assert block["block"]["blocks"] == [
        {"block": "leaf0", "nodes": "c[00-04]"},
        {"block": "leaf1", "nodes": "c[05-12]"},
    ]


@pytest.mark.parametrize("name", ["topology.conf", "topology.yaml"])
def test_hosts_may_have_any_name(tmp_path: Path, name: str) -> None:
    seen = seen_on(Leaves((Level((5, 8), hop=1.3),)))
    names = ["007", "no", "1e3", "null", "0x10", *(f"{number:02}" for number in range(8, 16))]
    path = tmp_path / name
    path.write_text(topology_text(seen, names, "a map", is_yaml=path.suffix == ".yaml"))
    assert set(read_topology(path).above) == set(names)


@pytest.mark.parametrize("hop", [1.5, 1.3])
def test_it_says_how_much_longer_messages_to_other_groups_take(hop: float) -> None:
    seen = seen_on(Leaves((Level((8, 8), hop=hop),)))
    assert [group.factor for group in seen.groups] == pytest.approx([hop, hop], rel=0.02)
    assert min(group.sigmas for group in seen.groups) > 4
    assert topology_text(seen, NAMES, "a map", is_yaml=False).count("to other groups 1.") == 2
