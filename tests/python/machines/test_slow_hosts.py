"""The machines of bench/slow_hosts, the rules of others, and the table, against known numbers."""

from __future__ import annotations

import io
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from slow_hosts.between import every_row
from slow_hosts.machine import BOTH, LONG_BYTES, LONG_S, SHORT_BYTES, SHORT_S, Fault, Machine
from slow_hosts.machine import measure as measured
from slow_hosts.networks import crossbar, dragonfly, meshed, rails, torus, tree
from slow_hosts.peers import PEERS
from slow_hosts.rows import Row, rows
from slow_hosts.truth import Must, Said, Truth, counted

BENCH = Path(__file__).resolve().parents[3] / "bench"
QUIET = Machine(crossbar(6), spread=0.0, noise=0.0)


def level(machine: Machine, size: int, one: int, other: int) -> float:
    """The median time of a pair."""
    table = measured(machine, 1)
    met = (table["from"] == one) & (table["to"] == other) & (table["bytes"] == size)
    return float(np.median(table["seconds"][met]))


def test_rows_are_few_and_of_one_name() -> None:
    names = [row.name for row in rows()]
    assert len(names) == len({*names}) <= 80
    every = [row.name for row in every_row()]
    assert len(every) == len({*every})


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_what_is_called_true_is_planted(row: object) -> None:
    machine, truth = row.draw(5)  # type: ignore[attr-defined]
    hosts = {host for fault in machine.faults for host in fault.hosts}
    met = Counter(end for fault in machine.faults for pair in fault.pairs for end in pair)
    by_pairs = {host for host, often in met.items() if often > 1}
    assert truth.hosts == hosts | by_pairs
    assert truth.is_clean == (not machine.faults)
    assert measured(replace(machine, passes=1), 5)["to"].max() == machine.hosts - 1


@pytest.mark.parametrize("row", every_row()[len(rows()) :], ids=lambda row: row.name)
def test_of_slow_hosts_links_and_ways_pairs_are_slow(row: Row) -> None:
    """Who is called faulty takes longer in long messages than a sound machine of the same seed."""
    machine, truth = row.draw(5)
    table, sound = (
        measured(replace(one, passes=2), 5) for one in (machine, replace(machine, faults=()))
    )
    slower = table["seconds"] > 1.15 * sound["seconds"]
    met = [*zip(table["from"].tolist(), table["to"].tolist(), slower.tolist(), strict=True)]
    assert truth.hosts <= {end for *ends, slow in met for end in ends if slow}
    assert truth.links <= {frozenset(ends) for *ends, slow in met if slow}
    assert slower.any() == bool(machine.faults)


