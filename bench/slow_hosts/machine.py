"""Machines with slow hosts, links and uplinks, and the table of times that a map of pairs is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from slow_hosts.networks import (
    Floats,
    Ints,
    Network,
    crossbar,
    dragonfly,
    rails,
    random_rates,
    torus,
    tree,
)

SHORT_BYTES, LONG_BYTES = 1, 1 << 20
SHORT_S, LONG_S = 2e-6, 105e-6
BOTH = ("short", "long")
AGAIN = 4
"""How often a pair is measured alone."""
COLUMNS = np.dtype(
    [
        ("from", "i4"),
        ("to", "i4"),
        ("bytes", "i8"),
        ("seconds", "f8"),
        ("round", "i4"),
        ("ways", "i4"),
    ]
)
"""Two hosts of a round exchange messages both `ways` at once, or send one way; rounds in order.

In the last rounds a pair is alone."""
Again = Callable[[np.ndarray[Any, Any]], list[tuple[int, int]]]
"""Says of a table which pairs are measured again with nothing else under way."""
Met = tuple[Ints, Ints, Ints]
"""First, second and round of each meeting."""


@dataclass(frozen=True)
class Fault:
    """Hosts, pairs or links of the network take `factor` times as long, in messages of `kinds`.

    In a share `time` of the rounds, in drawn stretches of so many. Hosts that warm come to it
    evenly, from 1 in the first round to all of it in the last of the passes.
    """

    factor: float
    hosts: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    links: tuple[int, ...] = ()
    kinds: tuple[str, ...] = BOTH
    time: float = 1.0
    stretch: int = 1
    warms: bool = False


@dataclass(frozen=True)
class Job:
    """Somebody else's work takes `load` of each link, in a share `time` of its stretches."""

    time: float = 0.4
    load: float = 0.6
    stretch: int = 8


@dataclass(frozen=True, eq=False)
class Machine:
    """Sound hosts differ by `spread`, single times by `noise` (of logarithms), `natural` by kind.

    By `model` a pair takes as long as the slower of its hosts (max), both add what they take longer
    (sum), or both: short messages by the sum, long ones by the slower. A host of factor 1.5 beside
    a sound one takes 1.5 times as long in each. A share `tails` of the times is far longer; all
    take longer by `drift` at the end. Of a `star` each meets host 0 only, one after the other.
    Chance does something else on another `day` of the same hosts.
    """

    network: Network
    spread: float = 0.02
    noise: float = 0.03
    passes: int = 3
    model: str = "both"
    natural: tuple[float, ...] = ()
    faults: tuple[Fault, ...] = ()
    job: Job | None = None
    tails: float = 0.0
    drift: float = 0.0
    retests: bool = True
    star: bool = False
    day: int = 0

    @property
    def hosts(self) -> int:
        """How many there are."""
        return self.network.hosts

    @property
    def rounds(self) -> int:
        """How many there are in a pass."""
        return self.hosts - 1 + self.hosts % 2


def measure(
    machine: Machine, seed: int, again: Again | None = None, met: Met | None = None
) -> np.ndarray[Any, Any]:
    """Return the table of a seed (`COLUMNS`).

    In each pass each host meets each, or the hub, unless it is given who `met`.
    """
    meetings = _star if machine.star else _rounds
    met = met or meetings(machine.hosts, machine.passes, _chance(machine, seed, 0))
    together = np.full(len(met[0]), 2)
    table = _timed(machine, seed, (*met, together), _chance(machine, seed, 1))
    if again is None or not machine.retests or not (chosen := again(table)):
        return table
    one, other = np.array(chosen * AGAIN).T
    return np.concatenate([table, measure_alone(machine, seed, one, other, int(met[2].max()) + 1)])


