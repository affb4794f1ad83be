"""How long messages take that begin together, against numbers computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
from slow_hosts.flows import Routed, iteration_s
from slow_hosts.networks import Network, crossbar, random_rates, tree
from support.machines.faults import Fault
from support.machines.machine import Machine, broken

MIB = 1 << 20
UNIT_S = 90e-6
"""What a port of these machines needs for a MiB."""


def machine(network: Network, *faults: Fault, pairs: bool = False) -> Machine:
    place = np.arange(network.hosts)
    return broken(Routed(network, place, pairs), *faults, base_ns={"small": 0.0, "large": 9e4})


def took(made: Machine, *messages: tuple[int, int, float]) -> float:
    """Return it in units."""
    source, target, mib = (np.array(column) for column in zip(*messages, strict=True))
    return iteration_s(made, source, target, mib * MIB) / UNIT_S


def test_ports_and_what_ends_sooner() -> None:
    """Two leave host 0, the second of which is alone after the first; what stays takes no time."""
    flat = machine(crossbar(4))
    assert took(flat, (0, 1, 1.0), (0, 2, 3.0)) == pytest.approx(4, rel=0.01)
    assert took(flat, (0, 1, 1.0), (1, 0, 1.0), (2, 2, 9.0)) == pytest.approx(1, rel=0.01)


def test_uplinks_and_slow_hosts() -> None:
    leaves = tree(([4, 4], 1.0, 4))
    every = [(host, host + 4, 1.0) for host in range(4)]
    assert took(machine(leaves), *every) == pytest.approx(4, rel=0.01)
    assert took(machine(leaves), *every[:1], (1, 2, 1.0)) == pytest.approx(1, rel=0.01)
    slow = machine(leaves, Fault(8.0, hosts=(0,)))
    assert took(slow, *every) == pytest.approx(8, rel=0.01)


def test_each_pair_its_own_rate() -> None:
    network = random_rates(4, 0.5)
    assert took(machine(network, pairs=True), (0, 1, 1.0)) == pytest.approx(
        max(1.0, network.long[0, 1]), rel=0.01
    )
