"""Comparing documents: changes that are known, what is refused, and what is said about it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.repeated import with_figures
from support.results import Plan, make_result

from beff.analysis.compare.compare import Settings, compare
from beff.analysis.compare.report import Report, Row
from beff.analysis.compare.sentences import noise_sentences, outcome
from beff.analysis.compare.verdict import Verdict
from beff.model.load import Document, check_document

DATA = Path(__file__).resolve().parents[2] / "data"
PLAN = Plan(processes=2, methods=("sendrecv",), repetitions=2)
Fields = dict[str, Any]


def b_eff(name: str = "a.json", **changes: Any) -> Document:
    return check_document(name, {**make_result(PLAN), **changes})


def b_eff_io(name: str = "a.json") -> Document:
    return check_document(name, json.loads((DATA / "b_eff_io_short.json").read_text("utf-8")))


def slowed(factor: float, name: str = "b.json") -> Document:
    """The run with all times multiplied."""
    fields = make_result(PLAN)
    samples = fields["samples"]
    samples["time_max_s"] = [seconds * factor for seconds in samples["time_max_s"]]
    return check_document(name, with_figures(fields))


def changed(change: Callable[[Fields], None], run: Document | None = None) -> Document:
    """A copy of a run with something changed, called b.json."""
    fields = copy.deepcopy((run or b_eff()).fields)
    change(fields)
    return Document("b.json", fields)


def all_rows(report: Report) -> list[Row]:
    return [row for c in report.comparisons for table in c.tables for row in table.rows]


@pytest.mark.parametrize("run", [b_eff(), b_eff_io()], ids=lambda run: run.benchmark)
@pytest.mark.parametrize("runs", [1, 3])
def test_a_run_against_itself(run: Document, runs: int) -> None:
    report = compare([run] * runs, [run] * runs, Settings())
    assert len(all_rows(report)) > 100
    assert {row.interval.estimate for row in all_rows(report)} == {0.0}
    assert not report.slower
    assert report.decided
    assert outcome(report).startswith("no slowdown of B beyond the threshold of 5 % and noise")


@pytest.mark.parametrize("runs", [1, 3])
def test_all_times_longer_by_a_tenth(runs: int) -> None:
    report = compare([b_eff()] * runs, [slowed(1.1)] * runs, Settings())
    tables = {row.quantity.table for row in all_rows(report)}
    assert tables == {
        "values",
        "further values",
        "patterns",
        "message sizes",
        "methods",
        "patterns by size",
    }
    for row in all_rows(report):
        expected = -1 / 11 if row.quantity.more_is_better else 0.1
        assert row.interval.shares[0] == pytest.approx(expected, rel=1e-9)
    assert report.slower == (runs == 3)
    if runs == 3:
        assert {row.verdict for row in all_rows(report)} == {Verdict.SLOWER}
        assert "b_eff -9.1 %" in outcome(report)
        assert "latency +10.0 %" in outcome(report)


@settings(max_examples=4, deadline=None)
@given(st.lists(st.floats(0.5, 2), min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_swapping_and_order(factors: list[float], chance: Any) -> None:
    a = [slowed(factor, f"a{index}.json") for index, factor in enumerate(factors)]
    b = [b_eff("b0.json"), slowed(1.2, "b1.json"), slowed(0.9, "b2.json")]
    there = compare(a, b, Settings())
    back = compare(b, a, Settings())
    for one, other in zip(all_rows(there), all_rows(back), strict=True):
        assert one.interval == other.interval.reversed()
    chance.shuffle(a)
    chance.shuffle(b)
    assert compare(a, b, Settings()) == there


def test_slower_needs_threshold_and_noise() -> None:
    a = [slowed(factor) for factor in (1.0, 1.01, 0.99)]
    slow = [slowed(1.2 * factor) for factor in (1.0, 1.01, 0.99)]
    noisy = [slowed(1.2 * factor) for factor in (0.6, 1.0, 1.4)]
    assert compare(a, slow, Settings(threshold=0.05)).slower
    assert not compare(a, slow, Settings(threshold=0.25)).slower
    assert not compare(a, noisy, Settings(threshold=0.05)).slower
    assert "not clear: b_eff" in outcome(compare(a, noisy, Settings(threshold=0.05)))


def test_single_runs_need_a_large_change() -> None:
    assert not compare([b_eff()], [slowed(1.3)], Settings()).slower
    assert compare([b_eff()], [slowed(1.7)], Settings()).slower
    assert compare([b_eff()], [slowed(1.3)], Settings(assumed_noise=0.02)).slower
    only = compare([b_eff()], [slowed(1.3)], Settings()).comparisons[0]
    assert not only.noise_is_measured
    assert only.noise == pytest.approx(0.15)


def test_repetitions_that_disagree_widen_the_interval_of_single_runs() -> None:
    def disturb(fields: Fields) -> None:
        samples = fields["samples"]
        for row, repetition in enumerate(samples["repetition"]):
            samples["time_max_s"][row] *= 1 if repetition == 0 else 3

    calm = compare([b_eff()], [b_eff()], Settings()).comparisons[0]
    restless = compare([b_eff()], [changed(disturb)], Settings()).comparisons[0]
    assert restless.noise > 0.7 > calm.noise
    for before, after in zip(calm.values, restless.values, strict=True):
        assert after.interval.high > 2 * before.interval.high


def drop_partition(fields: Fields) -> None:
    del fields["partitions"][-1]


def set_in(*path: Any) -> Callable[[Fields], None]:
    *way, name, value = path

    def change(fields: Fields) -> None:
        for step in way:
            fields = fields[step]
        fields[name] = value

    return change


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (set_in("definition", "3.1"), "definition: 3.5 in a.json, 3.1 in b.json"),
        (set_in("message_sizes_bytes", -1, 1 << 24), "L_max: 1 MiB in a.json, 16 MiB in b.json"),
        (set_in("methods", ["sendrecv", "nonblocking"]), "methods: sendrecv in a.json"),
        (set_in("options", "repetitions", 7), "repetitions: 2 in a.json, 7 in b.json"),
        (set_in("options", "loop_time_s", 5e-3), "loop time: 2.50 ms in a.json, 5.00 ms in b.json"),
        (set_in("environment", "simulated", True), "simulated: real in a.json, simulated in"),
        (set_in("complete", False), "b.json is the result of a run that did not measure"),
        (set_in("data_check", "wrong_messages", 3), "measured with wrong data: 3 errors found"),
        (set_in("patterns", []), "patterns: "),
    ],
)
def test_refusals_of_b_eff(change: Callable[[Fields], None], sentence: str) -> None:
    report = compare([b_eff()], [changed(change)], Settings())
    assert [refusal for refusal in report.refusals if sentence in refusal] != []
    assert not report.decided
    assert report.comparisons == ()
    assert outcome(report) == "A and B cannot be compared"


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
        (set_in("hints", [{"requested": {"cb_nodes": "1"}}]), "hints: "),
        (set_in("medium", "All bandwidths are those of memory: x"), "what the bandwidth is of: "),
        (set_in("data_check", "wrong_chunks", 2), "wrong data: 2 errors"),
        (drop_partition, "partitions: "),
    ],
)
def test_refusals_of_b_eff_io(change: Callable[[Fields], None], sentence: str) -> None:
    report = compare([b_eff_io()], [changed(change, b_eff_io())], Settings())
    assert [refusal for refusal in report.refusals if sentence in refusal] != []


def test_runs_of_one_side_must_be_alike_too() -> None:
    other = changed(set_in("options", "repetitions", 5))
    report = compare([b_eff(), other], [b_eff()], Settings())
    assert report.refusals == ("b_eff with 2 processes: repetitions: 2 in a.json, 5 in b.json",)


def test_force_compares_anyway_and_keeps_the_reasons() -> None:
    other = changed(set_in("options", "loop_time_s", 1e-3))
    report = compare([b_eff()], [other], Settings(force=True))
    assert report.decided
    assert report.comparisons[0].differences == ("loop time: 2.50 ms in a.json, 1.00 ms in b.json",)
    assert {row.interval.estimate for row in report.comparisons[0].values} == {0.0}


def test_another_benchmark_or_number_of_processes() -> None:
    many = check_document("b.json", make_result(Plan(processes=3, methods=("sendrecv",))))
    report = compare([b_eff()], [b_eff_io("b.json")], Settings())
    assert report.refusals == (
        "b_eff with 2 processes: only in A, 1 run",
        "b_eff_io with 2 processes: only in B, 1 run",
    )
    report = compare([b_eff()], [many], Settings())
    assert report.refusals[0] == "b_eff with 2 processes: processes: 2 in a.json, 3 in b.json"
    forced = compare([b_eff()], [many], Settings(force=True))
    assert forced.comparisons[0].differences[0] == "processes: 2 in a.json, 3 in b.json"
    neither = compare([b_eff()], [b_eff_io("b.json")], Settings(force=True))
    assert not neither.decided


def test_folders_of_several_benchmarks_are_matched() -> None:
    many = check_document("3.json", make_result(Plan(processes=3, methods=("sendrecv",))))
    report = compare([b_eff(), b_eff_io(), many], [b_eff_io(), b_eff()], Settings())
    assert [comparison.name for comparison in report.comparisons] == [
        "b_eff with 2 processes",
        "b_eff_io with 2 processes",
    ]
    assert report.unpaired == ("b_eff with 3 processes: only in A, 1 run",)
    deciding = sum(len(comparison.values) for comparison in report.comparisons)
    for comparison in report.comparisons:
        assert comparison.tables[0].confidence == pytest.approx(1 - 0.05 / deciding)


def test_a_run_of_some_patterns_has_no_value_to_decide_by() -> None:
    part = check_document("a.json", make_result(Plan(processes=2, patterns=(0, 1))))
    report = compare([part], [part], Settings())
    assert report.refusals == ("b_eff with 2 processes: no value was measured in all runs",)
    forced = compare([part], [part], Settings(force=True))
    assert not forced.decided
    assert [row.quantity.table for row in all_rows(forced)].count("patterns by size") == 42


def test_remarks_name_what_may_be_the_reason() -> None:
    def change(fields: Fields) -> None:
        fields["environment"]["mpi"]["library"] = "Other MPI 2.0"
        fields["environment"]["nodes"] = 2
        fields["environment"]["omp_num_threads"] = "4"
        binding = fields["environment"]["binding"]
        binding["cores_per_process_min"], binding["cores_per_process_max"] = 2, 4

    remarks = compare([b_eff()], [changed(change)], Settings()).comparisons[0].remarks
    assert remarks == (
        "nodes: 1 in a.json, 2 in b.json",
        'OMP_NUM_THREADS: none in a.json, "4" in b.json',
        "cores of a process: not known in a.json, 2 to 4 in b.json",
        "MPI library: Model MPI 1.0 in a.json, Other MPI 2.0 in b.json",
    )


def at(second: int, factor: float = 1.0) -> Document:
    """A run that started at this second."""
    time = f"2024-05-01T10:00:{second:02}Z"
    return changed(set_in("environment", "started_at", time), slowed(factor))


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
    factors = (1.0, 1.1) * 3
    side_a = [at(second, factor) for second, factor in zip(a, factors, strict=False)]
    side_b = [at(second, factor) for second, factor in zip(b, factors, strict=False)]
    same_times = [at(1, factor) for factor in factors]
    found = compare(side_a, side_b, Settings()).comparisons[0]
    assert found.alternated == alternated
    usual = compare(same_times[: len(a)], same_times[: len(b)], Settings()).comparisons[0]
    for row, other in zip(found.values, usual.values, strict=True):
        wide = row.interval.high - row.interval.low
        narrow = other.interval.high - other.interval.low
        assert wide == pytest.approx(narrow * (1 if alternated else 1.8))
    told = " ".join(noise_sentences(found))
    assert ("1.8 times as wide" in told) == (not alternated)
