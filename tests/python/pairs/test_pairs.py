"""What a map of pairs tells, on maps of made-up machines."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pair_maps import Machine, pair_fields, sentences

from beff.analysis.b_pairs.findings import PairJudgement, Status
from beff.analysis.b_pairs.judge import judge_pairs
from beff.analysis.b_pairs.levels import SIGMA_PER_HALF, most_of, quantiles
from beff.analysis.b_pairs.pair_map import pair_map
from beff.analysis.check.finding import Verdict

QUIET = Machine(16, spread=0.0, noise=0.001, outliers=0.0)


def judged(fields: dict[str, Any], slow: float = 0.15) -> PairJudgement:
    return judge_pairs(pair_map(fields), slow)


def named(found: PairJudgement, status: Status) -> set[str]:
    return {unit.name for unit in found.with_status(status)}


def links(found: PairJudgement, status: Status) -> set[tuple[str, str]]:
    return {(link.first, link.second) for link in found.links if link.status == status}


def all_hosts(units: int) -> set[str]:
    return {f"n{unit}" for unit in range(units)}


@given(
    st.lists(st.tuples(st.integers(0, 4), st.floats(-9, 9)), max_size=40),
    st.sampled_from([0.0, 0.05, 0.25, 0.5]),
)
def test_quantiles_of_groups(entries: list[tuple[int, float]], share: float) -> None:
    groups = np.array([group for group, _ in entries], dtype=np.int64)
    values = np.array([value for _, value in entries], dtype=np.float64)
    found = quantiles(groups, values, 5, share)
    for group in range(5):
        own = values[groups == group]
        if own.size:
            assert found[group] == pytest.approx(np.quantile(own, share), abs=1e-9)
        else:
            assert np.isnan(found[group])


@given(
    st.lists(st.floats(-1, 1), min_size=2, max_size=12),
    st.lists(st.floats(1e3, 1e6), max_size=8),
    st.floats(0.1, 10),
)
def test_a_minority_far_off_moves_nothing(
    most: list[float], few: list[float], factor: float
) -> None:
    few = few[: (len(most) - 1) // 2]
    found = most_of(np.array([*most, *few, np.nan]))
    assert -1 <= found.middle <= 1
    assert found.sigma <= SIGMA_PER_HALF * 2
    scaled = most_of(factor * np.array([*most, *few]))
    assert scaled.sigma == pytest.approx(factor * found.sigma, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("values", [[], [3.0], [np.nan, 3.0], [3.0] * 5 + [9.0]])
def test_no_spread(values: list[float]) -> None:
    assert most_of(np.array(values)).sigma == 0


@pytest.mark.parametrize("units", [4, 8, 64])
@pytest.mark.parametrize("seed", range(5))
def test_nobody_is_named_on_a_clean_machine(units: int, seed: int) -> None:
    found = judged(pair_fields(Machine(units), seed))
    assert named(found, Status.GOOD) == set(found.together) == all_hosts(units)
    assert (found.links, found.groups, found.kinds_of_units) == ((), (), ())


@pytest.mark.parametrize(
    ("units", "slow"),
    [
        (8, {3: 1.3}),
        (64, {3: 1.3}),
        (64, {3: 1.3, 6: 2.0, 40: 5.0}),
        (64, dict.fromkeys(range(1, 64, 3), 2.0)),
        (200, {7: 2.0}),
    ],
)
def test_slow_hosts_are_named_and_nobody_else(units: int, slow: dict[int, float]) -> None:
    found = judged(pair_fields(Machine(units, slow=slow), 1))
    assert named(found, Status.SLOW) == {f"n{unit}" for unit in slow}
    assert named(found, Status.SUSPECT) == set()
    assert found.links == ()
    assert set(found.together) == all_hosts(units) - {f"n{unit}" for unit in slow}
    for unit in found.with_status(Status.SLOW):
        for evidence in unit.evidence:
            factor = slow[int(unit.name[1:])]
            assert evidence.factor == pytest.approx(factor, rel=0.12)
            assert evidence.slow >= 0.9 * evidence.of


def test_the_floor_is_the_users() -> None:
    fields = pair_fields(replace(QUIET, slow={3: 1.12}), 1)
    assert named(judged(fields), Status.SLOW) == set()
    assert named(judged(fields, slow=0.1), Status.SLOW) == {"n3"}
    seen = judged(fields).seen
    assert seen is not None
    assert (seen.slowest, seen.limit) == ("n3", pytest.approx(1.15))
    assert seen.factor == pytest.approx(1.12, abs=0.01)


def test_slow_in_short_messages_only() -> None:
    found = judged(pair_fields(Machine(16, slow={3: 2.0}, kinds=("small",)), 2))
    (unit,) = found.with_status(Status.SLOW)
    assert [evidence.kind for evidence in unit.evidence] == ["small"]
    assert unit.evidence[0].bytes == 1


@pytest.mark.parametrize("factor", [1.3, 2.0])
def test_contention_does_not_hide_a_slow_host(factor: float) -> None:
    """Of its 63 pairs only the seven inside its leaf do not wait for uplinks anyway."""
    found = judged(pair_fields(Machine(64, leaf=8, slow={3: factor}), 1))
    assert named(found, Status.SLOW) == {"n3"}


def test_what_is_slow_only_in_a_crowd_is_no_fault() -> None:
    """Measured alone all are as quick: whatever contention does, nobody is called slow."""
    for seed in range(5):
        found = judged(pair_fields(Machine(64, leaf=8), seed))
        assert named(found, Status.SLOW) == set()
        assert links(found, Status.SLOW) == set()


@pytest.mark.parametrize(
    ("units", "leaf", "seed"),
    [
        (16, 4, 7000),  # some wait for uplinks in most of their pairs, others do not
        (16, 4, 7002),  # the same, with 10 of 16
        (64, 8, 7004),  # leaves in groups of several, in which uplinks are seen beside leaves
        (64, 8, 7007),  # one leaf apart, as far from the others as they are from each other
    ],
)
def test_contention_is_neither_suspect_nor_far(units: int, leaf: int, seed: int) -> None:
    found = judged(pair_fields(Machine(units, leaf=leaf), seed))
    assert named(found, Status.GOOD) == all_hosts(units)
    assert all(group.is_usual for group in found.groups)
    assert found.kinds_of_units == ()


@pytest.mark.parametrize(
    ("machine", "seed", "unit"),
    [
        (Machine(8, noise=0.1), 7017, "n3"),  # 16 % slower by one in 20 of its times, 10 % alone
        (Machine(8, spread=0.1), 7009, "n4"),  # 12 % slower, here 16 %, and not measured alone
        (Machine(8, spread=0.1), 7851, "n4"),  # 13 % slower, here 15 %, and 23 % alone
    ],
)
def test_what_is_not_sure_is_a_suspect(machine: Machine, seed: int, unit: str) -> None:
    assert unit in named(judged(pair_fields(machine, seed)), Status.SUSPECT)


def test_alone_is_compared_with_alone() -> None:
    """All of a host's retests take twice the median of retests: that is not 1.00 times alone."""
    fields = pair_fields(Machine(64, leaf=8, slow={3: 2.0}), 1)
    (unit,) = judged(fields).with_status(Status.SLOW)
    alone = [evidence.alone for evidence in unit.evidence if evidence.kind == "large"]
    assert alone == [pytest.approx(2, rel=0.1)]


