"""The answer on a terminal: how wide its lines are, how many, and what they hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.machines.flat import flat
from support.machines.result import make_map
from support.reports import DATA
from support.results import Plan, make_result

from beff.cli.common.answer_text import LABEL_WIDTH, answer_lines, flow
from beff.judge.compare import CompareSettings, compare
from beff.judge.conditions import key_of
from beff.judge.finding import Verdict
from beff.judge.judge_results import judge_results
from beff.report.parts.answer import answer_of
from beff.report.parts.checked import headline_of
from beff.report.parts.headline import MOST_LINES
from beff.result.load import Document, check_document, load_document

RESULTS = sorted(DATA.glob("b_eff*[!l].json"))
WORDS = st.text("abcdefgh ", min_size=1, max_size=60).filter(str.strip)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_few_lines_that_fit(path: Path, width: int) -> None:
    lines = answer_lines(answer_of(load_document(path)), width)
    assert len(lines) <= 1 + 2 * MOST_LINES  # those of 80 columns are broken
    assert all(len(line) <= width for line in lines)
    assert all(line.plain[:LABEL_WIDTH].strip() == "" for line in lines[1:])


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_all_cautions_where_asked_for(path: Path) -> None:
    answer = answer_of(load_document(path))
    lines = answer_lines(answer, 80, show_all=True)
    said = " ".join(" ".join(line.plain for line in lines).split())
    for caution in (*answer.cautions, *answer.details):
        assert " ".join(caution.split()) in said


@given(st.lists(WORDS, max_size=6), st.integers(30, 120))
def test_words_flow_within_the_width_and_in_order(words: list[str], width: int) -> None:
    lines = flow("label", [(text, "") for text in words], " ", width)
    longest = max((len(part) for text in words for part in text.split()), default=0)
    assert all(len(line.plain.rstrip()) <= max(width, LABEL_WIDTH + longest) for line in lines)
    said = "".join(line.plain for line in lines).replace(" ", "")
    assert said == ("label" + "".join(words)).replace(" ", "")


def run_of(began: str, host: str = "a", **changes: Any) -> Document:
    fields = make_result(Plan(processes=2, repetitions=1, **changes))
    fields["environment"] |= {"started_at": began, "host_list": host}
    # no two runs have the same samples
    own = "".join(filter(str.isdigit, began))
    fields["digest"]["samples"] = own.ljust(16, "0")
    for column in ("time_max_s", "time_avg_s", "time_min_s"):
        times = fields["samples"][column]
        fields["samples"][column] = [seconds * (1 + int(own[4:10]) / 1e15) for seconds in times]
    return check_document(f"{began}.json", fields)


def on_network(run: Document, sha256: str) -> Document:
    fields = json.loads(json.dumps(run.fields))
    platform = {"name": "flat-2", "description": "x", "hosts": 2, "sha256": sha256 * 64}
    fields["environment"] |= {
        "simulated": True,
        "simulation": {
            **{"simulator": "SimGrid", "version": "4.0", "model": "SMPI", "settings": []},
            **{"placement": None, "folded_memory": True, "platform": platform},
        },
    }
    return check_document(run.source, fields)


def test_runs_on_other_simulated_networks_are_not_alike() -> None:
    days = [f"2026-11-0{day}T00:00:00Z" for day in range(1, 4)]
    first, second, third = (
        on_network(run_of(day), sha256) for day, sha256 in zip(days, "aba", strict=True)
    )
    assert key_of(first) == key_of(third) != key_of(second)
    report = compare([first], [second], CompareSettings())
    remarks = [remark.split(":")[0] for remark in report.comparisons[0].remarks]
    assert "simulated network" in remarks


def test_the_way_to_a_value_keeps_release_and_procedure() -> None:
    fields = load_document(DATA / "b_eff_io_short.json").fields
    changed = check_document("a.json", fields | {"definition": "2.1", "procedure": "original"})
    glance = answer_of(changed).glance
    assert glance is not None
    assert glance.way_on.endswith(" --procedure original -- --release 2.1")


@pytest.mark.parametrize("by_other", [0, 1])
def test_the_verdict_on_a_map_is_that_of_check(by_other: int) -> None:
    """Of equal hosts, one of which sends by the other port or not."""
    most, zeros, ones = " 1000000" * 7, " 0" * 7, " ".join(["1"] * 8)
    sent = {"eth0": f"{1_000_000 * (1 - by_other)}{most}", "eth1": f"{1_000_000 * by_other}{zeros}"}
    wires = {
        "payload_bytes": f"1000000{most}",
        "inside_bytes": f"0{zeros}",
        "retransmits": f"0{zeros}",
        "ports": [
            {"name": n, "kind": "ethernet", "active": ones, "sent_bytes": b, "errors": f"0{zeros}"}
            for n, b in sent.items()
        ],
    }
    document = check_document("a.json", make_map(flat(8), wires=wires))
    checked = judge_results([document], None, None)
    assert checked.verdict == (Verdict.BAD if by_other else Verdict.GOOD)
    assert answer_of(document).judged == headline_of(checked)
