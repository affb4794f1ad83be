"""What a map of pairs tells of hosts and links, on maps of made-up machines."""

import re
from dataclasses import replace
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_hosts.machine import Fault, Machine
from support.levels import BASE_NS, Floats, constant, in_groups, links, names, of, units, waiting
from support.machines.measure import QUIET, earlier_map, flat, leaves, map_of
from support.machines.result import fields_of, make_map, sentences, sentences_of

from beff.definition.b_pairs_plan import meetings, rounds_until_all_met
from beff.judge.finding import Verdict
from beff.judge.hosts import check_hosts
from beff.maps.findings import PairJudgement, Status
from beff.maps.judge_pairs import judge_pairs
from beff.maps.kind import kinds_of
from beff.result.load import check_document


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


def test_a_spread_is_called_and_no_host() -> None:
    """Factors are 1.00 to 1.24 by steps of 4 %; nobody stands apart from the next one."""
    found = judge_pairs(constant(waiting(1.04**step for step in range(8))))
    assert units(found, Status.GOOD) == names(8)
    assert len(found.of_all) == 1
    assert "differ so much in short messages" in found.of_all[0]


def test_the_slow_direction_of_a_link_is_named() -> None:
    pairs = map_of(flat(16, links={(2, 5): 2.0}, **QUIET), 1)
    verdict, sentence = sentences_of(pairs)["link n2 - n5"]
    assert verdict == Verdict.BAD
    assert "; from n2 to n5 2.00 times as long as back" in sentence


def test_a_retest_that_disagrees_makes_a_suspect() -> None:
    pairs = map_of(flat(16, {3: 2.0}), 9)
    usual = {
        kind: np.full_like(pairs.retests[kind], np.median(times))
        for kind, times in pairs.times.items()
    }
    found = judge_pairs(replace(pairs, retests=pairs.retests | usual))
    assert units(found, Status.SUSPECT) == {"n3"}


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
    pairs = map_of(replace(flat(16), network=leaves(8, 8, hop=1.4), passes=1), seed)
    early = pairs.rounds < rounds
    columns = ("passes", "rounds", "first", "second")
    part = {name: getattr(pairs, name)[early] for name in columns}
    times = {kind: ns[early] for kind, ns in pairs.times.items()}
    told = sentences_of(replace(pairs, **part, times=times))
    assert "nan" not in "".join(sentence for _, sentence in told.values())


@pytest.mark.parametrize(("kept", "tried"), [(0, 0), (1, 2)])
def test_of_whom_hardly_anything_was_measured_nobody_is_good(kept: int, tried: int) -> None:
    """Six units; two of them that met only each other may both be slow."""
    pairs = constant(np.ones((6, 6)))
    found = judge_pairs(pairs.part(np.arange(kept)))
    assert len(units(found, Status.SUSPECT)) == tried
    assert len(units(found, Status.NOT_TRIED)) == 6 - tried


@pytest.mark.parametrize("known", [False, True])
def test_what_is_usual_is_not_estimated_from_one_link(known: bool) -> None:
    """Unit 7 takes 1.5 times as long; the only link of its group is that with unit 6.

    It does so in long messages alone, and nothing was measured again: its way may be shared, where
    no switches are known.
    """
    near, slow = in_groups(6, 2, apart=1.3), waiting([1.0] * 7 + [1.5])
    above = [("top", leaf) for leaf in "aaaaaabb"] if known else None
    found = judge_pairs(constant(near, slow), switches=above)
    status = Status.SLOW if known else Status.SUSPECT
    assert units(found, status) == {"n7"}
    assert found.with_status(status)[0].evidence[0].factor == pytest.approx(1.5)


@pytest.mark.parametrize("sizes", [(13, 3), (5, 3), (8, 8, 3)], ids=str)
@pytest.mark.parametrize("factor", [1.2, 2.0, 4.0])
def test_a_slow_unit_drives_nobody_out_of_its_group(sizes: tuple[int, ...], factor: float) -> None:
    own = [1.0] * sum(sizes)
    own[-1] = factor
    factors = in_groups(*sizes, apart=1.3) * waiting(own)
    small, _ = kinds_of(constant(factors, waiting(own)))
    assert np.bincount(small.labels).tolist() == sorted(sizes, reverse=True)


def test_four_units_may_be_two_groups() -> None:
    small, _ = kinds_of(constant(in_groups(2, 2, apart=1.3)))
    assert np.bincount(small.labels).tolist() == [2, 2]


