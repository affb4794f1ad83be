"""b_pairs on machines that are scripts: rounds, passes, retests and what is written of them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.definition.b_pairs_plan import meetings
from beff.definition.verify import verify
from beff.maps.findings import Status
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import pair_map
from beff.result.b_pairs_result import BPairsResult
from beff.result.load import check_document
from program_core import pairs as core
from scripted_machine import b_pairs

MIB = 2**20
SEEDS = st.integers(0, 2**53 - 1)


class Script:
    """A slow unit, or link of two, takes `slow` or `links` times as long in large messages.

    Asks to stop at `stop_after`.
    """

    def __init__(
        self,
        slow: dict[int, float] | None = None,
        stop_after: int | None = None,
        links: dict[tuple[int, int], float] | None = None,
    ) -> None:
        self.slow = slow or {}
        self.stop_after = stop_after
        self.links = links or {}
        self.met: list[tuple[int, int, list[tuple[int, int]], str]] = []

    def times(
        self, number: int, round_: int, pairs: list[tuple[int, int]], ways: str
    ) -> list[tuple[int | None, int | None]]:
        self.met.append((number, round_, pairs, ways))
        small = 1_000 if ways == "both" else None
        return [
            (small, round(100_000 * max(self.links.get(pair, 1), *map(self.factor_of, pair))))
            for pair in pairs
        ]

    def factor_of(self, unit: int) -> float:
        return self.slow.get(unit, 1.0)

    def stops(self) -> bool:
        return len(self.met) == self.stop_after


def measured(script: Script, hosts: int = 8, **plan: Any) -> tuple[Any, dict[str, Any]]:
    run = b_pairs(script, processes=2 * hosts, hosts=hosts, **plan)
    return run, run.result


def findings(result: dict[str, Any]) -> list[str]:
    return [str(found) for found in verify(check_document("scripted", result)).findings]


def planned(units: int, **plan: Any) -> dict[str, Any]:
    """A request of a map of so many hosts with a process each."""
    return {"processes": units, "hosts": units, **plan}


def meetings_in(number: int, units: int, **plan: Any) -> list[list[tuple[int, int]]]:
    """Who meets in each round of a pass."""
    rounds = core.meetings(planned(units, **plan), number)
    return [[(one, other) for one, other in pairs] for pairs in rounds]


@given(st.integers(2, 65), SEEDS, st.integers(0, 5))
def test_all_meet_once_in_each_pass(units: int, seed: int, number: int) -> None:
    rounds = meetings_in(number, units, rounds="all", seed=seed)
    assert len(rounds) == units - 1 + units % 2
    assert sorted(pair for pairs in rounds for pair in pairs) == list(combinations(range(units), 2))
    for pairs in rounds:
        assert len({unit for pair in pairs for unit in pair}) == 2 * len(pairs) == units // 2 * 2


def test_no_unit_is_special_in_all_passes() -> None:
    """In a round robin one unit is fixed; here it is another one in each pass."""
    first = [meetings_in(number, 16)[0] for number in range(12)]
    assert len({tuple(pairs) for pairs in first}) == 12
    assert len({pair for pairs in first for pair in pairs if 15 in pair}) > 5


@given(st.integers(2, 70), st.integers(1, 12), SEEDS)
def test_somebody_meets_in_each_round(units: int, rounds: int, seed: int) -> None:
    assert all(meetings_in(0, units, rounds=rounds, seed=seed))


def test_few_rounds_join_hosts_that_are_far() -> None:
    """By near rounds alone, no host of the first 64 would meet one of the others."""
    pairs = [pair for round_ in meetings_in(0, 128, rounds=6) for pair in round_]
    assert any(one < 64 <= other for one, other in pairs)


@given(st.integers(66, 600), st.integers(1, 64), SEEDS)
def test_of_many_units_those_that_are_near_meet_first(units: int, rounds: int, seed: int) -> None:
    for number, pairs in enumerate(meetings_in(1, units, rounds=rounds, seed=seed)):
        assert len({unit for pair in pairs for unit in pair}) == 2 * len(pairs)
        if number < min(6, rounds // 2):
            assert {(one ^ other).bit_length() for one, other in pairs} == {number + 1}
        else:
            assert len(pairs) == units // 2


@given(st.integers(2, 200), st.integers(1, 70), st.integers(1, 4), SEEDS)
def test_the_second_implementation_knows_who_meets(
    units: int, rounds: int, passes: int, seed: int
) -> None:
    plan = {"rounds": rounds, "seed": seed}
    met = [
        (number, round_, *pair)
        for number in range(passes)
        for round_, pairs in enumerate(meetings_in(number, units, **plan))
        for pair in pairs
    ]
    found = meetings(units, core.plan(planned(units, **plan)).rounds, passes, seed)
    columns = (found.passes, found.rounds, found.first, found.second)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == met


@pytest.mark.parametrize(
    ("processes", "hosts", "rounds", "expected"),
    [
        (3, 1, "auto", ("process", 3, 3)),
        (96, 3, "auto", ("host", 3, 3)),
        (65, 65, "auto", ("host", 65, 65)),
        (66, 66, "auto", ("host", 66, 64)),
        (10_000, 10_000, "auto", ("host", 10_000, 16)),
        (200_000, 100_000, "auto", ("host", 100_000, 8)),
        (800, 100, 10, ("host", 100, 10)),
        (800, 100, 1000, ("host", 100, 99)),
    ],
)
def test_units_and_rounds(
    processes: int, hosts: int, rounds: str | int, expected: tuple[str, int, int]
) -> None:
    run = core.plan(processes=processes, hosts=hosts, rounds=rounds)
    assert (run.unit, run.units, run.rounds) == expected
    assert run.most_passes >= 3


def test_a_map_beyond_the_bound_is_refused() -> None:
    assert core.plan(planned(1024, rounds="all")).rounds == 1023
    with pytest.raises(ValueError, match="give at most 524 rounds"):
        core.plan(planned(2000, rounds="all"))


def test_large_messages() -> None:
    assert core.plan(processes=4, memory=5000 * 128).large == 5000
    assert core.plan(processes=4).large == MIB


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
    assert core.series_for(exchange) == [*expected]


@pytest.mark.parametrize(("duration", "passes"), [(1.0, 3), (30.0, 5), (1e6, 200)])
def test_passes_fill_the_duration(duration: float, passes: int) -> None:
    """A meeting takes a second, a pass of eight hosts seven; in the longest run they are idle."""
    _, result = measured(Script(), duration=duration)
    assert len(result["passes"]["small_ns"]) == passes
    assert result["complete"]
    assert [c["code"] for c in result["criteria"] if not c["met"]] == []
    assert findings(result) == []


def test_what_looks_slow_is_measured_alone_beside_what_does_not() -> None:
    script = Script({3: 2.0})
    _, result = measured(script, duration=1.0)
    again = result["retests"]
    pairs = list(zip(again["first"], again["second"], strict=True))
    mine = [pair for pair in pairs if 3 in pair]
    assert len(set(mine)) == 2
    assert set(pairs) - set(mine)  # for comparison
    assert again["there_ns"] == again["back_ns"] == again["large_ns"]
    assert [2e5 if 3 in pair else 1e5 for pair in pairs] == again["large_ns"]
    alone = [(pairs, ways) for number, _, pairs, ways in script.met if number >= 3]
    assert all(len(pairs) == 1 for pairs, _ in alone)
    assert [ways for _, ways in alone[:3]] == ["both", "there", "back"]
    found = judge_pairs(pair_map(BPairsResult.model_validate(result)))
    assert [unit.name for unit in found.with_status(Status.SLOW)] == ["h3"]
    assert findings(result) == []


class SlowerBack(Script):
    """What is sent back takes three times as long."""

    def times(
        self, number: int, round_: int, pairs: list[tuple[int, int]], ways: str
    ) -> list[tuple[int | None, int | None]]:
        found = super().times(number, round_, pairs, ways)
        factor = 3 if ways == "back" else 1
        return [(small, factor * (large or 0)) for small, large in found]


def test_there_and_back_are_not_mixed_up() -> None:
    _, result = measured(SlowerBack({3: 2.0}), duration=1.0)
    again = result["retests"]
    assert again["there_ns"] == again["large_ns"] != []
    assert again["back_ns"] == [3 * ns for ns in again["there_ns"]]


def test_a_link_is_slow_beside_the_slower_of_its_units() -> None:
    """1.3 times the median looks slow, but not at a unit whose every link takes 1.1 times."""
    clear = measured(Script(links={(4, 5): 1.3}), duration=1.0)[1]["retests"]
    assert (4, 5) in zip(clear["first"], clear["second"], strict=True)
    _, hidden = measured(Script({0: 1.1}, links={(0, 5): 1.3}), duration=1.0)
    assert hidden["retests"]["first"] == []


def test_nothing_is_measured_again_on_a_clean_machine() -> None:
    _, result = measured(Script())
    assert result["retests"]["first"] == []


@pytest.mark.parametrize("stop_after", [1, 7, 8, 20, 23])
def test_a_stopped_run_is_a_partial_result(stop_after: int) -> None:
    run, result = measured(Script({3: 2.0}, stop_after), duration=1.0)
    assert not result["complete"]
    assert not result["valid"]
    assert {"code": "stopped", "facts": {"by": "the script ended"}} in result["cautions"]
    rounds = sum(len(rounds) for rounds in result["passes"]["small_ns"])
    assert rounds == min(stop_after, 21)
    assert findings(result) == []
    assert "NOT VALID" in run.protocol


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        (("plan", "units"), 9, "plan.units"),
        (("plan", "unit"), "process", "plan.unit"),
        (("plan", "large_bytes"), 4097, "plan.large_bytes"),
        (("plan", "rounds"), 8, "plan.rounds"),
        (("options", "seed"), None, "options.seed"),
        (("summary", "pair_MBps"), 1.0, "summary.pair_MBps"),
        (("summary", "latency_us"), None, "summary.latency_us"),
        (("passes", "large_ns", 0, 0), "1 2 3", "passes.large_ns[0]"),
        (("passes", "large_ns", 0, 0), "1 2 3 4", "summary.pair_MBps"),
        (("passes", "small_ns", 1, 0), "1000 1000 1000 1001", "digest.samples"),
        (("retests", "first", 0), 8, "retests"),
        (("complete",), False, "criteria[0].met"),
    ],
)
def test_a_changed_result_is_found(path: tuple[Any, ...], value: Any, found: str) -> None:
    _, result = measured(Script({3: 2.0}), duration=1.0)
    place = result
    for step in path[:-1]:
        place = place[step]
    if path == ("passes", "large_ns", 0, 0) and value == "1 2 3 4":
        for pairs in result["passes"]["large_ns"]:
            pairs[:] = [value] * len(pairs)
    place[path[-1]] = value
    assert any(text.startswith(found) for text in findings(result)), findings(result)


def test_hosts_that_differ_are_shown_in_the_protocol() -> None:
    def host(rate: float) -> dict[str, Any]:
        port = {"name": "eth0", "kind": "ethernet", "rate_MBps": rate, "state": "up"}
        return {"network": [port], "pcie_below_maximum": []}

    hosts = [host(25000), host(25000), host(12500)]
    run = b_pairs(Script(), hosts, **planned(3))
    result = run.result
    assert [group["hosts"] for group in result["roofs"]["hosts"]] == ["h[0-1]", "h2"]
    assert "  h2: rate 12.5 GB/s, of most others 25 GB/s\n" in run.protocol
    assert findings(result) == []
