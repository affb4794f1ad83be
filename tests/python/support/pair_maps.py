"""Maps of pairs of made-up machines, in the form of the field `pairs` of a result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beff.analysis.b_eff.pair_checks import PASSES, pairs_to_retest, rounds_of
from beff.model.b_eff_result import Pairs

ROUNDS = 64
BASE_NS = {"small": 1500.0, "large": 60_000.0}


@dataclass(frozen=True)
class Machine:
    """What a machine has, as factors of time; the noise has heavy tails.

    `slow` hosts and links count for the kinds of messages in `kinds`. An `uplink` makes pairs
    between its group and the others slower. `busy` hosts are `busy_factor` times as slow in the
    share `busy_share` of the rounds of each look, a stretch of its own in each. `spread` is the
    standard deviation of hosts that are as they should be, `noise` that of a pair and round; one
    in `1 / outliers` takes longer by a Pareto factor.
    """

    units: int
    slow: dict[int, float] = field(default_factory=dict)
    links: dict[tuple[int, int], float] = field(default_factory=dict)
    uplink: tuple[range, float] | None = None
    busy: tuple[int, ...] = ()
    busy_factor: float = 2.0
    busy_share: float = 0.3
    kinds: tuple[str, ...] = ("small", "large")
    spread: float = 0.02
    noise: float = 0.04
    outliers: float = 0.04


def own_effects(machine: Machine, seed: int) -> NDArray[np.float64]:
    """Return by how much the hosts of a run differ without a fault, as logarithms."""
    return np.random.default_rng([seed, 1]).normal(0, machine.spread, machine.units)


def pair_fields(machine: Machine, seed: int, retest: bool = True) -> dict[str, Any]:
    """Return the field `pairs` of a run on such a machine."""
    chance = np.random.default_rng(seed)
    rounds = min(ROUNDS, machine.units - 1 + machine.units % 2)
    number, first, second = np.array(list(rounds_of(machine.units, rounds, seed))).T
    own = own_effects(machine, seed)
    looks = {
        kind: [_look(machine, kind, own, first, second, number, chance) for _ in range(2)]
        for kind in BASE_NS
    }
    columns = {f"{k}_ns": [look.astype(int).tolist() for look in looks[k]] for k in BASE_NS}
    fields = {
        "unit": "host",
        "units": machine.units,
        "small_bytes": 1,
        "large_bytes": 1 << 20,
        "round": number.tolist(),
        "first": first.tolist(),
        "second": second.tolist(),
        **columns,
        "took_s": 1.0,
    }
    chosen = pairs_to_retest(Pairs.model_construct(**fields)) * PASSES if retest else []
    ones, others = np.array(chosen, dtype=np.int64).reshape(-1, 2).T
    again = {kind: _times(machine, kind, own, ones, others, chance) for kind in BASE_NS}
    times = {f"{kind}_ns": found.astype(int).tolist() for kind, found in again.items()}
    retests = {"first": ones.tolist(), "second": others.tolist(), **times}
    return {**fields, "retests": retests}


def _times(  # noqa: PLR0917 - what a pair depends on
    machine: Machine,
    kind: str,
    own: NDArray[np.float64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    chance: np.random.Generator,
) -> NDArray[np.float64]:
    """Times of pairs: the slower half decides, then the way between them."""
    slow = np.zeros(machine.units)
    logs = np.zeros(len(first))
    if kind in machine.kinds:
        for unit, factor in machine.slow.items():
            slow[unit] = np.log(factor)
        for (one, other), factor in machine.links.items():
            hit = ((first == one) & (second == other)) | ((first == other) & (second == one))
            logs[hit] += np.log(factor)
        if machine.uplink is not None:
            group, factor = machine.uplink
            crossing = np.isin(first, group) != np.isin(second, group)
            logs[crossing] += np.log(factor)
    host = own + slow
    logs += np.maximum(host[first], host[second])
    logs += chance.normal(0, machine.noise, len(first))
    tail = chance.random(len(first)) < machine.outliers
    logs[tail] += np.log(1 + chance.pareto(1.2, int(tail.sum())))
    return BASE_NS[kind] * np.exp(logs)


def _look(  # noqa: PLR0917 - what a pair depends on
    machine: Machine,
    kind: str,
    own: NDArray[np.float64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    number: NDArray[np.int64],
    chance: np.random.Generator,
) -> NDArray[np.float64]:
    times = _times(machine, kind, own, first, second, chance)
    count = int(number.max()) + 1
    for unit in machine.busy:
        start = chance.random() * (1 - machine.busy_share) * count
        during = (number >= start) & (number < start + machine.busy_share * count)
        times[during & ((first == unit) | (second == unit))] *= machine.busy_factor
    return times
