"""Verification: good files pass, every changed number is found."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.changes import (
    Fields,
    Path,
    findings,
    first_path,
    is_caught,
    put,
)
from support.io_results import make_io_result
from support.results import SHORT, Plan, make_result

from beff.definition.digest import columns_digest
from beff.definition.verify import verify
from beff.result.b_eff_result import BEffResult
from beff.result.errors import ResultError
from beff.result.load import check_document

GOOD = {
    "short": SHORT,
    "official": Plan(),
    "2 processes": Plan(processes=2, rmax_gflops=5.0),
    "3 processes": Plan(processes=3, methods=("alltoallv", "sendrecv", "persistent")),
    "7 processes": Plan(processes=7, repetitions=2),
    "9 on three nodes": Plan(processes=9, repetitions=1, hosts=(4, 4, 1)),
    "definition 3.1": Plan(processes=6, definition="3.1", repetitions=1),
    "largest L_max": Plan(methods=("nonblocking",), memory=1 << 40),
    "some patterns": Plan(patterns=(0, 3, 39), repetitions=1),
    "some sizes": Plan(sizes=(0, 12, 20), repetitions=1),
    "stopped": Plan(measured=500),
    "nothing measured": Plan(measured=0),
}


@pytest.mark.parametrize("plan", GOOD.values(), ids=GOOD.keys())
def test_good_files_agree(plan: Plan) -> None:
    verification = verify(check_document("result", make_result(plan)))
    assert verification.findings == ()
    assert verification.figures > 100
    assert verification.samples == len(make_result(plan)["samples"]["size"])


def test_a_method_not_known_here_is_one_beside_the_value() -> None:
    text = json.dumps(make_result(Plan(methods=("nonblocking", "put_fence"), repetitions=1)))
    assert findings(json.loads(text.replace("put_fence", "new_way"))) == ()


@pytest.mark.parametrize(
    ("table", "field", "value"),
    [
        ("environment", "placement", [0, 0]),
        ("environment", "kernels", [0]),
        ("patterns", "ring_sizes", [1_000_000_000]),
    ],
)
def test_forms_that_no_release_had_are_refused(table: str, field: str, value: Any) -> None:
    document = make_result()
    target = document[table] if table == "environment" else document[table][0]
    target[field] = value
    with pytest.raises(ResultError, match=field):
        check_document("result", document)


def test_ring_sizes_are_recomputed() -> None:
    document = make_result()
    document["patterns"][0]["ring_sizes"] = "1000000000"
    (found,) = verify(check_document("result", document)).findings
    assert found.path == "patterns[0].ring_sizes"


def test_only_the_official_schedule_is_valid() -> None:
    valid = {name: make_result(plan)["valid"] for name, plan in GOOD.items()}
    assert {name for name, value in valid.items() if value} == {"official", "2 processes"}


def test_a_pattern_that_no_method_measures_is_a_criterion_not_met() -> None:
    document = make_result(GOOD["nothing measured"])
    document["patterns"] = [pattern for pattern in document["patterns"] if pattern["id"] == 39]
    document["methods"] = ["alltoallv"]
    assert findings(document)


def test_partial_results_have_no_value() -> None:
    summary = make_result(GOOD["stopped"])["summary"]
    assert summary["b_eff_MBps"] is None
    assert summary["lmax_bytes"] == 1 << 20


@pytest.mark.parametrize("part", list(make_result()["accounting"]))
def test_every_part_of_the_time_is_caught(part: str) -> None:
    document = make_result()
    document["accounting"][part] += 1e-6
    assert first_path(document).startswith("accounting.")


@pytest.mark.parametrize("column", list(make_result()["samples"]))
def test_every_column_of_the_samples_is_caught(column: str) -> None:
    document = make_result()
    document["samples"][column][17] += 1
    assert is_caught(document)


@settings(max_examples=25)
@given(place=st.integers(0, 10**6), factor=st.sampled_from([0.5, 0.99, 1.01, 2.0]))
def test_a_changed_time_under_a_digest_of_its_own_is_caught(place: int, factor: float) -> None:
    """With one loop of each cell, each of them enters a figure."""
    document = make_result()
    times = document["samples"]["time_max_s"]
    times[place % len(times)] *= factor
    changed = check_document("result", document).result
    assert isinstance(changed, BEffResult)
    document["digest"]["samples"] = columns_digest(changed.samples.digested())
    paths = [finding.path for finding in findings(document)]
    assert paths
    assert "digest.samples" not in paths


def test_a_sample_that_enters_no_figure_is_caught_by_the_digest() -> None:
    document = make_result(GOOD["official"])
    samples = document["samples"]
    samples["time_avg_s"][40] *= 0.999
    assert [finding.path for finding in findings(document)] == ["digest.samples"]


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (("environment", "hosts", 0, "processes"), 5, "environment"),
        (("environment", "hosts", 0, "name"), "node9", "environment.host_list[0]"),
        (("environment", "host_list"), "node[1-2]", "environment.host_list"),
        (("environment", "total_memory_bytes"), 1, "environment.total_memory_bytes"),
        (("options", "seed"), None, "options.seed"),
        (("options",), {}, "options.sizes"),
        (("options", "sizes"), [0, 21], "options.sizes"),
        (("options", "memory_per_process_bytes"), 1, "environment.memory_per_process_bytes"),
        (("options", "rmax_gflops"), 3.0, "summary.rmax_gflops"),
        (("options", "seed"), 12346, "patterns[6].seed"),
        (("options", "repetitions"), 2, "complete"),
        (("options", "definition"), "3.1", "definition"),
        (("options", "methods"), ["alltoallv"], "methods"),
        (("options", "loop_time_s"), 1e-3, "criteria[5].met"),
        (("samples", "method", 5), 1, "samples.pattern[5]"),
        (("samples", "repetition", 5), 1, "samples.pattern[5]"),
        (("samples", "pattern", 5), 47, "samples.pattern[5]"),
        (("digest", "samples"), "0123456789abcdef", "digest.samples"),
    ],
)
def test_contradictions_name_their_place(path: Path, value: Any, named: str) -> None:
    document = make_result()
    put(document, path, value)
    assert first_path(document).startswith(named)


def test_a_sample_given_twice() -> None:
    document = make_result()
    document["samples"]["pattern"][1] = document["samples"]["pattern"][0]
    assert first_path(document) == "samples.pattern[1]"


def test_criteria_of_newer_versions_are_left_alone() -> None:
    document = make_result()
    document["criteria"].append(
        {"code": "new", "required": 1, "found": 1, "unit": "count", "met": True}
    )
    assert findings(document) == ()


def test_ping_pong_by_another_method() -> None:
    document = make_result(Plan(repetitions=1))
    ping_pong = document["samples"]["pattern"].index(39)
    document["samples"]["method"][ping_pong] = 1
    assert first_path(document) == f"samples.pattern[{ping_pong}]"


def test_figures_of_a_method_that_was_not_used() -> None:
    document = make_result()
    document["patterns"][0]["bandwidth_by_method_MBps"]["put_fence"] = 12.0
    assert first_path(document) == "patterns[0].bandwidth_by_method_MBps"


# --- both benchmarks ---

BOTH = pytest.mark.parametrize("make", [make_result, make_io_result])


@BOTH
def test_a_criterion_taken_away(make: Callable[[], Fields]) -> None:
    document = make()
    document["criteria"] = [entry for entry in document["criteria"] if entry["code"] != "data"]
    assert first_path(document) == "criteria"


@BOTH
def test_rounding_beyond_the_tolerance_only(make: Callable[[], Fields]) -> None:
    document = make()
    value = next(name for name in document["summary"] if name.startswith("b_eff"))
    document["summary"][value] *= 1 + 1e-12
    assert findings(document) == ()
    document["summary"][value] *= 1 + 1e-8
    (finding, *_) = findings(document)
    assert finding.path == f"summary.{value}"
    assert f"{document['summary'][value]}, but should be " in str(finding)


@BOTH
def test_documents_survive_a_round_trip(make: Callable[[], Fields]) -> None:
    assert findings(json.loads(json.dumps(make(), indent=1))) == ()
