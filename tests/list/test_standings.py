"""Which runs of a system count, by hand, who is ranked beside whom, and what is said of that."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from beff.list.folder import ListedSystem
from beff.list.pages import sizes, sureness
from beff.list.ranking import columns, sections
from beff.list.standings import set_aside, standing_of, usual_runs
from beff.store.entry import Entry
from beff.store.hardware import Hardware

FIRST = datetime(2026, 1, 1, tzinfo=timezone.utc)
MACHINE = Hardware(name="M", nodes=16, cores=64)


def run(day: int, value: float, **more: Any) -> Entry:
    fields: dict[str, Any] = {
        "benchmark": "b_eff",
        "status": "valid",
        "processes": 64,
        "nodes": 16,
        "cores_per_process": 1,
        "measured_at": FIRST + timedelta(days=day),
        "b_eff_MBps": value,
    }
    return Entry(**(fields | more))


def io_run(value: float, **more: Any) -> Entry:
    fields: dict[str, Any] = {
        "benchmark": "b_eff_io",
        "status": "valid",
        "procedure": "cold",
        "processes": 64,
        "measured_at": FIRST,
        "io_value_MBps": value,
        "io_value_1_MBps": value,
    }
    return Entry(**(fields | more))


def listed(
    slug: str, *entries: Entry, hardware: Hardware = MACHINE, io_release: str = "1"
) -> ListedSystem:
    usual = usual_runs(hardware, entries, io_release)
    shown = (*usual, *set_aside(hardware, entries, usual))
    return ListedSystem(slug, io_release, hardware, hardware, entries, shown, ())


@pytest.mark.parametrize(
    ("values", "counts"),
    [
        ([5], 5),
        ([5, 9], 9),  # the newest of two
        ([5, 9, 1], 5),
        ([99, 9, 1, 5], 5),  # the newest three of four
        ([3, 1, 2, 5, 4], 3),
        ([99, 99, 3, 1, 2, 5, 4], 3),  # the newest five of any number
    ],
)
def test_the_usual_run(values: list[float], counts: float) -> None:
    (usual,) = usual_runs(MACHINE, [run(day, value) for day, value in enumerate(values)], "1")
    assert usual.entry.b_eff_MBps == counts
    assert usual.runs == len(values)


def test_sizes_and_what_does_not_count_stand_apart() -> None:
    runs = [run(0, 10.0), run(1, 20.0, processes=32, nodes=8)]
    others = [
        run(2, 90.0, simulated=True),
        run(3, 90.0, status="invalid"),
        run(4, 90.0, buffers="cuda"),
        run(5, 90.0, random_order="3.6"),
    ]
    found = usual_runs(MACHINE, [*runs, *others], "1")
    assert sorted(usual.entry.b_eff_MBps or 0 for usual in found) == [10, 20]


@pytest.mark.parametrize(("used", "processes"), [("half", 32), ("whole", 64), ("any", 16)])
def test_of_several_sizes_the_best_on_enough_of_the_machine_counts(
    used: str, processes: int
) -> None:
    sizes = {64: 10.0, 32: 20.0, 16: 90.0}
    runs = [run(0, value, processes=size, nodes=size // 4) for size, value in sizes.items()]
    standing = standing_of(0, MACHINE, usual_runs(MACHINE, runs, "1"), "cold", used)
    assert standing is not None
    assert standing.b_eff is not None
    assert standing.b_eff.entry.processes == processes


def test_procedures_are_ranked_apart() -> None:
    systems = [listed("a", io_run(100)), listed("b", io_run(900, procedure="original"))]
    found = {
        section.group.name: [(row.system.slug, row.rank and row.rank.rank) for row in section.rows]
        for section in sections(systems, {"io": 1.0})
    }
    assert found == {"cold": [("a", 1)], "original": [("b", 1)], "historic": []}


def by_release(day: int, **values: float) -> Entry:
    """A run of b_eff_io whose value by 1 or by 2.1 may be missing."""
    by = {f"io_value_{release}_MBps": values.get(release) for release in ("1", "2_1")}
    return io_run(max(values.values()), measured_at=FIRST + timedelta(days=day), **by)


@pytest.mark.parametrize(
    ("io_release", "ranked", "shown"),
    [
        ("1", {"io": {"a": 2, "b": 1}, "io_2": {"a": 1, "b": 3, "c": 2}}, "not by release 1"),
        ("2.1", {"io": {"a": 2, "b": 1}, "io_2": {"a": 1, "b": 3, "c": 2}}, ""),
    ],
)
def test_each_release_has_a_column_and_a_rank_of_its_own(
    io_release: str, ranked: dict[str, dict[str, int]], shown: str
) -> None:
    """C was measured by release 2.1 alone: without a rank by the other, and said so."""
    runs = {
        "a": by_release(0, **{"1": 10.0, "2_1": 90.0}),
        "b": by_release(0, **{"1": 20.0, "2_1": 30.0}),
        "c": by_release(0, **{"2_1": 50.0}),
    }
    systems = [listed(slug, entry, io_release=io_release) for slug, entry in runs.items()]
    for key, places in ranked.items():
        today = sections(systems, {key: 1.0})[0]
        assert {
            row.system.slug: row.rank.rank for row in today.rows if row.rank is not None
        } == places
        assert len(today.rows) == len(systems)
    third = standing_of(2, MACHINE, systems[2].usual, "cold")
    assert third is not None
    assert third.io is not None
    assert third.io.why == shown
    assert (third.figure("io"), third.figure("io_2")) == (None, 50.0)


def test_of_runs_of_one_size_that_with_the_value_of_the_release_counts() -> None:
    """A newer run that lacks the value by which the list ranks takes nobody's place."""
    runs = [by_release(0, **{"1": 10.0, "2_1": 20.0}), by_release(1, **{"2_1": 90.0})]
    for io_release, figures in {"1": (10.0, 20.0), "2.1": (None, 90.0)}.items():
        standing = standing_of(0, MACHINE, usual_runs(MACHINE, runs, io_release), "cold")
        assert standing is not None
        assert (standing.figure("io"), standing.figure("io_2")) == figures


