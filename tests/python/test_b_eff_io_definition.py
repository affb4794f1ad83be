"""The building blocks of b_eff_io against numbers worked out by hand and published ones."""

import json
from typing import Any

import pytest
from support.io_results import CORE_TESTS, MIB, IoRun, io, make_io_result

from beff.analysis.b_eff_io.definition import (
    Transfer,
    access_average,
    all_patterns,
    bandwidth,
    m_part_of,
    patterns_of,
    position,
    value_0_5,
    value_1,
    value_2_1,
)
from beff.analysis.b_eff_io.derive import figures_of, sample_bandwidth
from beff.analysis.b_eff_io.measured import IoMeasured, measured_of
from beff.analysis.b_eff_io.schedule import (
    default_partitions,
    plan_counted,
    repetitions_of,
    schedule_of,
)
from beff.analysis.b_eff_io.stamps import disk_share
from beff.model.b_eff_io_result import BEffIoResult
from beff.model.b_eff_io_samples import ACCESSES, SampleKey

KIB = 1 << 10
PUBLISHED = json.loads((CORE_TESTS / "published_2_1.json").read_text(encoding="utf-8"))

# --- the table --------------------------------------------------------------------------


def test_the_table_has_43_patterns_of_which_36_are_reported() -> None:
    official = [facts for facts in all_patterns(8 * MIB) if facts.type < 5]
    assert len(official) == 43
    assert sum(facts.units > 0 for facts in official) == 36
    assert sum(facts.units for facts in official) == 64
    assert [facts.number for facts in all_patterns(8 * MIB)] == list(range(55))
    by_type = [sum(f.units for f in official if f.type == kind) for kind in range(5)]
    assert by_type == [22, 12, 10, 10, 10]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ((0, 0, MIB, MIB, 0), None),
        ((1, 0, 8 * MIB, 8 * MIB, 4), 7),
        ((2, 0, MIB, 2 * MIB, 4), None),
        ((3, 0, MIB, MIB, 4), 5),
        ((4, 0, 32 * KIB, MIB, 2), 3),
        ((6, 0, 32 * KIB + 8, MIB + 256, 2), 4),
        ((7, 0, KIB + 8, MIB + 8 * KIB, 2), 2),
        ((10, 1, 8 * MIB, 8 * MIB, 4), 7),
        ((13, 1, KIB, KIB, 1), 1),
        ((16, 1, MIB + 8, MIB + 8, 2), 6),
        ((18, 2, 8 * MIB, 8 * MIB, 2), 7),
        ((25, 3, MIB, MIB, 0), None),
        ((33, 3, None, None, 0), None),
        ((41, 4, MIB + 8, MIB + 8, 2), 6),
        ((42, 4, None, None, 0), None),
        ((43, 5, MIB, MIB, 2), 5),
        ((54, 6, MIB + 8, MIB + 8, 2), 6),
    ],
)
def test_lines_of_the_table(line: tuple[int, int, int, int, int], row: int | None) -> None:
    """A line is number, type, l, L and U."""
    facts = all_patterns(8 * MIB)[line[0]]
    assert (facts.number, facts.type, facts.chunk, facts.memory, facts.units) == line
    assert position(facts, 8 * MIB) == row
    assert facts.wellformed == (facts.chunk in (None, KIB, 32 * KIB, MIB, 8 * MIB))


@pytest.mark.parametrize(
    ("memory", "bound", "m_part"),
    [
        (1 << 28, 1 << 30, 2 * MIB),
        (1 << 20, 1 << 30, 2 * MIB),
        (1 << 30, 1 << 30, 8 * MIB),
        ((9 << 27) - 1, 1 << 30, 8 * MIB),
        (9 << 27, 1 << 30, 9 * MIB),
        (4 << 30, 1 << 30, 32 * MIB),
        (1 << 40, 1 << 30, 1024 * MIB),
        (1 << 30, 5 * MIB, 5 * MIB),
    ],
)
def test_m_part(memory: int, bound: int, m_part: int) -> None:
    assert m_part_of(memory, bound) == m_part


# --- the schedule -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("processes", "partitions"),
    [
        (1, [1]),
        (2, [1, 2]),
        (3, [1, 2, 3]),
        (4, [2, 3, 4]),
        (5, [2, 4, 5]),
        (12, [2, 8, 12]),
        (87, [4, 32, 87]),
        (7, [2, 4, 7]),
        (128, [4, 32, 128]),
        (1024, [16, 128, 1024]),
    ],
)
def test_default_partitions(processes: int, partitions: list[int]) -> None:
    assert default_partitions(processes) == partitions


