"""The averages against a small example that is worked out by hand."""

from math import sqrt

import pytest

from beff.definition.averages import logavg
from beff.definition.b_eff import Figures, Measured, message_time_us
from beff.definition.b_eff_patterns import PING_PONG, patterns_for
from beff.definition.b_eff_plan import message_sizes, plan
from beff.result.b_eff_result import Samples
from beff.result.environment import Machine

SIZES = message_sizes(1 << 20)
Row = tuple[int, int, int, int, float]
"""Pattern, size, method, repetition and the bandwidth in MB/s that the loop shall show."""


def bandwidth(pattern: int) -> float:
    """What each pattern reaches at the smallest size; at size i it is i + 1 times as much.

    The mean over the 21 sizes is then 11 times this.
    """
    if pattern < 6:
        return 1.0
    if pattern < 36:
        return 1.0 if pattern % 2 else 4.0
    return 2.0 if pattern < 42 else 8.0


def every_pattern(method: int = 0, factor: float = 1.0) -> list[Row]:
    return [
        (pattern, size, method, 0, bandwidth(pattern) * (size + 1) * factor)
        for pattern in patterns_for(2)
        for size in range(21)
        if pattern != 39 or method == 0
    ]


def figures(rows: list[Row], definition: str = "3.5", methods: tuple[str, ...] = ()) -> Figures:
    """Figures of two processes; every pattern then has two messages per iteration."""
    length = 10
    samples = Samples(
        pattern=[row[0] for row in rows],
        size=[row[1] for row in rows],
        method=[row[2] for row in rows],
        repetition=[row[3] for row in rows],
        loop_length=[length] * len(rows),
        time_max_s=[SIZES[row[1]] * 2 * length / (row[4] * 1e6) for row in rows],
        time_avg_s=[0.0] * len(rows),
        time_min_s=[0.0] * len(rows),
        slowest_rank=[0] * len(rows),
    )
    options = {
        "definition": definition,
        "methods": list(methods or ("sendrecv",)),
        "patterns": sorted({row[0] for row in rows}),
        **{"sizes": None, "repetitions": 3, "loop_time_s": 2.5e-3, "seed": 1},
    }
    machine = Machine.model_construct(processes=2, memory_per_process_bytes=128 << 20)
    return Measured(plan(options, machine), samples).official


def test_logavg_is_the_geometric_mean() -> None:
    assert logavg([2.0, 8.0]) == pytest.approx(4.0)
    assert logavg([1.0, 10.0, 100.0]) == pytest.approx(10.0)


def test_value_of_definition_3_5() -> None:
    # rings: 11; random: 15 patterns of 44 and 15 of 11, logarithmic average 22
    result = figures(every_pattern())
    assert result.b_eff.first == pytest.approx(11.0)
    assert result.b_eff.random == pytest.approx(22.0)
    assert result.b_eff.both == pytest.approx(sqrt(11 * 22))


def test_value_of_definition_3_1() -> None:
    # first group of two processes: pattern 5 with 11; 42, 44, 45 and 48 with 88 each
    result = figures(every_pattern(), "3.1")
    assert result.b_eff.first == pytest.approx(11 * 8 ** (4 / 5))
    assert result.b_eff.random == pytest.approx(22.0)
    assert result.b_eff.both == pytest.approx(sqrt(22 * 11 * 8 ** (4 / 5)))


def test_figures_at_lmax_and_latency() -> None:
    result = figures(every_pattern())
    assert result.at_lmax.first == pytest.approx(21.0)
    assert result.at_lmax.both == pytest.approx(sqrt(21 * 42))
    one_byte = result.by_size[0]
    assert message_time_us(2, one_byte.first) == pytest.approx(
        2.0
    )  # 2 processes / (1 message per µs)
    assert message_time_us(2, one_byte.both) == pytest.approx(2 / sqrt(1 * 2))
    assert result.patterns[PING_PONG].latency_us == pytest.approx(0.5)  # one sends at a time: 1 / 2
    assert result.pingpong_MBps == pytest.approx(42.0)


def test_best_method_and_repetition_count() -> None:
    rows = every_pattern() + every_pattern(method=1, factor=0.5)
    rows.append((0, 20, 1, 1, 42.0))  # pattern 0 at L_max: twice as fast in one repetition
    result = figures(rows, methods=("sendrecv", "alltoallv"))
    assert result.patterns[0].by_size[20] == pytest.approx(42.0)
    assert result.patterns[0].average == pytest.approx(11 + 21 / 21)
    assert result.patterns[0].by_method["sendrecv"] == pytest.approx(11.0)
    assert result.patterns[0].by_method["alltoallv"] == pytest.approx((231 / 2 - 10.5 + 42) / 21)
    assert result.b_eff.first == pytest.approx((11**5 * 12) ** (1 / 6))


def test_additional_methods_never_enter_the_value() -> None:
    rows = every_pattern() + every_pattern(method=1, factor=100.0)
    result = figures(rows, methods=("sendrecv", "persistent"))
    assert result.b_eff.both == pytest.approx(sqrt(11 * 22))
    assert result.patterns[0].by_method["persistent"] == pytest.approx(1100.0)


def test_ping_pong_has_sendrecv_only() -> None:
    result = figures(every_pattern(), methods=("sendrecv", "alltoallv"))
    assert list(result.patterns[39].by_method) == ["sendrecv"]
    assert result.patterns[0].by_method["alltoallv"] is None


def test_no_value_without_every_averaged_pattern() -> None:
    result = figures([row for row in every_pattern() if row[0] != 3])
    assert result.b_eff.first is None
    assert result.b_eff.both is None
    assert result.b_eff.random == pytest.approx(22.0)


def test_no_average_without_every_size() -> None:
    result = figures([row for row in every_pattern() if row[:2] != (6, 20)])
    assert result.patterns[6].average is None
    assert result.patterns[6].by_size[19] is not None
    assert result.b_eff.random is None
    assert result.at_lmax.both is None
    assert result.by_size[0].both is not None
