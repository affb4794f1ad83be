"""The sentence beside a value, and how much repetitions differ."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from support.results import Plan, make_result, model_s

from beff.definition.b_eff_patterns import PING_PONG
from beff.report.page.sections.headline import standing
from beff.result.load import check_document, load_document
from scripted_machine import Order

DATA = Path(__file__).resolve().parents[2] / "data"
FOUR = Plan(processes=4)


def said(fields: dict[str, Any]) -> str:
    return standing(check_document("a.json", fields))


def slower(factor: float, pattern: int | None = None) -> dict[str, Any]:
    """A run in which loops of a pattern, or of all but the first repetitions, take longer."""

    def iteration_s(plan: Plan, order: Order) -> float:
        is_slow = order["repetition"] > 0 if pattern is None else order["pattern"] == pattern
        return model_s(plan, order) * (factor if is_slow else 1)

    return make_result(replace(FOUR, iteration_s=iteration_s))


def test_a_share_of_the_ping_pong_is_said_of_more_than_two() -> None:
    sentence = said(make_result(FOUR))
    assert re.match(r"Each process keeps \d+ % of what two have alone, ", sentence)
    assert "random rings reach " in sentence
    assert said(make_result(replace(FOUR, processes=2))) == ""


def test_nothing_is_said_from_a_disturbed_ping_pong() -> None:
    sentence = said(slower(27.0, PING_PONG))
    assert "what two have alone" not in sentence
    assert sentence.startswith("Random rings reach ")


def test_nothing_is_said_from_a_noisy_run() -> None:
    assert said(slower(1.6)) == ""


def test_writing_the_memory_goes_by_the_initial_write() -> None:
    """6 min at 300 MB/s of b_eff_io are 9 min at 200 MB/s; nothing is said of what is not valid."""
    fields = load_document(DATA / "b_eff_io_short.json").fields
    figures = {"total_memory_write_min": 6.0, "b_eff_io_MBps": 300.0, "write_MBps": 200.0}
    fields = fields | {"summary": fields["summary"] | figures}
    sentence = said(fields | {"valid": True})
    assert re.search(r"take 9 min .* initial write\..* here 6 min, .* 10 min", sentence)
    assert said(fields | {"valid": False}) == ""
