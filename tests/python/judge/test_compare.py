"""Comparing documents: changes that are known, what is refused, and what is said about it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.repeated import with_figures
from support.results import Plan, make_result
from support.sides import PLAN, Fields, at, b_eff, b_eff_io, changed, second, set_in, slowed

from beff.judge.compare import CompareSettings, Report, compare
from beff.judge.day_rule import ERROR, Word
from beff.judge.series import JudgedFigure
from beff.report.parts.comparison import (
    basis_text,
    headline_of_report,
    is_assumed,
    order_sentences,
)
from beff.result.load import Document, check_document

HINT = {
    **{"partition": 0, "access": "write", "type": 0, "pattern": None},
    **{"requested": {"cb_nodes": "1"}, "accepted": {}},
}


def all_rows(report: Report) -> list[JudgedFigure]:
    return [row for c in report.comparisons for table in c.tables for row in table.rows]


def changes_of(rows: Sequence[JudgedFigure]) -> set[float]:
    return {row.shares[1] for row in rows}


def text_of(report: Report) -> str:
    return headline_of_report(report).text


NOISE = (1.0, 1.001, 0.999)


@pytest.mark.parametrize("run", [b_eff(), b_eff_io()], ids=lambda run: run.benchmark)
@pytest.mark.parametrize("runs", [1, 3])
def test_copies_of_a_run_are_one_run(run: Document, runs: int) -> None:
    """One run a side cannot tell, and copies of it can tell no more."""
    report = compare([run] * runs, [run] * runs, CompareSettings())
    assert len(all_rows(report)) > 100
    assert changes_of(all_rows(report)) == {0.0}
    assert report.word is Word.OPEN
    assert report.is_whole
    assert [one.source for one in report.comparisons[0].sides.a] == ["a.json"]
    assert len(report.copies) == 2 * (runs - 1) + 1
    assert len(set(report.copies)) == min(runs, 2)
    known = compare([run], [run], CompareSettings(assumed_noise=0.01))
    assert known.word is Word.AS_FAST


def test_quiet_runs_rule_a_slowdown_out() -> None:
    a, b = ([slowed(factor * f) for f in NOISE] for factor in (1.0, 1.0002))
    report = compare(a, b, CompareSettings())
    assert report.word is Word.AS_FAST
    assert text_of(report) == "no slowdown of B by 5 %"
    assert {row.word for row in report.comparisons[0].day.figures} == {Word.AS_FAST}


def short_messages_slower(factor: float) -> Document:
    """Messages of 2 byte to 4 KiB take twice as long, those of 1 byte as long as before."""
    fields = make_result(PLAN)
    samples = fields["samples"]
    samples["time_max_s"] = [
        seconds * factor * (2 if 1 <= size <= 12 else 1)
        for size, seconds in zip(samples["size"], samples["time_max_s"], strict=True)
    ]
    return check_document("b.json", with_figures(fields))


def test_message_sizes_decide() -> None:
    """Latency and L_max are as before, and b_eff loses little: the sizes tell."""
    a, b = ([of(f) for f in NOISE] for of in (slowed, short_messages_slower))
    report = compare(a, b, CompareSettings())
    (comparison,) = report.comparisons
    assert report.word is Word.SLOWER
    values, sizes = (
        next(table.rows for table in comparison.tables if table.name == name)
        for name in ("values", "message sizes")
    )
    assert [row.word for row in sizes[1:13]] == [Word.SLOWER] * 12
    assert values[-1].word is Word.AS_FAST


@pytest.mark.parametrize("runs", [1, 3])
def test_all_times_longer_by_a_fifth(runs: int) -> None:
    a, b = ([slowed(factor * f) for f in NOISE[:runs]] for factor in (1.0, 1.2))
    report = compare(a, b, CompareSettings())
    tables = {table.name for table in report.comparisons[0].tables}
    assert tables == {
        "values",
        "further values",
        "patterns",
        "message sizes",
        "methods",
        "patterns by size",
    }
    for row in all_rows(report):
        expected = -1 / 6 if row.figure.more_is_better else 0.2
        assert row.shares[1] == pytest.approx(expected, rel=1e-9)
    assert (report.word is Word.SLOWER) == (runs == 3)
    if runs == 3:
        assert {row.word for row in all_rows(report)} == {Word.SLOWER}
        assert "b_eff -16.7 %" in text_of(report)


@settings(max_examples=4)
@given(
    st.lists(st.floats(0.5, 2), min_size=1, max_size=3, unique=True),
    st.randoms(use_true_random=False),
)
def test_swapping_and_order(factors: list[float], chance: Any) -> None:
    a = [slowed(factor, f"a{index}.json") for index, factor in enumerate(factors)]
    b = [b_eff("b0.json"), slowed(1.2, "b1.json"), slowed(0.9, "b2.json")]
    there = compare(a, b, CompareSettings())
    back = compare(b, a, CompareSettings())
    for one, other in zip(all_rows(there), all_rows(back), strict=True):
        assert one.change.estimate == -other.change.estimate
        assert one.change.half_width(0.9) == other.change.half_width(0.9)
    chance.shuffle(a)
    chance.shuffle(b)
    assert compare(a, b, CompareSettings()) == there


def test_slower_needs_threshold_and_noise() -> None:
    a = [slowed(factor) for factor in (1.0, 1.01, 0.99)]
    slow = [slowed(1.2 * factor) for factor in (1.0, 1.01, 0.99)]
    noisy = [slowed(1.2 * factor) for factor in (0.6, 1.0, 1.4)]
    assert compare(a, slow, CompareSettings(threshold=0.05)).word is Word.SLOWER
    assert compare(a, slow, CompareSettings(threshold=0.25)).word is Word.AS_FAST
    assert compare(a, noisy, CompareSettings(threshold=0.05)).word is Word.OPEN


def test_single_runs_need_a_large_change() -> None:
    assert compare([b_eff()], [slowed(1.3)], CompareSettings()).word is Word.OPEN
    assert compare([b_eff()], [slowed(2.2)], CompareSettings()).word is Word.SLOWER
    known = CompareSettings(assumed_noise=0.02)
    assert compare([b_eff()], [slowed(1.3)], known).word is Word.SLOWER
    only = compare([b_eff()], [slowed(1.3)], CompareSettings()).comparisons[0]
    assert is_assumed(only)
    assert only.day.figures[0].change.assumed_error == pytest.approx(0.15 * math.sqrt(2))


def drop_partition(fields: Fields) -> None:
    del fields["partitions"][-1]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (set_in("definition", "3.1"), "definition: 3.5 in a.json, 3.1 in b.json"),
        (
            set_in("message_sizes_bytes", -1, 1 << 24),
            "L_max: 1 MiB in a.json, 16 MiB in b.json; measure both with one --memory-per-process",
        ),
        (set_in("methods", ["sendrecv", "nonblocking"]), "methods: sendrecv in a.json"),
        (set_in("options", "repetitions", 7), "repetitions: 2 in a.json, 7 in b.json"),
        (set_in("options", "loop_time_s", 5e-3), "loop time: 2.50 ms in a.json, 5.00 ms in b.json"),
        (set_in("environment", "simulated", True), "simulated: real in a.json, simulated in"),
        (set_in("complete", False), "b.json is the result of a run that did not measure"),
        (set_in("data_check", "wrong_messages", 3), "measured with wrong data: 3 errors found"),
        (lambda fields: fields["patterns"].pop(), "patterns: "),
    ],
)
def test_refusals_of_b_eff(change: Callable[[Fields], None], sentence: str) -> None:
    report = compare([b_eff()], [changed(change)], CompareSettings())
    assert [refusal for refusal in report.refusals if sentence in refusal] != []
    assert not report.is_whole
    assert report.comparisons == ()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (set_in("definition", "2.1"), "release: "),
        (set_in("schedule", "time_s", 1800.0), "scheduled time: "),
        (set_in("schedule", "rewrite", "scatter"), "rewrite: all in a.json, scatter in b.json"),
        (set_in("schedule", "max_data_bytes", None), "bound of the data: "),
        (set_in("schedule", "max_segment_bytes", 7 << 20), "bound of a segment: "),
        (set_in("schedule", "m_part_bytes", 7 << 20), "largest chunk: "),
        (set_in("pointer", "individual"), "file pointers: shared in a.json, individual in b.json"),
        (set_in("hints", [HINT]), "hints: none in a.json, one ("),
        (
            set_in("environment", "filesystem", "in_memory", True),
            "what the bandwidth is of: read from the file system in a.json, files in memory in b",
        ),
        (set_in("data_check", "wrong_chunks", 2), "wrong data: 2 errors"),
        (drop_partition, "partitions: "),
    ],
)
def test_refusals_of_b_eff_io(change: Callable[[Fields], None], sentence: str) -> None:
    report = compare([b_eff_io()], [changed(change, b_eff_io())], CompareSettings())
    assert [refusal for refusal in report.refusals if sentence in refusal] != []


def test_hints_of_both_that_differ_are_told_apart() -> None:
    a, b = (
        changed(set_in("hints", [{**HINT, "requested": {"cb_nodes": nodes}}]), b_eff_io())
        for nodes in ("1", "2")
    )
    assert compare([a], [a], CompareSettings()).refusals == ()
    (refusal,) = compare([a], [b], CompareSettings()).refusals
    assert re.search(r": hints: one \((.*)\) in b.json, one \((?!\1)", refusal)


def test_runs_of_one_side_must_be_alike_too() -> None:
    other = changed(set_in("options", "repetitions", 5), slowed(1.01))
    report = compare([b_eff(), other], [b_eff()], CompareSettings())
    assert [text.split(": ")[1] for text in report.refusals] == ["repetitions"]


def test_force_compares_anyway_and_keeps_the_reasons() -> None:
    other = changed(set_in("options", "loop_time_s", 1e-3))
    report = compare([b_eff()], [other], CompareSettings(force=True))
    assert report.is_whole
    (difference,) = report.comparisons[0].differences
    assert difference.startswith("loop time: 2.50 ms ")
    assert changes_of(report.comparisons[0].day.figures) == {0.0}


def test_another_benchmark_or_number_of_processes() -> None:
    many = check_document("b.json", make_result(Plan(processes=3, methods=("sendrecv",))))
    report = compare([b_eff()], [b_eff_io("b.json")], CompareSettings())
    assert [text.split()[0] for text in report.refusals] == ["b_eff", "b_eff_io"]
    report = compare([b_eff()], [many], CompareSettings())
    assert report.refusals[0].split(": ")[1] == "processes"
    forced = compare([b_eff()], [many], CompareSettings(force=True))
    assert forced.comparisons[0].differences[0].startswith("processes: 2 ")
    neither = compare([b_eff()], [b_eff_io("b.json")], CompareSettings(force=True))
    assert not neither.is_whole


def test_folders_of_several_benchmarks_are_matched() -> None:
    many = check_document("3.json", make_result(Plan(processes=3, methods=("sendrecv",))))
    many_name = "b_eff with 3 processes"
    report = compare([b_eff(), b_eff_io(), many], [b_eff_io(), b_eff()], CompareSettings())
    assert [one.name for one in report.comparisons] == [
        "b_eff with 2 processes",
        "b_eff_io with 2 processes",
    ]
    assert [text.split(":")[0] for text in report.unpaired] == [many_name]
    deciding = [len(one.day.figures) for one in report.comparisons]
    assert deciding == [5 + 21, 7]
    for comparison, figures in zip(report.comparisons, deciding, strict=True):
        errors = [one.figure.error for one in comparison.day.figures]
        assert errors == [pytest.approx(0.02 / figures)] * figures


def test_of_days_the_value_has_most_of_the_error() -> None:
    a, b = on_days(range(1, 10), 1), on_days(range(10, 11), 1)
    first, *others = compare(a, b, CompareSettings()).comparisons[0].day.figures
    assert first.figure.error == pytest.approx(0.95 * ERROR)
    assert sum(one.figure.error for one in others) == pytest.approx(0.05 * ERROR)


def test_the_order_of_time_is_not_that_of_the_text() -> None:
    """17:00+14:00 is 03:00Z: A B A B."""
    a = [at("2024-05-01T17:00:00+14:00"), at("2024-05-01T19:00:00+14:00")]
    b = [at("2024-05-01T04:00:00Z"), at("2024-05-01T06:00:00Z")]
    assert compare(a, b, CompareSettings()).comparisons[0].sides.alternated


def test_a_run_far_off_is_named_and_moves_little() -> None:
    a = [slowed(factor) for factor in (1.0, 1.01, 0.99, 1.005, 0.995)]
    b = [slowed(factor, f"{factor}.json") for factor in (1.0, 1.01, 0.99, 1.003, 17.0)]
    (comparison,) = compare(a, b, CompareSettings()).comparisons
    assert len(comparison.far_off) == 1
    assert comparison.far_off[0].startswith("17.0.json: ")
    value = comparison.day.figures[0]
    assert abs(value.shares[1]) < 0.02
    assert value.change.half_width(0.9) < 0.06


def test_a_run_of_some_patterns_has_no_value_to_decide_by() -> None:
    part = check_document("a.json", make_result(Plan(processes=2, patterns=(0, 1))))
    report = compare([part], [part], CompareSettings())
    assert report.refusals == ("b_eff with 2 processes: no value was measured in all runs",)
    forced = compare([part], [part], CompareSettings(force=True))
    assert not forced.is_whole
    (by_size,) = (one for one in forced.comparisons[0].tables if one.name == "patterns by size")
    assert len(by_size.rows) == 42


def test_forced_without_a_figure_in_common_is_open() -> None:
    rings, pingpong = (
        check_document(f"{pattern}.json", make_result(Plan(processes=2, patterns=(pattern,))))
        for pattern in (0, 48)
    )
    report = compare([rings], [pingpong], CompareSettings(force=True))
    assert report.word is Word.OPEN
    assert not report.is_whole
    assert text_of(report) == "inconclusive: no value was measured in all runs"


@pytest.mark.parametrize(
    ("a", "b", "alternated"),
    [
        ((1, 3, 5), (2, 4, 6), True),
        ((1, 4, 5), (2, 3, 6), True),
        ((1, 2, 3), (4, 5, 6), False),
        ((4, 5, 6), (1, 2, 3), False),
        ((1, 2, 3, 6), (4, 5, 7, 8), True),
        ((1, 2, 3, 4, 5, 12), (6, 7, 8, 9, 10, 11), False),
        ((1, 2, 3, 4), (5,), False),
        ((1, 2, 4, 5), (3,), True),
    ],
)
def test_order_of_the_runs(a: tuple[int, ...], b: tuple[int, ...], alternated: bool) -> None:
    factors = (1.0, 1.1, 0.9) * 2
    side_a = [at(second(time), factor) for time, factor in zip(a, factors, strict=False)]
    side_b = [at(second(time), factor) for time, factor in zip(b, factors, strict=False)]
    found = compare(side_a, side_b, CompareSettings()).comparisons[0]
    assert found.sides.alternated == alternated
    assert found.sides.one_after_the_other == (max(a) < min(b) or max(b) < min(a))
    turned = [at(second(2 * place), factors[place]) for place in range(len(a))]
    other = [at(second(2 * place + 1), factors[place]) for place in range(len(b))]
    usual = compare(turned, other, CompareSettings()).comparisons[0]
    if usual.sides.alternated and not is_assumed(found):
        for row, narrow in zip(found.day.figures, usual.day.figures, strict=True):
            wider = 1 if alternated else 1.8
            assert row.change.error == pytest.approx(narrow.change.error * wider)
    told = " ".join(order_sentences(found))
    assert ("1.8 times as wide" in told) == (not alternated)
    assert ("Alternate them" in told) == found.sides.one_after_the_other


def on_days(days: range, runs: int, factor: float = 1.0) -> list[Document]:
    """Runs on days that differ by 2 % and from run to run by 0.2 %, in the seconds after ten."""
    return [
        at(
            f"2024-05-{day:02}T10:00:{n:02}Z",
            factor * (1 + 0.02 * math.sin(5 * day)) * (1 + 0.002 * math.cos(7 * day + 3 * n)),
        )
        for day in days
        for n in range(runs)
    ]


def test_two_days_do_not_show_how_much_days_differ() -> None:
    """Five quiet runs on Monday and five on Tuesday, a tenth slower."""
    monday, tuesday = on_days(range(6, 7), 5), on_days(range(7, 8), 5, 1 / 0.9)
    report = compare(monday, tuesday, CompareSettings())
    (found,) = report.comparisons
    assert report.word is Word.OPEN
    assert not found.day.by_runs
    assert is_assumed(found)
    assert "days" in basis_text(found)
    assert "--history" in headline_of_report(report).lines[1]


@pytest.mark.thorough
@pytest.mark.parametrize(("loss", "word"), [(0.03, Word.OPEN), (0.3, Word.SLOWER)])
def test_a_history_tells_how_much_days_differ(loss: float, word: Word) -> None:
    """Days that differ by 2 % say nothing of 3 %, which the runs of two days show clearly."""
    monday, tuesday = on_days(range(16, 17), 5), on_days(range(17, 18), 5, 1 / (1 - loss))
    earlier = [*on_days(range(1, 16), 5), *monday]
    report = compare(monday, tuesday, CompareSettings(threshold=0.01), earlier)
    (found,) = report.comparisons
    assert len(found.sides.history) == 75
    assert not is_assumed(found)
    assert report.word is word
    assert 0.01 < found.day.figures[0].change.error < 0.04


def test_the_folders_themselves_may_hold_the_days() -> None:
    a, b = on_days(range(1, 10), 1), on_days(range(10, 11), 1, 1 / 0.7)
    report = compare(a, b, CompareSettings())
    assert not is_assumed(report.comparisons[0])
    assert report.word is Word.SLOWER
    assert is_assumed(compare(a[:3], b, CompareSettings()).comparisons[0])


def test_runs_that_were_measured_in_another_way_are_no_history() -> None:
    others = [
        changed(set_in("options", "loop_time_s", 1e-3), run) for run in on_days(range(1, 9), 1)
    ]
    for number, run in enumerate(others):
        run.fields["digest"]["samples"] = f"{number:016}"
        times = run.fields["samples"]["time_max_s"]
        run.fields["samples"]["time_max_s"] = [seconds * (1 + number / 1e9) for seconds in times]
    a, b = on_days(range(9, 10), 3), on_days(range(10, 11), 3)
    (found,) = compare(a, b, CompareSettings(), others).comparisons
    assert found.sides.history == ()


def test_alternating_in_every_session_takes_their_levels_out() -> None:
    """The days differ by 30 %, the sides by 20 % within each: the days cancel."""
    sides: tuple[list[Document], list[Document]] = ([], [])
    for day, level in ((6, 1.0), (7, 1.3), (8, 0.8)):
        for n in range(3):
            for side, (shift, factor) in zip(sides, ((0, 1.0), (30, 1.2)), strict=True):
                time = f"2024-05-{day:02}T10:{n:02}:{shift:02}Z"
                side.append(at(time, level * factor * NOISE[n]))
    report = compare(*sides, CompareSettings())
    (found,) = report.comparisons
    assert found.day.by_runs
    value = found.day.figures[0]
    assert value.change.noise == pytest.approx(0.001, rel=0.3)
    assert value.shares[1] == pytest.approx(-1 / 6, rel=1e-3)
    assert report.word is Word.SLOWER
    assert "would look the same" not in " ".join(headline_of_report(report).lines)


def test_a_line_says_when_the_machine_may_be_to_blame() -> None:
    a, b = (
        [at(second(start + n), level * NOISE[n]) for n in range(3)]
        for start, level in ((1, 1.0), (11, 1.3))
    )
    headline = headline_of_report(compare(a, b, CompareSettings()))
    assert "b_eff -23.1 %" in headline.text
    assert "would look the same" in " ".join(headline.lines)
