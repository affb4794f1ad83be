"""b_pairs on scripted machines: rounds, passes, retests, bisection, processes per host."""

import json
from collections.abc import Sequence
from functools import partial
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.reports import beside

from beff.cli.app import main
from beff.definition.verify import verify
from beff.judge.expectations import check_expectations, read_expectations
from beff.judge.finding import Verdict
from beff.maps.findings import Status
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import pair_map
from beff.result.b_pairs_result import BPairsResult
from beff.result.load import check_document
from program_core import pairs as core
from scripted_machine import b_pairs, write_pairs

SEEDS = st.integers(0, 2**53 - 1)
Pairs = list[tuple[int, int]]


class Script:
    """Some units, or links of two, take longer in large messages; asks to stop at `stop_after`.

    What is sent back takes `back` times as long as there. Across the network pairs need
    EXCHANGE_NS, two processes fill a port, and a window needs 64 us; at meeting `stop_across` of it
    it asks to stop.
    """

    def __init__(
        self,
        slow: dict[tuple[int, ...], float] | None = None,
        stop_after: int | None = None,
        back: int = 1,
        stop_across: int | None = None,
    ) -> None:
        self.slow, self.stops_at, self.back = slow or {}, (stop_after, stop_across), back
        self.met: list[tuple[int, Pairs, str]] = []
        self.crossed: list[Pairs] = []

    def times(
        self, number: int, round_: int, pairs: Pairs, ways: str
    ) -> list[tuple[int | None, int]]:
        self.met.append((number, pairs, ways))
        small = 1_000 if ways == "both" else None
        usual = 100_000 * (self.back if ways == "back" else 1)
        return [(small, round(usual * self.factor_of(pair))) for pair in pairs]

    def factor_of(self, pair: tuple[int, int]) -> float:
        return max((of for ends, of in self.slow.items() if {*ends} <= {*pair}), default=1)

    def crosses(
        self, number: int, place: int, pairs: Pairs, processes: int, traffic: str
    ) -> list[int]:
        self.crossed.append(pairs)
        if traffic == "messages":
            return [64_000 for _ in pairs]
        shared = EXCHANGE_NS * max(1.0, processes / 2)
        return [round(shared * self.factor_of(pair)) for pair in pairs]

    def stops(self) -> bool:
        stop_after, stop_across = self.stops_at
        return len(self.met) == stop_after or len(self.crossed) == stop_across


def measured(
    script: Script, hosts: int = 8, each: int = 2, **plan: Any
) -> tuple[Any, dict[str, Any]]:
    """A verified run of so many processes on each host."""
    run = b_pairs(script, processes=each * hosts, hosts=hosts, **{"duration": 1.0, **plan})
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
    for rounds in meetings_in(units, rounds="all", seed=seed):
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
    for number, pairs in enumerate(meetings_in(units, rounds=rounds, seed=seed)[1]):
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
    _, result = measured(script)
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
    again = measured(Script(slow))[1]["retests"]
    assert ((4, 5) in zip(again["first"], again["second"], strict=True)) == looks_slow
    assert bool(again["first"]) == looks_slow


@pytest.mark.parametrize("stop_after", [1, 7, 8, 20, 23])
def test_a_stopped_run_is_a_partial_result(stop_after: int) -> None:
    run, result = measured(Script({(3,): 2.0}, stop_after))
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


# --- bisection and processes per host ---

EXCHANGE_NS = 16_777_216  # a message of 16 MiB each way: 2 GB/s
across = partial(measured, each=1, memory=2**31)


