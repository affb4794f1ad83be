"""Change points of made-up series, and the series of a system."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.cli.app import main
from beff.store.change_points import change_points
from beff.store.entry import Entry
from beff.store.index import cache_folder
from beff.store.trend import series_of
from store_support import OFFICIAL, bytes_of, result_of

values = st.floats(min_value=1e-3, max_value=1e6)


def marks(series: list[float]) -> list[tuple[int, float, float]]:
    return [(point.index, point.before, point.after) for point in change_points(series)]


def test_worked_examples() -> None:
    # Medians by hand: 100.5 of the first four, 80 of the next five, 120 of the last three.
    series = [100, 101, 99, 102, 80, 81, 80, 79, 80, 120, 121, 119]
    assert marks([float(value) for value in series]) == [(4, 100.5, 80), (9, 80, 120)]
    assert marks([1.0] * 4 + [2.0] * 8) == [(4, 1, 2)]
    assert change_points([1.0] * 3 + [2.0] * 3)[0].ratio == 2


def test_too_short_too_small_or_an_outlier() -> None:
    assert marks([1, 1, 2, 2, 2]) == []
    assert marks([100.0] * 10 + [101.9] * 10) == []
    assert marks([100.0] * 10 + [102.1] * 10) == [(10, 100, 102.1)]
    assert marks([100, 101, 99, 100, 3, 101, 100, 99, 100, 101]) == []


@given(st.lists(values, max_size=40), st.floats(min_value=0.1, max_value=10))
def test_a_unit_moves_no_mark(series: list[float], factor: float) -> None:
    scaled = [value * factor for value in series]
    found, again = change_points(series), change_points(scaled)
    # A step of exactly the least height may fall on either side by rounding.
    if all(abs(point.ratio - 1.02) > 1e-6 for point in found):
        assert [point.index for point in found] == [point.index for point in again]


@given(st.lists(values, max_size=40))
def test_marks_leave_three_runs_on_either_side(series: list[float]) -> None:
    places = [0, *(point.index for point in change_points(series)), len(series)]
    if len(places) > 2:
        assert min(b - a for a, b in pairwise(places)) >= 3


@given(
    st.integers(min_value=6, max_value=20),
    st.integers(min_value=6, max_value=20),
    st.floats(min_value=1.3, max_value=5),
    st.randoms(use_true_random=False),
)
def test_a_clear_step_is_found_where_it_is(
    before: int, after: int, ratio: float, chance: random.Random
) -> None:
    """Noise of at most 1 % to either side."""
    series = [1 + chance.uniform(-0.01, 0.01) for _ in range(before)]
    series += [ratio * (1 + chance.uniform(-0.01, 0.01)) for _ in range(after)]
    assert before in [point.index for point in change_points(series)]


def modes(share: float) -> Callable[[random.Random], float]:
    """One of two states by chance, 20 % apart, with 1 % of noise."""
    return lambda chance: chance.gauss(0, 0.01) + math.log(0.8) * (chance.random() < share)


@pytest.mark.parametrize("runs", [6, 12, 40])
@pytest.mark.parametrize(
    "noise",
    [
        lambda chance: chance.gauss(0, 0.05),
        lambda chance: chance.gauss(0, 0.5 if chance.random() < 0.1 else 0.05),
        lambda chance: -chance.expovariate(20),
        modes(0.5),
        modes(0.3),
        modes(0.1),
    ],
    ids=["gaussian", "outliers", "one-sided", "50 : 50", "70 : 30", "90 : 10"],
)
def test_false_marks_are_as_rare_as_documented(
    noise: Callable[[random.Random], float], runs: int
) -> None:
    chance = random.Random(20260101)
    tries = 400
    marked = sum(
        bool(change_points([math.exp(noise(chance)) for _ in range(runs)])) for _ in range(tries)
    )
    assert marked / tries <= 0.05


def test_neighbours_that_are_alike_make_few_marks() -> None:
    """Noise of 5 % that correlates by 0.4 from run to run."""
    chance = random.Random(20260103)
    tries, marked = 300, 0
    for _ in range(tries):
        logs = [chance.gauss(0, 1)]
        for _ in range(19):
            logs.append(0.4 * logs[-1] + math.sqrt(1 - 0.4**2) * chance.gauss(0, 1))
        marked += bool(change_points([math.exp(0.05 * log) for log in logs]))
    assert marked / tries <= 0.06


@pytest.mark.parametrize(("before", "noise", "least"), [(5, 0.02, 0.95), (20, 0.03, 0.9)])
def test_a_loss_of_a_tenth_is_found_after_five_runs(
    before: int, noise: float, least: float
) -> None:
    chance = random.Random(20260102)
    tries = 200
    found = 0
    for _ in range(tries):
        levels = [1.0] * before + [0.9] * 5
        series = [level * math.exp(chance.gauss(0, noise)) for level in levels]
        found += any(abs(point.index - before) <= 1 for point in change_points(series))
    assert found / tries >= least


def test_a_small_step_hides_no_large_one() -> None:
    series = [100.0, 100.1] * 5 + [80.0, 80.1] * 5 + [81.0, 81.1] * 5
    assert [point.index for point in change_points(series)] == [10]


def test_values_that_are_no_bandwidths() -> None:
    with pytest.raises(ValueError, match="positive"):
        change_points([1.0, 0.0])


def entry(day: int, speed: float, **conditions: object) -> Entry:
    told: dict[str, object] = {"processes": 2, "nodes": 1, "definition": "3.5", "status": "valid"}
    measured_at = datetime(2026, 3, day, tzinfo=timezone.utc)
    fields = told | {"memory_per_process_bytes": 1 << 20} | conditions
    return Entry(benchmark="b_eff", measured_at=measured_at, b_eff_MBps=speed, **fields)  # type: ignore[arg-type]


def test_the_series_of_a_system() -> None:
    """Valid runs by time; another number of processes and short runs stay apart."""
    speeds = [1.00, 1.01, 0.99, 0.70, 0.71, 0.705]
    days = [3, 1, 2, 4, 6, 5]
    runs = [entry(day, speed) for day, speed in zip(days, speeds, strict=True)]
    (series, other) = series_of([*runs, entry(7, 9, status="invalid"), entry(7, 9, processes=4)])
    found = [run.measured_at.day for run in series.entries if run.measured_at]
    assert found == [1, 2, 3, 4, 5, 6]
    assert len(other.entries) == 1
    (point,) = series.change_points
    assert point.index == 3
    assert point.ratio == pytest.approx(0.70, rel=0.02)
    assert series.step_at(3) == point
    assert series.step_at(2) is None


def test_a_little_more_memory_ends_no_series() -> None:
    """Not even across 2^20 bytes; 10 % more does, and another procedure."""
    sizes = (1_040_000, 1_050_000, 1_045_000, 1_155_000)
    runs = [entry(day, 1, memory_per_process_bytes=size) for day, size in enumerate(sizes, start=1)]
    found = series_of([*runs, entry(9, 1, procedure="original")])
    assert [len(series.entries) for series in found] == [3, 1, 1]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a folder with folders; the index beside it may be spoilt or deleted."""
    for day, speed in enumerate([1.00, 1.01, 0.99, 0.70, 0.71, 0.705], start=1):
        started_at = f"2026-03-{day:02}T00:00:00Z"
        fields = result_of(plan=OFFICIAL, speed=speed, started_at=started_at)
        (tmp_path / f"{day}").mkdir()
        (tmp_path / f"{day}" / "b_eff_2p.json").write_bytes(bytes_of(fields))
    broken = result_of()
    broken["summary"]["b_eff_MBps"] *= 2
    (tmp_path / "broken.json").write_bytes(bytes_of(broken))
    for _ in range(2):
        assert main(["trend", str(tmp_path), "--json"]) == 0
        printed = capsys.readouterr()
        (series,) = json.loads(printed.out)
        assert len(series["runs"]) == 6
        assert len(series["change_points"]) == 1
        assert "broken.json: does not verify" in printed.err
        (cache_folder() / "index.sqlite3").write_bytes(b"spoilt")
    assert main(["trend", str(tmp_path / "none")]) == 2
    assert main(["trend", str(tmp_path), "--benchmark", "b"]) == 2