def test_two_kinds_of_hosts_are_never_good() -> None:
    for share in (0.5, 0.7):
        slow = dict.fromkeys(range(round(share * 16)), 2.0)
        fields = pair_fields(replace(QUIET, slow=slow), 1)
        found = judged(fields)
        assert named(found, Status.SLOW) == set()
        assert len(found.kinds_of_units) == 2
        verdicts = {verdict for verdict, _ in sentences(fields).values()}
        assert verdicts == {Verdict.UNKNOWN}


def test_a_slow_link_is_not_its_hosts() -> None:
    found = judged(pair_fields(Machine(16, links={(2, 5): 2.0}), 3))
    assert links(found, Status.SLOW) == {("n2", "n5")}
    assert named(found, Status.GOOD) == all_hosts(16)
    assert found.links[0].evidence[0].alone == pytest.approx(2, rel=0.2)
    assert len(found.together) == 15
    assert not {"n2", "n5"} <= set(found.together)


@pytest.mark.parametrize("units", [4, 5, 6, 8])
def test_a_slow_link_of_few_hosts_is_not_their_being_busy(units: int) -> None:
    """A fifth to a third of the rounds of its two ends are slow."""
    found = judged(pair_fields(replace(QUIET, units=units, links={(1, 2): 2.0}, passes=20), 1))
    assert links(found, Status.SLOW) == {("n1", "n2")}
    assert named(found, Status.GOOD) == all_hosts(units)


def test_a_host_slow_by_just_the_limit_is_often_found() -> None:
    """It is compared with what the unit in the middle takes, not with what that waits for."""
    runs = [pair_fields(Machine(16, slow={3: 1.15}, passes=20), seed) for seed in range(40)]
    found = [named(judged(fields), Status.SLOW) for fields in runs]
    assert all(names <= {"n3"} for names in found)
    assert len(found) / 3 <= sum(map(bool, found)) <= 2 * len(found) / 3


