"""Whole benchmarks without MPI and clock: a scripted machine, judged by the definition."""

import itertools
import math
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beff.definition.b_eff_plan import OFFICIAL_METHODS, patterns_for
from beff.definition.verify import verify
from beff.result.load import check_document
from program_core import core
from scripted_machine import Order, b_eff, linear_machine, run, times_of

MIB = 2**20
BESIDE = ("put_fence", "persistent", "neighbor_alltoallv")
"""Methods beside the value."""


def findings_of(result: dict[str, Any]) -> list[str]:
    return [str(one) for one in verify(check_document("scripted", result)).findings]


# --- sizes and loop lengths ---


def test_a_clock_that_does_not_move_gives_a_bounded_length() -> None:
    assert core.next_loop_length(2.5e-3, None, (1, 0.0), 1) < 10**8


def lengths_by_size(time_of: Callable[[Order], float], **plan: Any) -> dict[int, list[int]]:
    """Loop lengths of one ring by one method in each repetition, by bytes."""
    plan = {"processes": 4, "pattern_ids": [5], "methods": ["sendrecv"], **plan}
    result = run(time_of, **plan).result
    lengths: dict[int, list[int]] = {size: [] for size in result["message_sizes_bytes"]}
    samples = result["samples"]
    for size, length in zip(samples["size"], samples["loop_length"], strict=True):
        lengths[result["message_sizes_bytes"][size]].append(length)
    return lengths


