"""The values of the three releases, by both implementations."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import io_core as io
import pytest
from hypothesis import given
from hypothesis import strategies as st
from io_made_up import measurement

from beff.definition import b_eff_io as definition

MB = 1 << 20
PUBLISHED = json.loads((Path(__file__).parent / "published_2_1.json").read_text())
BANDWIDTH = st.floats(1e-3, 1e6)
FIVE = st.lists(BANDWIDTH, min_size=5, max_size=5)
NAMES = {io.Access.WRITE: "write", io.Access.REWRITE: "rewrite", io.Access.READ: "read"}


@pytest.mark.parametrize(
    ("write", "rewrite", "read", "value"),
    [
        (21.530, 29.472, 93.602, "59.552"),  # IPDPS slides, Cray T3E
        (53.256, 68.252, 65.058, "62.906"),  # IPDPS slides, IBM SP
        (1.0, 2.0, 4.0, "2.750"),
    ],
)
def test_release_1_reproduces_the_slides(
    write: float, rewrite: float, read: float, value: str
) -> None:
    assert f"{io.value_1(write, rewrite, read):.3f}" == value
    assert f"{definition.value_1(write, rewrite, read):.3f}" == value


def test_release_2_1_reproduces_a_result_of_the_definition_page() -> None:
    write = [60.202, 54.542, 77.724, 78.708, 72.253]
    read = [297.694, 774.707, 1085.770, 1069.443, 493.659]
    assert f"{io.value_2_1(write, 62.543, read):.3f}" == "212.889"
    assert f"{definition.value_2_1(write, 62.543, read):.3f}" == "212.889"


@pytest.mark.parametrize("run", PUBLISHED, ids=lambda run: run["name"])
def test_release_2_1_reproduces_published_results(run: dict[str, Any]) -> None:
    totals = run["totals"]
    for access, average in run["averages"].items():
        assert f"{io.access_average(totals[access]):.3f}" == f"{average:.3f}"
        again = definition.access_average(totals[access], totals[access][0])
        assert f"{again:.3f}" == f"{average:.3f}"
    for by in (io, definition):
        value = by.value_2_1(totals["write"], totals["rewrite"][0], totals["read"])
        assert f"{value:.3f}" == f"{run['value']:.3f}"


def published(run: dict[str, Any]) -> tuple[Any, Any]:
    """Plan and measurement with the rows and totals of a published result."""
    plan = io.make_plan(
        run["processes"],
        time=12.0,
        release=io.Release.R2_1,
        rewrite=io.RewriteSet.ALL,
        partitions=[run["processes"]],
    )

    def row(partition: int, pattern: Any, access: Any) -> float:
        name = NAMES[access]
        if pattern.number == 2:
            return float(run["pattern_2"][name])
        if pattern.position == 0:
            return 1.0
        return float(run["rows"][name][str(pattern.chunk)][int(pattern.type)])

    def total(partition: int, kind: Any, access: Any) -> float:
        return float(run["totals"][NAMES[access]][int(kind)])

    per_pattern = round(run["MBytes"] * MB / 43)
    return plan, measurement(plan, row, total, per_pattern)


@pytest.mark.parametrize("run", PUBLISHED, ids=lambda run: run["name"])
def test_rows_totals_and_value_of_published_results_come_out_in_the_protocol(
    run: dict[str, Any],
) -> None:
    plan, made = published(run)
    text = io.make_result(plan, made, total_memory=run["memory_MBytes"] * MB).protocol
    lines = [" ".join(line.split()) for line in text.splitlines()]
    for access, rows in run["rows"].items():
        for position, (chunk, figures) in enumerate(rows.items(), start=1):
            cells = " ".join(f"{figure:.3f}" for figure in figures)
            assert f"4 PEs {position} {chunk} {access} {cells}" in lines
        totals = " ".join(f"{figure:.3f}" for figure in run["totals"][access])
        assert f"4 PEs total-{access} {totals}" in lines
    beside = ", ".join(f"{figure:.3f} MB/s {name}" for name, figure in run["pattern_2"].items())
    assert f"bw_pat2= {beside}" in lines
    for access, average in run["averages"].items():
        line = f"weighted average bandwidth for {access:<8}: {average:8.3f} MB/s on 4 processes"
        assert line in text
    amount = (
        f"Total amount of data written/read with each access method: {run['MBytes']:.3f} MBytes"
        f" = {run['percent_of_memory']:.1f} percent of the total memory (1024 MBytes)"
    )
    assert amount in lines
    value = (
        f"b_eff_io of these measurements = {run['value']:8.3f} MB/s on 4 processes with 256 "
        "MByte/PE and scheduled time=0.2 min on"
    )
    last = text.splitlines()[-1]
    assert last.startswith(value)
    assert "NOT VALID" in last


@given(FIVE, BANDWIDTH, FIVE)
def test_release_2_1_is_the_geometric_mean_of_write_and_read(
    write: list[float], rewrite: float, read: list[float]
) -> None:
    w = (write[0] + rewrite + sum(write[1:])) / 6
    r = (2 * read[0] + sum(read[1:])) / 6
    assert io.value_2_1(write, rewrite, read) == pytest.approx(math.sqrt(w * r))
    assert definition.value_2_1(write, rewrite, read) == pytest.approx(math.sqrt(w * r))


@given(FIVE, st.integers(0, 4))
def test_no_average_without_all_types(types: list[float], missing: int) -> None:
    holes: list[float | None] = [*types]
    holes[missing] = None
    assert io.access_average(holes) is definition.access_average(holes, 1.0) is None
    for by in (io, definition):
        assert by.value_2_1(holes, 1.0, types) is None
        assert by.value_2_1(types, 1.0, holes) is None
        assert by.value_2_1(types, None, types) is None
        assert by.value_1(1.0, None, 1.0) is None


def both_0_5(transfers: list[tuple[int, float, int]]) -> float | None:
    """Release 0.5 by both implementations."""
    value: float | None = io.value_0_5(transfers)
    again = definition.value_0_5([definition.Transfer(*one) for one in transfers])
    assert again is None if value is None else again == pytest.approx(value)
    return value


@given(
    st.lists(st.tuples(st.integers(1, 10**12), st.integers(1, 4)), min_size=1, max_size=36),
    st.floats(1e-3, 1e3),
)
def test_release_0_5_is_all_bytes_over_all_time_when_times_are_ideal(
    patterns: list[tuple[int, int]], unit_s: float
) -> None:
    transfers = [(size, units * unit_s, units) for size, units in patterns]
    rate = sum(size for size, _ in patterns) / sum(units * unit_s for _, units in patterns)
    assert both_0_5(transfers) == pytest.approx(rate / 1e6)


def test_release_0_5_is_weighted_by_the_time_units() -> None:
    # The second took twice its ideal time; the third has no weight.
    transfers = [(20 * 10**6, 2.0, 2), (4 * 10**6, 2.0, 1), (6 * 10**6, 1.0, 0)]
    assert both_0_5(transfers) == pytest.approx((2 * 10.0 + 1 * 2.0) / 3)
    # 5 % beside the ideal time is weighted as well.
    assert both_0_5([(20, 2.0, 2), (4, 1.04, 1)]) == pytest.approx((2 * 10e-6 + 4e-6 / 1.04) / 3)


def test_release_0_5_needs_a_time_for_every_weight() -> None:
    assert both_0_5([(1, 0.0, 1)]) is None
    assert both_0_5([(1, 1.0, 0)]) is None
    assert both_0_5([]) is None


def constant(partition: int, pattern: Any, access: Any) -> float:
    return 7.0


def test_the_system_value_is_the_maximum_over_the_partitions() -> None:
    plan = io.make_plan(16, time=3.0)

    def by_partition(partition: int, kind: Any, access: Any) -> float:
        return [100.0, 300.0, 200.0][partition]

    result = io.make_result(plan, measurement(plan, constant, by_partition))
    data = result.json
    assert data["summary"]["b_eff_io_MBps"] == pytest.approx(300.0)
    assert data["summary"]["processes"] == 8
    assert data["summary"]["values"]["2.1"] == pytest.approx(300.0)
    assert data["summary"]["values"]["0.5"] == pytest.approx(7.0)
    assert [p["b_eff_io_MBps"] for p in data["partitions"]] == pytest.approx([100.0, 300.0, 200.0])


def test_a_rewrite_of_scatter_only_allows_release_2_1_only() -> None:
    plan = io.make_plan(4, time=3.0, release=io.Release.R2_1)
    result = io.make_result(plan, measurement(plan, constant, lambda p, t, a: 50.0))
    values = result.json["summary"]["values"]
    assert values["2.1"] == pytest.approx(50.0)
    assert values["1"] is None
    assert values["0.5"] is None


def test_random_types_do_not_enter() -> None:
    plan = io.make_plan(4, time=3.0, types=list(io.Type))

    def slow_random(partition: int, kind: Any, access: Any) -> float:
        return 50.0 if int(kind) < 5 else 0.1

    result = io.make_result(plan, measurement(plan, constant, slow_random))
    data = result.json
    assert data["summary"]["b_eff_io_MBps"] == pytest.approx(50.0)
    assert data["summary"]["bytes_per_access"]["write"] == 3 * 43 * 10**9