@pytest.mark.parametrize(("factor", "status"), [(2.0, Status.GOOD), (3.0, Status.SUSPECT)])
def test_two_groups_are_topology_unless_no_way_is_as_far(factor: float, status: Status) -> None:
    found = judge_pairs(constant(in_groups(8, 8, apart=factor)))
    assert {group.status for group in of(found, "group")} == {status}
    assert units(found, Status.GOOD) == names(16)


def test_a_group_farther_than_the_others_is_open() -> None:
    factors = in_groups(4, 4, 4, 4, apart=1.3)
    factors[:4, 4:] = factors[4:, :4] = 2.0
    found = judge_pairs(constant(factors))
    (far,) = (group for group in of(found, "group") if group.status == Status.SUSPECT)
    assert far.names == ("n0", "n1", "n2", "n3")
    assert far.factor == pytest.approx(2.0)


LEAVES = [("top", leaf) for leaf in "aaaabbbc"]


def test_with_a_topology_a_host_alone_is_judged_and_switches_are_named() -> None:
    """Groups are 1.4 apart. Unit 7 is alone behind c: beyond that it is slow, or its uplink."""
    factors = in_groups(4, 3, 1, apart=1.4)
    found = judge_pairs(constant(factors), switches=LEAVES)
    assert units(found, Status.GOOD) == names(8)
    assert {group.switch for group in of(found, "group")} == {"a", "b"}
    told = sentences_of(constant(factors), switches=LEAVES)
    assert any("a (n[0-3])" in about for about in told)
    slow = factors * waiting([1.0] * 7 + [1.5])
    assert units(judge_pairs(constant(slow), switches=LEAVES), Status.SUSPECT) == {"n7"}
    assert units(judge_pairs(constant(slow)), Status.SLOW) == set()


def test_processes_have_no_switch_in_their_sentences() -> None:
    found = judge_pairs(replace(constant(in_groups(4, 4, apart=1.3)), unit="process"))
    assert {group.switch for group in of(found, "group")} == {None}


# --- who is named when a meeting of pairs never ends ---


def pairs_of_round(units: int, number: int) -> list[list[int]]:
    met = meetings(units, rounds_until_all_met(units), 1, 1)
    here = met.rounds == number
    met_here: list[list[int]] = np.column_stack([met.first[here], met.second[here]]).tolist()
    return met_here


@pytest.mark.parametrize("units", [4, 5, 16])
def test_where_all_pairs_of_a_round_wait_none_is_named(units: int) -> None:
    fields = fields_of(map_of(flat(units, **QUIET), 1), 1)
    everyone = pairs_of_round(units, 2)
    fields["no_answer"] = {"pass": 0, "round": 2, "silent": [], "waiting": everyone}
    found = sentences(fields)
    assert found["run"][0] == Verdict.UNKNOWN
    assert Verdict.BAD not in {verdict for verdict, _ in found.values()}
    fields["no_answer"]["waiting"] = everyone[1:]
    found = sentences(fields)
    assert "run" not in found
    links = {about for about, (verdict, _) in found.items() if verdict == Verdict.BAD}
    assert links == {f"link n{one} - n{other}" for one, other in everyone[1:]}


@pytest.mark.parametrize("units", [3, 8])
def test_a_run_that_names_nobody_is_inconclusive(units: int) -> None:
    nobody = {"pass": 1, "round": 0, "silent": [], "waiting": []}
    fields = make_map(flat(units), no_answer=nobody)
    found = check_hosts(check_document("a.json", fields))
    verdicts = {finding.about: finding.verdict for finding in found}
    assert verdicts["run"] == Verdict.UNKNOWN
    assert found.bad_hosts == ()
    assert found.verdict == Verdict.UNKNOWN


@pytest.mark.parametrize("units", [2, 3, 4, 8])
@pytest.mark.parametrize("oversubscribed", [False, True])
def test_a_silent_host_is_bad_among_however_few(units: int, oversubscribed: bool) -> None:
    silent = {"pass": 0, "round": 0, "silent": [1], "waiting": []}
    fields = make_map(flat(units), no_answer=silent)
    fields["environment"]["oversubscribed"] = oversubscribed
    found = check_hosts(check_document("a.json", fields))
    assert found.bad_hosts == ("node2",)


@pytest.mark.parametrize("passes", [3, 20, 60])
def test_a_map_of_busy_cores_names_nobody(passes: int) -> None:
    """Half of a pair's times differ by 650 %; of few passes no number says what cannot be seen."""
    noisy = Machine(leaves(8), noise=1.5, passes=passes)
    fields, quiet = (fields_of(map_of(one, 1), 1) for one in (noisy, flat(8, passes=passes)))
    of_long = {**fields, "passes": {**fields["passes"], "small_ns": quiet["passes"]["small_ns"]}}
    for each in (fields, of_long) if passes == 3 else (fields,):
        told = sentences(each)
        assert {verdict for verdict, _ in told.values()} == {Verdict.UNKNOWN}
        sentence = told["hosts"][1]
        assert sentence.startswith("this map shows nothing: ") == (passes == 3)
        assert each is of_long or sentence.endswith("; measure again, alone")
        assert passes > 3 or not re.search(r"less than [0-9.]+ times as long", sentence)