def test_definition_3_1_has_fixed_lengths() -> None:
    for size, lengths in lengths_by_size(linear_machine, definition="3.1").items():
        assert lengths == [max(1, min(300, 4 * MIB // size))] * 3


def test_slow_iterations_are_made_one_at_a_time() -> None:
    lengths = lengths_by_size(lambda order: 0.020 * float(order["loop_length"]))
    assert {*itertools.chain(*lengths.values())} == {1}


def test_behind_a_jump_the_next_repetition_knows_the_time_of_the_size() -> None:
    found = lengths_by_size(
        lambda order: linear_machine(order) * (20 if order["size_bytes"] > 4096 else 1)
    )
    assert found[4096] == [1160, 1160, 1160]
    # 5.871 us on the line through 2048 and 4096 byte, and 20 times as long in truth
    assert found[9742] == [602, 30, 30]
    # bounded by the time at 9742 byte, in proportion: 279.3 us, in truth 251.7 us
    assert found[23170] == [13, 13, 13]


def test_a_disturbed_loop_is_short_once_and_then_right() -> None:
    def time_of(order: Order) -> float:
        slower = {16: 20, 256: 2}.get(order["size_bytes"], 1) if order["repetition"] == 0 else 1
        return linear_machine(order) * slower

    found = lengths_by_size(time_of)
    assert found[16] == [3507, 175, 3507]
    assert found[32] == [88, 3480, 3480]  # promised too long an iteration by what disturbed 16 byte
    assert found[256] == [3134, 3134, 3134]  # 7.1 ms, which missed the window by less than twice


# --- figures ---


def test_value_of_a_linear_machine_by_hand() -> None:
    benchmark = run(linear_machine, processes=4)
    result, samples = benchmark.result, benchmark.result["samples"]
    assert result["valid"]
    # 47 patterns with 3 methods, the ping-pong with 1; 21 sizes, 3 repetitions
    assert benchmark.planned_loops == len(samples["size"]) == (47 * 3 + 1) * 21 * 3
    # every ring has 2 messages per process except rings of 2 with 1; one iteration costs the same
    sizes = result["message_sizes_bytes"]
    average = sum(size / (1e-6 + size / 2e9) for size in sizes) / 21 / 1e6
    rings = average * math.prod([4, 8, 8, 8, 8, 8]) ** (1 / 6)
    value = math.sqrt(rings * average * 8)
    summary = result["summary"]
    assert summary["rings_MBps"] == pytest.approx(rings, rel=1e-12)
    assert summary["random_MBps"] == pytest.approx(average * 8, rel=1e-12)
    assert summary["b_eff_MBps"] == pytest.approx(value, rel=1e-12)
    # ping-pong: 2 messages per iteration, one at a time
    assert summary["pingpong_latency_us"] == pytest.approx((1e-6 + 0.5e-9) / 2 * 1e6)
    within = [2.5e-3 <= time <= 5e-3 for time in samples["time_max_s"]]
    assert sum(within) >= 0.95 * sum(length > 1 for length in samples["loop_length"])
    last = benchmark.protocol.rstrip().splitlines()[-1]
    assert last.startswith(f"b_eff = {value:10.3f} MB/s = {value / 4:.3f} * 4 PEs with 512 MB/PE")


@settings(max_examples=25)
@given(st.data())
def test_what_the_core_derives_is_what_the_definition_derives(data: st.DataObject) -> None:
    processes = data.draw(st.sampled_from([2, 3, 4, 5, 7, 16, 27]))
    every = sorted(patterns_for(processes))
    plan: dict[str, Any] = {
        "processes": processes,
        "definition": data.draw(st.sampled_from(["3.5", "3.1", "short-1"])),
        "methods": data.draw(
            st.lists(st.sampled_from([*OFFICIAL_METHODS, *BESIDE]), unique=True, max_size=4)
        ),
        "pattern_ids": data.draw(
            st.sampled_from([[], every[:40]])
            | st.lists(st.sampled_from(every), min_size=1, max_size=4, unique=True)
        ),
        "size_indices": data.draw(
            st.just([]) | st.lists(st.integers(0, 20), min_size=1, max_size=5, unique=True)
        ),
        "repetitions": data.draw(st.integers(1, 3)),
        "memory_per_process": data.draw(st.sampled_from([MIB, 100 * MIB + 129, 1 << 40])),
        "seed": data.draw(st.integers(0, 2**53 - 1)),
    }
    stop_after = data.draw(st.none() | st.integers(1, 3000))
    noise = random.Random(plan["seed"])
    made = run(lambda order: linear_machine(order) * noise.uniform(1, 1.5), stop_after, **plan)
    assert findings_of(made.result) == []
    assert made.planned_loops >= len(made.result["samples"]["size"])
    assert made.protocol.rstrip().endswith("NOT VALID for comparison") != made.result["valid"]


SYNCHRONISATION_S = 300e-6
"""Of a loop: barrier and reduction of a slow network."""


@settings(max_examples=6)
@given(st.floats(1e-7, 100e-6), st.floats(25, 50_000), st.sampled_from([1, 2, 4]))
def test_a_repetition_of_the_short_class_takes_20_s_from_slow_ports_to_the_fastest(
    latency_s: float,
    port_MBps: float,  # noqa: N803 - carries its unit
    on_a_port: int,
) -> None:
    """Each process sends its messages one after the other, and shares its port."""
    took = 0.0

    def report(order: Order) -> Order:
        nonlocal took
        bytes_s = order["size_bytes"] * on_a_port / (port_MBps * 1e6)
        iteration = max(1, order["messages"] / 4) * (latency_s + bytes_s)
        took += SYNCHRONISATION_S + iteration * (order["loop_length"] + order["warm_up"])
        return times_of(order, iteration * order["loop_length"])

    made = b_eff(report, 4, repetitions=1, definition="short-1")
    assert took <= 20
    assert made.result["valid"]
    assert made.protocol.splitlines()[-1].startswith("b_eff short = ")


# --- the order of loops, and what goes on around them ---


@pytest.mark.parametrize("definition", ["3.5", "3.1"])
def test_order_is_repetition_size_pattern_method(definition: str) -> None:
    """The nesting of release 3.6; a sweep begins with its latency measurement.

    Methods beside the value are swept behind it, so that a window of a pattern serves all sizes.
    """
    orders: list[Order] = []
    methods = ["put_fence", *OFFICIAL_METHODS, "persistent"]

    def time_of(order: Order) -> float:
        orders.append(order)
        return linear_machine(order)

    plan = {"processes": 4, "definition": definition, "methods": methods, "pattern_ids": [0, 7, 39]}
    sizes = run(time_of, **plan).result["message_sizes_bytes"]
    loops = [order for order in orders if not order["latency"]]

    def key(order: Order) -> tuple[Any, ...]:
        place, method = methods.index(order["method"]), order["method"] in OFFICIAL_METHODS
        by_pattern = order["pattern"], place, order["size_bytes"]
        by_size = order["size_bytes"], order["pattern"], place
        return not method, order["repetition"], *(by_size if method else by_pattern)

    assert [*map(key, loops)] == sorted(map(key, loops))
    assert len(loops) == 3 * 21 * (2 * 5 + 1)
    assert len(orders) - len(loops) == (3 * 11 if definition == "3.5" else 0)
    for order, following in itertools.pairwise(orders):
        if order["latency"]:
            assert (order["loop_length"], order["size_bytes"]) == (10, 1)
            same = ("repetition", "pattern", "method", "size_bytes")
            assert [order[name] for name in same] == [following[name] for name in same]
    # the longest three sizes are not warmed up
    assert {order["size_bytes"] for order in loops if order["warm_up"]} == {*sizes[:18]}


@pytest.mark.parametrize(
    ("factor", "code", "sizes"),
    [
        (lambda order, _: 20 if order["size_bytes"] > 4096 else 1, "long loops at a jump", [9742]),
        (lambda order, draw: 20 if draw < 0.1 else 1, "scattered long loops", None),
        (
            lambda order, _: 20 if order["size_bytes"] == 64 and order["repetition"] == 1 else 1,
            "scattered long loops",
            [64],
        ),
    ],
    ids=["a jump", "scattered", "a second in one repetition"],
)
def test_the_caution_of_long_loops_has_sizes_and_cause(
    factor: Callable[[Order, float], float], code: str, sizes: list[int] | None
) -> None:
    draws = random.Random(1)
    # few sizes, so that one repetition of one size is more than 2 % of all loops
    plan = {"pattern_ids": [0, 5, 6], "size_indices": [0, 3, 6, 9, 12, 13, 16, 19]}
    result = run(
        lambda order: linear_machine(order) * factor(order, draws.random()), processes=4, **plan
    ).result
    (caution,) = result["cautions"]
    loops = zip(*(result["samples"][name] for name in ("loop_length", "time_max_s")), strict=True)
    long = sum(length > 1 and time > 10e-3 for length, time in loops)
    facts = {"long": long, "loops": len(result["samples"]["size"])}
    assert caution["code"] == code
    assert facts.items() <= caution["facts"].items()
    named = caution["facts"]["sizes"]
    assert named == sizes if sizes else len(named) > 5


def test_the_protocol_has_the_bandwidth_of_all_loops() -> None:
    made = run(linear_machine, processes=4, repetitions=2, pattern_ids=[0, 5, 39])
    result, text = made.result, made.protocol
    table = text[text.index("Measured bandwidth") :].split("\n\n")[0].splitlines()[3:]
    printed = {}
    for line in table:
        pattern, method, repetition, *values = line.split()
        for size, value in enumerate(values):
            printed[int(pattern), method, int(repetition) - 1, size] = float(value)
    messages = {one["id"]: one["messages"] for one in result["patterns"]}
    names = ("pattern", "method", "repetition", "size", "loop_length", "time_max_s")
    loops = [*zip(*(result["samples"][name] for name in names), strict=True)]
    assert len(printed) == len(loops)
    for pattern, method, repetition, size, length, took_s in loops:
        moved = messages[pattern] * result["message_sizes_bytes"][size] * length
        key = (pattern, result["methods"][method], repetition, size)
        assert printed[key] == pytest.approx(moved / took_s / 1e6, abs=6e-4)


def test_what_goes_on_around_the_loops_is_summed_up() -> None:
    """A machine that takes some time around each loop, and finds a wrong message in some."""

    def report(order: Order) -> Order:
        return {
            **dict.fromkeys(("time_max", "time_sum", "time_min"), 1.0),
            "warm_up": 0.25 if order["warm_up"] else 0.0,
            "preparation_and_check": 0.5,
            "checked": 3,
            "wrong": 1 if order["latency"] else 0,
        }

    plan = {"pattern_ids": [5], "size_indices": [0, 20], "methods": ["sendrecv"], "repetitions": 2}
    result = b_eff(report, processes=2, **plan).result
    # In each repetition a latency measurement and two loops, of which the last is not warmed up.
    accounting = {
        "loops_s": 4,
        "latency_s": 2,
        "warm_up_s": 2 * 2 * 0.25,
        "preparation_and_checks_s": 6 * 0.5,
        "unaccounted_s": 0,
    }
    assert result["accounting"].items() >= accounting.items()
    assert result["data_check"]["messages_checked"] == 6 * 3
    assert result["data_check"]["wrong_messages"] == 2