@settings(max_examples=20)
@given(st.integers(2, 70), SEEDS)
def test_each_unit_of_a_half_meets_each_of_the_other_once(hosts: int, seed: int) -> None:
    script = Script()
    across(script, hosts, bisection={"random_halves": 1}, seed=seed)
    count = (hosts + 1) // 2
    for steps in (script.crossed[-2 * count : -count], script.crossed[-count:]):
        pairs = [pair for step in steps for pair in step]
        assert len(set(pairs)) == len(pairs) == (hosts // 2) * count
        waits = [{*range(hosts)} - {unit for pair in step for unit in pair} for step in steps]
        assert {len(rest) for rest in waits} == {hosts % 2}
        if hosts % 2:
            assert len(set.union(*waits)) == count


@settings(max_examples=20)
@given(st.sets(st.integers(0, 19), min_size=1, max_size=19))
def test_given_parts_of_any_size_meet(part: set[int]) -> None:
    script, rest = Script(), {*range(20)} - part
    across(script, 20, bisection={"first_half": sorted(part), "random_halves": 0})
    steps = script.crossed[-max(len(part), len(rest)) :]
    pairs = sorted(pair for step in steps for pair in step)
    assert pairs == sorted(tuple(sorted(pair)) for pair in product(part, rest))
    for step in steps:
        assert len({unit for pair in step for unit in pair}) == 2 * len(step)


def test_sums_minimum_and_share() -> None:
    """Four pairs of 2 GB/s; one, in step 2 of the first halves, takes four times as long."""
    _, result = across(Script({(1, 7): 4.0}), 8, bisection={"random_halves": 0})
    found, summary = result["bisection"], result["summary"]
    assert sorted(found["halves"][0]["steps"]["sum_MBps"]) == [6500.0, 8000.0, 8000.0, 8000.0]
    assert found["minimum"] == {
        **{"halves": 0, "step": 2, "first": 1, "second": 7},
        **{"pair_MBps": 500.0, "full_MBps": 8000.0},
    }
    names = ("bisection_MBps", "bisection_mean_MBps", "bisection_maximum_MBps", "bisection_percent")
    assert [summary[name] for name in names] == [6500.0, 7625.0, 8000.0, 81.25]
    by_mean_time = 4 * 2000 / 1.75  # times 1, 1, 1 and 4
    assert summary["bisection_by_mean_time_MBps"] == pytest.approx(by_mean_time)
    assert result["valid"]


def test_a_bad_cut_is_found_by_drawn_halves() -> None:
    """Units 0 to 3 are slow with each other: they stand in one half by number."""
    slow = {(one, other): 10.0 for one in range(4) for other in range(one + 1, 4)}
    _, result = across(Script(slow), 8, bisection={})
    by_halves = [min(one["steps"]["sum_MBps"]) for one in result["bisection"]["halves"]]
    assert by_halves[0] == 8000.0 > min(by_halves)
    assert result["bisection"]["minimum"]["halves"] > 0


@pytest.mark.parametrize("hosts", [2, 3, 4, 5, 7, 16])
def test_any_number_of_hosts(hosts: int) -> None:
    _, result = across(Script(), hosts, bisection={"random_halves": 2}, per_host=[0])
    assert result["summary"]["bisection_MBps"] == 2000.0 * (hosts // 2)
    assert result["summary"]["bisection_percent"] == 100.0
    assert [one["kind"] for one in result["bisection"]["halves"]] == ["order", "random", "random"]


def test_the_time_ends_the_steps_of_all_halves() -> None:
    """A meeting takes a second: 4 alone, then 3 of 16 steps, then 3 of the drawn ones."""
    _, result = across(Script(), 8, bisection={"random_halves": 3, "time": 10.0})
    counts = [len(one["steps"]["sum_MBps"]) for one in result["bisection"]["halves"]]
    assert counts == [1, 2, 2, 1]
    assert result["complete"]


@pytest.mark.parametrize("stop_after", [1, 4, 5, 9, 20])
def test_a_stopped_bisection_is_a_partial_result(stop_after: int) -> None:
    run, result = across(Script(stop_across=stop_after), 8, bisection={}, per_host=[0])
    assert not result["complete"]
    assert not result["valid"]
    assert len(run.journal.splitlines()) == stop_after + 3 * 7


def test_two_processes_fill_the_port() -> None:
    """Each has 1 GB/s one way until two share the port; short messages are of processes."""
    script = Script()
    _, result = across(script, 6, each=8, per_host=[1, 2, 4, 0])
    assert result["bisection"] is None
    assert result["plan"]["processes_per_host"]["processes"] == [1, 2, 4, 8]
    summary = result["summary"]
    assert (summary["host_MBps"], summary["host_processes"]) == (2000.0, 2)
    assert summary["host_both_ways_MBps"] == 4000.0
    assert (summary["host_messages_per_s"], summary["host_messages_processes"]) == (8e6, 8)
    assert [len(pairs) for pairs in script.crossed] == [1, 1, 1, 3] * 12


def test_a_row_of_a_complete_run_cannot_be_left_out() -> None:
    _, result = across(Script(), 6, each=2, per_host=[1, 2])
    assert result["complete"]
    for column in result["per_host"].values():
        column.pop()
    (finding,) = verify(check_document("result", result)).findings
    assert finding.path == "per_host.processes"


@pytest.mark.parametrize(("hosts", "rate"), [(2, 800.0), (4, 1142.86), (12, 2000.0)])
def test_a_slow_host_does_not_decide_what_others_reach(hosts: int, rate: float) -> None:
    """Of two pairs the mean time counts."""
    _, result = across(Script({(0, hosts // 2): 2.5}), hosts, each=2, per_host=[1, 2])
    assert result["summary"]["host_MBps"] == pytest.approx(rate, abs=0.01)


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
        core.begun(processes=hosts * each, hosts=hosts, **whole)


def test_ten_thousand_hosts_take_ten_minutes_at_most() -> None:
    few, many = ({"processes": n, "hosts": n, "memory": 2**31} for n in (4, 10_000))
    assert core.bisection_time({**many, "bisection": {}}, 10_000.0) == 600.0
    assert 200 < core.bisection_time({**many, "bisection": {}}, 25_000.0) < 600.0
    small = core.bisection_time({**few, "bisection": {}}, 10_000.0)
    assert small == pytest.approx(20 * (8 * 16 * 2**20 / 10e9 + 1e-3))


def test_a_journal_becomes_the_same_result(tmp_path: Path) -> None:
    """All lines of the journal, as of a run that was killed at its end."""
    plan = {"processes": 32, "hosts": 8, "memory": 2**31, "duration": 1.0}
    plan |= {"bisection": {"random_halves": 1}, "per_host": [1, 2, 0]}
    path = write_pairs(tmp_path, Script({(1, 6): 4}), **plan)
    journal = tmp_path / "run.journal.jsonl"
    assert main(["show", str(journal), "-o", beside(journal)]) == 0
    recovered, whole = (
        json.loads(file.read_text(encoding="utf-8")) for file in (tmp_path / "run.json", path)
    )
    assert recovered["summary"] == whole["summary"]
    assert recovered["bisection"] == {**whole["bisection"], "took_s": 0.0}
    assert recovered["per_host"] == whole["per_host"]


def test_what_is_expected_of_two_processes_is_not_of_one() -> None:
    entry = {"benchmark": "b_pairs", "message_bytes": 1 << 24, "bisection_processes": 2}
    entry["reference"] = {"bisection_MBps": [1.0, 0, None, "MB/s"]}
    verdicts = []
    for processes in (1, 2):
        _, fields = across(Script(), 4, each=2, bisection={"processes": processes})
        content = {"expectations": [{**entry, "definition": fields["definition"]}]}
        expected = read_expectations("e.yaml", content)
        run = check_document("map.json", fields)
        verdicts += [finding.verdict for finding in check_expectations(run, expected)]
    assert verdicts == [Verdict.UNKNOWN, Verdict.GOOD]
