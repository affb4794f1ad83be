"""The headline of a verdict: short whatever was found, with names and factors, equal hosts once."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.machines.flat import flat
from support.machines.leaves import leaves
from support.machines.machine import Machine
from support.machines.noise import Noise
from support.machines.result import make_map

from beff.judge.finding import Checked, Finding, Verdict, together
from beff.judge.judge_results import judge_results
from beff.maps.findings import Evidence
from beff.report.check_files import checked_json
from beff.report.parts.answer import answer_of
from beff.report.parts.checked import folded, headline_of
from beff.report.parts.headline import (
    LONGEST,
    LONGEST_LINE,
    MOST_LINES,
    Headline,
    clipped,
    listed,
)
from beff.result.load import Document, check_document


def judged(machine: Machine, names: str = "{}", **more: Any) -> tuple[Document, Checked]:
    fields = json.loads(json.dumps(make_map(machine, **more)))
    for host in fields["environment"]["hosts"]:
        host["name"] = names.format(host["name"])
    hosts = [host["name"] for host in fields["environment"]["hosts"]]
    fields["environment"]["host_list"] = ",".join(hosts)
    document = check_document("a.json", fields)
    return document, judge_results([document], None, None)


def fits(headline: Headline) -> bool:
    lines = [*headline.lines, *([headline.command] if headline.command else [])]
    longest = max(map(len, headline.lines), default=0)
    return len(headline.text) <= LONGEST and len(lines) <= MOST_LINES and longest <= LONGEST_LINE


MACHINES = {
    "good": flat(16),
    "two slow": flat(16, slow={3: 1.6, 9: 1.3}),
    "equally slow": flat(24, slow=dict.fromkeys((2, 3, 7), 1.5)),
    "many slow": flat(40, slow={unit: 1.3 + unit / 10 for unit in range(0, 36, 3)}),
    "links": flat(16, links={(unit, unit + 8): 2.0 for unit in range(8)}),
    "two kinds": flat(16, slow=dict.fromkeys(range(8, 16), 1.3)),
    "slow uplink": Machine(leaves(2, 6, hop=3.0, taper=2), passes=20),
    "noisy": flat(8, slow={3: 3.0}, noise=Noise(1.5)),
    "very slow": flat(16, slow={5: 5000.0}),
}
SILENT = {"no_answer": {"pass": 2, "round": 6, "silent": [7], "waiting": [[1, 2]]}}


@pytest.mark.parametrize("names", ["{}", f"{{}}.{'rack' * 12}.cluster.example"])
@pytest.mark.parametrize("more", [{}, SILENT], ids=["all answer", "silent"])
@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_it_is_short_whatever_was_found(machine: Machine, more: dict[str, Any], names: str) -> None:
    document, checked = judged(machine, names, **more)
    headline = headline_of(checked)
    assert fits(headline), headline
    assert fits(answer_of(document).headline)
    assert headline.text.startswith((headline.verdict.value, "good, but "))
    assert headline.verdict == checked.verdict
    assert checked_json(checked)["headline"] == headline.text


def test_hosts_with_the_same_finding_are_one() -> None:
    """Three slow ones, then half of all, of which no good one is named."""
    _, checked = judged(flat(24, slow=dict.fromkeys((2, 3, 7), 1.5)))
    assert headline_of(checked).text.startswith("bad: host node[3-4,8] (1.")
    assert len(folded(one for one in checked.judgements if one.verdict == Verdict.BAD)) == 1
    assert checked.bad_hosts == ("node3", "node4", "node8")
    _, checked = judged(flat(16, slow=dict.fromkeys(range(8, 16), 1.3)))
    headline = headline_of(checked)
    assert "host node[9-16] (1.3" in headline.text
    assert sum("node" in line for line in headline.lines) == 1


def slow(host: str, factor: float) -> Finding:
    entry = Evidence("small", 1, factor, 9, 10, None, "slow")
    return Finding("slow", f"host {host}", Verdict.BAD, "others", {"evidence": (entry,)}, (host,))


@given(st.lists(st.floats(1.2, 9000), min_size=1, max_size=30))
def test_only_nearly_equal_factors_are_one(factors: list[float]) -> None:
    found = [slow(f"n{number}", factor) for number, factor in enumerate(factors)]
    joined = folded(found)
    assert sorted(host for one in joined for host in one.hosts) == sorted(
        host for one in found for host in one.hosts
    )
    factor_of = {one.hosts[0]: one.facts["evidence"][0].factor for one in found}
    for one in joined:
        (entry,) = one.facts["evidence"]
        assert all(abs(factor_of[host] / entry.factor - 1) < 0.11 for host in one.hosts)
    assert fits(headline_of(Checked(tuple(found))))


def test_a_doubt_about_a_run_stands_alone_before_what_would_be_good() -> None:
    _, checked = judged(flat(16))
    good = [replace(one, verdict=Verdict.UNKNOWN, doubted=True) for one in checked.findings]
    doubt = Finding("simulated", "b_pairs", Verdict.UNKNOWN, "the rules")
    headline = headline_of(Checked((*good, doubt)))
    assert headline.text == "inconclusive: simulated; else good: 16 of 16 hosts"
    assert headline.lines[0] == "b_pairs: its times are simulated"


def test_what_is_open_does_not_hide_what_is_good() -> None:
    """Of one map something beside its times, of several results one."""
    _, checked = judged(flat(16))
    facts = {"device": "mlx5_0 at 8 GT/s"}
    device = Finding("PCIe below maximum", "host node1", Verdict.UNKNOWN, "hardware", facts)
    beside = replace(checked, findings=(*checked.findings, replace(device, source="a.json")))
    assert headline_of(beside).text == "good, but host node1 (PCIe below maximum)"
    noisy = Finding("partial", "b_eff", Verdict.UNKNOWN, "the rules", source="b.json")
    several = together([checked, Checked((noisy,))])
    assert headline_of(several).text == "good, but 1 of 2 results: partial"
    assert any("b.json" in line for line in headline_of(several).lines)


@given(st.text(min_size=1, max_size=200), st.integers(30, 100))
def test_what_is_cut_fits(text: str, room: int) -> None:
    cut = clipped(text, room)
    assert len(cut) <= room
    assert cut == text or text.startswith(cut[:-2])


@given(st.lists(st.text("ab, ", min_size=1, max_size=50), min_size=1, max_size=40))
def test_what_is_not_named_is_counted(items: list[str]) -> None:
    text = listed(items, 60)
    assert len(text) <= 60
    more = re.search(r" and (\d+) more$", text)
    named = len(items) - int(more[1]) if more else len(items)
    assert named >= 1
    assert named == 1 or text.startswith(", ".join(items[:named]))