def test_columns_without_a_figure_are_left_out() -> None:
    plain = [listed("a", run(0, 1.0)), listed("b", run(0, 2.0))]
    assert columns(sections(plain, {"b_eff": 1})[:1], {"b_eff": 1}) == {"b_eff"}
    assert columns(sections(plain, {"io": 1})[:1], {"io": 1, "rmax": 0.5}) == {
        *("b_eff", "io", "rmax", "score")
    }
    known = MACHINE.model_copy(update={"rmax_gflops": 5.0, "year": 2026, "cpus": "C"})
    rich = [*plain, listed("c", io_run(1.0, status="invalid"), hardware=known)]
    found = columns(sections(rich, {"b_eff": 1})[:1], {"b_eff": 1})
    assert found == {"b_eff", "io", "rmax", "year", "hardware"}


def test_how_sure_a_rank_is_needs_several_runs_and_systems() -> None:
    def said(*systems: ListedSystem, **weights: float) -> list[str]:
        return [sureness(row, weights) for row in sections(systems, weights)[0].rows]

    once, twice = listed("a", run(0, 9.0)), listed("b", run(0, 2.5), run(0, 2.6))
    assert said(once, twice, b_eff=1.0) == ["1 run", "firm"]
    assert said(twice, b_eff=1.0) == ["only one"]
    assert said(once, b_eff=1.0, io=1.0) == ["not ranked"]
    both = listed("c", run(0, 3.0), run(0, 2.0), io_run(1.0))
    assert said(both, twice, b_eff=1.0) == ["1 to 2", "firm"]
    assert said(both, b_eff=1.0) == ["only one"]
    assert said(both, b_eff=1.0, io=1.0) == ["1 run"]
    historic = listed("h", run(0, 1.0, status="historic"))
    (row,) = sections([historic, once], {"b_eff": 1.0})[2].rows
    assert sureness(row, {"b_eff": 1.0}) == "only one"


def test_processes_are_those_of_each_value() -> None:
    systems = [listed("a", run(0, 1.0), io_run(1.0, processes=32)), listed("b", run(0, 1.0))]
    rows = sections(systems, {"b_eff": 1.0})[0].rows
    assert [sizes(row.standing) for row in rows] == [
        ("b_eff: 64 (100 %)", "b_eff_io: 32 (50 %)"),
        ("64 (100 %)", ""),
    ]
