"""Slow hosts, processes and links: who is accused on machines whose slow parts are known."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_machine import Machine, measured_on, result_on

from beff.analysis.verify import verify
from beff.model.load import check_document

Accused = set[tuple[str, str, str]]


def slow_hosts(machine: Machine, **plan: Any) -> Any:
    """The field of the result; the second implementation must come to the same."""
    result = result_on(machine, **plan)
    assert verify(check_document("scripted", result)).findings == ()
    return result["slow_hosts"]


def accused(slow: Any) -> Accused:
    return {(part["name"], part["messages"], part["where"]) for part in slow["found"]}


def both(name: str, where: str = "network") -> Accused:
    return {(name, "long", where), (name, "short", where)}


@pytest.mark.parametrize("processes", [4, 6, 7, 8, 16, 33, 64, 256])
def test_planted_process_is_found_and_no_other(processes: int) -> None:
    culprit = processes // 3
    slow = slow_hosts(Machine(processes, slow={culprit: 4.0}, jitter=0.02))
    assert slow["verdict"] == "found"
    assert accused(slow) == both(f"rank {culprit}")
    for part in slow["found"]:
        assert part["kind"] == "process"
        assert part["ranks"] == [culprit]
        assert part["factor"] == pytest.approx(4, rel=0.1)
        assert part["confidence"] == "high"
        assert part["sweeps_slow"] == part["sweeps"]
        assert part["patterns_slow"] == part["patterns"]


@given(st.data())
@settings(max_examples=12, deadline=None)
def test_whoever_is_slow_is_found_and_nobody_else(data: st.DataObject) -> None:
    processes = data.draw(st.integers(2, 12).map(lambda half: 2 * half))
    culprit = data.draw(st.integers(0, processes - 1))
    machine = Machine(
        processes,
        seed=data.draw(st.integers(0, 1000)),
        slow={culprit: data.draw(st.floats(1.5, 8))},
        jitter=0.05,
        interruptions=0.02,
        drift=0.1,
    )
    assert accused(slow_hosts(machine, repetitions=3)) == both(f"rank {culprit}")


@pytest.mark.parametrize("seed", range(20))
def test_nobody_is_accused_on_a_clean_machine(seed: int) -> None:
    """Jitter, interruptions and drift from harmless to heavy; 2 to 24 processes."""
    machine = Machine(
        2 + 11 * seed % 23,
        seed=seed,
        jitter=0.05 * (seed % 7),
        interruptions=0.05 * (seed % 5),
        drift=0.2 * (seed % 3),
    )
    slow = slow_hosts(machine, seed=seed)
    assert slow["found"] == []
    assert slow["verdict"] == ("none found" if machine.processes >= 4 else "cannot be said")


@pytest.mark.parametrize("seed", range(5))
def test_noise_that_hides_a_slow_process_is_not_a_clean_machine(seed: int) -> None:
    machine = Machine(8, seed=seed, slow={5: 2.0}, jitter=1.0, interruptions=0.3)
    slow = slow_hosts(machine, repetitions=1)
    assert (slow["verdict"], slow["found"]) == ("cannot be said", [])
    suspected = {name for examined in slow["examined"] for name in examined["suspected"]}
    assert "rank 5" in suspected
    assert "A run on a quieter machine could" in slow["statement"]


def test_only_long_messages_are_slow() -> None:
    slow = slow_hosts(Machine(8, slow={5: 3.0}, long_only=True))
    assert accused(slow) == {("rank 5", "long", "network")}


def test_several_slow_processes_are_all_named() -> None:
    slow = slow_hosts(Machine(32, slow={3: 4.0, 9: 2.0, 17: 1.5}, jitter=0.02))
    assert accused(slow) == both("rank 3") | both("rank 9") | both("rank 17")
    slow = slow_hosts(Machine(16, slow={3: 4.0, 9: 4.0}, jitter=0.02))
    assert accused(slow) == both("rank 3") | both("rank 9")


def test_differences_too_small_to_matter_are_not_named() -> None:
    assert accused(slow_hosts(Machine(16, slow={4: 1.15}))) == set()


@pytest.mark.parametrize(("processes", "link"), [(8, (0, 1)), (16, (0, 1)), (64, (8, 9))])
def test_slow_link_is_told_from_a_slow_process(processes: int, link: tuple[int, int]) -> None:
    slow = slow_hosts(Machine(processes, slow_links={link: 4.0}, jitter=0.02))
    name = f"rank {link[0]} and rank {link[1]}"
    assert accused(slow) == both(name)
    assert {part["kind"] for part in slow["found"]} == {"link"}


def test_slow_link_that_only_random_rings_and_one_bisection_use() -> None:
    """Long messages: few iterations, so that the far side of a ring need not wait."""
    slow = slow_hosts(Machine(16, slow_links={(3, 12): 4.0}), sizes=(17, 18, 19, 20))
    assert accused(slow) == {("rank 3 and rank 12", "long", "network")}


BLOCK = [rank // 4 for rank in range(32)]


def test_host_with_a_slow_uplink() -> None:
    slow = slow_hosts(Machine(32, placement=BLOCK, slow_uplinks={5: 4.0}, jitter=0.02))
    assert slow["unit"] == "host"
    assert accused(slow) == both("h5")
    assert all(part["ranks"] == [20, 21, 22, 23] for part in slow["found"])


def test_host_whose_processes_are_slow_inside_as_well() -> None:
    ranks = dict.fromkeys([20, 21, 22, 23], 3.0)
    slow = slow_hosts(Machine(32, placement=BLOCK, slow=ranks, jitter=0.02))
    assert accused(slow) == both("h5") | both("h5", "inside")


def test_two_hosts_can_be_compared_inside_only() -> None:
    machine = Machine(16, placement=[0] * 8 + [1] * 8, slow=dict.fromkeys(range(8), 2.0))
    slow = slow_hosts(machine, repetitions=3)
    assert accused(slow) == both("h0", "inside")
    assert "Of the network nothing can be said" in slow["statement"]


def test_round_robin_placement() -> None:
    machine = Machine(16, placement=[rank % 8 for rank in range(16)], slow_uplinks={3: 4.0})
    assert {name for name, _, _ in accused(slow_hosts(machine))} == {"h3"}


@pytest.mark.parametrize("processes", [2, 3])
def test_too_few_processes_to_tell(processes: int) -> None:
    slow = slow_hosts(Machine(processes, slow={0: 4.0}))
    assert slow["verdict"] == "cannot be said"
    assert slow["examined"] == []
    assert f"with {processes} processes" in slow["statement"]


def test_random_rings_alone_tell_nothing_of_short_messages() -> None:
    slow = slow_hosts(Machine(8, slow={2: 4.0}), patterns=(6, 7, 8), sizes=(0, 6))
    assert slow["verdict"] == "cannot be said"
    assert "too few of the measured patterns" in slow["statement"]


def test_statement_carries_the_evidence() -> None:
    benchmark = measured_on(Machine(8, slow={2: 4.0}, long_only=True))
    protocol = " ".join(benchmark.protocol().split())
    assert "Process rank 2 or one of its links is slow: long messages took 4.0" in protocol
    assert "in 9 of the 9 patterns that can tell" in protocol
    assert "in 36 of 36 sweeps" in protocol
    assert "Confidence: high" in protocol
    assert "Another job" in protocol
