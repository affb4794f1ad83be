"""Which runs of a system count, by hand, and who is ranked beside whom."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from beff.list.folder import ListedSystem
from beff.list.ranking import sections
from beff.list.standings import standing_of, usual_runs
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


def io_run(procedure: str, value: float) -> Entry:
    return Entry(
        benchmark="b_eff_io",
        status="valid",
        procedure=procedure,
        processes=64,
        measured_at=FIRST,
        io_value_1_MBps=value,
    )


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
    def listed(slug: str, entry: Entry) -> ListedSystem:
        usual = tuple(usual_runs(MACHINE, [entry], "1"))
        return ListedSystem(slug, "1", MACHINE, MACHINE, (entry,), usual, ())

    systems = [listed("a", io_run("cold", 100)), listed("b", io_run("original", 900))]
    found = {
        section.group.name: [(row.system.slug, row.rank and row.rank.rank) for row in section.rows]
        for section in sections(systems, {"io": 1.0})
    }
    assert found == {"cold": [("a", 1)], "original": [("b", 1)], "historic": []}


def by_release(day: int, **values: float) -> Entry:
    """A run of b_eff_io whose value by 1 or by 2.1 may be missing."""
    return Entry(
        benchmark="b_eff_io",
        status="valid",
        procedure="cold",
        processes=64,
        measured_at=FIRST + timedelta(days=day),
        io_value_MBps=max(values.values()),
        **{f"io_value_{release}_MBps": value for release, value in values.items()},
    )


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
    systems = [
        ListedSystem(
            slug,
            io_release,
            MACHINE,
            MACHINE,
            (entry,),
            tuple(usual_runs(MACHINE, [entry], io_release)),
            (),
        )
        for slug, entry in runs.items()
    ]
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
