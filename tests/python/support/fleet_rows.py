"""Histories of fleets, and what must be said of each: stated before anything judged them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from beff.definition.imported_pairs import KINDS
from support.fleets import MACHINE, Fault, Fleet, fleet_of

LIFELIKE: dict[str, Any] = {
    "passes": 6,
    "tiny": 0.1,
    "big": 0.05,
    "silent": 0.03,
    "disturbed": (30.0, 95.0),
}
SMALL: dict[str, Any] = {"hosts": 96, **LIFELIKE}
NIGHTS: dict[str, Any] = {"hosts": 200, "leaf": 20, "per_map": 12, "maps_a_day": 1, "stretch": 1}
LONG = ("large",)


@dataclass(frozen=True)
class Named:
    """A host, a leaf's uplink or MACHINE must be named as slow for messages of just these kinds.

    On each day from `by_day` to `to_day` by the maps until then; at no day before `from_day`, nor
    from `clear_by` on.
    """

    where: str
    from_day: float
    by_day: float
    to_day: float = math.inf
    clear_by: float = math.inf
    kinds: tuple[str, ...] = KINDS


@dataclass(frozen=True)
class FleetRow:
    """A history; besides whom `named` lists nobody may be named as slow on any day."""

    name: str
    seed: int
    site: Mapping[str, Any] = field(default_factory=dict)
    named: tuple[Named, ...] = ()

    def fleet(self) -> Fleet:
        """Return it, which takes up to half a second."""
        return fleet_of(self.seed, **self.site)


def fleet_rows() -> tuple[FleetRow, ...]:
    """Return all of them."""
    twice = Fault("n041", 30, 2.0, to_day=44), Fault("n041", 90, 2.0)
    three = ("n050", "n055", "n060")
    return (
        FleetRow("clean", 1, LIFELIKE),
        FleetRow(
            "a host x1.2 from day 80",
            2,
            {"hosts": 240, **LIFELIKE, "faults": (Fault("n100", 80, 1.2),)},
            (Named("n100", 80, 115),),
        ),
        FleetRow(
            "a host x1.3 in long messages",
            3,
            {**SMALL, "faults": (Fault("n020", 60, 1.3, kinds=LONG),)},
            (Named("n020", 60, 80, kinds=LONG),),
        ),
        FleetRow(
            "a host x2 for two weeks, mended, comes back",
            4,
            {**SMALL, "faults": twice},
            (Named("n041", 30, 42, 44, 60), Named("n041", 90, 105)),
        ),
        FleetRow(
            "the uplink of a leaf x1.5 in long messages",
            5,
            {**SMALL, "faults": (Fault("leaf03", 50, 1.5, kinds=LONG),)},
            (Named("leaf03", 50, 70, kinds=LONG),),
        ),
        FleetRow("two kinds of hosts", 6, {"hosts": 240, **LIFELIKE, "kinds": (0.3, 1.15)}),
        FleetRow("quicker hosts in a leaf", 7, {**SMALL, "replaced_leaf": ("leaf02", 60, 0.9)}),
        FleetRow("hosts in a leaf 10 % slower", 8, {**SMALL, "replaced_leaf": ("leaf02", 60, 1.1)}),
        FleetRow(
            "the machine x3",
            9,
            {**SMALL, "faults": (Fault(MACHINE, 70, 3.0),)},
            (Named(MACHINE, 70, 80),),
        ),
        FleetRow(
            "three hosts of a leaf x1.3",
            10,
            {**SMALL, "faults": tuple(Fault(name, 60, 1.3) for name in three)},
            tuple(Named(name, 60, 95) for name in three),
        ),
        FleetRow(
            "8 hosts, two or three at a time",
            11,
            {"hosts": 8, "leaf": 8, "tiny": 1.0, "faults": (Fault("n003", 60, 1.3),)},
            (Named("n003", 60, 80),),
        ),
        FleetRow(
            "12 hosts, four at a time, no switches known",
            12,
            {
                "hosts": 12,
                "leaf": 6,
                "per_map": 4,
                "known_switches": False,
                "faults": (Fault("n007", 60, 1.3),),
            },
            (Named("n007", 60, 80),),
        ),
        FleetRow(
            "noise 8 %",
            13,
            {**SMALL, "noise": 0.08, "faults": (Fault("n070", 60, 1.3),)},
            (Named("n070", 60, 85),),
        ),
        FleetRow(
            "each side adds its half",
            14,
            {**SMALL, "additive": True, "faults": (Fault("n033", 60, 1.5),)},
            (Named("n033", 60, 85),),
        ),
        FleetRow("other jobs load uplinks x1.5", 15, {**NIGHTS, "loaded": (0.25, 1.5)}),
        FleetRow(
            "a host x1.2, other jobs load uplinks",
            16,
            {**NIGHTS, "hosts": 100, "loaded": (0.15, 1.25), "faults": (Fault("n071", 40, 1.2),)},
            (Named("n071", 40, 115),),
        ),
        FleetRow(
            "no switches known, a hop x1.2",
            17,
            {**NIGHTS, "per_map": 8, "known_switches": False, "hop": 1.2},
        ),
        FleetRow(
            "a third upgraded",
            18,
            {**NIGHTS, "hosts": 60, "per_map": 8, "replaced_leaf": ("leaf01", 40, 0.75)},
        ),
        FleetRow(
            "a host x1.5 after a third was upgraded",
            20,
            {
                **{**NIGHTS, "hosts": 60, "per_map": 8, "replaced_leaf": ("leaf01", 40, 0.75)},
                "faults": (Fault("n007", 80, 1.5),),
            },
            (Named("n007", 80, 115),),
        ),
        FleetRow("four hosts a night", 19, {**NIGHTS, "per_map": 4}),
    )