# --- a map beside earlier maps of the same hosts: each is compared with itself ---


def beside(machine: Machine, seed: int = 1, days: int = 1) -> PairJudgement:
    earlier = [earlier_map(machine, seed, day) for day in range(1, days + 1)]
    return judge_pairs(map_of(machine, seed), earlier=earlier)


def test_what_is_open_without_becomes_bad() -> None:
    """Short messages of one host only, a link, a host slow at times, an uplink of two groups."""
    small = Fault(1.4, hosts=(3,), kinds=("short",))
    assert units(beside(flat(16, faults=(small,))), Status.SLOW) == {"n3"}
    at_times = Fault(4.0, hosts=(3,), time=0.1)
    assert units(beside(flat(16, faults=(at_times,))), Status.SLOW) == {"n3"}
    assert links(beside(flat(16, links={(2, 5): 1.5})), Status.SLOW) == {("n2", "n5")}
    topology = leaves(8, 8, hop=1.2)
    found = beside(Machine(topology, faults=(Fault(2.0, links=topology.uplink(0)),), passes=60))
    assert {uplink.status for uplink in of(found, "uplink")} == {Status.SLOW}
    assert units(found, Status.GOOD) == names(16)


@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (4, 4, 4, 4), (8, 8)])
def test_who_is_behind_a_slow_uplink_is_not_slow(sizes: tuple[int, ...]) -> None:
    """Nothing showed the leaves before: their hosts are slow with all others but their own."""
    topology = leaves(*sizes)
    machine = Machine(topology, faults=(Fault(2.0, links=topology.uplink(0)),), passes=60)
    for seed in range(4):
        found = beside(machine, seed)
        assert units(found, Status.GOOD) == names(machine.hosts)
        assert {uplink.status for uplink in of(found, "uplink")} == {Status.SLOW}


def between(one: int, other: int, factor: float) -> Floats:
    """Return factors of eight units of which one link takes so many times as long."""
    factors = np.ones((8, 8))
    factors[one, other] = factors[other, one] = factor
    return factors


def test_a_link_that_was_mended_hides_no_host() -> None:
    """With unit 4 unit 5 is quicker than it was, and slower with all others."""
    before, since = between(4, 5, 2.0), waiting([1.0] * 5 + [1.2] + [1.0] * 2)
    found = judge_pairs(constant(since, since), earlier=[constant(before, before)])
    assert units(found, Status.SLOW) == {"n5"}


def test_a_link_that_was_not_measured_alone_is_open() -> None:
    before, since = np.ones((8, 8)), between(4, 5, 2.0)
    found = judge_pairs(constant(since, since), earlier=[constant(before, before)])
    assert links(found, Status.SUSPECT) == {("n4", "n5")}
    assert links(found, Status.SLOW) == set()


def test_groups_that_are_farther_than_they_were() -> None:
    before, since = (constant(in_groups(8, 8, apart=apart)) for apart in (1.2, 1.8))
    found = judge_pairs(since, earlier=[before])
    assert {group.status for group in of(found, "group")} == {Status.SLOW}
    assert {round(group.factor, 3) for group in of(found, "group")} == {1.5}


def test_a_host_that_is_new_is_not_tried() -> None:
    machine = flat(8, {2: 1.3})
    now = map_of(machine, 1)
    now = replace(now, names=(*now.names[:6], "new", *now.names[7:]))
    found = judge_pairs(now, earlier=[earlier_map(machine, 1)])
    assert units(found, Status.NOT_TRIED) == {"new"}
    assert units(found, Status.SLOW) == {"n2"}


def test_most_hosts_are_not_all() -> None:
    factors = waiting([1.0, 1.0] + [3.0] * 6)
    before = constant(np.ones((8, 8)), np.ones((8, 8)))
    found = judge_pairs(constant(factors, factors), earlier=[before] * 3)
    assert [(one.factor, one.are_all) for one in found.common] == [(pytest.approx(3), False)] * 2


def test_uplinks_that_all_are_slower_are_not_all_hosts() -> None:
    """Each host is as quick as it was with the other of its leaf."""
    before, since = (constant(in_groups(2, 2, 2, 2, apart=apart)) for apart in (1.2, 3.0))
    assert judge_pairs(since, earlier=[before] * 3).common == ()
