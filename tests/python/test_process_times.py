"""Process times and slow hosts in a result: what verify finds when they were changed."""

from collections.abc import Callable
from typing import Any

import pytest
from support.results import SHORT, Plan, make_result

from beff.analysis.b_eff.permutation import random_order
from beff.analysis.b_eff.process_time_checks import time_bounds
from beff.analysis.b_eff.slow_hosts import slow_hosts
from beff.analysis.verify import verify
from beff.model.b_eff_result import BEffResult
from beff.model.load import check_document

FOUR_HOSTS = Plan(**{**SHORT.__dict__, "processes": 8, "hosts": (2, 2, 2, 2)})


def with_process_times(plan: Plan, slow: frozenset[int] = frozenset()) -> dict[str, Any]:
    """A good document; the processes named take as long as the samples allow, the others less."""
    document = make_result(plan)
    result = BEffResult.model_validate(document)
    tables: dict[str, list[list[float | None]]] = {"short_s": [], "long_s": []}
    bounds = time_bounds(result)
    for pattern in result.patterns:
        for name, table in tables.items():
            low, high = bounds[name, pattern.id]
            of = [high if rank in slow else low for rank in range(plan.processes)]
            table.append([t if rank < pattern.processes else None for rank, t in enumerate(of)])
    document["process_times"] = {"pattern": [p.id for p in result.patterns], **tables}
    derived = slow_hosts(BEffResult.model_validate(document))
    document["slow_hosts"] = {**derived, "statement": "None."}
    return document


def findings(document: dict[str, Any]) -> list[str]:
    return [finding.path for finding in verify(check_document("made up", document)).findings]


@pytest.mark.parametrize("plan", [SHORT, FOUR_HOSTS])
def test_good_document(plan: Plan) -> None:
    document = with_process_times(plan)
    assert findings(document) == []
    assert document["slow_hosts"]["verdict"] == "none found"


def test_result_without_process_times_is_not_asked_for_them() -> None:
    assert findings(make_result(SHORT)) == []


def _set(*path: str | int, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        place: Any = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (_set("slow_hosts", "verdict", value="found"), "slow_hosts.verdict"),
        (_set("slow_hosts", "examined", value=[]), "slow_hosts.examined"),
        (_set("process_times", "long_s", 0, 2, value=1.0), "process_times.long_s[0][2]"),
        (_set("process_times", "short_s", 3, value=[1e-6]), "process_times.short_s[3]"),
        (_set("process_times", "short_s", value=[]), "process_times.short_s"),
        (_set("process_times", "pattern", 0, value=7), "process_times.pattern"),
    ],
)
def test_changed_document(change: Callable[[dict[str, Any]], None], path: str) -> None:
    document = with_process_times(SHORT)
    change(document)
    assert path in findings(document)


def test_time_of_a_process_outside_the_pattern() -> None:
    document = with_process_times(SHORT)
    ping_pong = document["process_times"]["pattern"].index(39)
    document["process_times"]["short_s"][ping_pong][3] = 1e-6
    assert f"process_times.short_s[{ping_pong}][3]" in findings(document)


def test_random_order_is_a_permutation_that_the_seed_decides() -> None:
    assert sorted(random_order(5, 11)) == list(range(11))
    assert random_order(5, 11) != random_order(6, 11)
