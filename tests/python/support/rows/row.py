"""A row of the table: machines of a kind, and what is true of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from support.machines.course import Jitter, Neighbours
from support.machines.machine import Machine
from support.machines.noise import Noise
from support.machines.plan import passes_within
from support.rows.truth import CLEAN, Truth

Drawn = tuple[Machine, Truth]


@dataclass(frozen=True)
class Row:
    """`draw` returns the machine of a seed with its truth; `hosts` is for those who read."""

    name: str
    hosts: str
    draw: Callable[[int], Drawn]


@dataclass(frozen=True)
class _Same:
    machine: Machine
    truth: Truth

    def __call__(self, seed: int) -> Drawn:
        return self.machine, self.truth


def row(name: str, machine: Machine, truth: Truth = CLEAN) -> Row:
    """Return a row of one machine."""
    return Row(name, str(machine.units), _Same(machine, truth))


def briefly(machine: Machine) -> tuple[str, Machine]:
    """Return the name of a short run, and the machine with it: 60 passes, or a quarter of usual."""
    usual = passes_within(machine.units, machine.duration_s)
    passes = 60 if usual > 60 else max(3, usual // 4)
    return f"{passes} passes", replace(machine, passes=passes)


def percent(share: float) -> str:
    """Return a share as it stands in names."""
    return f"{100 * share:g} %"


def is_noisy(name: str, units: int) -> bool:
    """Whether a disturbance makes most pairs differ so much that the map may name nobody."""
    return name == "noise 30 %" or (name == "rotating jitter" and units <= 8)


def disturbances(units: int) -> dict[str, dict[str, Any]]:
    """Return what a machine's times may suffer from, as fields of the machine."""
    return {
        "noise 1 %": {"noise": Noise(0.01)},
        "noise 10 %": {"noise": Noise(0.1)},
        "noise 30 %": {"noise": Noise(0.3)},
        "one-sided noise 5 %": {"noise": Noise(0.05, one_sided=True)},
        "Pareto tails 4 %": {"noise": Noise(tails=0.04)},
        "Pareto tails 10 %": {"noise": Noise(tails=0.1, index=1.0)},
        "interrupts": {"noise": Noise(interrupts=0.2)},
        "rotating jitter": {"jitter": Jitter(share=1 / units)},
        "busy neighbours": {"neighbours": Neighbours(time=0.3, load=0.6)},
        "drift 5 %": {"drift": 0.05},
    }