@pytest.mark.parametrize(("units", "seed"), [(8, 0), (8, 1), (64, 0)])
def test_a_link_slow_in_long_messages_only(units: int, seed: int) -> None:
    fields = pair_fields(Machine(units, links={(2, 3): 1.5}, kinds=("large",)), seed)
    found = judged(fields)
    assert links(found, Status.SLOW) == {("n2", "n3")}
    assert [evidence.kind for evidence in found.links[0].evidence] == ["large"]
    # alone as quick as the others: it was contention
    again = fields["retests"]
    for place, pair in enumerate(zip(again["first"], again["second"], strict=True)):
        if pair == (2, 3):
            again["large_ns"][place] = 60_000
    assert judged(fields).links == ()


def test_the_slow_direction_of_a_link_is_named() -> None:
    fields = pair_fields(replace(QUIET, one_way={(5, 2): 2.0}), 1)
    verdict, sentence = sentences(fields)["link n2 - n5"]
    assert verdict == Verdict.BAD
    assert "; from n5 to n2 2.00 times as long as back" in sentence


def test_the_largest_good_set_leaves_out_as_few_as_it_can() -> None:
    found = judged(pair_fields(replace(QUIET, links={(2, 5): 2.0, (2, 7): 2.0}), 1))
    assert set(found.together) == all_hosts(16) - {"n2"}


def test_a_slow_uplink_is_not_its_hosts() -> None:
    found = judged(pair_fields(Machine(64, uplink=(range(16), 4.0)), 4))
    assert named(found, Status.GOOD) == all_hosts(64)
    apart = [group for group in found.groups if not group.is_usual]
    assert {group.kind for group in apart} == {"small", "large"}
    for group in apart:
        assert group.names == tuple(f"n{unit}" for unit in range(16))
        assert group.factor == pytest.approx(4, rel=0.1)


def test_a_slow_host_behind_a_slow_uplink() -> None:
    machine = Machine(64, uplink=(range(16), 4.0), slow={5: 2.0, 40: 2.0})
    found = judged(pair_fields(machine, 5))
    assert named(found, Status.SLOW) == {"n5", "n40"}


@pytest.mark.parametrize("factor", [1.5, 2.0, 20.0])
@pytest.mark.parametrize("units", [16, 32])
def test_equal_halves_are_a_topology_unless_they_are_far_apart(units: int, factor: float) -> None:
    half = units // 2
    found = judged(pair_fields(Machine(units, uplink=(range(half), factor)), 6))
    assert named(found, Status.GOOD) == all_hosts(units)
    assert {group.names[0] for group in found.groups} == {"n0", f"n{half}"}
    assert {group.is_usual for group in found.groups} == {factor < 1.8}


def test_a_run_that_ended_before_groups_met_says_nothing_of_them() -> None:
    """All that crosses is missing: no figure is made up of it."""
    fields = pair_fields(replace(QUIET, uplink=(range(8), 4.0)), 1)
    pairs = pair_map(fields)
    crosses = (pairs.first < 8) != (pairs.second < 8)
    times = {kind: np.where(crosses, np.nan, ns) for kind, ns in pairs.times.items()}
    found = judge_pairs(replace(pairs, times=times))
    assert found.groups == ()
    assert named(found, Status.GOOD) == all_hosts(16)


@given(st.integers(0, 99), st.integers(1, 3))
@settings(max_examples=20)
def test_a_run_that_ends_early_has_no_figure_that_is_no_number(seed: int, rounds: int) -> None:
    fields = pair_fields(replace(QUIET, uplink=(range(8), 4.0)), seed, retest=False)
    for kind in ("small_ns", "large_ns"):
        fields["passes"][kind] = [fields["passes"][kind][0][:rounds]]
    assert "nan" not in "".join(sentence for _, sentence in sentences(fields).values())


HALF_SLOW = [
    (4, {0: 1.5, 1: 2.5}),
    (6, {0: 1.6, 1: 2.2, 2: 3.0}),
    (8, {0: 1.6, 1: 1.7, 2: 2.4, 3: 3.0}),
    (16, {unit: 1.6 + 0.2 * unit for unit in range(8)}),
]


@pytest.mark.parametrize(("units", "slow"), HALF_SLOW)
@pytest.mark.parametrize("seed", range(5))
def test_hosts_that_are_slow_by_different_factors_do_not_hide_each_other(
    units: int, slow: dict[int, float], seed: int
) -> None:
    """A host slow by more than the first sentence names is never good, and no other is bad."""
    found = judged(pair_fields(Machine(units, slow=slow), seed))
    assert found.seen is not None
    above = {f"n{unit}" for unit, factor in slow.items() if factor > 1.05 * found.seen.limit}
    assert found.seen.limit <= 1.5 + 1e-9
    assert above
    assert not above & (named(found, Status.GOOD) | set(found.together))
    assert named(found, Status.SLOW) | named(found, Status.SUSPECT) <= {f"n{unit}" for unit in slow}


