"""Points of the diagrams, by numbers computed by hand."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from support.reports import B_EFF, B_EFF_IO, STOPPED_IO, document_of

from beff.charts.b_eff import (
    Loops,
    loops_of,
    pattern_rows,
)
from beff.charts.b_eff_io import (
    IoSubject,
    chunk_rows,
    io_subject,
)
from beff.charts.b_eff_shares import share_rows
from beff.charts.several import values_of
from beff.charts.table import charts_of
from beff.result.load import as_b_eff, as_b_eff_io, check_document
from beff.verify.subject import LabelledResult, Subject

HOST = 'node <7> & "co"'


def small() -> dict[str, Any]:
    """A real result cut down to two rings, two methods and two sizes, with times by hand."""
    document = copy.deepcopy(document_of(B_EFF))
    document["methods"] = ["sendrecv", "persistent"]
    document["patterns"] = document["patterns"][:2]
    document["environment"]["hosts"] = [
        {"name": "a", "processes": 1},
        {"name": HOST, "processes": 1},
    ]
    document["environment"]["placement"] = "0 1"
    document["environment"]["nodes"] = 2
    loops = [
        # pattern, size, method, repetition, loop length, slowest time, slowest rank
        (0, 0, 0, 0, 1000, 0.001, 0),  # 1 byte · 2 messages · 1000 / 1 ms = 2 MB/s
        (0, 0, 0, 1, 1000, 0.0005, 1),  # 4 MB/s, the best
        (0, 0, 1, 0, 1000, 0.0001, 0),  # 20 MB/s, but by a method that does not count
        (1, 0, 0, 0, 1000, 0.002, 0),  # 1 MB/s
        (0, 12, 0, 0, 10, 0.0001, 0),  # 4096 · 2 · 10 / 0.1 ms = 819.2 MB/s
    ]
    names = ("pattern", "size", "method", "repetition", "loop_length", "time_max_s", "slowest_rank")
    columns = dict(zip(names, map(list, zip(*loops, strict=True)), strict=True))
    for name in ("time_avg_s", "time_min_s"):
        columns[name] = columns["time_max_s"]
    document["samples"] = columns
    return document


def loops_in(document: dict[str, Any]) -> Loops:
    return loops_of(as_b_eff(check_document("small", document)))


def test_a_point_is_the_best_loop_of_the_official_methods_per_process() -> None:
    loops = loops_in(small())
    first, last = pattern_rows(loops, loops.best, loops.result.patterns[0])
    assert (first.x, last.x) == (1, 4096)
    assert first.y == pytest.approx(2.0)
    assert last.y == pytest.approx(409.6)
    assert first.text == (
        "rings of 2, 1 B: 2 MB/s per process, 4 MB/s in all; sendrecv, repetition 2, slowest rank 1"
        f" on {HOST}"
    )


def test_a_method_that_is_not_official_has_its_own_points() -> None:
    loops = loops_in(small())
    rows = pattern_rows(loops, loops.of_method("persistent"), loops.result.patterns[0])
    assert [row.y for row in rows] == [pytest.approx(10.0), None]


def test_a_size_without_a_loop_is_a_gap() -> None:
    loops = loops_in(small())
    rows = pattern_rows(loops, loops.best, loops.result.patterns[1])
    assert [row.y for row in rows] == [pytest.approx(0.5), None]


def test_the_line_goes_through_the_middle_of_valid_runs() -> None:
    """Others, and what is not valid, are beside it."""
    documents = {name: copy.deepcopy(document_of(B_EFF)) for name in "abcde"}
    for factor, (name, fields) in enumerate(documents.items(), start=1):
        fields["summary"]["b_eff_MBps"] *= factor
        fields["valid"] = name != "b"
    documents["c"]["summary"]["b_eff_MBps"] = None
    results = [
        LabelledResult(name, check_document(name, fields))
        for name, fields in sorted(documents.items(), reverse=True)
    ]
    rows = values_of(results)
    assert {row.text[0]: row.look for row in rows} == {
        "a": "beside",
        "b": "beside",
        "d": "",
        "e": "beside",
    }
    (not_valid,) = [row.text for row in rows if row.text.endswith("not valid for comparison")]
    assert not_valid[0] == "b"


def test_what_is_not_valid_is_hollow_and_said() -> None:
    valid, other = document_of(B_EFF), document_of(B_EFF)
    valid["valid"] = True
    results = tuple(
        LabelledResult(name, check_document(name, fields))
        for name, fields in (("good", valid), ("short", other))
    )
    overlay = next(one for one in charts_of(Subject(results)) if one.key == "overlay")
    assert overlay.stamp == "NOT VALID: short"
    assert overlay.title.endswith(overlay.stamp)
    for panel in overlay.panels:
        of = {m.kind: {row.series for row in m.rows} for m in panel.marks if m.rows}
        assert of["point"] == {"good"}
        assert of["hollow"] == {"short"}
    assert {one.stamp for one in charts_of(Subject(results[1:]))} == {"NOT VALID"}
    assert {one.stamp for one in charts_of(Subject(results[:1]))} == {""}


# --- b_eff_io ---


def io_of(document: dict[str, Any]) -> IoSubject:
    return io_subject("io", as_b_eff_io(check_document("io", document)))


def test_what_a_stopped_run_did_not_measure_is_a_gap() -> None:
    subject = io_of(document_of(STOPPED_IO))
    rows_of = chunk_rows(subject, 1)
    samples = subject.result.samples
    measured = {
        number
        for number, partition, status in zip(
            samples.pattern, samples.partition, samples.status, strict=True
        )
        if partition == 1 and status == "measured"
    }
    names = {entry.type: entry.name for entry in subject.result.type_names}
    (stopped,) = {p.type for p in subject.result.patterns if p.number == samples.pattern[-1]}
    in_table = [p for p in subject.result.patterns if p.type == stopped and p.position is not None]
    gaps = [p.number not in measured for p in sorted(in_table, key=lambda p: p.l_bytes or 0)]
    assert set(gaps) == {True, False}
    kind = f"type {stopped}: {names[stopped]}"
    assert [row.y is None for row in rows_of[kind, "write"]] == gaps
    assert all(row.y is None for name in names.values() for row in rows_of.get((name, "read"), ()))


def test_the_first_partition_shown_gives_the_value_or_has_most_samples() -> None:
    complete = io_of(document_of(B_EFF_IO))
    assert complete.best is not None
    processes = complete.result.partitions[complete.best].processes
    assert processes == complete.result.summary.processes
    assert io_of(document_of(STOPPED_IO)).best == 0
    nothing = document_of(STOPPED_IO)
    nothing["samples"]["bandwidth_MBps"] = [None] * len(nothing["samples"]["bandwidth_MBps"])
    assert io_of(nothing).best is None


def test_shares_of_the_ping_pong() -> None:
    assert share_rows(loops_in(small())) == []
    document = small()
    document["patterns"][1] |= {"name": "ping-pong", "group": "additional", "averaged": False}
    (row,) = share_rows(loops_in(document))
    # of the ping-pong all that moves, 1 MB/s; it was not measured at 4 KiB
    assert row.y == pytest.approx(100 * 2.0 / 1.0)
    assert row.low == pytest.approx(100 * 1.0 / 1.0)  # by the worst repetition
