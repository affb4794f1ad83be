"""What no honest run would say of itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from support.results import Plan, make_result

from beff.analysis.plausibility import oddities
from beff.model.load import check_document

DATA = Path(__file__).resolve().parents[1] / "data"
TWO_HOSTS = Plan(4, methods=("sendrecv",), repetitions=1, hosts=(2, 2))
NOW = datetime(2027, 1, 1, tzinfo=timezone.utc)


def found(document: dict[str, Any]) -> list[str]:
    return [text.partition(":")[0] for text in oddities(check_document("f", document), NOW)]


@pytest.mark.parametrize("path", sorted(DATA.glob("b_eff_*.json")), ids=lambda path: path.name)
def test_measured_results_are_not_odd(path: Path) -> None:
    assert found(json.loads(path.read_text(encoding="utf-8"))) == []


def test_a_made_up_result_is_not_odd() -> None:
    assert found(make_result(TWO_HOSTS)) == []


def dated(document: dict[str, Any], started: str, finished: str) -> None:
    document["environment"] |= {"started_at": started, "finished_at": finished}


def shorter(document: dict[str, Any], factor: float) -> None:
    times = document["samples"]["time_max_s"]
    document["samples"]["time_max_s"] = [time * factor for time in times]


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], None], list[str]]] = {
    "future": (lambda d: dated(d, "2030-01-01T00:00:00Z", "2030-01-01T00:01:00Z"), ["date"]),
    "backwards": (
        lambda d: dated(d, "2026-01-01T00:01:00Z", "2026-01-01T00:00:00Z"),
        ["date"],
    ),
    "no time": (lambda d: dated(d, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"), ["accounting"]),
    "long loops": (lambda d: shorter(d, 1e3), ["accounting"]),
    "below the clock": (lambda d: shorter(d, 1e-7), ["clock", "roof"]),
    "beyond memory": (lambda d: shorter(d, 1e-5), ["roof"]),
    "faster than light": (lambda d: d["summary"].update(latency_us=0.009), ["light"]),
}


@pytest.mark.parametrize("name", sorted(FORGERIES))
def test_a_forgery_has_a_name(name: str) -> None:
    document = make_result(TWO_HOSTS)
    change, expected = FORGERIES[name]
    change(document)
    assert found(document) == expected


def test_more_bytes_than_any_memory_delivers() -> None:
    document = json.loads((DATA / "b_eff_io_short.json").read_text(encoding="utf-8"))
    samples = document["samples"]
    samples["bytes"] = [1 << 60 for _ in samples["bytes"]]
    assert found(document) == ["roof"]
