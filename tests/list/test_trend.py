"""The series of a system, and `beff show --history`."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.cli.app import main
from beff.cli.show_history import spark
from beff.store.entry import Entry
from beff.store.trend import series_of
from store_support import OFFICIAL, bytes_of, result_of

SPEEDS = [1.00, 1.01, 0.99, 1.005, 0.70, 0.71, 0.705]
"""Three days of which are a step."""


def entry(day: int, speed: float, **conditions: object) -> Entry:
    told: dict[str, object] = {"processes": 2, "nodes": 1, "definition": "3.5", "status": "valid"}
    measured_at = datetime(2026, 3, day, tzinfo=timezone.utc)
    fields = told | {"memory_per_process_bytes": 1 << 20} | conditions
    fields["key"] = {name: str(value) for name, value in conditions.items()}
    return Entry(benchmark="b_eff", measured_at=measured_at, b_eff_MBps=speed, **fields)  # type: ignore[arg-type]


def test_the_series_of_a_system() -> None:
    """Runs by time; another number of processes stays apart, and only valid ones have steps."""
    days = [3, 1, 2, 4, 5, 7, 6]
    runs = [entry(day, speed) for day, speed in zip(days, SPEEDS, strict=True)]
    short = entry(2, 9).model_copy(update={"status": "invalid"})
    disturbed = entry(6, 0.3).model_copy(update={"stamp": "noisy"})
    simulated = entry(8, 9).model_copy(update={"simulated": True})
    (series, other) = series_of([*runs, short, disturbed, simulated, entry(7, 9, processes=4)])
    found = [run.measured_at.day for run in series.entries if run.measured_at]
    assert found == [1, 2, 2, 3, 4, 5, 6, 6, 7]
    assert [point.counts for point in series.points].count(False) == 2
    assert len(other.entries) == 1
    (step,) = series.steps
    assert step.index == 5
    assert step.ratio == pytest.approx(0.70, rel=0.02)


@given(st.lists(st.floats(1, 1e6), min_size=1, max_size=40))
def test_the_line_of_a_series_rises_with_its_values(values: list[float]) -> None:
    drawn = spark(values)
    assert len(drawn) == len(values)
    ordered = [ord(height) for _, height in sorted(zip(values, drawn, strict=True))]
    assert ordered == sorted(ordered)
    assert len({*spark([100.0, 101.0, 99.0, 100.5])}) <= 2  # noise is no mountain


def test_the_picture(tmp_path: Path) -> None:
    for day, speed in enumerate(SPEEDS, start=1):
        fields = result_of(plan=OFFICIAL, speed=speed, started_at=f"2026-03-{day:02}T00:00:00Z")
        (tmp_path / f"{day}.json").write_bytes(bytes_of(fields))
    picture = tmp_path / "history.svg"
    command = ["show", "--history", str(tmp_path), "-o", str(picture)]
    assert main(command) == 0
    assert picture.read_text("utf-8").startswith("<svg")
    assert main(command) == 2  # it exists
    assert main([*command[:-1], str(tmp_path / "history.txt")]) == 2
    alone = ["show", "--history", str(tmp_path / "1.json"), "-o", str(tmp_path / "alone.svg")]
    assert main(alone) == 1
    assert not (tmp_path / "alone.svg").exists()
