"""The answer on a terminal: how wide its lines are, how many, and what they hold."""

from __future__ import annotations

import json
import os
import shutil
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
from beff.judge.day_rule import Word
from beff.judge.earlier_runs import against_earlier, earlier_documents
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
    fields["digest"]["samples"] = "".join(filter(str.isdigit, began)).ljust(16, "0")
    return check_document(f"{began}.json", fields)


def with_value(run: Document, value_MBps: float) -> Document:  # noqa: N803 - the unit
    fields = json.loads(json.dumps(run.fields))
    fields["summary"]["b_eff_MBps"] = value_MBps
    return check_document(run.source, fields)


def test_against_earlier_runs_that_were_measured_alike() -> None:
    days = [f"2026-11-0{day}T00:00:00Z" for day in range(1, 6)]
    values = (100.0, 104.0, 98.0, 102.0, 97.0)
    runs = [with_value(run_of(day), value) for day, value in zip(days, values, strict=True)]
    other = run_of("2026-10-01T00:00:00Z", definition="3.1")
    found = against_earlier(runs[3], [*reversed(runs), other])
    assert found is not None
    # 102 to the geometric mean of 100, 104 and 98: not the later one, not itself
    assert found.change == pytest.approx(102 / (100 * 104 * 98) ** (1 / 3) - 1)
    assert found.words == "+1.4 % against 3 earlier runs: cannot say"
    steady = [with_value(run_of(day), 100 + n / 10) for n, day in enumerate(days)]
    for value, word in ((100.3, Word.AS_FAST), (90.0, Word.SLOWER)):
        last = against_earlier(with_value(run_of("2026-11-06T00:00:00Z"), value), steady)
        assert last is not None
        assert last.word == word
    assert against_earlier(runs[0], runs) is None
    elsewhere = against_earlier(runs[1], [with_value(run_of(days[0], host="b"), 100.0)])
    assert elsewhere is not None
    assert elsewhere.words.endswith("1 earlier run on other hosts: cannot say")


def test_the_newest_runs_beside_it_are_read_where_the_folder_is_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seven were written in the order g, f, ... a, of which five are read; another name is none."""
    for age, name in enumerate("abcdefgh"):
        (tmp_path / name).mkdir()
        file = tmp_path / name / ("b_eff_2p.json" if name != "h" else "other.json")
        shutil.copy(DATA / "b_eff_2p_valid.json", file)
        os.utime(file, (1000 - age, 1000 - age))
    (tmp_path / "own").mkdir()
    own = tmp_path / "own" / "b_eff_2p.json"
    shutil.copy(DATA / "b_eff_2p_valid.json", own)
    assert [Path(run.source).parent.name for run in earlier_documents(own)] == [*"edcba"]
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    assert earlier_documents(own) == []


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
    assert against_earlier(second, [first]) is None
    assert against_earlier(third, [first, second]) is not None
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
