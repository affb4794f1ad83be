"""Machines on which something is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from support.machines.course import Neighbours
from support.machines.dragonfly import Dragonfly
from support.machines.faults import Fault, Loss
from support.machines.leaves import leaves
from support.machines.machine import Machine, broken
from support.machines.noise import Noise
from support.machines.torus import Torus
from support.machines.ways import Flat
from support.rows.clean_rows import FLIES, TORI, UNEQUAL, halves, named
from support.rows.row import Row, briefly, disturbances, is_noisy, percent, row
from support.rows.truth import Asked, Truth, slow, slow_link

HOST = 3
LINK = (2, 3)


def fault_rows(units: int) -> Iterator[Row]:
    """Return machines of so many hosts, which are 4, 8, 16, 64 or 256."""
    yield from _of_one_host(units)
    yield from _of_links(units)
    yield from _that_come_and_go(units)
    yield from _of_several(units)
    yield from _behind_switches(units)
    yield from _of_uplinks(units)
    if units in TORI:
        yield from _of_other_networks(units)


def _of_one_host(units: int) -> Iterator[Row]:
    """Who is slow in short messages alone may be behind a switch of its own, up to about x 2."""
    flat = Flat(units)
    for factor in (1.1, 1.15, 1.2, 1.3, 1.5, 2.0, 3.0):
        machine = broken(flat, Fault(factor, hosts=(HOST,)))
        small = Asked.ANYTHING if factor < 1.15 else Asked.BAD
        yield row(f"host x {factor}", machine, slow(HOST, asked=small))
        short, brief = briefly(machine)
        yield row(f"host x {factor}, {short}", brief, slow(HOST, asked=small))
    for factor in (1.3, 2.0):
        machine = broken(flat, Fault(factor, hosts=(HOST,)))
        yield row(f"host x {factor}, 3 passes", replace(machine, passes=3), slow(HOST))
        for name, more in disturbances(units).items():
            asked = Asked.OPEN if is_noisy(name, units) else Asked.BAD
            truth = slow(HOST, asked=asked)
            yield row(f"host x {factor}, {name}", replace(machine, **more), truth)
        for kind, called, asked in (
            ("small", "latency only", Asked.OPEN),
            ("large", "long messages only, as one rail of two", Asked.BAD),
        ):
            machine = broken(flat, Fault(factor, hosts=(HOST,), kinds=(kind,)))
            yield row(f"host x {factor}, {called}", machine, slow(HOST, asked=asked))
    far = broken(flat, Fault(3.0, hosts=(HOST,), kinds=("small",)))
    yield row("host x 3.0, latency only", far, slow(HOST))
    for spread, factor in ((0.05, 1.5), (0.08, 2.0)):
        machine = broken(flat, Fault(factor, hosts=(HOST,)), spread=spread)
        yield row(f"host x {factor}, hosts differ by {percent(spread)}", machine, slow(HOST))


def _of_links(units: int) -> Iterator[Row]:
    flat, truth = Flat(units), slow_link(*LINK)
    for factor in (1.3, 1.5, 2.0, 3.0):
        machine = broken(flat, Fault(factor, link=LINK))
        yield row(f"link x {factor}", machine, truth)
    for name in ("noise 10 %", "one-sided noise 5 %", "Pareto tails 4 %", "rotating jitter"):
        machine = broken(flat, Fault(2.0, link=LINK), **disturbances(units)[name])
        asked = Asked.OPEN if is_noisy(name, units) else Asked.BAD
        yield row(f"link x 2.0, {name}", machine, slow_link(*LINK, asked=asked))
    yield row("link x 2.0, 3 passes", broken(flat, Fault(2.0, link=LINK), passes=3), truth)
    one_way = Fault(2.0, link=LINK, one_way=True)
    yield row("link x 2.0 in one direction", broken(flat, one_way), truth)
    for factor, asked in ((2.0, Asked.OPEN), (3.0, Asked.BAD)):
        machine = broken(flat, Fault(factor, link=LINK, kinds=("small",)))
        yield row(f"link x {factor}, latency only", machine, slow_link(*LINK, asked=asked))
    yield row(
        "link x 1.5, long messages only",
        broken(flat, Fault(1.5, link=LINK, kinds=("large",))),
        truth,
    )


def _that_come_and_go(units: int) -> Iterator[Row]:
    """Whether they are faults or others' work, the map can hardly tell: suspected is enough."""
    flat, host, link = Flat(units), slow(HOST, asked=Asked.OPEN), slow_link(*LINK, asked=Asked.OPEN)
    for stretches, when in ((0, "rounds"), (5, "rounds, in 5 stretches")):
        part: dict[str, Any] = {"time": 0.1, "stretches": stretches}
        of_host = broken(flat, Fault(4.0, hosts=(HOST,), **part))
        yield row(f"host x 4 in 10 % of the {when}", of_host, host)
        of_link = broken(flat, Fault(4.0, link=LINK, **part))
        yield row(f"link x 4 in 10 % of the {when}", of_link, link)
    often = broken(flat, Fault(2.0, hosts=(HOST,), time=0.3, stretches=1))
    yield row("host x 2 in 30 % of the rounds, in 1 stretch", often, host)
    lost = Machine(flat, losses=(Loss(HOST, 0.1, per_time=True),))
    yield row("host loses one in 10 % of its long times", lost, host)
    for share in (0.02, 0.1):
        lost = Machine(flat, losses=(Loss(HOST, share),))
        yield row(f"host loses {percent(share)} of its long messages", lost, host)
    for name in ("Pareto tails 4 %", "rotating jitter", "busy neighbours"):
        more = disturbances(units)[name]
        machine = broken(flat, Fault(4.0, hosts=(HOST,), time=0.1), **more)
        yield row(f"host x 4 in 10 % of the rounds, {name}", machine, host)


