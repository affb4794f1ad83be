"""The axis of times of `beff show --history -o`."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from beff.charts.history import history_charts
from beff.store.entry import Entry
from beff.store.trend import series_of

BEGIN = datetime(2026, 11, 27, 1, tzinfo=timezone.utc)


@pytest.mark.parametrize("hours", [(0, 0.2), (0, 5, 8, 14), (0, 20, 30, 45), (0, 48.5), (0, 9000)])
def test_no_label_stands_twice_and_none_is_far_from_the_runs(hours: tuple[float, ...]) -> None:
    entries = [
        Entry(
            benchmark="b_eff",
            measured_at=BEGIN + timedelta(hours=at),
            b_eff_MBps=1.0,
            processes=2,
            nodes=1,
            definition="3.5",
            status="valid",
            memory_per_process_bytes=1 << 20,
            key={},
        )
        for at in hours
    ]
    (chart,) = history_charts(series_of(entries))
    (panel,) = chart.panels
    labels, places = [*panel.x.ticks.values()], [*panel.x.ticks]
    dates = [label for label in labels if "-" in label]
    assert dates[0] == f"{BEGIN:%Y-%m-%d}"
    assert len(dates) == len(set(dates))
    assert len(labels) <= 7
    low, high = panel.x.ends
    assert low <= min(places) <= BEGIN.timestamp()
    assert (BEGIN + timedelta(hours=hours[-1])).timestamp() <= high
    for run in panel.marks[0].rows:
        assert low <= float(run.x) <= high
