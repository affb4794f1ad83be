"""Maps of pairs of made-up machines, in the form of the field `pairs` of a result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_COMPLETE = 65
ROUNDS = 64
MOST_RETESTS = 32
BASE_NS = {"small": 1500.0, "large": 60_000.0}

Pairs = list[tuple[int, int]]


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


def rounds_of(units: int, chance: np.random.Generator) -> list[Pairs]:
    """Return the rounds: all pairs by the round robin, above 65 units shifts and random ones."""
    if units <= MOST_COMPLETE:
        return _round_robin(units)
    rounds = []
    shift = 1
    while shift < units and len(rounds) < ROUNDS // 2:
        for start in (0, shift):
            rounds.append(
                [
                    (u, u + shift)
                    for u in range(units - shift)
                    if (u - start) // shift % 2 == 0 and u >= start
                ]
            )
        shift *= 2
    while len(rounds) < ROUNDS:
        order = chance.permutation(units).tolist()
        rounds.append(list(zip(order[::2], order[1::2], strict=False)))
    return rounds


def _round_robin(units: int) -> list[Pairs]:
    seats = [*range(units), *([-1] if units % 2 else [])]
    rounds = []
    for _ in range(len(seats) - 1):
        half = len(seats) // 2
        pairs = zip(seats[:half], reversed(seats[half:]), strict=True)
        rounds.append([(a, b) for a, b in pairs if a >= 0 and b >= 0])
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds


def pair_fields(machine: Machine, seed: int, retest: bool = True) -> dict[str, Any]:
    """Return the field `pairs` of a run on such a machine."""
    chance = np.random.default_rng(seed)
    rounds = rounds_of(machine.units, chance)
    number = np.array([n for n, pairs in enumerate(rounds) for _ in pairs])
    first = np.array([a for pairs in rounds for a, _ in pairs])
    second = np.array([b for pairs in rounds for _, b in pairs])
    own = chance.normal(0, machine.spread, machine.units)
    looks = {
        kind: [_look(machine, kind, own, first, second, number, chance) for _ in range(2)]
        for kind in BASE_NS
    }
    chosen = _suspicious(looks, first, second, machine.units) if retest else []
    again = {
        kind: _times(machine, kind, own, first[chosen], second[chosen], chance) for kind in BASE_NS
    }
    columns = {f"{k}_ns": [look.astype(int).tolist() for look in looks[k]] for k in BASE_NS}
    return {
        "unit": "host",
        "units": machine.units,
        "small_bytes": 1,
        "large_bytes": 1 << 20,
        "round": number.tolist(),
        "first": first.tolist(),
        "second": second.tolist(),
        **columns,
        "retests": {
            "first": first[chosen].tolist(),
            "second": second[chosen].tolist(),
            **{f"{kind}_ns": times.astype(int).tolist() for kind, times in again.items()},
        },
        "took_s": 1.0,
    }


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


def _suspicious(
    looks: dict[str, list[NDArray[np.float64]]],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    units: int,
) -> list[int]:
    """Choose the pairs to measure again: slow in both looks, the slowest first, each once."""
    least = np.zeros(len(first))
    for times in looks.values():
        relative = [look / np.median(look) for look in times]
        least = np.maximum(least, np.minimum(*relative))
    chosen: dict[tuple[int, int], int] = {}
    for entry in np.argsort(-least).tolist():
        if least[entry] < 1.2 or len(chosen) == MOST_RETESTS:
            break
        chosen.setdefault((int(first[entry]), int(second[entry])), entry)
    return list(chosen.values())
