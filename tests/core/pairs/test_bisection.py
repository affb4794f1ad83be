"""Bisection and processes per host on machines that are scripts."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.definition.b_pairs_plan import pairs_of_step, parts_of, spread_steps
from beff.definition.verify import verify
from beff.maps.network_text import network_sentences
from beff.result.b_pairs_result import PairsPlan, PlannedBisection
from beff.result.load import as_b_pairs, check_document
from program_core import pairs as core
from scripted_machine import b_pairs

MIB = 2**20
SEEDS = st.integers(0, 2**53 - 1)
EXCHANGE_NS = 16_777_216  # a message of 16 MiB each way: 2 GB/s


class Script:
    """Pairs need EXCHANGE_NS, times what `slow` says of them; a window needs 64 us.

    Asks to stop at meeting `stop_after` of the network.
    """

    def __init__(
        self, slow: dict[tuple[int, int], float] | None = None, stop_after: int | None = None
    ) -> None:
        self.slow = slow or {}
        self.stop_after = stop_after
        self.crossed: list[tuple[list[tuple[int, int]], int, str]] = []

    def times(
        self, number: int, round_: int, pairs: list[tuple[int, int]], ways: str
    ) -> list[tuple[int | None, int | None]]:
        return [(1_000 if ways == "both" else None, 100_000) for _ in pairs]

    def crosses(
        self, number: int, place: int, pairs: list[tuple[int, int]], processes: int, traffic: str
    ) -> list[int]:
        self.crossed.append((pairs, processes, traffic))
        if traffic == "messages":
            return [64_000 for _ in pairs]
        shared = max(1.0, processes / 2)  # two processes fill the port
        one = EXCHANGE_NS * shared
        return [round(one * self.slow.get(pair, 1)) for pair in pairs]

    def stops(self) -> bool:
        return len(self.crossed) == self.stop_after


def measured(script: Script, hosts: int, each: int = 1, **whole: Any) -> tuple[Any, dict[str, Any]]:
    plan = {"processes": each * hosts, "hosts": hosts, "memory": 2**31, "duration": 1.0}
    run = b_pairs(script, **plan, **whole)
    return run, run.result


def planned(units: int, **more: Any) -> dict[str, Any]:
    """A request of a bisection of so many hosts with a process each."""
    return {"processes": units, "hosts": units, "bisection": {}, **more}


def crossings(units: int, halves: int, **more: Any) -> list[list[tuple[int, int]]]:
    """Who meets in each step."""
    steps = core.crossings(planned(units, **more), halves)
    return [[(one, other) for one, other in pairs] for pairs in steps]


def findings(result: dict[str, Any]) -> list[str]:
    return [str(found) for found in verify(check_document("scripted", result)).findings]


@given(st.integers(2, 60), st.integers(0, 9), SEEDS)
def test_each_unit_of_a_half_meets_each_of_the_other_once(
    units: int, halves: int, seed: int
) -> None:
    steps = crossings(units, halves, seed=seed)
    assert len(steps) == (units + 1) // 2
    pairs = [pair for step in steps for pair in step]
    assert len(set(pairs)) == len(pairs) == (units // 2) * ((units + 1) // 2)
    sides = steps[0]
    one = {unit for pair in sides for unit in pair}
    waits = [set(range(units)) - {unit for pair in step for unit in pair} for step in steps]
    assert [len(rest) for rest in waits] == [units % 2] * len(steps)
    if units % 2:
        assert len(set.union(*waits)) == len(steps)
    assert len(one) == 2 * len(sides)


def test_the_first_halves_are_those_by_number() -> None:
    assert crossings(5, 0) == [
        [(0, 2), (1, 3)],
        [(0, 3), (1, 4)],
        [(0, 4), (1, 2)],
    ]


@given(st.sets(st.integers(0, 19), min_size=1, max_size=19))
def test_given_parts_of_any_size_meet(part: set[int]) -> None:
    steps = core.cut_by(sorted(part), 20)
    pairs = sorted(tuple(pair) for step in steps for pair in step)
    rest = set(range(20)) - part
    assert pairs == sorted(tuple(sorted(pair)) for pair in product(part, rest))
    for step in steps:
        assert len({unit for pair in step for unit in pair}) == 2 * len(step)


@given(st.integers(1, 3000))
def test_spread_steps_are_all_steps(steps: int) -> None:
    found = [core.spread_step(place, steps) for place in range(steps)]
    assert sorted(found) == list(range(steps))
    assert found == spread_steps(steps)


@given(st.integers(2, 70), st.integers(0, 8), SEEDS)
def test_the_second_implementation_knows_who_crosses(units: int, halves: int, seed: int) -> None:
    plan = core.plan(planned(units, seed=seed)).begun["plan"]
    asked = PlannedBisection.model_validate(plan["bisection"])
    parts = parts_of(PairsPlan.model_validate(plan), asked, seed, halves)
    steps = crossings(units, halves, seed=seed)
    assert [pairs_of_step(parts, step) for step in range(len(parts[1]))] == steps


@pytest.mark.parametrize(
    ("mine", "slowest", "expected"),
    [
        (1e-3, 1e-3, 2),
        (1e-3, 10e-3, 20),
        (1e-6, 1e-6, 400),
        (2.0, 2.0, 1),
        (0.1, 9.0, 5),
        (0.0, 0.0, 100_000),
    ],
)
def test_series_last_as_long_for_all(mine: float, slowest: float, expected: int) -> None:
    assert core.series_beside(mine, slowest) == [3, expected]


def test_sums_minimum_and_share() -> None:
    """Four pairs of 2 GB/s; one, in step 2 of the first halves, takes four times as long."""
    _, result = measured(Script({(1, 7): 4.0}), 8, bisection={"random_halves": 0})
    found = result["bisection"]
    steps = found["halves"][0]["steps"]
    assert sorted(steps["sum_MBps"]) == [6500.0, 8000.0, 8000.0, 8000.0]
    assert found["minimum"] == {
        "halves": 0,
        "step": 2,
        "first": 1,
        "second": 7,
        "pair_MBps": 500.0,
        "full_MBps": 8000.0,
    }
    summary = result["summary"]
    assert summary["bisection_MBps"] == 6500.0
    assert summary["bisection_mean_MBps"] == 7625.0
    assert summary["bisection_maximum_MBps"] == 8000.0
    assert summary["bisection_percent"] == 81.25
    by_mean_time = 4 * 2000 / 1.75  # times 1, 1, 1 and 4
    assert summary["bisection_by_mean_time_MBps"] == pytest.approx(by_mean_time)
    assert result["valid"]
    assert findings(result) == []


def test_a_bad_cut_is_found_by_drawn_halves() -> None:
    """Units 0 to 3 are slow with each other: they stand in one half by number."""
    slow = {(one, other): 10.0 for one in range(4) for other in range(one + 1, 4)}
    _, result = measured(Script(slow), 8, bisection={})
    by_halves = [min(one["steps"]["sum_MBps"]) for one in result["bisection"]["halves"]]
    assert by_halves[0] == 8000.0
    assert min(by_halves) < 8000.0
    assert result["bisection"]["minimum"]["halves"] > 0
    assert findings(result) == []


@pytest.mark.parametrize("hosts", [2, 3, 4, 5, 7, 16])
def test_any_number_of_hosts(hosts: int) -> None:
    run, result = measured(Script(), hosts, bisection={"random_halves": 2}, per_host=[0])
    assert result["summary"]["bisection_MBps"] == 2000.0 * (hosts // 2)
    assert result["summary"]["bisection_percent"] == 100.0
    assert [one["kind"] for one in result["bisection"]["halves"]] == ["order", "random", "random"]
    assert findings(result) == []
    assert "Bisection" in run.protocol


def test_given_halves_are_kept() -> None:
    script = Script()
    _, result = measured(script, 6, bisection={"first_half": [0, 2], "random_halves": 1})
    assert result["plan"]["bisection"]["first_half"] == [0, 2]
    assert result["plan"]["bisection"]["steps"] == 4
    assert result["bisection"]["halves"][0]["kind"] == "given"
    assert findings(result) == []


def test_the_time_ends_the_steps_of_all_halves() -> None:
    """A meeting takes a second: 4 alone, then 3 of 16 steps, then 3 of the drawn ones."""
    _, result = measured(Script(), 8, bisection={"random_halves": 3, "time": 10.0})
    counts = [len(one["steps"]["sum_MBps"]) for one in result["bisection"]["halves"]]
    assert counts == [1, 2, 2, 1]
    assert result["complete"]
    assert findings(result) == []


@pytest.mark.parametrize("stop_after", [1, 4, 5, 9, 20])
def test_a_stopped_bisection_is_a_partial_result(stop_after: int) -> None:
    run, result = measured(Script(stop_after=stop_after), 8, bisection={}, per_host=[0])
    assert not result["complete"]
    assert not result["valid"]
    assert findings(result) == []
    assert len(run.journal.splitlines()) == stop_after + 3 * 7


def test_two_processes_fill_the_port() -> None:
    """Each has 1 GB/s one way until two share the port; short messages are of processes."""
    script = Script()
    _, result = measured(script, 6, each=8, per_host=[1, 2, 4, 0])
    assert result["bisection"] is None
    assert result["plan"]["processes_per_host"]["processes"] == [1, 2, 4, 8]
    summary = result["summary"]
    assert (summary["host_MBps"], summary["host_processes"]) == (2000.0, 2)
    assert summary["host_both_ways_MBps"] == 4000.0
    assert summary["host_messages_per_s"] == 8e6
    assert summary["host_messages_processes"] == 8
    assert [len(pairs) for pairs, _, _ in script.crossed] == [1, 1, 1, 3] * 12
    assert findings(result) == []


@pytest.mark.parametrize(
    ("hosts", "rate", "named"),
    [
        (2, 800.0, "h0 to h1 alone"),
        (4, 1142.86, "the middle of 2 pairs alone"),  # of two the mean time
        (12, 2000.0, "h0 to h6 only 800 MB/s"),
    ],
)
def test_a_slow_host_does_not_decide_what_others_reach(hosts: int, rate: float, named: str) -> None:
    _, result = measured(Script({(0, hosts // 2): 2.5}), hosts, each=2, per_host=[1, 2])
    assert result["summary"]["host_MBps"] == pytest.approx(rate, abs=0.01)
    assert findings(result) == []
    (sentence,) = network_sentences(as_b_pairs(check_document("scripted", result)))
    assert named in sentence


@pytest.mark.parametrize(
    ("hosts", "each", "whole", "sentence"),
    [
        (1, 4, {"per_host": [1]}, "needs at least two hosts"),
        (2, 4, {"per_host": [5]}, "5: a host has 4 processes"),
        (2, 4, {"bisection": {"processes": 5}}, "5: a host has 4 processes"),
        (1, 4, {"bisection": {"processes": 2}}, "2: a process has 1 process"),
        (2, 1, {"bisection": {"first_half": [0, 1]}}, "names all 2 hosts"),
    ],
)
def test_what_cannot_be_planned_is_refused(
    hosts: int, each: int, whole: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        core.plan(processes=hosts * each, hosts=hosts, **whole)


def test_ten_thousand_hosts_take_ten_minutes_at_most() -> None:
    plan = planned(10_000, memory=2**31)
    assert core.bisection_time(plan, 10_000.0) == 600.0
    assert 200 < core.bisection_time(plan, 25_000.0) < 600.0
    small = planned(4, memory=2**31)
    exchange = 16 * MIB / 10e9
    assert core.bisection_time(small, 10_000.0) == pytest.approx(20 * (8 * exchange + 1e-3))


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        (("summary", "bisection_MBps"), 1.0, "summary.bisection_MBps"),
        (("summary", "bisection_percent"), 99.0, "summary.bisection_percent"),
        (("summary", "host_processes"), 3, "summary.host_processes"),
        (("bisection", "minimum", "step"), 3, "bisection.minimum.step"),
        (("bisection", "halves", 1, "kind"), "order", "bisection.halves.kind"),
        (("bisection", "halves", 0, "steps", "first", 0), 3, "bisection.halves[0].steps.first[0]"),
        (
            ("bisection", "halves", 0, "steps", "sum_MBps", 0),
            10.0,
            "summary.bisection_MBps",
        ),
        (
            ("bisection", "halves", 0, "mean_ns", 0),
            2 * EXCHANGE_NS,
            "summary.bisection_by_mean_time_MBps",
        ),
        (("bisection", "alone", "first", 0), 7, "bisection.alone"),
        (("bisection", "alone", "ns", 0), 7, "digest.samples"),
        (("plan", "bisection", "steps"), 7, "plan.bisection.steps"),
        (("per_host", "rate", 0), 7.0, "per_host.rate[0]"),
        (("bisection", "halves", 0, "mean_ns"), [], "bisection.halves[0].mean_ns"),
        (("per_host", "pairs", 0), 7, "per_host.processes"),
        (("per_host",), None, "per_host"),
    ],
)
def test_what_was_changed_is_found(path: tuple[str | int, ...], value: Any, found: str) -> None:
    whole = {"bisection": {"random_halves": 1}, "per_host": [1, 2]}
    _, result = measured(Script(), 8, each=2, **whole)
    place: Any = result
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert [text for text in findings(result) if text.startswith(f"{found} is ")]


@pytest.mark.parametrize(
    ("switches", "half"),
    [
        (["root.b", "root.a", "root.b", "root.a"], [1, 3]),
        (["root.b", "root.b", "root.a", "root.c", "root.a"], [2, 4]),
        (["s10", "s2", "s10", "s2"], [0, 2]),
        (["root.a", "root.a", "root.b", "root.b"], []),
        (["root.b", "", "root.a", "root.a"], []),
        (["root.a"] * 4, []),
        (["root.a"], []),
    ],
)
def test_halves_by_the_switches_above_the_hosts(switches: list[str], half: list[int]) -> None:
    assert core.half_by_switches(switches) == half


@given(st.lists(st.sampled_from(["a", "b", "c.a", "c.b", "d"]), min_size=2, max_size=40))
def test_halves_by_switches_divide_one_switch_at_most(switches: list[str]) -> None:
    half = core.half_by_switches(switches) or list(range(len(switches) // 2))
    assert len(half) == len(switches) // 2
    rest = set(range(len(switches))) - set(half)
    assert len({switches[unit] for unit in half} & {switches[unit] for unit in rest}) <= 1
