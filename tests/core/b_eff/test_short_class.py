"""Definition short-1 on scripted machines: how long it takes, what is valid, what is recomputed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beff.definition.verify import verify
from beff.result.load import check_document
from scripted_machine import Order, b_eff, run, times_of

SHORT: dict[str, Any] = {"definition": "short-1"}
SYNCHRONISATION_S = 300e-6
"""Of a loop: barrier and reduction of a slow network."""
LOOPS, OF_A_SIZE = 2982, 142
"""Of a repetition of 4 processes, and of each message size in it."""


def findings_of(result: dict[str, Any]) -> list[str]:
    return [str(one) for one in verify(check_document("scripted", result)).findings]


def unmet(result: dict[str, Any]) -> set[str]:
    return {one["code"] for one in result["criteria"] if not one["met"]}


@settings(max_examples=6)
@given(
    latency_s=st.floats(1e-7, 100e-6),
    port_MBps=st.floats(25, 50_000),
    on_a_port=st.sampled_from([1, 2, 4]),
)
def test_it_takes_a_minute_from_slow_ports_to_the_fastest(
    latency_s: float,
    port_MBps: float,  # noqa: N803 - carries its unit
    on_a_port: int,
) -> None:
    """Each process sends its messages one after the other, and shares its port."""
    took = [0.0]

    def report(order: Order) -> Order:
        messages = max(1, order["messages"] / 4)
        bytes_s = order["size_bytes"] * on_a_port / (port_MBps * 1e6)
        iteration = messages * (latency_s + bytes_s)
        took[order["repetition"]] += SYNCHRONISATION_S
        took[order["repetition"]] += iteration * (order["loop_length"] + order["warm_up"])
        return times_of(order, iteration * order["loop_length"])

    result = b_eff(report, 4, repetitions=1, **SHORT).result
    assert took[0] <= 20
    assert result["valid"]


@pytest.mark.parametrize("processes", [2, 3, 4, 7, 16])
@pytest.mark.parametrize("repetitions", [1, 3])
def test_any_number_of_whole_repetitions_is_valid_and_recomputed(
    processes: int, repetitions: int
) -> None:
    result = run(processes=processes, repetitions=repetitions, **SHORT).result
    assert result["valid"]
    assert result["definition"] == "short-1"
    assert result["summary"]["b_eff_MBps"] > 0
    assert findings_of(result) == []


@pytest.mark.parametrize("memory", [1 << 20, 1 << 30, 1 << 40])
def test_its_messages_do_not_depend_on_the_memory(memory: int) -> None:
    result = run(processes=2, repetitions=1, memory_per_process=memory, **SHORT).result
    assert result["message_sizes_bytes"][-1] == 64 * 1024
    assert result["summary"]["total_memory_exchange_s"] is None


@pytest.mark.parametrize(
    ("stop_after", "has_value"), [(LOOPS - OF_A_SIZE, False), (LOOPS + 1, True)]
)
def test_a_value_takes_a_whole_repetition(stop_after: int, has_value: bool) -> None:
    result = run(processes=4, stop_after=stop_after, **SHORT).result
    assert (result["summary"]["b_eff_MBps"] is not None) == has_value
    assert unmet(result) == {"complete", "repetitions"}
    assert findings_of(result) == []


def test_its_value_has_a_name_of_its_own() -> None:
    last = run(processes=2, repetitions=1, **SHORT).protocol.splitlines()[-1]
    assert last.startswith("b_eff short = ")


def test_what_is_changed_afterwards_does_not_verify() -> None:
    result = run(processes=2, repetitions=1, **SHORT).result
    published = {**result, "definition": "3.5"}
    assert any("criteria" in text for text in findings_of(published))
    environment = {**result["environment"], "memory_per_process_bytes": 16 << 20}
    assert any("short-1" in text for text in findings_of({**result, "environment": environment}))
