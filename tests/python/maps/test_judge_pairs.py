"""What a map of pairs tells of hosts and links, on maps of made-up machines."""

from __future__ import annotations

import re
from dataclasses import replace
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.levels import BASE_NS, constant, links, names, units, waiting
from support.machines.faults import Fault
from support.machines.fields import fields_of
from support.machines.flat import QUIET, flat
from support.machines.leaves import leaves
from support.machines.machine import Machine, broken
from support.machines.measure import map_of
from support.machines.noise import Noise
from support.machines.result import sentences, sentences_of
from support.machines.torus import Torus

from beff.judge.finding import Verdict
from beff.maps.findings import PairJudgement, Status
from beff.maps.judge_pairs import judge_pairs


def judged(machine: Machine, seed: int = 1) -> PairJudgement:
    return judge_pairs(map_of(machine, seed))


def is_good(found: PairJudgement, count: int) -> bool:
    everybody = units(found, Status.GOOD) == {*found.together} == names(count)
    ways = (*found.groups, *found.uplinks)
    said = found.links or found.of_all or [way for way in ways if way.status != Status.GOOD]
    return everybody and not said


@pytest.mark.parametrize("count", [4, 8, 64])
def test_nobody_is_named_on_a_clean_machine(count: int) -> None:
    for seed in range(4):
        found = judged(flat(count), seed)
        assert is_good(found, count)
        assert (found.groups, found.uplinks) == ((), ())


def test_who_is_quick_once_is_open_unless_measured_alone() -> None:
    """Chance and others only add time: what a host has done once it can do."""
    pairs = constant(waiting([1.0] * 7 + [1.5]), waiting([1.0] * 7 + [1.5]))
    assert units(judge_pairs(pairs), Status.SLOW) == {"n7"}
    quick = {kind: times.copy() for kind, times in pairs.times.items()}
    for kind, times in quick.items():
        times[np.flatnonzero(pairs.second == 7)[3]] = log(BASE_NS[kind])
    found = judge_pairs(replace(pairs, times=quick))
    assert units(found, Status.SUSPECT) == {"n7"}
    assert units(found, Status.SLOW) == set()


@pytest.mark.parametrize("hop", [1.08, 1.2, 1.3, 1.4, 2.0])
@pytest.mark.parametrize("sizes", [(8, 8), (11, 5), (6, 2), (4, 4), (4, 4, 4, 4)])
def test_switches_are_structure(sizes: tuple[int, ...], hop: float) -> None:
    """Machines of which hosts and links were called slow: two leaves, equal or not, at 1 to 3 %."""
    for passes, noise in ((200, 0.01), (60, 0.03)):
        machine = Machine(leaves(*sizes, hop=hop), noise=Noise(noise), passes=passes)
        assert is_good(judged(machine, 2), sum(sizes))


def test_ways_of_many_lengths_accuse_nobody() -> None:
    assert is_good(judged(Machine(Torus((4, 2, 2)), passes=40)), 16)


@pytest.mark.parametrize("hop", [1.3, 1.4, 1.7])
def test_a_host_alone_behind_a_switch_is_open(hop: float) -> None:
    for seed in range(4):
        found = judged(Machine(leaves(15, 1, hop=hop), passes=60), seed)
        assert units(found, Status.SUSPECT) == {"n15"}
        assert units(found, Status.SLOW) == set()
        assert links(found, Status.SLOW) == set()
        (evidence,) = found.with_status(Status.SUSPECT)[0].evidence
        assert evidence.factor == pytest.approx(hop, rel=0.06)
        assert "behind a switch of its own, or slow" in evidence.reason


def test_farther_than_any_switch_is_slow() -> None:
    """No way through more switches makes 2.2 of 1, and a way of 1.8 may be one."""
    for factor, status in ((3.0, Status.SLOW), (1.8, Status.SUSPECT)):
        machine = flat(16, faults=(Fault(factor, hosts=(3,), kinds=("small",)),))
        assert units(judged(machine), status) == {"n3"}


@pytest.mark.parametrize(
    ("count", "slow"),
    [
        (4, {3: 1.4}),
        (8, {3: 1.3}),
        (64, {3: 1.3}),
        (64, {3: 1.3, 6: 2.0, 40: 5.0}),
        (64, dict.fromkeys(range(1, 64, 3), 2.0)),
        (200, {7: 2.0}),
    ],
)
def test_slow_hosts_are_named_and_nobody_else(count: int, slow: dict[int, float]) -> None:
    found = judged(flat(count, slow=slow))
    assert units(found, Status.SLOW) == {f"n{unit}" for unit in slow}
    assert units(found, Status.SUSPECT) == set()
    assert found.links == ()
    assert set(found.together) == names(count, *slow)
    for unit in found.with_status(Status.SLOW):
        for evidence in unit.evidence:
            factor = slow[int(unit.name[1:])]
            assert evidence.factor == pytest.approx(factor, rel=0.12)
            assert evidence.slow >= 0.9 * evidence.of


