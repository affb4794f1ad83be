"""A map of pairs of some hosts under leaves of switches, which takes a few ms to draw."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from beff.definition.b_pairs_plan import Meetings, meetings
from beff.definition.imported_pairs import KINDS
from beff.maps.pair_map import PairMap
from support.machines.measure import BYTES
from support.machines.plan import rounds_of_pass
from support.machines.retests import PASSES, pairs_to_retest
from support.machines.ways import Floats, Ints

_BASE_NS = {"small": 1500.0, "large": 105_000.0}
_WAIT = 0.02
"""What a long message takes longer for each other one on its uplink."""
_TAIL = 0.01
_SCHEDULES = 16
"""So many orders in which units meet are drawn, then used again for other hosts."""


@dataclass(frozen=True)
class Hosts:
    """What is true while a map is measured; factors by kind of messages, for each host.

    * `own` are those of hosts, faults included: a pair waits for its slower one or, where it is
      `additive`, takes the mean of what both take. `uplink` are those of the leaves of hosts, and
      count between leaves only, where short messages take `hop` times as long.
    * Long messages wait a little for others on the same uplink in the same round.
    * A meeting differs by `noise`; one in a hundred takes 1.5 to 4 times as long.
    * `silent` is the number of a host that gives no sign from somewhere in the map on.
    """

    names: tuple[str, ...]
    leaf: Ints
    own: dict[str, Floats]
    uplink: dict[str, Floats]
    hop: float
    additive: bool
    noise: float
    passes: int
    silent: int | None

    def quiet_ns(self, kind: str, first: Ints, second: Ints) -> Floats:
        """Return what pairs take with nothing else under way, but for chance."""
        one, other = self.own[kind][first], self.own[kind][second]
        taken: Floats = (one + other) / 2 if self.additive else np.maximum(one, other)
        far = np.maximum(self.uplink[kind][first], self.uplink[kind][second])
        far *= self.hop if kind == "small" else 1.0
        return _BASE_NS[kind] * taken * np.where(self.leaf[first] != self.leaf[second], far, 1.0)

    def waiting(self, met: Meetings) -> Floats:
        """Return by what long messages take longer for others on the fuller of both uplinks."""
        leaves = np.unique(self.leaf, return_inverse=True)[1]
        ends = leaves[np.stack([met.first, met.second])]
        uplinks = _round_numbers(met) * (int(leaves.max()) + 1) + ends
        apart = ends[0] != ends[1]
        users = np.bincount(uplinks[:, apart].ravel(), minlength=int(uplinks.max()) + 1)
        factors: Floats = 1 + _WAIT * np.where(apart, users[uplinks].max(axis=0) - 1, 0)
        return factors

    def measured(self, ns: Floats, chance: np.random.Generator) -> Floats:
        """Return times as chance lets them come out, in whole ns."""
        factors = np.exp(chance.normal(0, self.noise, len(ns)))
        hit = np.flatnonzero(chance.random(len(ns)) < _TAIL)
        factors[hit] *= chance.uniform(1.5, 4, len(hit))
        measured: Floats = np.rint(ns * factors)
        return measured


def pairs_of(hosts: Hosts, chance: np.random.Generator) -> PairMap:
    """Return the map that is measured."""
    units = len(hosts.names)
    met = _meetings(units, hosts.passes, int(chance.integers(_SCHEDULES)))
    ns = {kind: hosts.quiet_ns(kind, met.first, met.second) for kind in KINDS}
    ns["large"] *= hosts.waiting(met)
    ns = {kind: hosts.measured(each, chance) for kind, each in ns.items()}
    until = len(met.first) if hosts.silent is None else _begin_of_silence(met, chance)
    chosen = pairs_to_retest(units, met.first, met.second, ns) if hosts.silent is None else []
    first, second = np.array(chosen * PASSES, dtype=np.int64).reshape(-1, 2).T
    alone = {kind: hosts.quiet_ns(kind, first, second) for kind in KINDS}
    # one way, a short message comes back
    alone |= dict.fromkeys(("there", "back"), alone["large"] + alone["small"])
    return PairMap(
        unit="host",
        names=hosts.names,
        bytes_of=BYTES,
        passes=met.passes[:until],
        rounds=met.rounds[:until],
        first=met.first[:until],
        second=met.second[:until],
        times={kind: np.log(each[:until]) for kind, each in ns.items()},
        retest_first=first,
        retest_second=second,
        retests={way: np.log(hosts.measured(each, chance)) for way, each in alone.items()},
        silent=() if hosts.silent is None else (hosts.silent,),
    )


@lru_cache(maxsize=256)
def _meetings(units: int, passes: int, seed: int) -> Meetings:
    return meetings(units, rounds_of_pass(units), passes, seed)


def _begin_of_silence(met: Meetings, chance: np.random.Generator) -> int:
    """Return how many pairs met before the round in which a host gives no sign.

    In half of the cases it is the first one.
    """
    numbers = _round_numbers(met)
    last = int(numbers[chance.integers(len(numbers))]) * int(chance.integers(2))
    return int(np.searchsorted(numbers, last))


def _round_numbers(met: Meetings) -> Ints:
    return met.passes * (int(met.rounds.max()) + 1) + met.rounds
