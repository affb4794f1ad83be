"""What no honest run would say of itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from support.results import Plan, make_result
from support.schema_bounds import at_bounds

from beff.result.load import check_document
from beff.store.plausibility import oddities

DATA = Path(__file__).resolve().parents[2] / "data"
TWO_HOSTS = Plan(4, methods=("sendrecv",), repetitions=2, hosts=(2, 2))
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


def endless(document: dict[str, Any], *, valid: bool) -> None:
    """No end that its length could be compared with."""
    document["environment"] |= {"wall_s": 1e6, "finished_at": None}
    document["valid"] = valid


def timed(document: dict[str, Any], wall_s: float) -> None:
    """A run of this length, with as much between its dates."""
    document["environment"] |= {"wall_s": wall_s, "finished_at": "2026-12-31T00:00:00Z"}


def clocked(document: dict[str, Any], resolution_s: float, call_cost_s: float) -> None:
    document["environment"]["clock"] |= {"resolution_s": resolution_s, "call_cost_s": call_cost_s}


def simulated(document: dict[str, Any]) -> None:
    """The simulator's times are not those of the machine it runs on."""
    document["environment"]["simulated"] = True
    shorter(document, 1e3)


def recovered(document: dict[str, Any]) -> None:
    """Nobody knows how long a killed run took."""
    document["environment"] |= {"wall_s": 0.0, "finished_at": None}
    document["complete"] = document["valid"] = False
    shorter(document, 1e3)


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], None], list[str]]] = {
    "future": (lambda d: dated(d, "2030-01-01T00:00:00Z", "2030-01-01T00:01:00Z"), ["date"]),
    "before the release": (
        lambda d: dated(d, "2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z"),
        ["date"],
    ),
    "backwards": (
        lambda d: dated(d, "2026-12-01T00:01:00Z", "2026-12-01T00:00:00Z"),
        ["date"],
    ),
    "without an end": (lambda d: endless(d, valid=True), ["date"]),
    "no time": (lambda d: dated(d, "2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z"), ["accounting"]),
    "long loops": (lambda d: shorter(d, 1e3), ["accounting"]),
    "loops cut short": (lambda d: timed(d, 1e3), ["accounting"]),
    "a clock without steps": (lambda d: clocked(d, 0.0, 0.0), ["clock"]),
    "below any clock": (lambda d: (clocked(d, 0.0, 5e-9), shorter(d, 1e-6)), ["roof", "clock"]),
    "below the clock": (lambda d: shorter(d, 1e-6), ["roof", "clock"]),
    "beyond memory": (lambda d: shorter(d, 2e-5), ["roof"]),
    "faster than light": (lambda d: d["summary"].update(latency_us=0.009), ["copy", "light"]),
}


@pytest.mark.parametrize("name", sorted(FORGERIES))
def test_a_forgery_has_a_name(name: str) -> None:
    document = make_result(TWO_HOSTS)
    change, expected = FORGERIES[name]
    change(document)
    assert found(document) == expected


NO_FORGERIES = {
    "simulated": simulated,
    "recovered": recovered,
    "recovered after its last loop": lambda d: endless(d, valid=False),
}


@pytest.mark.parametrize("change", NO_FORGERIES.values(), ids=list(NO_FORGERIES))
def test_what_happens_to_honest_runs_is_not_odd(change: Callable[[dict[str, Any]], None]) -> None:
    document = make_result(TWO_HOSTS)
    change(document)
    assert found(document) == []


def io_result() -> dict[str, Any]:
    fields: dict[str, Any] = json.loads((DATA / "b_eff_io_short.json").read_text(encoding="utf-8"))
    return fields


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(fields=at_bounds([make_result(TWO_HOSTS), io_result()]))
def test_whatever_keeps_the_schema_gets_sentences(fields: dict[str, Any]) -> None:
    assert all(len(text) < 200 for text in oddities(check_document("f", fields), NOW))


IO_FORGERIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "clock": lambda d: d["environment"]["clock"].update(resolution_s=1e-3),
    "accounting": lambda d: d["types"]["open_to_close_s"].__setitem__(0, 100.0),
    "roof": lambda d: d["samples"].update(bytes=[1 << 60] * len(d["samples"]["bytes"])),
}


@pytest.mark.parametrize("name", IO_FORGERIES)
def test_a_forgery_of_b_eff_io_has_a_name(name: str) -> None:
    document = io_result()
    IO_FORGERIES[name](document)
    assert found(document) == [name]