@pytest.mark.parametrize(("sizes", "taper"), [((8, 8), 1), ((8,) * 8, 2)])
def test_a_slow_host_is_named_within_its_leaf(sizes: tuple[int, ...], taper: float) -> None:
    """Of its pairs only those inside of its leaf wait for no uplink."""
    found = judged(broken(leaves(*sizes, hop=1.3, taper=taper), Fault(1.4, hosts=(3,))))
    assert units(found, Status.SLOW) == {"n3"}
    assert units(found, Status.SUSPECT) == set()


def test_the_floor_is_the_users() -> None:
    pairs = map_of(flat(16, {3: 1.12}, **QUIET), 1)
    found = judge_pairs(pairs)
    assert units(found, Status.SLOW) == set()
    assert units(judge_pairs(pairs, slow=0.1), Status.SLOW) == {"n3"}
    assert found.seen is not None
    assert (found.seen.slowest, found.seen.limit) == ("n3", pytest.approx(1.15, abs=0.01))
    assert found.seen.factor == pytest.approx(1.12, abs=0.01)


def test_a_spread_is_called_and_no_host() -> None:
    """Factors are 1.00 to 1.24 by steps of 4 %; nobody stands apart from the next one."""
    found = judge_pairs(constant(waiting(1.04**step for step in range(8))))
    assert units(found, Status.GOOD) == names(8)
    assert len(found.of_all) == 1
    assert "differ so much in short messages" in found.of_all[0]


def test_who_is_not_far_above_the_next_is_not_named() -> None:
    """Unit 7 takes 1.22 times as long: a spread beside one of 1.14, not beside one of 1.05."""
    for next_to, slow in ((1.14, set()), (1.05, {"n7"})):
        factors = waiting([1.0] * 6 + [next_to, 1.22])
        assert units(judge_pairs(constant(factors, factors)), Status.SLOW) == slow


@pytest.mark.parametrize("share", [0.5, 0.7])
def test_two_kinds_of_hosts_are_never_good(share: float) -> None:
    pairs = map_of(flat(16, dict.fromkeys(range(round(share * 16)), 2.0), **QUIET), 1)
    found = judge_pairs(pairs)
    assert units(found, Status.SLOW) == set()
    assert len(found.of_all) == 2
    assert {verdict for verdict, _ in sentences_of(pairs).values()} == {Verdict.UNKNOWN}


def test_a_slow_link_is_not_its_hosts() -> None:
    found = judged(flat(16, links={(2, 5): 2.0}))
    assert links(found, Status.SLOW) == {("n2", "n5")}
    assert units(found, Status.GOOD) == names(16)
    assert found.links[0].evidence[0].alone == pytest.approx(2, rel=0.2)
    assert len(found.together) == 15
    assert not {"n2", "n5"} <= set(found.together)


@pytest.mark.parametrize("count", [4, 5, 6, 8])
def test_a_slow_link_of_few_hosts_is_not_their_being_slow_at_times(count: int) -> None:
    """A fifth to a third of the rounds of its two ends are slow."""
    found = judged(flat(count, links={(1, 2): 2.0}, **QUIET))
    assert links(found, Status.SLOW) == {("n1", "n2")}
    assert units(found, Status.GOOD) == names(count)


def test_a_link_slow_in_long_messages_only_and_not_alone() -> None:
    fault = Fault(1.5, link=(2, 3), kinds=("large",))
    pairs = map_of(flat(8, faults=(fault,)), 1)
    found = judge_pairs(pairs)
    assert links(found, Status.SLOW) == {("n2", "n3")}
    assert [evidence.kind for evidence in found.links[0].evidence] == ["large"]
    usual = np.full_like(pairs.retests["large"], np.median(pairs.times["large"]))
    assert judge_pairs(replace(pairs, retests=pairs.retests | {"large": usual})).links == ()


def test_the_slow_direction_of_a_link_is_named() -> None:
    fault = Fault(2.0, link=(5, 2), one_way=True)
    verdict, sentence = sentences_of(map_of(flat(16, faults=(fault,), **QUIET), 1))["link n2 - n5"]
    assert verdict == Verdict.BAD
    assert "; from n5 to n2 2.00 times as long as back" in sentence


def test_the_largest_good_set_leaves_out_as_few_as_it_can() -> None:
    found = judged(flat(16, links={(2, 5): 2.0, (2, 7): 2.0}, **QUIET))
    assert set(found.together) == names(16, 2)