@pytest.mark.parametrize(
    ("plan", "unit_s"),
    [
        ({}, 1920 / 2 / 192),
        ({"release": io.Release.R2_1}, 1920 / 2 / 150),
        ({"partitions": [4]}, 1920 / 192),
    ],
)
def test_time_units(plan: dict[str, Any], unit_s: float) -> None:
    machine = {"decision_s": 0.1, "stop_at": 0.0}
    document = make_io_result(IoRun(time_s=1920.0, plan=plan, machine=machine))
    schedule = schedule_of(BEffIoResult.model_validate(document))
    assert schedule.unit_s == pytest.approx(unit_s)
    assert schedule.planned_s == pytest.approx(1920)
    read = schedule.ideal_s(SampleKey(0, 1, "read"))
    assert read == pytest.approx(4 * unit_s)


# --- repetitions of types 3 and 4 -------------------------------------------------------


def test_repetitions_are_the_smallest_of_three() -> None:
    table = patterns_of(range(5), 2 * MIB)
    assert repetitions_of(table, {4: 3, 12: 10, 20: 99}, 32 * KIB) == 96  # 3 calls of 32 chunks
    assert repetitions_of(table, {4: 4, 12: 10, 20: 99}, 32 * KIB) == 99
    assert repetitions_of(table, {4: 4, 12: 9, 20: 99}, 32 * KIB) == 90
    assert repetitions_of(table, {12: 9}, 32 * KIB) == 90
    assert repetitions_of(table, {2: 1, 3: 7, 11: 1}, MIB) == 7  # pattern 2 takes no part
    assert repetitions_of(table, {2: 1}, MIB) == 0


def test_a_segment_is_rounded_up_and_filled() -> None:
    table = patterns_of(range(5), 2 * MIB)
    written = {18: 3, 19: 2, 20: 5, 21: 7, 22: 1, 23: 1, 24: 1}
    moved = MIB + 3 * 2 * MIB + 2 * MIB + 5 * 32 * KIB + 7 * KIB + 32776 + 1032 + MIB + 8
    plan = plan_counted(table, written, 1.0, MIB)
    assert moved == 10 * MIB + 204824
    assert plan.segment == 11 * MIB
    assert [plan.calls[number] for number in range(25, 34)] == [1, 3, 2, 5, 7, 1, 1, 1, 1]
    assert plan.chunk[33] == plan.chunk[42] == 11 * MIB - moved
    halved = plan_counted(table, written, 0.5, MIB)
    assert [halved.calls[number] for number in range(25, 33)] == [1, 1, 1, 2, 3, 1, 1, 1]


def test_nothing_to_fill() -> None:
    plan = plan_counted(patterns_of(range(5), 2 * MIB), {19: 4}, 1.0, MIB)
    assert plan.segment == 5 * MIB
    assert (plan.calls[33], plan.chunk[33]) == (0, 0)


# --- the values -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("write", "rewrite", "read", "value"),
    [(21.530, 29.472, 93.602, "59.552"), (53.256, 68.252, 65.058, "62.906")],
)
def test_release_1_reproduces_the_slides(
    write: float, rewrite: float, read: float, value: str
) -> None:
    assert f"{value_1(write, rewrite, read):.3f}" == value


def test_release_2_1_reproduces_the_definition_page() -> None:
    write = [60.202, 54.542, 77.724, 78.708, 72.253]
    read = [297.694, 774.707, 1085.770, 1069.443, 493.659]
    assert f"{value_2_1(write, 62.543, read):.3f}" == "212.889"


def test_a_mean_needs_all_its_figures() -> None:
    assert access_average([4.0, 1.0, 1.0, 1.0, 1.0], 4.0) == pytest.approx(2.0)
    assert access_average([4.0, 1.0, None, 1.0, 1.0], 4.0) is None
    assert value_1(1.0, None, 1.0) is None
    assert value_2_1([1.0] * 5, None, [1.0] * 5) is None