@pytest.mark.parametrize(("hosts", "rounds"), [(6, 5), (7, 7)])
def test_in_a_pass_each_host_meets_each_once(hosts: int, rounds: int) -> None:
    table = measured(Machine(crossbar(hosts), passes=2), 3)
    short = table[table["bytes"] == SHORT_BYTES]
    assert short["round"].max() == 2 * rounds - 1
    met = Counter(zip(short["from"].tolist(), short["to"].tolist(), strict=True))
    assert len(met) == hosts * (hosts - 1) // 2
    assert {*met.values()} == {2}
    for now in range(2 * rounds):
        of_round = short[short["round"] == now]
        ends = [*of_round["from"].tolist(), *of_round["to"].tolist()]
        assert len(ends) == len({*ends}) == 2 * (hosts // 2)


@pytest.mark.parametrize(
    ("model", "short", "long"), [("max", 1.5, 1.5), ("sum", 1.9, 1.9), ("both", 1.9, 1.5)]
)
def test_how_two_slow_hosts_meet(model: str, short: float, long: float) -> None:
    faults = Fault(1.4, hosts=(1,)), Fault(1.5, hosts=(2,))
    machine = replace(QUIET, model=model, faults=faults)
    assert level(machine, SHORT_BYTES, 1, 2) == pytest.approx(short * SHORT_S, rel=1e-3)
    assert level(machine, LONG_BYTES, 1, 2) == pytest.approx(long * LONG_S, rel=1e-3)
    assert level(machine, LONG_BYTES, 0, 1) == pytest.approx(1.4 * LONG_S, rel=1e-3)


def test_who_is_on_an_uplink_shares_it() -> None:
    """Two leaves of two at 2:1: uplinks have room for one, on which none or both pairs are."""
    machine = replace(QUIET, network=tree(([2, 2], 1.2, 2)))
    assert level(machine, LONG_BYTES, 0, 1) == pytest.approx(LONG_S, rel=1e-3)
    assert level(machine, LONG_BYTES, 0, 2) == pytest.approx(2 * LONG_S, rel=1e-3)
    assert level(machine, SHORT_BYTES, 0, 2) == pytest.approx(1.2 * SHORT_S, rel=1e-3)


def test_who_is_on_a_way_shares_it_both_ways() -> None:
    """Of two leaves of two at half a port none or both pairs are on it: four messages."""
    network = meshed(tree(([2, 2], 1, 1)))
    assert network.room.tolist() == [2, 2, 2, 2, 4]
    machine = replace(QUIET, network=network, faults=(Fault(8, links=(4,)),))
    assert level(machine, LONG_BYTES, 0, 2) == pytest.approx(8 * LONG_S, rel=1e-3)
    assert level(machine, LONG_BYTES, 0, 1) == pytest.approx(LONG_S, rel=1e-3)
    alone = measured(machine, 1, lambda _: [(0, 2)])[-12:]
    assert {*alone["seconds"][alone["bytes"] == LONG_BYTES].tolist()} == {4 * LONG_S, 2 * LONG_S}


def test_uplinks_of_pods_are_behind_those_of_leaves() -> None:
    """Two pods of two: both pairs leave the first, whose uplink carries half a port."""
    network = tree(([1] * 4, 1, 1), ([2, 2], 1, 1))
    machine = replace(QUIET, network=network, faults=(Fault(4, links=network.uplink(4)),))
    assert level(machine, LONG_BYTES, 0, 2) == pytest.approx(4 * LONG_S, rel=1e-3)
    assert level(machine, LONG_BYTES, 0, 1) == pytest.approx(LONG_S, rel=1e-3)


def test_of_a_star_each_meets_the_hub() -> None:
    table = measured(replace(QUIET, star=True, passes=2), 1)
    assert {*table["from"].tolist()} == {0}
    short = table[table["bytes"] == SHORT_BYTES]
    assert short["round"].tolist() == [*range(10)]
    assert sorted(short["to"][:5].tolist()) == sorted(short["to"][5:].tolist()) == [1, 2, 3, 4, 5]


def test_a_host_warms_evenly() -> None:
    """In five rounds from x1 to x1.4; it is as warm when it is measured again."""
    machine = replace(QUIET, passes=1, faults=(Fault(1.4, (1,), warms=True),))
    table = measured(machine, 1, lambda _: [(1, 2)])
    own = (table["bytes"] == LONG_BYTES) & ((table["from"] == 1) | (table["to"] == 1))
    factors = dict(zip(table["round"][own].tolist(), table["seconds"][own] / LONG_S, strict=True))
    assert [factors[at] for at in range(5)] == pytest.approx([1, 1.1, 1.2, 1.3, 1.4], rel=1e-3)
    assert {*np.round([factors[at] for at in range(5, 17)], 3).tolist()} == {1.4}


def test_ways() -> None:
    assert [
        len({*way[way >= 0].tolist()}) for way in torus(4, 2, 2).links[0, [1, 2, 4, 8, 15]]
    ] == [*(1, 1, 1, 2, 3)]
    fly = dragonfly(3, 2, 1)
    assert (fly.links[0, 1] >= 0).sum() == 1
    assert (fly.links >= 0).sum(axis=2).max() == 3
    assert rails(4, 2, 1.1).short[0].tolist() == [1, 1.1, 1, 1.1]


def test_what_is_measured_again_is_alone() -> None:
    table = measured(QUIET, 1, lambda _: [(0, 3), (1, 2)])
    alone = table[table["round"] > 14]
    assert len(alone) == 2 * 4 * 4
    assert (alone["ways"] == 1).sum() == 2 * 4 * 2
    assert {*zip(alone["from"].tolist(), alone["to"].tolist(), strict=True)} == {
        *((0, 3), (3, 0), (1, 2), (2, 1))
    }


def test_rules_of_others() -> None:
    slow = measured(replace(QUIET, noise=0.001, faults=(Fault(2.0, hosts=(4,)),)), 1)
    assert all(named(slow) >= {4} for named in PEERS.values())
    little = measured(replace(QUIET, noise=0.001, faults=(Fault(1.05, hosts=(4,)),)), 1)
    assert [name for name, named in PEERS.items() if 4 in named(little)] == [
        *("median + 3 MAD", "one sigma")
    ]


@pytest.mark.parametrize(
    ("truth", "said", "word", "innocents"),
    [
        (Truth(), Said(set()), "good", 0),
        (Truth(), Said({1}, verdict="bad"), "bad", 1),
        (Truth(hosts=frozenset({1, 2})), Said({1, 2}, verdict="bad"), "named", 0),
        (Truth(hosts=frozenset({1, 2})), Said({1, 3}, verdict="bad"), "part", 1),
        (Truth(hosts=frozenset({1})), Said(set(), {1}, verdict="open"), "open", 0),
        (Truth(hosts=frozenset({1})), Said(set(), links={frozenset({1, 2})}), "part", 0),
        (Truth(uplink=True), Said(set(), verdict="bad"), "bad", 0),
    ],
)
def test_what_is_counted(truth: Truth, said: Said, word: str, innocents: int) -> None:
    assert counted(truth, said) == Counter({"maps": 1, word: 1, "innocents": innocents})


def test_what_breaks_a_statement() -> None:
    must = Must(named=0.95, good=0.0)
    assert must.broken(Counter(maps=200, named=190, open=10)) == []
    assert must.broken(Counter(maps=200, named=189, open=10, good=1)) == ["good", "named"]
    assert Must(open=0.05, innocents=0.001).broken(Counter(maps=1000, open=51, innocents=2)) == [
        *("open", "innocents")
    ]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    asked = [sys.executable, *command]
    return subprocess.run(asked, cwd=BENCH, capture_output=True, text=True, check=False)


def test_the_table() -> None:
    found = run("check_power.py", "--runs", "10", "--only", "^crossbar, 8 hosts(: host x1.5.*)?$")
    lines = [line.split(" | ") for line in found.stdout.splitlines()[2:4]]
    assert (found.returncode, [line[2:8] for line in lines]) == (
        0,
        [["10", "-", "-", "0", "10", "0"], ["2", "2", "0", "0", "0", "0"]],
    )


@pytest.mark.parametrize("options", [["--only", "("], ["--runs", "x"], ["--only", "no such row"]])
def test_what_cannot_be_meant_is_refused(options: list[str]) -> None:
    found = run("check_power.py", *options)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.splitlines()[-1].startswith(f"check_power.py: error: argument {options[0]}")


def test_a_map_as_csv() -> None:
    name = "crossbar, 4 hosts: host x1.5"
    text = run("-m", "slow_hosts", name, "3").stdout
    found = np.genfromtxt(io.StringIO(text), delimiter=",", names=True, skip_header=1)
    machine, _ = next(row for row in rows() if row.name == name).draw(3)
    assert found["seconds"].tolist() == measured(machine, 3)["seconds"].tolist()
    assert run("-m", "slow_hosts", "no such row").returncode == 1
    assert BOTH == ("short", "long")
