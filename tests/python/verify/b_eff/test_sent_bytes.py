"""What hosts counted as sent is what the loops sent, with warm-up and latency loops."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from support.reports import B_EFF, DATA

from beff.result.load import check_document
from beff.verify.verify import verify

Fields = dict[str, Any]


def counted(file: str) -> Fields:
    """A stored result with what its host counts: all messages stay on one host."""
    fields: Fields = json.loads((DATA / file).read_text(encoding="utf-8"))
    messages = {pattern["id"]: pattern["messages"] for pattern in fields["patterns"]}
    sizes, s = fields["message_sizes_bytes"], fields["samples"]
    sent = 0
    sweeps = set()
    for place, pattern in enumerate(s["pattern"]):
        iterations = s["loop_length"][place] + (1 if s["size"][place] <= 17 else 0)
        sent += messages[pattern] * sizes[s["size"][place]] * iterations
        sweeps.add((pattern, s["method"][place], s["repetition"][place]))
    if fields["definition"] == "3.5":  # ten iterations and one of warm-up, of 1 byte
        sent += sum(11 * messages[pattern] for pattern, _, _ in sweeps)
    fields["wires"] = {
        "payload_bytes": "0",
        "inside_bytes": str(sent),
        "retransmits": "0",
        "ports": [],
    }
    return fields


def said(fields: Fields) -> list[str]:
    return [str(found) for found in verify(check_document("x", fields)).findings]


FILES = ["b_eff_2p_valid.json", "b_eff_2p_one_method.json", "b_eff_4p_definition_3.1.json"]


@pytest.mark.parametrize("file", FILES)
def test_what_was_counted_agrees(file: str) -> None:
    assert said(counted(file)) == []


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("more", [-1, 1])
def test_another_number_does_not(file: str, more: int) -> None:
    fields = counted(file)
    sent = int(fields["wires"]["inside_bytes"])
    fields["wires"].update(payload_bytes="7", inside_bytes=str(sent - 7))
    assert said(fields) == []
    fields["wires"]["inside_bytes"] = str(sent - 7 + more)
    (found,) = said(fields)
    assert found.startswith(f"wires.inside_bytes is {sent + more} with payload_bytes, but should")
    fields["wires"]["inside_bytes"] = "-"
    assert said(fields) == []


def test_a_forger_who_makes_loops_shorter_is_found() -> None:
    """Times as they were, in loops of a tenth fewer iterations."""
    forged = copy.deepcopy(counted(B_EFF.name))
    lengths = forged["samples"]["loop_length"]
    forged["samples"]["loop_length"] = [max(1, round(length / 1.1)) for length in lengths]
    assert any("wires.inside_bytes" in text for text in said(forged))


def test_a_run_that_was_stopped_may_have_made_one_latency_loop_more() -> None:
    fields = counted(B_EFF.name)
    fields["complete"] = False
    sent = int(fields["wires"]["inside_bytes"])
    most = max(pattern["messages"] for pattern in fields["patterns"])
    for more, agrees in ((0, True), (11 * most, True), (11 * most + 1, False), (-1, False)):
        fields["wires"]["inside_bytes"] = str(sent + more)
        assert any("wires.inside_bytes" in text for text in said(fields)) != agrees