@pytest.mark.parametrize("units", [4, 8, 16])
@pytest.mark.parametrize("seed", range(8))
def test_nobody_is_named_who_differs_by_less_than_a_suspect_does(units: int, seed: int) -> None:
    """Where hosts differ by 10 % they may be slow by the rule of 15 %, but not for being open."""
    found = judged(pair_fields(Machine(units, spread=0.1), seed))
    reasons = {entry.reason for unit in found.units for entry in unit.evidence}
    assert not any("differ about as much" in reason for reason in reasons)


@pytest.mark.parametrize(("units", "slow"), [(16, 7), (32, 14)])
@pytest.mark.parametrize("seed", range(5))
def test_of_two_kinds_nobody_is_slow(units: int, slow: int, seed: int) -> None:
    found = judged(pair_fields(Machine(units, slow=dict.fromkeys(range(slow), 2.0)), seed))
    assert found.kinds_of_units
    assert named(found, Status.SLOW) == set()


@pytest.mark.parametrize("units", [8, 16, 64])
def test_busy_for_a_part_of_the_time_is_a_suspect(units: int) -> None:
    found = judged(pair_fields(Machine(units, busy=(3,)), 8))
    assert named(found, Status.SUSPECT) == {"n3"}
    for evidence in found.with_status(Status.SUSPECT)[0].evidence:
        assert evidence.factor == pytest.approx(2, rel=0.25)
    assert named(found, Status.SLOW) == set()
    assert found.links == ()


def test_a_retest_that_disagrees_makes_a_suspect() -> None:
    fields = pair_fields(Machine(16, slow={3: 2.0}), 9)
    for kind, base in (("small_ns", 1500), ("large_ns", 60_000)):
        fields["retests"][kind] = [base] * len(fields["retests"]["first"])
    assert named(judged(fields), Status.SUSPECT) == {"n3"}


def test_without_retests_many_passes_tell() -> None:
    found = judged(pair_fields(Machine(64, slow={3: 2.0}), 10, retest=False))
    assert named(found, Status.SLOW) == {"n3"}
    assert found.with_status(Status.SLOW)[0].evidence[0].alone is None


def test_units_without_a_measurement_were_not_tried() -> None:
    fields = pair_fields(Machine(8), 11)
    pairs = pair_map(fields)
    lost = (pairs.first == 5) | (pairs.second == 5)
    times = {kind: np.where(lost, np.nan, ns) for kind, ns in pairs.times.items()}
    found = judge_pairs(replace(pairs, times=times))
    assert named(found, Status.NOT_TRIED) == {"n5"}
    assert len(found.with_status(Status.GOOD)) == 7
    assert found.seen is not None
    assert (found.seen.units, found.seen.links) == ((7, 8), (28, 28))


def test_the_first_sentence_says_what_could_have_been_seen() -> None:
    verdict, sentence = sentences(pair_fields(Machine(100), 1))["hosts"]
    assert verdict == Verdict.GOOD
    assert sentence.startswith("none found slow; slowest n")
    assert "a host slower by less than 1.15 would not be seen here; 100 of 100 hosts, " in sentence
    assert sentence.endswith(" of 4950 links tried")


def test_too_few_units_cannot_be_told_apart() -> None:
    found = judged(pair_fields(Machine(3, slow={1: 9.0}), 12))
    assert found.why_not == "3 hosts cannot be judged: it takes 4"
    assert found.units == ()
    fields = pair_fields(Machine(3), 12)
    fields["no_answer"] = {"pass": 0, "round": 0, "silent": [2], "waiting": []}
    assert named(judged(fields), Status.NO_ANSWER) == {"n2"}


@settings(max_examples=20)
@given(st.integers(4, 20), st.integers(0, 99), st.floats(0.1, 10))
def test_another_clock_changes_nothing(units: int, seed: int, factor: float) -> None:
    pairs = pair_map(pair_fields(Machine(units, slow={1: 2.0}), seed))
    there = judge_pairs(pairs)
    scaled = {kind: logs + log(factor) for kind, logs in pairs.times.items()}
    again = {kind: logs + log(factor) for kind, logs in pairs.retests.items()}
    here = judge_pairs(replace(pairs, times=scaled, retests=again))
    assert [unit.status for unit in here.units] == [unit.status for unit in there.units]
    for mine, other in zip(here.units, there.units, strict=True):
        for one, two in zip(mine.evidence, other.evidence, strict=True):
            assert abs(log(one.factor / two.factor)) < 1e-6
