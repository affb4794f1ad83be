"""What a map of pairs tells, on maps of made-up machines."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pair_maps import Machine, pair_fields

from beff.analysis.pairs.findings import PairJudgement, Status
from beff.analysis.pairs.judge import judge_pairs
from beff.analysis.pairs.pair_map import pair_map
from beff.analysis.pairs.polish import SIGMA_PER_HALF, deviation_of_most, grouped_median, polish


def judged(fields: dict[str, Any]) -> PairJudgement:
    return judge_pairs(pair_map(fields, [f"n{unit}" for unit in range(fields["units"])]))


def named(found: PairJudgement, status: Status) -> set[str]:
    return {unit.name for unit in found.with_status(status)}


def links(found: PairJudgement, status: Status) -> set[tuple[str, str]]:
    return {(link.first, link.second) for link in found.links if link.status == status}


def test_the_model_by_hand() -> None:
    """Level 10; unit 1 adds 1: pairs with it take 11, the others 10."""
    first, second = np.array([0, 2, 0, 1, 0, 1]), np.array([1, 3, 2, 3, 3, 2])
    model = polish(first, second, np.array([11.0, 10.0, 10.0, 11.0, 10.0, 11.0]), 4)
    assert model.level == pytest.approx(10, abs=1e-3)
    assert model.effects == pytest.approx([0, 1, 0, 0], abs=1e-3)
    assert model.rests == pytest.approx([0] * 6, abs=1e-3)


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(-9, 9)), max_size=40))
def test_medians_of_groups(entries: list[tuple[int, float]]) -> None:
    groups = np.array([group for group, _ in entries], dtype=np.int64)
    values = np.array([value for _, value in entries], dtype=np.float64)
    found = grouped_median(groups, values, 5)
    for group in range(5):
        own = values[groups == group]
        assert found[group] == pytest.approx(np.median(own)) if own.size else np.isnan(found[group])


@given(
    st.lists(st.floats(-1, 1), min_size=2, max_size=12),
    st.lists(st.floats(1e3, 1e6), max_size=8),
    st.floats(0.1, 10),
)
def test_a_minority_far_off_does_not_widen_the_spread(
    most: list[float], few: list[float], factor: float
) -> None:
    few = few[: (len(most) - 1) // 2]
    found = deviation_of_most(np.array([*most, *few, np.nan]))
    assert found <= SIGMA_PER_HALF * 2
    scaled = deviation_of_most(factor * np.array([*most, *few]))
    assert scaled == pytest.approx(factor * found, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("values", [[], [3.0], [np.nan, 3.0], [3.0] * 5 + [9.0]])
def test_no_spread(values: list[float]) -> None:
    assert deviation_of_most(np.array(values)) == 0


@pytest.mark.parametrize("units", [4, 8, 64])
@pytest.mark.parametrize("seed", range(5))
def test_nobody_is_named_on_a_clean_machine(units: int, seed: int) -> None:
    found = judged(pair_fields(Machine(units), seed))
    assert named(found, Status.GOOD) == {f"n{unit}" for unit in range(units)}
    assert (found.links, found.groups) == ((), ())


@pytest.mark.parametrize(
    ("units", "slow"),
    [
        (4, {1: 2.0}),
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
    for unit in found.with_status(Status.SLOW):
        for evidence in unit.evidence:
            factor = slow[int(unit.name[1:])]
            assert evidence.factors == pytest.approx((factor, factor), rel=0.12)
            assert evidence.rounds[0] >= units - 1 if units <= 65 else 20
            assert all(few >= 0.7 * of for few, of in zip(*_counts(evidence), strict=True))


def _counts(evidence: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    return evidence.slow_rounds, evidence.rounds


def test_slow_in_short_messages_only() -> None:
    found = judged(pair_fields(Machine(16, slow={3: 2.0}, kinds=("small",)), 2))
    (unit,) = found.with_status(Status.SLOW)
    assert [evidence.kind for evidence in unit.evidence] == ["small"]
    assert unit.evidence[0].bytes == 1


def test_a_slow_link_is_not_its_hosts() -> None:
    found = judged(pair_fields(Machine(16, links={(2, 5): 2.0}), 3))
    assert links(found, Status.SLOW) == {("n2", "n5")}
    assert named(found, Status.GOOD) == {f"n{unit}" for unit in range(16)}
    assert found.links[0].evidence[0].retest == pytest.approx(2, rel=0.2)


def test_a_slow_link_and_an_outlier_are_not_a_slow_host() -> None:
    """Two of the four pairs of n2 are slow in each look: the median is the mean of a slow one."""
    machine = Machine(5, links={(2, 3): 2.0}, spread=0, noise=0, outliers=0)
    fields = pair_fields(machine, 0)
    pairs = list(zip(fields["first"], fields["second"], strict=True))
    for look, pair in enumerate([(2, 4), (0, 2)]):
        fields["large_ns"][look][pairs.index(pair)] *= 2
    found = judged(fields)
    assert named(found, Status.SLOW) == set()
    assert links(found, Status.SLOW) == {("n2", "n3")}


@pytest.mark.parametrize(("units", "seed"), [(8, 0), (8, 1), (64, 0), (512, 0)])
def test_a_link_slow_in_long_messages_only(units: int, seed: int) -> None:
    fields = pair_fields(Machine(units, links={(2, 3): 2.0}, kinds=("large",)), seed)
    found = judged(fields)
    assert links(found, Status.SLOW) == {("n2", "n3")}
    assert [evidence.kind for evidence in found.links[0].evidence] == ["large"]
    # the same link, once as quick as the others: not slow
    again = fields["retests"]
    own = list(zip(again["first"], again["second"], strict=True)).index((2, 3))
    again["large_ns"][own] = 60_000
    assert links(judged(fields), Status.SLOW) == set()


def test_a_slow_uplink_is_not_its_hosts() -> None:
    found = judged(pair_fields(Machine(64, uplink=(range(16), 4.0)), 4))
    assert named(found, Status.GOOD) == {f"n{unit}" for unit in range(64)}
    for group in found.groups:
        assert group.names == tuple(f"n{unit}" for unit in range(16))
        assert group.factor == pytest.approx(4, rel=0.1)
        assert not group.is_usual
    assert {group.kind for group in found.groups} == {"small", "large"}


def test_a_slow_host_behind_a_slow_uplink() -> None:
    machine = Machine(64, uplink=(range(16), 4.0), slow={5: 2.0, 40: 2.0})
    found = judged(pair_fields(machine, 5))
    assert named(found, Status.SLOW) == {"n5", "n40"}


def test_equal_halves_are_a_topology() -> None:
    found = judged(pair_fields(Machine(32, uplink=(range(16), 2.0)), 6))
    assert named(found, Status.GOOD) == {f"n{unit}" for unit in range(32)}
    assert all(group.is_usual for group in found.groups)
    assert {group.names[0] for group in found.groups} == {"n0", "n16"}


def test_one_look_accuses_nobody() -> None:
    """Whatever happens in the second look alone: nobody is called slow."""
    fields = pair_fields(Machine(16), 7)
    slow = pair_fields(Machine(16, slow={3: 3.0}, links={(1, 2): 3.0}), 7)
    for kind in ("small_ns", "large_ns"):
        fields[kind][1] = slow[kind][1]
    found = judged(fields)
    assert named(found, Status.SLOW) == set()
    assert named(found, Status.SUSPECT) == {"n3"}
    assert found.links == ()


def test_busy_for_a_part_of_the_time_is_a_suspect() -> None:
    found = judged(pair_fields(Machine(64, busy=(3,)), 8))
    assert named(found, Status.SUSPECT) == {"n3"}
    assert named(found, Status.SLOW) == set()
    assert found.links == ()


def test_a_retest_that_disagrees_makes_a_suspect() -> None:
    fields = pair_fields(Machine(16, slow={3: 2.0}), 9)
    for kind, base in (("small_ns", 1500), ("large_ns", 60_000)):
        fields["retests"][kind] = [base] * len(fields["retests"]["first"])
    found = judged(fields)
    assert named(found, Status.SUSPECT) == {"n3"}
    assert {e.reason for e in found.with_status(Status.SUSPECT)[0].evidence} == {
        "slow in both looks, but not when alone"
    }


def test_without_retests_two_looks_tell() -> None:
    found = judged(pair_fields(Machine(64, slow={3: 2.0}), 10, retest=False))
    assert named(found, Status.SLOW) == {"n3"}
    assert found.with_status(Status.SLOW)[0].evidence[0].retest is None


def test_units_without_a_measurement_were_not_tried() -> None:
    fields = pair_fields(Machine(8), 11)
    for entry, ends in enumerate(zip(fields["first"], fields["second"], strict=True)):
        for kind in ("small_ns", "large_ns"):
            for look in fields[kind]:
                look[entry] = None if 5 in ends else look[entry]
    found = judged(fields)
    assert named(found, Status.NOT_TRIED) == {"n5"}
    assert len(found.with_status(Status.GOOD)) == 7


def test_too_few_units_cannot_be_told_apart() -> None:
    found = judged(pair_fields(Machine(3, slow={1: 9.0}), 12))
    assert found.cannot_tell == "3 hosts cannot be judged: it takes 4"
    assert found.units == ()


@settings(max_examples=20)
@given(st.integers(4, 20), st.integers(0, 99), st.floats(0.1, 10))
def test_another_clock_changes_nothing(units: int, seed: int, factor: float) -> None:
    fields = pair_fields(replace(Machine(units), slow={1: 2.0}), seed)
    there = judged(fields)
    for part in (fields, fields["retests"]):
        for kind in ("small_ns", "large_ns"):
            part[kind] = _scaled(part[kind], factor)
    here = judged(fields)
    assert [unit.status for unit in here.units] == [unit.status for unit in there.units]
    for mine, other in zip(here.units, there.units, strict=True):
        for one, two in zip(mine.evidence, other.evidence, strict=True):
            assert abs(log(one.factors[0] / two.factors[0])) < 1e-6


def _scaled(column: Any, factor: float) -> Any:
    if isinstance(column, list):
        return [_scaled(entry, factor) for entry in column]
    return column * factor
