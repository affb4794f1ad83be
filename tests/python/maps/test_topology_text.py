"""What maps show as a file of Slurm's: read back, it has the groups of the machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.machines.leaves import Leaves, Level
from support.machines.machine import broken
from support.machines.measure import map_of
from support.machines.ways import Flat, Topology

from beff.maps.joined import joined
from beff.maps.nested import Nested, nested
from beff.maps.topology import Topology as Known
from beff.maps.topology import read_topology
from beff.maps.topology_text import said_of, topology_text

NAMES = tuple(f"c{number:02}" for number in range(40))
UNEQUAL = Leaves((Level((5, 8, 3), hop=1.3),))
BOTH = pytest.mark.parametrize("name", ["topology.conf", "topology.yaml"])


def seen_on(topology: Topology) -> Nested:
    seen = nested(joined([map_of(broken(topology, passes=20), 1)]))
    return replace(seen, names=NAMES[: topology.units])


def read_back(folder: Path, seen: Nested, name: str) -> Known:
    path = folder / name
    path.write_text(topology_text(seen, "a map", said_of(seen), is_yaml=path.suffix == ".yaml"))
    return read_topology(path)


@BOTH
def test_leaves_are_those_of_the_machine(tmp_path: Path, name: str) -> None:
    assert read_back(tmp_path, seen_on(UNEQUAL), name).above == {
        host: ("top", f"leaf{leaf}")
        for leaf, hosts in enumerate((NAMES[:5], NAMES[5:13], NAMES[13:16]))
        for host in hosts
    }


@BOTH
def test_pods_have_a_switch_between_leaves_and_top(tmp_path: Path, name: str) -> None:
    tree = Leaves((Level((4,) * 5, hop=1.15), Level((8, 12), hop=1.3)))
    above = read_back(tmp_path, seen_on(tree), name).above
    assert {above[host] for host in NAMES[:8]} == {
        ("top", "pod0", "leaf0"),
        ("top", "pod0", "leaf1"),
    }
    assert above["c19"] == ("top", "pod1", "leaf4")


def test_one_switch_has_no_other_above(tmp_path: Path) -> None:
    known = read_back(tmp_path, seen_on(Flat(12)), "topology.conf")
    assert set(known.above.values()) == {("leaf0",)}


def test_a_host_of_which_it_is_not_sure_is_left_out(tmp_path: Path) -> None:
    seen = seen_on(UNEQUAL)
    sigmas = np.where(np.arange(16) == 6, 3.9, seen.sigmas)
    known = read_back(tmp_path, replace(seen, sigmas=sigmas), "topology.conf")
    assert set(known.above) == {*NAMES[:16]} - {"c06"}


def test_blocks_are_as_large_as_the_smallest() -> None:
    yaml = pytest.importorskip("yaml")
    text = topology_text(seen_on(UNEQUAL), "a map", (), is_yaml=True)
    tree, block = yaml.safe_load(text)
    assert (tree["cluster_default"], block["cluster_default"]) == (True, False)
    assert block["block"]["block_sizes"] == [3]
    assert block["block"]["blocks"][1] == {"block": "leaf1", "nodes": "c[05-12]"}


@BOTH
def test_hosts_may_have_any_name(tmp_path: Path, name: str) -> None:
    names = ("007", "no", "1e3", "null", "0x10", *(f"{number:02}" for number in range(8, 19)))
    known = read_back(tmp_path, replace(seen_on(UNEQUAL), names=names), name)
    assert set(known.above) == set(names)
