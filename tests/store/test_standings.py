"""Which run of a system counts in the list."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from itertools import permutations
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.store.standings import usual_and_newest

FIRST = datetime(2026, 1, 1, tzinfo=timezone.utc)


def run(day: int, value: float, processes: int = 64, nodes: int = 1) -> SimpleNamespace:
    return SimpleNamespace(
        id=day,
        measured_at=FIRST + timedelta(days=day),
        benchmark="b_eff",
        b_eff_MBps=value,
        processes=processes,
        nodes=nodes,
    )


def usual(values: list[float]) -> float:
    """Return what counts of runs in the order of time."""
    runs = [run(day, value) for day, value in enumerate(values)]
    return float(usual_and_newest(runs, "b_eff")[0].b_eff_MBps)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([7], 7),
        ([9, 7], 7),
        ([1, 9, 7], 7),
        ([99, 1, 9, 7], 7),
        ([5, 4, 3, 2, 1], 3),
        ([99, 99, 5, 4, 3, 2, 1], 3),
    ],
)
def test_by_hand(values: list[float], expected: float) -> None:
    assert usual(values) == expected


@pytest.mark.parametrize(("one", "other"), [(1, 2), (1, 3), (1, 4), (1, 5), (2, 4), (3, 3), (3, 5)])
def test_equal_systems_win_half_each_however_many_runs_they_have(one: int, other: int) -> None:
    """All orders of their values are equally likely."""
    orders = list(permutations(range(1, one + other + 1)))
    wins = sum(usual(list(order[:one])) > usual(list(order[one:])) for order in orders)
    assert 2 * wins == len(orders)


@given(st.lists(st.integers(1, 1000), min_size=5, max_size=20), st.randoms())
def test_older_runs_and_the_order_of_entry_change_nothing(
    values: list[int], chance: object
) -> None:
    runs = [run(day, value) for day, value in enumerate(values)]
    mixed = list(runs)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    found = usual_and_newest(mixed, "b_eff")
    assert found == usual_and_newest(runs[-5:], "b_eff")
    assert found[1:] == runs[:-6:-1]
    assert found[0].b_eff_MBps == sorted(values[-5:])[2]


def test_the_largest_usual_run_of_several_sizes_counts() -> None:
    """The lucky run on 128 processes is not what these usually reach; nodes part runs, too."""
    lucky = [run(1, 10, 128), run(2, 99, 128), run(3, 11, 128)]
    others = [run(4, 20, 64, nodes=2), run(5, 12, 64)]
    found = usual_and_newest([*lucky, *others], "b_eff")
    assert found == [others[0], others[0]]
    assert usual_and_newest(lucky, "b_eff_io") == []


def test_an_impossible_value_counts_only_where_there_is_no_other() -> None:
    runs = [run(1, 5.0), run(2, 1e30)]
    assert usual_and_newest(runs, "b_eff") == [runs[0], runs[0]]
    assert usual_and_newest(runs[1:], "b_eff") == [runs[1], runs[1]]


def test_historic_figures_are_older_than_any_run() -> None:
    old = run(1, 9.0)
    old.id, old.measured_at = 7, None
    new = run(2, 5.0)
    assert usual_and_newest([new, old], "b_eff")[0] is new
