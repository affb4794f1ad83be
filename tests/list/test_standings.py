"""Which runs of a system count, by hand, and who is ranked beside whom."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from beff.list.folder import ListedSystem
from beff.list.listing import sections
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
    (usual,) = usual_runs(MACHINE, [run(day, value) for day, value in enumerate(values)])
    assert usual.entry.b_eff_MBps == counts
    assert usual.runs == len(values)


def test_sizes_and_what_does_not_count_stand_apart() -> None:
    runs = [run(0, 10.0), run(1, 20.0, processes=32, nodes=8)]
    others = [
        run(2, 90.0, simulated=True),
        run(3, 90.0, status="invalid"),
        run(4, 90.0, buffers="cuda"),
    ]
    found = usual_runs(MACHINE, [*runs, *others])
    assert sorted(usual.entry.b_eff_MBps or 0 for usual in found) == [10, 20]


def test_of_several_sizes_the_best_on_half_of_the_machine_counts() -> None:
    sizes = {64: 10.0, 32: 20.0, 16: 90.0}
    runs = [run(0, value, processes=size, nodes=size // 4) for size, value in sizes.items()]
    standing = standing_of(0, MACHINE, usual_runs(MACHINE, runs), "cold")
    assert standing is not None
    assert standing.b_eff is not None
    assert standing.b_eff.entry.processes == 32


def test_procedures_are_ranked_apart() -> None:
    def listed(slug: str, entry: Entry) -> ListedSystem:
        usual = tuple(usual_runs(MACHINE, [entry]))
        return ListedSystem(slug, MACHINE, MACHINE, (entry,), usual, ())

    systems = [listed("a", io_run("cold", 100)), listed("b", io_run("original", 900))]
    found = {
        section.group.name: [(row.system.slug, row.rank and row.rank.rank) for row in section.rows]
        for section in sections(systems, {"io": 1.0})
    }
    assert found == {"cold": [("a", 1)], "original": [("b", 1)], "historic": []}