def _of_several(units: int) -> Iterator[Row]:
    flat = Flat(units)
    if units >= 8:
        two = (Fault(1.3, hosts=(HOST,)), Fault(2.0, hosts=(6,)))
        yield row("two hosts, x 1.3 and x 2", broken(flat, *two), slow(HOST, 6))
        both = (Fault(2.0, hosts=(HOST,)), Fault(2.0, link=(0, 5)))
        truth = Truth(hosts=frozenset({HOST}), links=frozenset({(0, 5)}), asked=Asked.BAD)
        yield row("a host and a link, x 2", broken(flat, *both), truth)
        third = tuple(range(1, units, 3))[: units // 3]
        yield row("a third of the hosts x 2", broken(flat, Fault(2.0, hosts=third)), slow(*third))
    if units >= 16:
        three = broken(flat, Fault(1.5, hosts=(1, 6, 11)))
        yield row("three hosts x 1.5", three, slow(1, 6, 11))
    half = tuple(range(0, units, 2))
    truth = slow(*half, asked=Asked.OPEN)
    yield row("half of the hosts x 2", broken(flat, Fault(2.0, hosts=half)), truth)


def _behind_switches(units: int) -> Iterator[Row]:
    equal = leaves(*halves(units), hop=1.25)
    for factor in (1.2, 1.3, 2.0):
        machine = broken(equal, Fault(factor, hosts=(HOST,)))
        yield row(f"{named(halves(units))} x 1.25, host x {factor}", machine, slow(HOST))
    short, brief = briefly(broken(equal, Fault(1.3, hosts=(HOST,))))
    yield row(f"{named(halves(units))} x 1.25, host x 1.3, {short}", brief, slow(HOST))
    for hop in (1.1, 1.4, 2.0):
        machine = broken(leaves(*halves(units), hop=hop), Fault(1.3, hosts=(HOST,)))
        yield row(f"{named(halves(units))} x {hop}, host x 1.3", machine, slow(HOST))
    for sizes in UNEQUAL[units]:
        for host, where in ((0, "larger"), (units - 1, "smaller")):
            machine = broken(leaves(*sizes, hop=1.25), Fault(1.5, hosts=(host,)))
            yield row(f"{named(sizes)} x 1.25, host of the {where} x 1.5", machine, slow(host))
    alone = leaves(units - 1, 1, hop=1.25)
    last = units - 1
    for factor, kinds, called, asked in (
        (1.5, ("small", "large"), "", Asked.BAD),
        (1.3, ("small",), ", latency only", Asked.OPEN),
        (3.0, ("small",), ", latency only", Asked.BAD),
    ):
        machine = broken(alone, Fault(factor, hosts=(last,), kinds=kinds))
        name = f"one alone on a leaf x 1.25, and x {factor}{called}"
        yield row(name, machine, slow(last, asked=asked))
    yield row(
        "one alone on a leaf x 1.25, another x 1.5", broken(alone, Fault(1.5, hosts=(0,))), slow(0)
    )
    for taper in (2, 3):
        tree = leaves(*halves(units), hop=1.2, taper=taper)
        called = f"{named(halves(units))} x 1.2, {taper}:1"
        for factor in (1.3, 2.0):
            machine = broken(tree, Fault(factor, hosts=(HOST,)))
            yield row(f"{called}, host x {factor}", machine, slow(HOST))
        apart = (0, units - 1)
        yield row(
            f"{called}, link within x 2", broken(tree, Fault(2.0, link=(0, 1))), slow_link(0, 1)
        )
        yield row(
            f"{called}, link between x 2", broken(tree, Fault(2.0, link=apart)), slow_link(*apart)
        )
    half = tuple(1.0 if host % 2 else 1.25 for host in range(units))
    for host, which in ((1, "quicker"), (2, "slower")):
        by = {"small": half, "large": half}
        machine = broken(Flat(units), Fault(2.0, hosts=(host,)), nature=by)
        yield row(f"two kinds, half x 1.25, one of the {which} x 2", machine, slow(host))


def _of_uplinks(units: int) -> Iterator[Row]:
    """Of two leaves the map cannot tell a slow uplink from a taper; of more, one stands out.

    Where nothing is between the others, neither hops nor a taper, the map shows two leaves.
    """
    shapes = [halves(units)]
    shapes += [(units // 4,) * 4] if units >= 8 else []
    shapes += [(units // 8,) * 8] if units >= 16 else []
    for sizes in shapes:
        for hop, taper in ((1.0, 1), (1.2, 1), (1.2, 2), (1.2, 3)):
            asked = Asked.TOLD if len(sizes) == 2 or hop == 1 else Asked.OPEN
            truth = Truth(groups=frozenset({frozenset(range(sizes[0]))}), asked=asked)
            tree = leaves(*sizes, hop=hop, taper=taper)
            for factor, left in ((2.0, "a half"), (4.0, "a quarter")):
                machine = broken(tree, Fault(factor, uplinks=tree.uplink(0)))
                yield row(f"{named(sizes)} x {hop}, {taper}:1, an uplink at {left}", machine, truth)
        up = broken(leaves(*sizes, hop=1.2), Fault(2.0, uplinks=tree.uplink(0)[:1]))
        yield row(f"{named(sizes)} x 1.2, 1:1, an uplink at a half in one direction", up, truth)
        fixed = leaves(*sizes, hop=1.2, cables=sizes[0])
        cable = broken(fixed, Fault(4.0, uplinks=fixed.uplink(0)[:1]))
        some = replace(through(cable, fixed.uplink(0)[0]), groups=truth.groups)
        yield row(f"{named(sizes)} x 1.2, static routes, one cable at a quarter", cable, some)


def _of_other_networks(units: int) -> Iterator[Row]:
    torus, fly = Torus(TORI[units]), Dragonfly(*FLIES[units], detour=0.3)
    for name, network in (("torus", torus), ("dragonfly", fly)):
        for factor in (1.3, 2.0):
            yield row(
                f"{name}, host x {factor}",
                broken(network, Fault(factor, hosts=(HOST,))),
                slow(HOST),
            )
        yield row(f"{name}, link x 2", broken(network, Fault(2.0, link=LINK)), slow_link(*LINK))
    loaded = broken(fly, Fault(1.5, hosts=(HOST,)), neighbours=Neighbours(1.0, 0.6, stretch=1))
    yield row("dragonfly that others load, host x 1.5", loaded, slow(HOST))
    far = broken(fly, Fault(4.0, uplinks=(1, fly.groups)))
    direct = through(replace(far, topology=replace(fly, detour=0.0)), 1)
    yield row("dragonfly, the link of two groups at a quarter", far, direct)
    cable = broken(torus, Fault(4.0, uplinks=(6 * HOST,)), noise=Noise(0.03))
    some = replace(through(cable, 6 * HOST), hosts=frozenset({HOST}))
    yield row("torus, a link of a router at a quarter in one direction", cable, some)


def through(machine: Machine, link: int) -> Truth:
    """Return that the links are slow that take a link of the topology in either direction."""
    first, second = np.triu_indices(machine.units, 1)
    chance = np.random.default_rng(0)
    ways = machine.topology.ways(first, second, chance)
    taken = (ways.and_back(machine.topology.ways(second, first, chance)).links == link).any(axis=1)
    pairs = zip(first[taken].tolist(), second[taken].tolist(), strict=True)
    return Truth(links=frozenset(pairs), asked=Asked.ANYTHING)
