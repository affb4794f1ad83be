"""Machines on which nothing is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from support.machines.course import Neighbours
from support.machines.dragonfly import Dragonfly
from support.machines.leaves import Leaves, Level, leaves
from support.machines.machine import Machine
from support.machines.torus import Torus
from support.machines.ways import Flat
from support.rows.row import Row, briefly, disturbances, is_noisy, percent, row
from support.rows.truth import CLEAN, UNDECIDABLE, Truth

HOPS = (1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4, 1.5, 1.7, 2.0)
FEW_HOPS = (1.1, 1.25, 1.4, 2.0)
UNEQUAL = {4: (), 8: ((6, 2), (5, 3)), 16: ((11, 5), (14, 2)), 64: ((44, 20),), 256: ((176, 80),)}
MANY = {
    4: (),
    8: ((2,) * 4,),
    16: ((4,) * 4, (2,) * 8, (6, 5, 3, 2)),
    64: ((16,) * 4, (8,) * 8),
    256: ((64,) * 4, (32,) * 8),
}
TORI = {8: (2, 2, 2), 16: (4, 2, 2), 64: (4, 4, 4), 256: (8, 8, 4)}
FLIES = {8: (2, 2, 2), 16: (4, 2, 2), 64: (4, 4, 4), 256: (8, 8, 4)}


def halves(units: int) -> tuple[int, int]:
    """Return the sizes of two equal leaves."""
    return units // 2, units // 2


def named(sizes: tuple[int, ...]) -> str:
    """Return how leaves are called."""
    equal = len(sizes) > 2 and len(set(sizes)) == 1
    return f"{len(sizes)} leaves of {sizes[0]}" if equal else "+".join(map(str, sizes))


def clean_rows(units: int) -> Iterator[Row]:
    """Return machines of so many hosts, which are 4, 8, 16, 64 or 256."""
    flat = Machine(Flat(units))
    yield row("flat", flat)
    short, brief = briefly(flat)
    yield row(f"flat, {short}", brief)
    yield row("flat, 3 passes", replace(flat, passes=3))
    for name, more in disturbances(units).items():
        truth = UNDECIDABLE if is_noisy(name, units) else CLEAN
        yield row(f"flat, {name}", replace(flat, **more), truth)
    for spread in (0.05, 0.08, 0.1):
        truth = _of_spread(units, spread)
        yield row(f"flat, hosts differ by {percent(spread)}", replace(flat, spread=spread), truth)
    yield from _on_leaves(units)
    yield from _alone(units)
    yield from _tapered(units)
    yield from _by_kind(units)
    if units in TORI:
        yield row("torus", Machine(Torus(TORI[units])))
        fly = Dragonfly(*FLIES[units], detour=0.3)
        loaded = Neighbours(time=1.0, load=0.6, stretch=1)
        yield row("dragonfly", Machine(fly))
        yield row("dragonfly that others load", Machine(fly, neighbours=loaded))


def _of_spread(units: int, spread: float) -> Truth:
    """By nature, one of 64 hosts is as far off as a faulty one where they differ by 5 %."""
    return UNDECIDABLE if spread > 0.05 or units > 16 else CLEAN


def _on_leaves(units: int) -> Iterator[Row]:
    equal = halves(units)
    for hop in HOPS if units <= 16 else FEW_HOPS:
        machine = Machine(leaves(*equal, hop=hop))
        yield row(f"{named(equal)} x {hop}", machine)
        short, brief = briefly(machine)
        yield row(f"{named(equal)} x {hop}, {short}", brief)
    for sizes in (*UNEQUAL[units], *MANY[units]):
        for hop in FEW_HOPS:
            yield row(f"{named(sizes)} x {hop}", Machine(leaves(*sizes, hop=hop)))
    for name, more in disturbances(units).items():
        truth = UNDECIDABLE if is_noisy(name, units) else CLEAN
        for hop in (1.1, 1.25, 1.4):
            machine = Machine(leaves(*equal, hop=hop), **more)
            yield row(f"{named(equal)} x {hop}, {name}", machine, truth)
    usual = Machine(leaves(*equal, hop=1.25))
    yield row(f"{named(equal)} x 1.25, 3 passes", replace(usual, passes=3))
    for spread in (0.05, 0.08):
        truth = _of_spread(units, spread)
        name = f"{named(equal)} x 1.25, hosts differ by {percent(spread)}"
        yield row(name, replace(usual, spread=spread), truth)
    mixed = Leaves((Level(equal, hop=1.25),), scattered=5)
    yield row(f"{named(equal)} x 1.25, numbered at random", Machine(mixed))
    if units >= 8:
        quarter = units // 4
        nested = Leaves((Level((quarter,) * 4, hop=1.12), Level(equal, hop=1.35, taper=2)))
        yield row(f"4 leaves of {quarter} x 1.12 in 2 pods x 1.35, 2:1", Machine(nested))


def _alone(units: int) -> Iterator[Row]:
    sizes = (units - 1, 1)
    for hop in (1.1, 1.2, 1.25, 1.4, 1.7):
        machine = Machine(leaves(*sizes, hop=hop))
        yield row(f"one alone on a leaf x {hop}", machine, UNDECIDABLE)
    short, brief = briefly(Machine(leaves(*sizes, hop=1.25)))
    yield row(f"one alone on a leaf x 1.25, {short}", brief, UNDECIDABLE)
    if units >= 8:
        two = Machine(leaves(units - 2, 1, 1, hop=1.3))
        yield row("two, each alone on a leaf x 1.3", two, UNDECIDABLE)


def _tapered(units: int) -> Iterator[Row]:
    shapes = [halves(units), *([(units // 4,) * 4] if units >= 8 else [])]
    for sizes in shapes:
        for taper in (1, 2, 3, 4):
            tree = leaves(*sizes, hop=1.2, taper=taper)
            yield row(f"{named(sizes)} x 1.2, {taper}:1", Machine(tree))
        tree = leaves(*sizes, hop=1.2, taper=2)
        busy = disturbances(units)["busy neighbours"]
        yield row(f"{named(sizes)} x 1.2, 2:1, busy neighbours", Machine(tree, **busy))
        fixed = leaves(*sizes, hop=1.2, cables=sizes[0])
        yield row(f"{named(sizes)} x 1.2, static routes", Machine(fixed))
    equal = leaves(*halves(units), taper=2)
    yield row(f"{named(halves(units))} x 1, 2:1", Machine(equal))


def _by_kind(units: int) -> Iterator[Row]:
    """Two kinds of hosts; that the slower ones are faulty is as true as that they are not."""
    half = (1.0,) * (units // 2), units - units // 2
    for factor in (1.25, 2.0):
        later = half[0] + (factor,) * half[1]
        by = {"small": later, "large": later}
        yield row(f"two kinds, half x {factor}", Machine(Flat(units), nature=by), UNDECIDABLE)
    short_only = {"small": half[0] + (1.5,) * half[1]}
    machine = Machine(Flat(units), nature=short_only)
    yield row("two kinds, half x 1.5 in short messages", machine, UNDECIDABLE)
