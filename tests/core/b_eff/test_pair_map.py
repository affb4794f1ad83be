"""The map of pairs: rounds, retests, and a whole benchmark with a slow host, scripted."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import beff_core_testing as core
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.analysis.b_eff.pair_checks import rounds_of as recomputed_rounds
from beff.analysis.verify import verify
from beff.model.errors import ResultError
from beff.model.load import check_document
from scripted_machine import Machine

MIB = 2**20


def rounds_of(plan: Any) -> list[list[tuple[int, int]]]:
    return [plan.pairs_of_round(number) for number in range(plan.rounds)]


def test_round_robin_by_hand() -> None:
    # 4 units, circle of 3 around unit 3: in round r those meet whose numbers add up to r modulo 3
    assert rounds_of(core.pair_plan(hosts=4)) == [
        [(0, 3), (1, 2)],
        [(0, 1), (2, 3)],
        [(0, 2), (1, 3)],
    ]
    # 5 units: nobody in the middle, one rests
    assert core.pair_plan(hosts=5).pairs_of_round(0) == [(1, 4), (2, 3)]


@given(st.integers(2, 65))
def test_all_meet_once(units: int) -> None:
    plan = core.pair_plan("all", hosts=units)
    assert plan.rounds == (units - 1 if units % 2 == 0 else units)
    met = [pair for pairs in rounds_of(plan) for pair in pairs]
    assert sorted(met) == list(combinations(range(units), 2))
    for pairs in rounds_of(plan):
        assert len({unit for pair in pairs for unit in pair}) == 2 * len(pairs) == units // 2 * 2


@given(st.integers(66, 3000), st.integers(1, 2**53 - 1))
def test_many_units_meet_in_64_rounds(units: int, seed: int) -> None:
    plan = core.pair_plan(hosts=units, seed=seed)
    assert plan.rounds == 64
    assert plan.pairs_of_round(0)[:2] == [(0, 1), (2, 3)]
    assert plan.pairs_of_round(1)[:2] == [(0, 2), (1, 3)]
    rounds = rounds_of(plan)
    for pairs in rounds:
        units_met = [unit for pair in pairs for unit in pair]
        assert len(set(units_met)) == len(units_met)
        assert all(0 <= first < second < units for first, second in pairs)
    assert len({tuple(pairs) for pairs in rounds}) == 64
    # behind the distances 1, 2, 4 … all units meet in each round, but for one where they are odd
    powers = (units - 1).bit_length()
    assert {len(pairs) for pairs in rounds[powers:]} == {units // 2}


@given(st.integers(2, 300), st.integers(1, 70), st.integers(1, 2**53 - 1))
def test_the_second_implementation_knows_the_rounds(units: int, rounds: int, seed: int) -> None:
    plan = core.pair_plan("rounds", rounds, hosts=units, seed=seed)
    met = [(number, *pair) for number, pairs in enumerate(rounds_of(plan)) for pair in pairs]
    assert list(recomputed_rounds(units, plan.rounds, seed)) == met


@pytest.mark.parametrize(
    ("processes", "hosts", "asked", "unit", "units", "rounds"),
    [
        (3, 1, ("auto", 0), "process", 3, 0),
        (4, 1, ("auto", 0), "process", 4, 3),
        (96, 3, ("auto", 0), "host", 3, 0),
        (96, 3, ("all", 0), "host", 3, 3),
        (2, 1, ("all", 0), "process", 2, 1),
        (65, 65, ("auto", 0), "host", 65, 65),
        (66, 66, ("auto", 0), "host", 66, 64),
        (66, 66, ("all", 0), "host", 66, 65),
        (800, 100, ("rounds", 10), "host", 100, 10),
        (800, 100, ("rounds", 1000), "host", 100, 99),
        (800, 100, ("none", 0), "host", 100, 0),
    ],
)
def test_units_and_rounds(  # noqa: PLR0917
    processes: int, hosts: int, asked: tuple[str, int], unit: str, units: int, rounds: int
) -> None:
    plan = core.pair_plan(*asked, processes=processes, hosts=hosts)
    assert (plan.unit, plan.units, plan.rounds) == (unit, units, rounds)


def test_large_messages() -> None:
    assert core.pair_plan(hosts=4, lmax=5000).large == 5000
    assert core.pair_plan(hosts=4, lmax=128 * MIB).large == MIB


@pytest.mark.parametrize(
    ("exchange", "expected"),
    [
        (0.0, (5, 1000)),
        (1e-7, (5, 1000)),
        (2e-6, (5, 200)),
        (0.9e-3, (5, 1)),
        (1.1e-3, (3, 1)),
        (1.0, (3, 1)),
    ],
)
def test_series_keep_within_some_milliseconds(exchange: float, expected: tuple[int, int]) -> None:
    assert core.series_for(exchange) == expected


Look = list[tuple[int | None, int | None]]


def look(plan: Any, slow: dict[int, float], kind: int = 1, base: int = 1000) -> Look:
    """Exchanges take `base`, times the factor of a slow unit in messages of a kind."""
    times: Look = []
    for pairs in rounds_of(plan):
        for pair in pairs:
            both = [base, base]
            both[kind] = round(base * max(slow.get(unit, 1.0) for unit in pair))
            times.append((both[0], both[1]))
    return times


def test_pairs_slow_in_both_looks_are_retested() -> None:
    plan = core.pair_plan(hosts=8)
    slow, clean = look(plan, {3: 2.0}), look(plan, {})
    # two pairs of the slow one: more would tell the same
    retests = plan.to_retest([slow, slow])
    assert len(retests) == 2
    assert all(3 in pair for pair in retests)
    assert plan.to_retest([slow, clean]) == plan.to_retest([clean, slow]) == []
    assert plan.to_retest([slow]) == []
    # slow in short messages first, in long ones then: not the same thing twice
    assert plan.to_retest([slow, look(plan, {3: 2.0}, kind=0)]) == []
    # 1.5 is the bound
    assert plan.to_retest([look(plan, {3: 1.5})] * 2) == []


def test_the_worst_are_retested_first_and_no_more_than_32() -> None:
    plan = core.pair_plan(hosts=64)
    slow = look(plan, {5: 2.0, 9: 3.0})
    retests = plan.to_retest([slow, slow])
    assert [9 in pair for pair in retests] == [True, True, False, False]
    assert all(5 in pair for pair in retests[2:])
    many = look(plan, {unit: 2.0 + unit for unit in range(20)})
    assert len(plan.to_retest([many, many])) <= 32


def test_what_a_stopped_look_lacks_is_not_retested() -> None:
    plan = core.pair_plan(hosts=8)
    slow = look(plan, {3: 2.0})
    cut = [(None, None) if number > 9 else times for number, times in enumerate(slow)]
    measured = {pair for pairs in rounds_of(plan)[:3] for pair in pairs}
    assert set(plan.to_retest([slow, cut])) <= measured


class SlowHost(Machine):
    """Host 2 needs twice the time in long messages; counts the meetings."""

    meetings: list[int]

    def meet(self, pairs: list[Any]) -> Any:
        self.meetings.append(len(pairs))
        return super().meet(pairs)

    def pair_times(self, first: int, second: int) -> tuple[int | None, int | None]:
        return 1_000, 200_000 if 2 in (first, second) else 100_000


def measured(machine: type[Machine], **plan: Any) -> tuple[Any, dict[str, Any], Any]:
    benchmark = core.scripted_benchmark(
        processes=12, size_indices=[0], pattern_ids=[0], repetitions=1, **plan
    )
    benchmark.place([rank // 2 for rank in range(12)])
    script = machine(benchmark)
    script.meetings = []  # type: ignore[attr-defined]
    benchmark.measure(script)
    return benchmark, json.loads(benchmark.result_json()), script


def test_a_whole_benchmark_with_a_map() -> None:
    benchmark, result, script = measured(SlowHost, hosts=6, pair_rounds=5)
    pairs = result["pairs"]
    assert (pairs["unit"], pairs["units"]) == ("host", 6)
    assert (pairs["small_bytes"], pairs["large_bytes"]) == (1, MIB)
    assert pairs["round"] == [number for number in range(5) for _ in range(3)]
    assert [len(times) for times in pairs["large_ns"]] == [15, 15]
    assert pairs["retests"]["large_ns"] == [200_000] * 8
    retests = list(zip(pairs["retests"]["first"], pairs["retests"]["second"], strict=True))
    assert retests == retests[:2] * 4
    assert all(2 in pair for pair in retests)
    # two looks of five rounds, then each retest alone
    assert script.meetings == [3] * 10 + [1] * 8
    assert pairs["took_s"] == pytest.approx(18e-3)
    assert verify(check_document("scripted", result)).findings == ()
    table = benchmark.protocol().split("\nPairs\n")[1].splitlines()
    assert table[3].split()[:3] == ["h2", "200.000", "2.00"]
    assert "2 looks of 5 rounds, then 8 retests of single pairs" in benchmark.protocol()


def test_one_pass_of_retests_agrees_with_the_looks() -> None:
    """Early results have one."""
    _, result, _ = measured(SlowHost, hosts=6, pair_rounds=5)
    result["pairs"]["retests"] = {
        name: some[:2] for name, some in result["pairs"]["retests"].items()
    }
    assert verify(check_document("scripted", result)).findings == ()


def test_without_a_map() -> None:
    _, result, script = measured(SlowHost)
    assert result["pairs"] is None
    assert script.meetings == []


@pytest.mark.parametrize(
    ("path", "value", "finding"),
    [
        (("unit",), "process", "pairs.unit"),
        (("units",), 7, "pairs.units"),
        (("round", 4), 3, "pairs.round"),
        (("units",), 10**9, "pairs.units"),
        (("second", 0), 1, "pairs.round"),
        (("retests", "first", 0), 0, "pairs.retests"),
        (("large_ns",), [[100_000] * 15], "pairs.large_ns"),
        (("large_bytes",), 5000, "pairs.large_bytes"),
    ],
)
def test_a_changed_map_is_found(path: tuple[Any, ...], value: Any, finding: str) -> None:
    _, result, _ = measured(SlowHost, hosts=6, pair_rounds=5)
    place = result["pairs"]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    findings = [str(found) for found in verify(check_document("scripted", result)).findings]
    assert any(finding in text for text in findings), findings


@pytest.mark.parametrize(
    ("path", "value"), [(("first",), [0]), (("retests", "large_ns"), []), (("large_ns", 1), [5])]
)
def test_columns_of_other_lengths_are_refused(path: tuple[Any, ...], value: Any) -> None:
    _, result, _ = measured(SlowHost, hosts=6, pair_rounds=5)
    place = result["pairs"]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(ResultError, match="pairs"):
        verify(check_document("scripted", result))
