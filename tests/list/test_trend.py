"""The series of a system, and `beff trend`."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path

import pytest

from beff.cli.app import main
from beff.store.entry import Entry
from beff.store.index import cache_folder
from beff.store.trend import series_of
from store_support import OFFICIAL, bytes_of, result_of


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
    (step,) = series.steps
    assert step.index == 3
    assert step.ratio == pytest.approx(0.70, rel=0.02)
    assert series.step_at(3) == step
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
        assert len(series["steps"]) == 1
        assert "broken.json: does not verify" in printed.err
        (cache_folder() / "index.sqlite3").write_bytes(b"spoilt")
    assert main(["trend", str(tmp_path / "none")]) == 2
    assert main(["trend", str(tmp_path), "--benchmark", "b"]) == 2
