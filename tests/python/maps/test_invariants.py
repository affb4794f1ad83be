"""What must hold of the judge on any machine, by property: bench/slow_hosts draws them.

A machine is one of a seed: 4 hosts or more, noise of 10 % and a spread of 5 % at most, any network.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from slow_hosts.beff_judge import again, map_of, said_of
from slow_hosts.machine import (
    BOTH,
    LONG_BYTES,
    SHORT_BYTES,
    Fault,
    Machine,
    any_machine,
    measure,
    nature,
)
from slow_hosts.truth import Said
from support.machines import measure as measured
from support.machines.measure import flat, leaves, rounds_of_pass
from support.machines.retests import PASSES

from beff.definition.b_pairs_plan import KINDS, meetings
from beff.maps.pair_map import PairMap
from scripted_machine import b_pairs

SHORT, LONG = ("short",), ("long",)
SIZE = {"short": SHORT_BYTES, "long": LONG_BYTES}
SEEDS, PLACES = st.integers(0, 1 << 31), st.integers(0, 1 << 16)
ANY_KIND = st.sampled_from([BOTH, SHORT, LONG])


def planted(seed: int, place: int, factor: float, kinds: tuple[str, ...]) -> Machine:
    machine = any_machine(seed)
    fault = Fault(factor, hosts=(place % machine.hosts,), kinds=kinds)
    return replace(machine, faults=(fault,))


def judged(machine: Machine, seed: int) -> Said:
    return said_of(map_of(measure(machine, seed, again)))


def is_seen(seed: int, place: int, factor: float, kinds: tuple[str, ...]) -> bool:
    return judged(planted(seed, place, factor, kinds), seed).verdict != "good"


@settings(max_examples=60)
@given(SEEDS, PLACES, st.floats(1.5, 3), ANY_KIND)
def test_a_host_of_half_as_much_again_is_never_good(
    seed: int, place: int, factor: float, kinds: tuple[str, ...]
) -> None:
    assert is_seen(seed, place, factor, kinds)


def test_a_host_that_shared_links_hide_is_never_good() -> None:
    """Long messages share links there; what is measured again alone shows the host."""
    assert is_seen(10, 6, 1.5, LONG)


@settings(max_examples=40)
@given(SEEDS)
def test_nobody_is_named_on_a_sound_machine(seed: int) -> None:
    assert judged(any_machine(seed), seed).verdict != "bad"


def test_who_is_alone_on_its_leaf_is_not_named() -> None:
    assert judged(planted(3, 0, 1.0, BOTH), 3).verdict != "bad"


def renumbered(pairs: PairMap, new: Any) -> PairMap:
    """Return the same map with hosts numbered and called anew."""
    ends = np.sort([new[pairs.first], new[pairs.second]], axis=0)
    again_ = np.sort([new[pairs.retest_first], new[pairs.retest_second]], axis=0)
    order = np.lexsort((ends[0], pairs.rounds, pairs.passes))
    turned = new[pairs.retest_first] > new[pairs.retest_second]
    there, back = (pairs.retests[way] for way in ("there", "back"))
    ways = {"there": np.where(turned, back, there), "back": np.where(turned, there, back)}
    return replace(
        pairs,
        names=tuple(f"x{(7 * host) % 64}-{host}" for host in range(pairs.units)),
        passes=pairs.passes[order],
        rounds=pairs.rounds[order],
        first=ends[0][order],
        second=ends[1][order],
        times={kind: logs[order] for kind, logs in pairs.times.items()},
        retest_first=again_[0],
        retest_second=again_[1],
        retests={**pairs.retests, **ways},
    )


def both_numberings(
    seed: int, place: int, factor: float, kinds: tuple[str, ...], shuffle: int
) -> tuple[Said, Said]:
    machine = planted(seed, place, factor, kinds)
    pairs = map_of(measure(machine, seed, again))
    new = np.random.default_rng(shuffle).permutation(machine.hosts)
    old = {int(number): host for host, number in enumerate(new)}
    said = said_of(renumbered(pairs, new))
    back = replace(
        said,
        hosts={old[host] for host in said.hosts},
        suspects={old[host] for host in said.suspects},
        links={frozenset(old[host] for host in link) for link in said.links},
    )
    return said_of(pairs), back


@given(SEEDS, PLACES, st.floats(1, 2), ANY_KIND, PLACES)
@example(65536, 0, 1.0, BOTH, 2)  # one pass
@example(1861, 0, 1.0, BOTH, 0)  # two pairs of equal times
def test_names_and_numbers_do_not_matter(
    seed: int, place: int, factor: float, kinds: tuple[str, ...], shuffle: int
) -> None:
    one, other = both_numberings(seed, place, factor, kinds, shuffle)
    free = partial(replace, unseen_below=0.0)
    assert free(one) == free(other)
    assert one.unseen_below == pytest.approx(other.unseen_below, rel=0.01)


def is_seen_at_the_limit(seed: int, place: int, kinds: tuple[str, ...]) -> bool | None:
    """Whether a host is seen that is as slow as the map without it says; None of no map for it."""
    machine = any_machine(seed)
    host, limit = place % machine.hosts, judged(machine, seed).unseen_below
    if limit > 3:
        return None
    own = {kind: nature(machine, seed, SIZE[kind]) for kind in kinds}
    faults = [
        Fault(limit * float(np.median(one) / one[host]), hosts=(host,), kinds=(kind,))
        for kind, one in own.items()
    ]
    said = judged(replace(machine, faults=tuple(faults)), seed)
    return host in said.hosts or said.verdict == "open"


def test_what_is_said_to_be_seen_is_seen() -> None:
    found = [
        is_seen_at_the_limit(seed, 3 * seed, [BOTH, SHORT, LONG][seed % 3]) for seed in range(60)
    ]
    shown = [one for one in found if one is not None]
    assert sum(shown) >= 0.95 * len(shown)


# --- made-up maps are as those of the program ---

MACHINES = {
    "slow hosts": flat(12, {2: 1.3, 7: 1.3}),
    "more hosts": flat(20, spread=0.2),
    "links": flat(9, links={(3, 4): 2}, faults=[Fault(1.5, pairs=((0, 8),), kinds=("short",))]),
    "more links": flat(30, links={(one, one + 1): 2 for one in range(0, 30, 2)}),
    "noise": flat(8, noise=0.3),
    "leaves": Machine(leaves(6, 2, hop=1.4), faults=(Fault(2, pairs=((1, 7), (0, 1))),)),
    "not all meet": flat(70, {5: 1.5}, links={(0, 1): 2}),
}


class Replay:
    """Answers the program with the times of a map, and all retests alike."""

    def __init__(self, pairs: PairMap, seed: int) -> None:
        met = meetings(pairs.units, rounds_of_pass(pairs.units), 3, seed)
        keys = (column.tolist() for column in vars(met).values())
        ns = (np.rint(np.exp(pairs.times[kind])).astype(int).tolist() for kind in KINDS)
        self.found = dict(zip(zip(*keys, strict=True), zip(*ns, strict=True), strict=True))

    def times(
        self, number: int, round_: int, pairs: list[tuple[int, int]], ways: str
    ) -> list[tuple[int, int]]:
        return [self.found.get((number, round_, *pair), (1, 1)) for pair in pairs]

    def stops(self) -> bool:
        return False


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", MACHINES)
def test_the_same_pairs_are_measured_again(name: str, seed: int) -> None:
    machine = replace(MACHINES[name], passes=3)
    pairs = measured.map_of(machine, seed)
    plan = {"processes": machine.hosts, "hosts": machine.hosts, "seed": seed, "duration": 1e-3}
    again = b_pairs(Replay(pairs, seed), **plan).result["retests"]
    once = len(pairs.retest_first) // PASSES
    assert again["first"] == pairs.retest_first[:once].tolist()
    assert again["second"] == pairs.retest_second[:once].tolist()
    assert once > 0
