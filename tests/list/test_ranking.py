"""The ranking: numbers by hand, rules that must hold, and the browser's version of it."""

from __future__ import annotations

import json
import math
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.list.figures import FIGURES
from beff.list.ranking import rank
from beff.list.standings import Standing
from needed import needed

STATIC = Path(__file__).resolve().parents[2] / "python" / "beff" / "list" / "static"
KEYS = [figure.key for figure in FIGURES]
Figures = dict[str, float]


def candidate(
    number: int, low: Figures | None = None, high: Figures | None = None, **own: float
) -> Standing:
    def row(changes: Figures | None) -> tuple[float | None, ...]:
        return tuple({**own, **(changes or {})}.get(key) for key in KEYS)

    return Standing(number, row(None), row(low), row(high), None, None)


def test_a_score_by_hand() -> None:
    """b_eff 100 and 50, latency 4 and 1: x is (1, 1/4) and (1/2, 1)."""
    fast, quick = candidate(1, b_eff=100, latency=4), candidate(2, b_eff=50, latency=1)
    ranks = {entry.id: entry for entry in rank([fast, quick], {"b_eff": 3, "latency": 1})}
    assert ranks[1].score == pytest.approx((1**3 * 0.25) ** (1 / 4))  # 0.7071
    assert ranks[2].score == pytest.approx((0.5**3 * 1) ** (1 / 4))  # 0.5946
    assert (ranks[1].rank, ranks[2].rank) == (1, 2)
    # At 2 to 1 the scores are 4^-1/3 and 4^-1/3: a draw.
    draw = rank([fast, quick], {"b_eff": 2, "latency": 1})
    assert [(entry.id, entry.rank) for entry in draw] == [(1, 1), (2, 1)]
    assert all(entry.best == 1 and entry.worst == 2 for entry in draw)


def test_sure_and_unsure_ranks() -> None:
    """Runs of 90 to 110 reach over the neighbour's 105, not over 50."""
    systems = [
        candidate(1, b_eff=110, low={"b_eff": 90}, high={"b_eff": 110}),
        candidate(2, b_eff=105),
        candidate(3, b_eff=50),
    ]
    found = [(r.id, r.rank, r.best, r.worst) for r in rank(systems, {"b_eff": 1})]
    assert found == [(1, 1, 1, 2), (2, 2, 2, 2), (3, 3, 3, 3)]


def test_a_missing_figure_gives_no_rank() -> None:
    systems = [candidate(1, b_eff=1), candidate(2, b_eff=2, io=1)]
    assert [entry.id for entry in rank(systems, {"b_eff": 1, "io": 1})] == [2]
    assert [entry.id for entry in rank(systems, {"b_eff": 1, "io": 0})] == [2, 1]
    assert rank(systems, {}) == rank(systems, {"io": 0.0}) == rank([], {"io": 1}) == []


positive = st.floats(min_value=1e-6, max_value=1e9)
figure = st.one_of(st.none(), positive)
spread = st.floats(min_value=0, max_value=0.5)


@st.composite
def candidates(draw: st.DrawFn) -> list[Standing]:
    found = []
    for number in range(draw(st.integers(0, 12))):
        own = draw(st.tuples(*[figure for _ in FIGURES]))
        wide = draw(spread)
        worse, better = [], []
        for value, criterion in zip(own, FIGURES, strict=True):
            less = criterion.less_is_better
            worse.append(value and value * (1 + wide if less else 1 - wide))
            better.append(value and value * (1 - wide if less else 1 + wide))
        found.append(Standing(number, own, tuple(worse), tuple(better), None, None))
    return found


weights = st.dictionaries(st.sampled_from(KEYS), st.integers(0, 20).map(lambda n: n / 2))


@given(candidates(), weights)
def test_rules_that_always_hold(systems: list[Standing], wanted: Figures) -> None:
    found = rank(systems, wanted)
    assert all(entry.best <= entry.rank <= entry.worst for entry in found)
    assert all(0 < entry.score <= 1 + 1e-9 for entry in found)
    assert [entry.rank for entry in found] == sorted(entry.rank for entry in found)
    if found:
        assert found[0].rank == 1
        assert {entry.best for entry in found} <= set(range(1, len(found) + 1))
        assert max(entry.worst for entry in found) <= len(found)
    doubled = {key: 2 * weight for key, weight in wanted.items()}
    assert [(e.id, e.rank) for e in rank(systems, doubled)] == [(e.id, e.rank) for e in found]


@given(candidates(), weights, st.sampled_from(range(len(FIGURES))), st.integers(1, 9))
def test_another_unit_changes_nothing(
    systems: list[Standing], wanted: Figures, place: int, factor: int
) -> None:
    def scaled(row: Any) -> tuple[float | None, ...]:
        return tuple(v and v * factor if i == place else v for i, v in enumerate(row))

    changed = [
        replace(c, figures=scaled(c.figures), low=scaled(c.low), high=scaled(c.high))
        for c in systems
    ]
    before, after = rank(systems, wanted), rank(changed, wanted)
    assert {e.id for e in before} == {e.id for e in after}
    scores = {entry.id: entry.score for entry in after}
    assert all(math.isclose(entry.score, scores[entry.id], rel_tol=1e-6) for entry in before)


_DRIVER = """
import { rank } from %s;
import { readFileSync } from "node:fs";
const { systems, criteria, weights } = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(rank(systems, criteria, weights)));
"""


def rank_in_javascript(systems: list[Standing], wanted: Figures) -> Any:
    node = needed("node")
    text = json.dumps(
        {
            "systems": [vars(one) for one in systems],
            "weights": wanted,
            "criteria": [{"key": f.key, "less_is_better": f.less_is_better} for f in FIGURES],
        }
    )
    module = json.dumps((STATIC / "ranking.js").as_uri())
    answer = subprocess.run(
        [node, "--input-type=module", "-e", _DRIVER % module],
        input=text,
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    return json.loads(answer.stdout)


@given(candidates(), weights)
def test_the_browser_computes_the_same(systems: list[Standing], wanted: Figures) -> None:
    found = rank_in_javascript(systems, wanted)
    expected = rank(systems, wanted)
    places = [(entry["id"], entry["rank"], entry["best"], entry["worst"]) for entry in found]
    assert places == [(e.id, e.rank, e.best, e.worst) for e in expected]
    for entry, own in zip(found, expected, strict=True):
        assert math.isclose(entry["score"], own.score, rel_tol=1e-9)