@pytest.mark.parametrize("count", [8, 16, 64])
@pytest.mark.parametrize(("factor", "time"), [(4.0, 0.1), (2.0, 0.3)])
def test_a_host_that_is_slow_at_times_is_open(count: int, factor: float, time: float) -> None:
    fault = Fault(factor, hosts=(3,), time=time, stretches=1 if time > 0.1 else 0)
    found = judged(flat(count, faults=(fault,), passes=None))
    assert units(found, Status.SUSPECT) == {"n3"}
    assert units(found, Status.SLOW) == set()
    for evidence in found.with_status(Status.SUSPECT)[0].evidence:
        assert evidence.factor == pytest.approx(factor, rel=0.25)
        assert evidence.slow / evidence.of == pytest.approx(time, rel=0.35)


def test_a_retest_that_disagrees_makes_a_suspect() -> None:
    pairs = map_of(flat(16, {3: 2.0}), 9)
    usual = {
        kind: np.full_like(pairs.retests[kind], np.median(times))
        for kind, times in pairs.times.items()
    }
    found = judge_pairs(replace(pairs, retests=pairs.retests | usual))
    assert units(found, Status.SUSPECT) == {"n3"}


def test_without_retests_many_passes_tell() -> None:
    pairs = map_of(flat(64, {3: 2.0}), 10)
    none = np.zeros(0, dtype=np.int64)
    retests = dict.fromkeys(pairs.retests, np.zeros(0))
    found = judge_pairs(replace(pairs, retest_first=none, retest_second=none, retests=retests))
    assert units(found, Status.SLOW) == {"n3"}
    assert found.with_status(Status.SLOW)[0].evidence[0].alone is None


def test_units_without_a_measurement_were_not_tried() -> None:
    pairs = map_of(flat(8), 11)
    lost = (pairs.first == 5) | (pairs.second == 5)
    times = {kind: np.where(lost, np.nan, ns) for kind, ns in pairs.times.items()}
    found = judge_pairs(replace(pairs, times=times))
    assert units(found, Status.NOT_TRIED) == {"n5"}
    assert len(found.with_status(Status.GOOD)) == 7
    assert found.seen is not None
    assert (found.seen.units, found.seen.links) == ((7, 8), (28, 28))


@given(st.integers(0, 99), st.integers(1, 3))
@settings(max_examples=20)
def test_a_run_that_ends_early_has_no_figure_that_is_no_number(seed: int, rounds: int) -> None:
    pairs = map_of(replace(flat(16), topology=leaves(8, 8, hop=1.4), passes=1), seed)
    early = pairs.rounds < rounds
    columns = ("passes", "rounds", "first", "second")
    part = {name: getattr(pairs, name)[early] for name in columns}
    times = {kind: ns[early] for kind, ns in pairs.times.items()}
    told = sentences_of(replace(pairs, **part, times=times))
    assert "nan" not in "".join(sentence for _, sentence in told.values())


def test_the_first_sentence_says_what_could_have_been_seen() -> None:
    verdict, sentence = sentences(fields_of(map_of(flat(100), 1), 1))["hosts"]
    assert verdict == Verdict.GOOD
    assert sentence.startswith("none found slow; the slowest takes 1.")
    assert re.search(
        r"one less than 1\.1\d times as long, or slow in less than \d+ % of its rounds", sentence
    )
    assert "; 100 of 100 hosts, " in sentence
    assert sentence.endswith(" of 4950 links tried")


def test_too_few_units_cannot_be_told_apart() -> None:
    pairs = map_of(flat(3, {1: 9.0}), 12)
    found = judge_pairs(pairs)
    assert found.why_not == "3 hosts cannot be judged: it takes 4"
    assert found.units == ()
    assert units(judge_pairs(replace(pairs, silent=(2,))), Status.NO_ANSWER) == {"n2"}


@settings(max_examples=20)
@given(st.integers(4, 20), st.integers(0, 99), st.floats(0.1, 10))
def test_another_clock_changes_nothing(count: int, seed: int, factor: float) -> None:
    pairs = map_of(flat(count, {1: 2.0}), seed)
    there = judge_pairs(pairs)
    scaled = {kind: logs + log(factor) for kind, logs in pairs.times.items()}
    again = {kind: logs + log(factor) for kind, logs in pairs.retests.items()}
    here = judge_pairs(replace(pairs, times=scaled, retests=again))
    assert [unit.status for unit in here.units] == [unit.status for unit in there.units]
    for mine, other in zip(here.units, there.units, strict=True):
        for one, two in zip(mine.evidence, other.evidence, strict=True):
            assert abs(log(one.factor / two.factor)) < 1e-6


@pytest.mark.parametrize(("kept", "tried"), [(0, 0), (1, 2)])
def test_of_whom_hardly_anything_was_measured_nobody_is_good(kept: int, tried: int) -> None:
    """Six units; two of them that met only each other may both be slow."""
    pairs = constant(np.ones((6, 6)))
    found = judge_pairs(pairs.part(np.arange(kept)))
    assert len(units(found, Status.SUSPECT)) == tried
    assert len(units(found, Status.NOT_TRIED)) == 6 - tried
