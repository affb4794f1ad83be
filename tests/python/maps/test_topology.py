"""Files that say which switches hosts are behind."""

from pathlib import Path

import pytest
from slow_hosts.machine import Machine
from support.machines.measure import CALM, leaves
from support.machines.result import make_map
from support.reports import document_of, run_beff, written

from beff.maps.topology import Topology, read_topology
from beff.result.errors import ResultError

CONF = """
# a tree
SwitchName=top Switches=leaf[1-2]
switchname=leaf1 Nodes=node[1-3]  # and more
SwitchName=leaf2 \\
  Nodes=node[4-5],other
"""
YAML = """
- topology: flat
  cluster_default: false
  flat: true
- topology: the_tree
  cluster_default: true
  tree:
    switches:
      - {switch: top, children: "leaf[1-2]"}
      - {switch: leaf1, nodes: "node[1-3]"}
      - {switch: leaf2, nodes: "node[4-5],other"}
"""


def read(folder: Path, name: str, text: str) -> Topology:
    path = folder / name
    path.write_text(text, "utf-8")
    return read_topology(path)


@pytest.mark.parametrize(("name", "text"), [("topology.conf", CONF), ("topology.yaml", YAML)])
def test_both_forms_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    found = read(tmp_path, name, text)
    hosts = ["node1", "node5.cluster.example", "other"]
    assert found.of(hosts) == (("top", "leaf1"), ("top", "leaf2"), ("top", "leaf2"))
    with pytest.raises(ResultError, match=f"{name}: has no switch for host node9"):
        found.of(["node1", "node9"])


PRINTED = """\
SwitchName=s0 Level=0 LinkSpeed=1 Nodes=r[1-2]c[0-1]
SwitchName=s1 Level=0 LinkSpeed=1 Nodes=r3c0,r3c1
SwitchName=top Level=1 LinkSpeed=1 Nodes=r[1-3]c[0-1] Switches=s[0-1]
"""
WRITTEN = """\
SwitchName = s0 Nodes = "r[1-2]c[0-1]" # two brackets
SwitchName=s1 \\
  Nodes=r[3]c[0,1] LinkSpeed=100
SWITCHNAME=top switches=s[0-1]
"""


@pytest.mark.parametrize("text", [PRINTED, WRITTEN, WRITTEN.replace("\n", "\r\n")])
def test_what_slurm_takes_and_prints_is_read(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, "topology.conf", text).above
    assert found == {
        f"r{rack}c{host}": ("top", "s1" if rack == 3 else "s0")
        for rack in (1, 2, 3)
        for host in (0, 1)
    }


def test_blocks_as_printed(tmp_path: Path) -> None:
    text = (
        "BlockName=b1 BlockIndex=0 Nodes=n[1-2] BlockSize=2\n"
        "BlockName=b2 BlockIndex=1 Nodes=n3 BlockSize=1\n"
        "AggregatedBlock=b[1-2] BlockIndex=2 Nodes=n[1-3] BlockSize=3\n"
    )
    above = read(tmp_path, "topology.conf", text).above
    assert above == {"n1": ("b1",), "n2": ("b1",), "n3": ("b2",)}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.conf", "", "describes no switch"),
        ("a.conf", "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n[1-2]", "n1 is behind a and b"),
        ("a.conf", "SwitchName=a Switches=b\nSwitchName=b Switches=a Nodes=n1", "below itself"),
        ("a.conf", "SwitchName=a Nodes=n[1-2000000]", "more than 1000000 hosts"),
        ("a.conf", "SwitchName=a Nodes=n1\nSwitchNam=b Nodes=n2", "line 2 is not understood"),
        ("a.conf", "SwitchName=a Nodes=n1\nNodes=n2", "line 2 is not understood"),
        ("a.conf", "# x\n\nSwitchName=a \\\n Nodes=n[1-2\nSwitchName=b", "line 3 is not"),
        ("a.conf", "SwitchName=a Nodes=n[1-x]", "line 1 is not understood"),
        ("a.conf", "SwitchName=a Nodes=n[3-1]", "line 1 is not understood"),
        ("a.conf", "SwitchName=a Nodes=n1 Nodes=n2", "line 1 is not understood"),
        ("a.conf", "SwitchName=a Nodes=n1\ninclude more.conf", "line 2 .*Include is not followed"),
        ("a.yaml", "[", "is not YAML"),
        ("a.yaml", "a: b", "describes no switch"),
        ("a.yaml", "- tree: {switches: [{switch: a, nodes: [n1]}]}", "'nodes' of an entry"),
        ("a.yaml", "- tree: {switches: [{switch: a, nodes: 'n[1-x]'}]}", "'nodes' of an entry"),
        ("a.yaml", "[" * 20_000, "nothing else .line 1"),
        (
            "a.yaml",
            "- tree:\n    switches:\n    - &a {switch: a, nodes: n1}\n    - *a",
            "out what .a",
        ),
    ],
)
def test_what_is_wrong_in_a_file_is_said(
    tmp_path: Path, name: str, text: str, problem: str
) -> None:
    with pytest.raises(ResultError, match=problem):
        read(tmp_path, name, text)


@pytest.fixture
def far(tmp_path: Path) -> Path:
    """Host node8 is 1.4 times as far as node1 to node7 are from each other."""
    machine = Machine(leaves(4, 3, 1, hop=1.4), passes=20, **CALM)
    return written(tmp_path, "a.json", make_map(machine))


LEAVES = (
    "SwitchName=s Switches=l[1-3]\nSwitchName=l1 Nodes=node[1-4]\nSwitchName=l2 Nodes=node[5-7]\n"
)


def test_check_reads_a_topology(tmp_path: Path, far: Path) -> None:
    """Which may have the names of the scheduler."""
    whole = tmp_path / "topology.conf"
    whole.write_text(LEAVES, "utf-8")
    done = run_beff("check", far, "--topology", whole)
    assert done.returncode == 2
    assert "has no switch for host node8" in done.stderr
    whole.write_text(LEAVES + "SwitchName=l3 Nodes=node8\n", "utf-8")
    done = run_beff("check", far, "--topology", whole, "--json")
    assert done.returncode == 0
    assert "l1 (node[1-4])" in done.stdout
    fields = document_of(far)
    for number, host in enumerate(fields["environment"]["hosts"], 1):
        host["node"] = f"cn{number}"
    written(tmp_path, "a.json", fields)
    whole.write_text(whole.read_text("utf-8").replace("node", "cn"), "utf-8")
    assert run_beff("check", far, "--topology", whole).returncode == 0


def test_what_the_launcher_says_is_a_topology(tmp_path: Path, far: Path) -> None:
    fields = document_of(far)
    for number, host in enumerate(fields["environment"]["hosts"]):
        host["switches"] = "spine." + ("leafA", "leafB", "leafC")[(number >= 4) + (number >= 7)]
    done = run_beff("check", written(tmp_path, "a.json", fields), "--json")
    assert done.returncode == 0
    assert "leafA (node[1-4])" in done.stdout
