"""b_pairs on machines that are scripts: rounds, passes, retests and what is written of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beff.definition.verify import verify
from beff.maps.findings import Status
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import pair_map
from beff.result.b_pairs_result import BPairsResult
from beff.result.load import check_document
from program_core import pairs as core
from scripted_machine import b_pairs

SEEDS = st.integers(0, 2**53 - 1)
Pairs = list[tuple[int, int]]


class Script:
    """Some units, or links of two, take longer in large messages; asks to stop at `stop_after`.

    What is sent back takes `back` times as long as there.
    """

    def __init__(
        self,
        slow: dict[tuple[int, ...], float] | None = None,
        stop_after: int | None = None,
        back: int = 1,
    ) -> None:
        self.slow, self.stop_after, self.back = slow or {}, stop_after, back
        self.met: list[tuple[int, Pairs, str]] = []

    def times(
        self, number: int, round_: int, pairs: Pairs, ways: str
    ) -> list[tuple[int | None, int]]:
        self.met.append((number, pairs, ways))
        small = 1_000 if ways == "both" else None
        usual = 100_000 * (self.back if ways == "back" else 1)
        return [(small, round(usual * self.factor_of(pair))) for pair in pairs]

    def factor_of(self, pair: tuple[int, int]) -> float:
        return max((of for ends, of in self.slow.items() if {*ends} <= {*pair}), default=1)

    def stops(self) -> bool:
        return len(self.met) == self.stop_after


def measured(script: Script, hosts: int = 8, **plan: Any) -> tuple[Any, dict[str, Any]]:
    """A verified run of two processes on each host."""
    run = b_pairs(script, processes=2 * hosts, hosts=hosts, **plan)
    assert verify(check_document("scripted", run.result)).findings == ()
    return run, run.result


def meetings_in(units: int, **plan: Any) -> list[list[Pairs]]:
    """Who meets in each round of each pass of so many hosts; the definition knows it, too."""
    script = Script()
    _, result = measured(script, units, **plan)
    rounds = result["plan"]["rounds"]
    met = [pairs for _, pairs, _ in script.met]
    return [met[first : first + rounds] for first in range(0, len(met), rounds)]


def assert_apart(pairs: Sequence[tuple[int, int]]) -> None:
    assert len({unit for pair in pairs for unit in pair}) == 2 * len(pairs)


@settings(max_examples=15)
@given(st.integers(2, 65), SEEDS)
def test_all_meet_once_in_each_pass(units: int, seed: int) -> None:
    for rounds in meetings_in(units, rounds="all", seed=seed, duration=1.0):
        assert len(rounds) == units - 1 + units % 2
        everybody = [*combinations(range(units), 2)]
        assert sorted(pair for pairs in rounds for pair in pairs) == everybody
        for pairs in rounds:
            assert_apart(pairs)


def test_no_unit_is_special_in_all_passes() -> None:
    """In a round robin one unit is fixed; here it is another one in each pass."""
    first = [rounds[0] for rounds in meetings_in(16, duration=240.0)[:12]]
    assert len({tuple(pairs) for pairs in first}) == 12
    assert len({pair for pairs in first for pair in pairs if 15 in pair}) > 5


@settings(max_examples=8)
@given(st.integers(66, 600), st.integers(1, 64), SEEDS)
def test_of_many_units_those_that_are_near_meet_first(units: int, rounds: int, seed: int) -> None:
    for number, pairs in enumerate(meetings_in(units, rounds=rounds, seed=seed, duration=1.0)[1]):
        assert_apart(pairs)
        assert pairs
        if number < min(6, rounds // 2):
            assert {(one ^ other).bit_length() for one, other in pairs} == {number + 1}
        else:
            assert len(pairs) == units // 2


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
        (1024, 1024, "all", ("host", 1024, 1023)),
    ],
)
def test_units_and_rounds(
    processes: int, hosts: int, rounds: str | int, expected: tuple[str, int, int]
) -> None:
    plan = core.begun(processes=processes, hosts=hosts, rounds=rounds)["plan"]
    assert (plan["unit"], plan["units"], plan["rounds"]) == expected
    assert plan["most_passes"] >= 3


def test_a_map_beyond_the_bound_is_refused() -> None:
    with pytest.raises(ValueError, match="give at most 524 rounds"):
        core.begun(processes=2000, hosts=2000, rounds="all")


def test_large_messages() -> None:
    for memory, large in ((5000 * 128, 5000), (2**30, 2**20)):
        assert core.begun(processes=4, memory=memory)["plan"]["large_bytes"] == large


@pytest.mark.parametrize(("duration", "passes"), [(1.0, 3), (30.0, 5), (1e6, 200)])
def test_passes_fill_the_duration(duration: float, passes: int) -> None:
    """A meeting takes a second, a pass of eight hosts seven; in the longest run they are idle."""
    _, result = measured(Script(), duration=duration)
    assert len(result["passes"]["small_ns"]) == passes
    assert result["valid"]


@pytest.mark.parametrize("back", [1, 3])
def test_what_looks_slow_is_measured_alone_beside_what_does_not(back: int) -> None:
    script = Script({(3,): 2.0}, back=back)
    _, result = measured(script, duration=1.0)
    again = result["retests"]
    pairs = list(zip(again["first"], again["second"], strict=True))
    mine = {pair for pair in pairs if 3 in pair}
    assert len(mine) == 2
    assert set(pairs) - mine  # for comparison
    assert again["there_ns"] == again["large_ns"]
    assert again["back_ns"] == [back * ns for ns in again["there_ns"]]
    assert [2e5 if 3 in pair else 1e5 for pair in pairs] == again["large_ns"]
    alone = [(pairs, ways) for number, pairs, ways in script.met if number >= 3]
    assert all(len(pairs) == 1 for pairs, _ in alone)
    assert [ways for _, ways in alone[:3]] == ["both", "there", "back"]
    found = judge_pairs(pair_map(BPairsResult.model_validate(result)))
    assert [unit.name for unit in found.with_status(Status.SLOW)] == ["h3"]


@pytest.mark.parametrize(
    ("slow", "looks_slow"), [({(4, 5): 1.3}, True), ({(0,): 1.1, (0, 5): 1.3}, False)]
)
def test_a_link_is_slow_beside_the_slower_of_its_units(
    slow: dict[tuple[int, ...], float], looks_slow: bool
) -> None:
    """1.3 times the median looks slow, but not at a unit whose every link takes 1.1 times."""
    again = measured(Script(slow), duration=1.0)[1]["retests"]
    assert ((4, 5) in zip(again["first"], again["second"], strict=True)) == looks_slow
    assert bool(again["first"]) == looks_slow


@pytest.mark.parametrize("stop_after", [1, 7, 8, 20, 23])
def test_a_stopped_run_is_a_partial_result(stop_after: int) -> None:
    run, result = measured(Script({(3,): 2.0}, stop_after), duration=1.0)
    assert not result["complete"]
    assert not result["valid"]
    assert {"code": "stopped", "facts": {"by": "the script ended"}} in result["cautions"]
    rounds = sum(len(rounds) for rounds in result["passes"]["small_ns"])
    assert rounds == min(stop_after, 21)
    assert "NOT VALID" in run.protocol


def test_hosts_that_differ_are_grouped() -> None:
    ports = [
        {"name": "eth0", "kind": "ethernet", "rate_MBps": rate, "state": "up"}
        for rate in (25000, 25000, 12500)
    ]
    hosts = [{"network": [port], "pcie_below_maximum": []} for port in ports]
    run = b_pairs(Script(), hosts, processes=3, hosts=3)
    assert [group["hosts"] for group in run.result["roofs"]["hosts"]] == ["h[0-1]", "h2"]
    assert verify(check_document("scripted", run.result)).findings == ()