def test_release_0_5() -> None:
    once = Transfer(6 * 10**6, 0.96, 0)
    late = [Transfer(20 * 10**6, 2.0, 3), Transfer(4 * 10**6, 1.0, 1), once]
    assert value_0_5(late) == pytest.approx((3 * 10.0 + 1 * 4.0) / 4)
    assert value_0_5([Transfer(1, 0.0, 1)]) is None
    assert value_0_5([once]) is None
    assert value_0_5([]) is None


def test_a_bandwidth_needs_bytes_and_time() -> None:
    assert bandwidth(3 * 10**6, 2.0) == pytest.approx(1.5)
    assert bandwidth(0, 2.0) is None
    assert bandwidth(1, 0.0) is None


# --- published results of release 2.1 ---------------------------------------------------


FASTER = 1e3
"""Rows are made faster than published, so that the totals leave time for opening and closing."""


def published(run: dict[str, Any]) -> IoMeasured:
    """A result whose times are such that rows and totals are the published ones."""
    wanted = IoRun(
        run["processes"],
        12.0,
        256 * MIB,
        plan={
            "release": io.Release.R2_1,
            "rewrite": io.RewriteSet.ALL,
            "partitions": [run["processes"]],
            "max_chunk": 2 * MIB,
        },
    )
    document = make_io_result(wanted)
    chunks = {pattern["number"]: pattern for pattern in document["patterns"]}
    s, t = document["samples"], document["types"]
    for index, (number, access) in enumerate(zip(s["pattern"], s["access"], strict=True)):
        rate = 1e9
        if chunks[number]["position"] is not None:
            row = run["rows"][access][str(chunks[number]["l_bytes"])]
            rate = row[chunks[number]["type"]]
        elif number == 2:
            rate = run["pattern_2"][access]
        s["time_s"][index] = s["bytes"][index] / 1e6 / (rate * FASTER)
    for index, (kind, access) in enumerate(zip(t["type"], t["access"], strict=True)):
        loops_s = sum(
            s["time_s"][i]
            for i, number in enumerate(s["pattern"])
            if chunks[number]["type"] == kind and s["access"][i] == access
        )
        t["open_s"][index] = 0.0
        t["close_s"][index] = t["bytes"][index] / 1e6 / run["totals"][access][kind] - loops_s
    return measured_of(BEffIoResult.model_validate(document))


@pytest.mark.parametrize("run", PUBLISHED, ids=lambda run: run["name"])
def test_published_rows_give_the_published_totals_and_value(run: dict[str, Any]) -> None:
    measured = published(run)
    (figures,) = figures_of(measured)
    for access in ACCESSES:
        assert [f"{figure:.3f}" for figure in figures.types[access]] == [
            f"{total:.3f}" for total in run["totals"][access]
        ]
        assert f"{figures.averages[access]:.3f}" == f"{run['averages'][access]:.3f}"
        for row, (chunk, rates) in enumerate(run["rows"][access].items(), start=1):
            found = [
                sample_bandwidth(measured.sample(0, facts.number, access))
                for facts in measured.schedule.table.values()
                if position(facts, 2 * MIB) == row
            ]
            assert [f"{(figure or 0) / FASTER:.3f}" for figure in found] == [
                f"{rate:.3f}" for rate in rates
            ], chunk
    assert f"{figures.values['2.1']:.3f}" == f"{run['value']:.3f}"


# --- disk or memory ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("resident", "from_disk", "share"),
    [(75, 0, 0.25), (75, None, 0.25), (None, None, None), (None, 0, None), (200, None, 0.0)],
)
def test_disk_share(resident: int | None, from_disk: int | None, share: float | None) -> None:
    document = make_io_result()
    state = document["cache"][0]
    state.update(file_bytes=100, resident_before_bytes=resident, read_from_disk_bytes=from_disk)
    assert disk_share(BEffIoResult.model_validate(document)) == share


@pytest.mark.parametrize(("counted", "expected"), [(0.0, 0.25), (0.1, 0.1), (0.5, 0.25)])
def test_the_smaller_of_what_was_counted_and_not_resident(counted: float, expected: float) -> None:
    document = make_io_result()
    read = document["summary"]["bytes_per_access"]["read"]
    document["cache"][0]["read_from_disk_bytes"] = round(read * counted)
    share = disk_share(BEffIoResult.model_validate(document))
    assert share == pytest.approx(expected)
    document["environment"]["filesystem"]["in_memory"] = True
    assert disk_share(BEffIoResult.model_validate(document)) == 0
