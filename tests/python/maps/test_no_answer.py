"""Who is named when a meeting of pairs never ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.machines.fields import fields_of, read_map
from support.machines.flat import QUIET, flat
from support.machines.measure import map_of
from support.machines.result import make_map, sentences

from beff.definition.b_pairs_plan import meetings, rounds_until_all_met
from beff.judge.finding import Verdict
from beff.judge.hosts import check_hosts
from beff.result.load import check_document


def fields_with(units: int) -> dict[str, Any]:
    return fields_of(map_of(flat(units, **QUIET), 1), 1)


def test_who_does_not_answer_is_named() -> None:
    fields = fields_with(16)
    fields["no_answer"] = {"pass": 1, "round": 2, "silent": [4], "waiting": [[2, 9]]}
    found = sentences(fields)
    assert found["host n4"][0] == Verdict.BAD
    assert found["link n2 - n9"][0] == Verdict.BAD


def pairs_of_round(units: int, number: int) -> list[list[int]]:
    met = meetings(units, rounds_until_all_met(units), 1, 1)
    here = met.rounds == number
    met_here: list[list[int]] = np.column_stack([met.first[here], met.second[here]]).tolist()
    return met_here


@pytest.mark.parametrize("units", [4, 5, 16])
def test_where_all_pairs_of_a_round_wait_none_is_named(units: int) -> None:
    fields = fields_with(units)
    everyone = pairs_of_round(units, 2)
    fields["no_answer"] = {"pass": 0, "round": 2, "silent": [], "waiting": everyone}
    found = sentences(fields)
    assert found["run"][0] == Verdict.UNKNOWN
    assert Verdict.BAD not in {verdict for verdict, _ in found.values()}
    fields["no_answer"]["waiting"] = everyone[1:]
    found = sentences(fields)
    assert "run" not in found
    links = {about for about, (verdict, _) in found.items() if verdict == Verdict.BAD}
    assert links == {f"link n{one} - n{other}" for one, other in everyone[1:]}


@pytest.mark.parametrize("units", [3, 8])
def test_a_run_that_names_nobody_is_inconclusive(units: int) -> None:
    nobody = {"pass": 1, "round": 0, "silent": [], "waiting": []}
    fields = make_map(flat(units), no_answer=nobody)
    found = check_hosts(check_document("a.json", fields))
    verdicts = {finding.about: finding.verdict for finding in found.findings}
    assert verdicts["run"] == Verdict.UNKNOWN
    assert found.bad_hosts == ()
    assert found.verdict == Verdict.UNKNOWN


def test_the_only_pair_of_a_round_is_named() -> None:
    fields = fields_with(3)
    (pair,) = pairs_of_round(3, 1)
    fields["no_answer"] = {"pass": 0, "round": 1, "silent": [], "waiting": [pair]}
    assert read_map(fields).waiting == (tuple(pair),)


@pytest.mark.parametrize("units", [2, 3, 4, 8])
@pytest.mark.parametrize("oversubscribed", [False, True])
def test_a_silent_host_is_bad_among_however_few(units: int, oversubscribed: bool) -> None:
    silent = {"pass": 0, "round": 0, "silent": [1], "waiting": []}
    fields = make_map(flat(units), no_answer=silent)
    fields["environment"]["oversubscribed"] = oversubscribed
    found = check_hosts(check_document("a.json", fields))
    assert found.bad_hosts == ("node2",)