def measure_alone(
    machine: Machine, seed: int, one: Ints, other: Ints, begin: int = 0
) -> np.ndarray[Any, Any]:
    """Return the table of pairs with nothing else under way: both ways at once, then each."""
    ends = np.stack([one, one, other], 1).ravel(), np.stack([other, other, one], 1).ravel()
    after = begin + np.arange(len(ends[0]))
    alone = (*ends, after, np.tile([2, 1, 1], len(one)))
    return _timed(machine, seed, alone, _chance(machine, seed, 2))


def _chance(machine: Machine, seed: int, part: int) -> np.random.Generator:
    of_day = (machine.day,) if machine.day else ()
    return np.random.default_rng((seed, part, *of_day))


def nature(machine: Machine, seed: int, size: int) -> Floats:
    """Return the factors of sound hosts at a size of messages."""
    logs = np.random.default_rng((seed, 3, size)).normal(0, machine.spread, machine.hosts)
    own: Floats = np.exp(logs) * (machine.natural or 1.0)
    return own


def _rounds(hosts: int, passes: int, chance: np.random.Generator) -> Met:
    """Return first, second and round of each meeting: a round robin of hosts in drawn order."""
    places = hosts + hosts % 2
    half, turns = np.arange(places // 2), np.arange(places - 1)[:, None]
    circle = np.concatenate([0 * turns, 1 + (turns + np.arange(places - 1)) % (places - 1)], axis=1)
    orders = np.array([chance.permutation(places) for _ in range(passes)])
    met = orders[:, circle].reshape(-1, places)
    ends = np.stack([met[:, half], met[:, places - 1 - half]])
    at = np.broadcast_to(np.arange(len(met))[:, None], ends.shape[1:])
    real = (ends < hosts).all(axis=0)
    low, high = ends.min(axis=0), ends.max(axis=0)
    return low[real], high[real], at[real]


def _star(hosts: int, passes: int, chance: np.random.Generator) -> Met:
    """Return first, second and round of each meeting with host 0, in drawn order."""
    second = np.concatenate([1 + chance.permutation(hosts - 1) for _ in range(passes)])
    at = np.arange(passes)[:, None] * (hosts - 1 + hosts % 2) + np.arange(hosts - 1)
    return 0 * second, second, at.ravel()


def _timed(
    machine: Machine, seed: int, met: tuple[Ints, Ints, Ints, Ints], chance: np.random.Generator
) -> np.ndarray[Any, Any]:
    first, second, at, ways = met
    begin = int(at.min())
    rounds = int(at.max()) - begin + 1
    shown = [_shown(fault.time, fault.stretch, rounds, chance) for fault in machine.faults]
    room = np.tile(machine.network.room, (rounds, 1))
    if machine.job is not None:
        busy = [_shown(machine.job.time, machine.job.stretch, rounds, chance) for _ in room[0]]
        room *= 1 - machine.job.load * np.array(busy).T
    for fault, now in zip(machine.faults, shown, strict=True):
        room[np.ix_(now, list(fault.links))] /= fault.factor
    last = max(1, machine.passes * machine.rounds - 1)
    warmth = np.minimum(1, (begin + np.arange(rounds)) / last)
    parts = []
    for kind, size in zip(BOTH, (SHORT_BYTES, LONG_BYTES), strict=True):
        host = np.tile(nature(machine, seed, size), (rounds, 1))
        pair = np.ones(len(first))
        for fault, now in zip(machine.faults, shown, strict=True):
            if kind in fault.kinds:
                grown = 1 + (fault.factor - 1) * warmth[now, None] if fault.warms else fault.factor
                host[np.ix_(now, list(fault.hosts))] *= grown
                hit = np.isin(
                    first * machine.hosts + second, [a * machine.hosts + b for a, b in fault.pairs]
                )
                pair[hit & now[at - begin]] *= fault.factor
        one, other = host[at - begin, first], host[at - begin, second]
        is_max = machine.model == "max" or (machine.model == "both" and kind == "long")
        hosts = np.maximum(one, other) if is_max else one + other - 1
        near = getattr(machine.network, kind)[first, second]
        if kind == "short":
            seconds = SHORT_S * pair * (hosts - 1 + near)
        else:
            seconds = LONG_S * pair * np.maximum(hosts * near, _crowd(machine.network, met, room))
        seconds *= np.exp(chance.normal(0, machine.noise, len(first)))
        seconds *= np.where(
            chance.random(len(first)) < machine.tails, 1 + chance.pareto(1.2, len(first)), 1
        )
        seconds *= 1 + machine.drift * at / max(1, at.max())
        kept = (ways == 2) | (kind == "long")
        columns = (first, second, np.full(len(first), size), seconds.round(9), at, ways)
        parts.append(np.rec.fromarrays([column[kept] for column in columns], dtype=COLUMNS))
    return np.concatenate(parts)


def _shown(time: float, stretch: int, rounds: int, chance: np.random.Generator) -> Any:
    """Return in which rounds it is there: the share `time` of drawn stretches."""
    drawn = chance.random(rounds // stretch + 1)
    return np.repeat(drawn.argsort().argsort() < time * len(drawn), stretch)[:rounds]


def _crowd(network: Network, met: tuple[Ints, Ints, Ints, Ints], room: Floats) -> Floats:
    """Return by which factor the fullest link of a way slows: each on it gets the same."""
    first, second, at, ways = met
    if not room.shape[1]:
        return np.ones(len(first))
    there, back = network.links[first, second], network.links[second, first]
    links = np.concatenate([there, np.where(ways[:, None] == 2, back, -1)], axis=1)
    place = np.where(links < 0, room.size, (at - at.min())[:, None] * room.shape[1] + links)
    users = np.bincount(place.ravel(), minlength=room.size + 1)
    crowd: Floats = (users / np.append(room.ravel(), np.inf))[place].max(axis=1)
    return crowd


def any_machine(seed: int) -> Machine:
    """Return one of 4 to 36 hosts, with noise of 10 % and a spread of 5 % at most."""
    chance = np.random.default_rng((seed, 4))
    return Machine(
        _any_network(chance),
        spread=float(chance.choice([0, 0.01, 0.02, 0.05])),
        noise=float(chance.choice([0.01, 0.03, 0.1])),
        passes=int(chance.integers(1, 5)),
        model=str(chance.choice(["max", "sum", "both"])),
        retests=bool(chance.random() < 0.7),
    )


def _any_network(chance: np.random.Generator) -> Network:
    hosts, hop = int(chance.integers(4, 25)), float(chance.uniform(1, 1.6))
    kind = chance.integers(8)
    if kind == 0:
        return crossbar(hosts)
    if kind == 1:
        return [torus(2, 2), torus(4, 2), torus(3, 3), torus(3, 2, 2)][chance.integers(4)]
    if kind == 2:
        return [dragonfly(2, 2, 2), dragonfly(3, 2, 2), dragonfly(4, 2, 2)][chance.integers(3)]
    if kind == 3:
        return rails(hosts, int(chance.integers(2, 4)), 1 + hop / 10)
    if kind == 4:
        return random_rates(hosts, float(chance.uniform(0, 0.05)))
    small = int(chance.integers(1, 5))
    sizes = [
        [small] * int(chance.integers(max(2, -(-4 // small)), 9)),
        [hosts - 2, small],
        [*chance.integers(1, 10, chance.integers(2, 5)), 2],
    ][kind - 5]
    taper = float(chance.choice([1, 1, 2, 3]))
    pods = [sum(sizes[: len(sizes) // 2]), sum(sizes[len(sizes) // 2 :])]
    above = [(pods, hop * 1.2, taper)] if len(sizes) > 3 and chance.random() < 0.4 else []
    wide = tree((sizes, hop, taper), *above, mixed=bool(chance.random() < 0.3))
    return wide if wide.hosts >= 4 else crossbar(4)
