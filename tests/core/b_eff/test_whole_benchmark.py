"""The whole benchmark without MPI and clock: a scripted machine, judged by the Python side."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from typing import Any

import beff_core_testing as core
import pytest

from beff.analysis.verify import verify
from beff.model.load import check_document

Order = dict[str, Any]


def linear_machine(order: Order) -> float:
    """1 µs per iteration and 2 GB/s per process, whatever the pattern."""
    iteration: float = 1e-6 + order["size_bytes"] / 2e9
    return float(order["loop_length"] * iteration)


def run(time_of: Callable[[Order], float], stop_after: int | None = None, **plan: Any) -> Any:
    benchmark = core.scripted_benchmark(**plan)
    done = 0
    while (order := benchmark.next()) is not None and done != stop_after:
        slowest = time_of(order)
        benchmark.completed(slowest, slowest * 0.9, slowest * 0.8, 0)
        done += 0 if order["latency"] else 1
    return benchmark


def result_of(benchmark: Any) -> Any:
    return json.loads(benchmark.result_json())


def test_value_of_a_linear_machine_by_hand() -> None:
    result = result_of(run(linear_machine, processes=4))
    # every ring has 2 messages per process except rings of 2 with 1; one iteration costs the same
    sizes = result["message_sizes_bytes"]
    average = sum(size / (1e-6 + size / 2e9) for size in sizes) / 21 / 1e6
    rings = [4, 8, 8, 8, 8, 8]  # messages of ring patterns 0…5 for 4 processes
    by_hand = average * math.prod(rings) ** (1 / 6)
    assert result["summary"]["rings_MBps"] == pytest.approx(by_hand, rel=1e-12)
    assert result["summary"]["random_MBps"] == pytest.approx(average * 8, rel=1e-12)
    value = math.sqrt(by_hand * average * 8)
    assert result["summary"]["b_eff_MBps"] == pytest.approx(value, rel=1e-12)
    assert result["summary"]["b_eff_per_process_MBps"] == pytest.approx(value / 4, rel=1e-12)
    # ping-pong: 2 messages per iteration, one at a time
    assert result["summary"]["pingpong_latency_us"] == pytest.approx((1e-6 + 0.5e-9) / 2 * 1e6)


def test_best_repetition_and_best_official_method_count() -> None:
    speed = {"sendrecv": 1.0, "alltoallv": 0.5, "nonblocking": 2.0, "put_fence": 50.0}

    def time_of(order: Order) -> float:
        repetition_factor = [0.7, 1.0, 0.9][order["repetition"]]
        return linear_machine(order) / speed[order["method"]] / repetition_factor

    plain = result_of(run(linear_machine, processes=3))
    varied = result_of(run(time_of, processes=3, methods=list(speed)))
    assert varied["summary"]["b_eff_MBps"] == pytest.approx(2 * plain["summary"]["b_eff_MBps"])
    ring = varied["patterns"][0]
    assert ring["bandwidth_MBps"] == pytest.approx(ring["bandwidth_by_method_MBps"]["nonblocking"])
    assert ring["bandwidth_by_method_MBps"]["put_fence"] == pytest.approx(
        25 * ring["bandwidth_MBps"]
    )


@pytest.mark.parametrize("definition", ["3.5", "3.1"])
@pytest.mark.parametrize("processes", [2, 3, 4, 7, 16, 100])
def test_python_recomputes_every_figure(processes: int, definition: str) -> None:
    noise = random.Random(processes)
    benchmark = run(
        lambda order: linear_machine(order) * noise.uniform(1, 1.5),
        processes=processes,
        definition=definition,
        seed=processes,
    )
    result = result_of(benchmark)
    assert result["complete"]
    assert result["valid"]
    assert verify(check_document("scripted", result)).findings == ()


def test_number_of_loops() -> None:
    benchmark = run(linear_machine, processes=64)
    # 48 patterns with 3 methods, the ping-pong with 1; 21 sizes, 3 repetitions
    assert benchmark.planned_loops == (48 * 3 + 1) * 21 * 3
    assert len(result_of(benchmark)["samples"]["pattern"]) == benchmark.planned_loops


def test_loops_keep_within_the_window() -> None:
    samples = result_of(run(linear_machine, processes=8))["samples"]
    within = [2.5e-3 <= time <= 5e-3 for time in samples["time_max_s"]]
    longer_than_one = [length > 1 for length in samples["loop_length"]]
    assert sum(within) >= 0.95 * sum(longer_than_one)


def test_slow_iterations_are_cut_to_one_at_a_time() -> None:
    """An oversubscribed machine: 10 ms per iteration must not be multiplied by loop lengths."""
    lengths = []

    def time_of(order: Order) -> float:
        if not order["latency"]:
            lengths.append(order["loop_length"])
        return 0.010 * float(order["loop_length"])

    run(time_of, processes=4)
    assert set(lengths) == {1}


def test_definition_3_1_has_fixed_lengths() -> None:
    result = result_of(run(linear_machine, processes=4, definition="3.1"))
    lmax = result["summary"]["lmax_bytes"]
    sizes = result["message_sizes_bytes"]
    samples = result["samples"]
    for size, length in zip(samples["size"], samples["loop_length"], strict=True):
        assert length == max(1, min(300, lmax // sizes[size]))


def test_stopped_run_is_partial_and_has_no_value() -> None:
    result = result_of(run(linear_machine, stop_after=1000, processes=4))
    assert not result["complete"]
    assert not result["valid"]
    assert result["summary"]["b_eff_MBps"] is None
    assert result["patterns"][0]["bandwidth_MBps"] > 0
    assert any("stopped early" in caution for caution in result["cautions"])
    assert verify(check_document("scripted", result)).findings == ()


@pytest.mark.parametrize(
    ("reduced", "criterion"),
    [
        ({"pattern_ids": [0, 1, 6, 39]}, "patterns"),
        ({"size_indices": [0, 12, 20]}, "message sizes"),
        ({"methods": ["sendrecv"]}, "methods"),
        ({"repetitions": 1}, "repetitions"),
    ],
)
def test_reduced_schedules_are_not_valid(reduced: dict[str, Any], criterion: str) -> None:
    result = result_of(run(linear_machine, processes=4, **reduced))
    assert not result["valid"]
    assert [c["name"] for c in result["criteria"] if not c["met"]] == [criterion]
    if criterion in {"patterns", "message sizes"}:
        assert result["summary"]["b_eff_MBps"] is None
    assert verify(check_document("scripted", result)).findings == ()


def test_unresolved_loops_give_no_bandwidth() -> None:
    """A clock that stands still must not make an infinite bandwidth."""

    def time_of(order: Order) -> float:
        return 0.0 if order["pattern"] == 0 else linear_machine(order)

    result = result_of(run(time_of, processes=2))
    assert result["patterns"][0]["bandwidth_MBps"] is None
    assert result["summary"]["b_eff_MBps"] is None
    assert not result["valid"]


def test_last_line_has_the_form_of_the_papers() -> None:
    lines = run(linear_machine, processes=4).protocol().rstrip().splitlines()
    value, rest = lines[-1].removeprefix("b_eff = ").split(" MB/s = ", 1)
    per_process = rest.split(" * ")[0]
    assert float(value) / 4 == pytest.approx(float(per_process), abs=0.001)
    assert rest.endswith("* 4 PEs with 512 MB/PE on Linux fake 1 #1 x86_64")


def test_invalid_result_is_stamped_on_the_line_of_the_number() -> None:
    lines = run(linear_machine, processes=4, repetitions=1).protocol().rstrip().splitlines()
    assert lines[-1].endswith("NOT VALID for comparison")
