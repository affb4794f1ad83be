"""`beff check --expect`: tolerances, and what is wrong in a file of expectations."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from support.checks import LMAX, expecting, result
from support.io_results import make_io_result
from support.machines.flat import flat
from support.machines.result import derived, underived_map
from support.printed import T3E

from beff.importers.printed import Printed
from beff.importers.table import IMPORTERS
from beff.judge.expectations import (
    check_expectations,
    load_expectations,
    read_expectations,
)
from beff.judge.finding import Verdict
from beff.maps.network_text import network_sentences
from beff.report.parts.findings import sentence_of
from beff.result.errors import ResultError
from beff.result.load import Document, check_document
from beff.store.acceptance import accept


@pytest.mark.parametrize(
    ("lower", "upper", "factor", "verdict"),
    [
        (-0.1, 0.1, 1.05, Verdict.GOOD),
        (-0.1, 0.1, 1.15, Verdict.BAD),
        (-0.1, None, 0.5, Verdict.GOOD),
        (None, 0.1, 2.0, Verdict.GOOD),
        (-0.1, 0.1, 0.85, Verdict.BAD),
    ],
)
def test_tolerances(
    lower: float | None, upper: float | None, factor: float, verdict: Verdict
) -> None:
    """The expected value is `factor` times what was measured."""
    run = check_document("a.json", result())
    value = run.fields["summary"]["b_eff_MBps"] * factor
    content = expecting({"b_eff_MBps": [value, lower, upper, "MB/s"]}, processes=8, nodes=8)
    (finding,) = check_expectations(run, read_expectations("e.yaml", content)).findings
    assert (finding.about, finding.verdict) == ("b_eff_MBps", verdict)


def test_what_is_not_expected_cannot_be_said() -> None:
    run = check_document("a.json", result())
    reference = {"b_eff_MBps": [1.0, None, None, "MB/s"]}
    other = read_expectations("e.yaml", expecting(reference, processes=4))
    (finding,) = check_expectations(run, other).findings
    assert finding.verdict == Verdict.UNKNOWN
    unknown = read_expectations("e.yaml", expecting({"rmax_gflops": [1, 0, 0, "GFLOP/s"]}))
    (finding,) = check_expectations(run, unknown).findings
    assert finding.verdict == Verdict.UNKNOWN
    assert (finding.code, finding.about) == ("figure not there", "rmax_gflops")


@pytest.mark.parametrize(
    ("conditions", "verdict", "says"),
    [
        ({}, Verdict.GOOD, ""),
        ({"lmax_bytes": round(1.05 * LMAX)}, Verdict.GOOD, ""),  # the system was updated
        (
            {"lmax_bytes": 128 << 20},
            Verdict.UNKNOWN,
            "L_max: 128 MiB expected, 1 MiB in the result",
        ),
        ({"definition": "3.1"}, Verdict.UNKNOWN, "definition: 3.1 expected, 3.5 in the result"),
        ({"definition": 3.5}, Verdict.GOOD, ""),  # as YAML reads it
        ({"processes": 4}, Verdict.UNKNOWN, "processes: 4 expected, 8 in the result"),
        ({"nodes": 8, "processes": 8}, Verdict.GOOD, ""),
        ({"nodes": 2}, Verdict.UNKNOWN, "nodes: 2 expected, 8 in the result"),
        ({"definition": None}, Verdict.UNKNOWN, "does not state under which definition"),
        ({"lmax_bytes": None}, Verdict.UNKNOWN, "does not state under which L_max"),
    ],
)
def test_nothing_is_good_under_other_conditions(
    conditions: dict[str, Any], verdict: Verdict, says: str
) -> None:
    run = check_document("a.json", result())
    content = expecting({"b_eff_MBps": [1, None, None, "MB/s"]}, **conditions)
    (finding,) = check_expectations(run, read_expectations("e.yaml", content)).findings
    assert finding.verdict == verdict
    assert says in sentence_of(finding)


@pytest.mark.parametrize(
    ("conditions", "verdict"),
    [
        ({}, Verdict.GOOD),
        ({"procedure": "original"}, Verdict.UNKNOWN),
        ({"time_s": 60}, Verdict.UNKNOWN),
        ({"definition": "2.1"}, Verdict.UNKNOWN),
        ({"procedure": None}, Verdict.UNKNOWN),
        ({"time_s": None}, Verdict.UNKNOWN),
    ],
)
def test_conditions_of_file_io(conditions: dict[str, Any], verdict: Verdict) -> None:
    run = check_document("io.json", make_io_result())
    stated = {
        "benchmark": "b_eff_io",
        "definition": run.fields["definition"],
        "procedure": run.fields["procedure"],
        "time_s": run.fields["schedule"]["time_s"],
        "reference": {"b_eff_io_MBps": [1, None, None, "MB/s"]},
    }
    content = {"expectations": [{**stated, **conditions}]}
    (finding,) = check_expectations(run, read_expectations("e.yaml", content)).findings
    assert finding.verdict == verdict


def map_with_bisection(processes: int) -> Document:
    """Return a map of four hosts, whose pairs take 1 ms for 1 MiB each way by each process."""
    fields, mib, ns = underived_map(flat(4)), 1 << 20, 1_000_000
    fields["plan"]["bisection"] = {
        **{"message_bytes": mib, "processes": processes, "steps": 2, "random_halves": 0},
        **{"first_half": None, "longest_s": 600.0, "at_10_GBps_s": 1.0},
    }
    steps = {"sum_MBps": [2 * processes * 2 * mib * 1e3 / ns] * 2, "slowest_ns": [ns] * 2}
    fields["bisection"] = {
        "alone": {"first": [0, 1], "second": [2, 3], "ns": [ns] * 2},
        "halves": [{"kind": "order", "steps": {**steps, "first": [0, 0], "second": [2, 3]}}],
        **{"minimum": None, "took_s": 1.0},
    }
    made = derived(fields)
    return check_document(
        "map.json", {**made, "bisection": {**fields["bisection"], **made["bisection"]}}
    )


def test_a_bisection_is_of_its_processes(tmp_path: Path) -> None:
    """By two processes of a host it has twice the figure, and neither is judged by the other."""
    one, two = map_with_bisection(1), map_with_bisection(2)
    (sentence,) = network_sentences(two.result)
    assert all(said in sentence for said in ("8.39 GB/s both ways", "2 processes", "1 MiB"))
    file = tmp_path / "map.json"
    file.write_text(json.dumps(two.fields), encoding="utf-8")
    accept([file], tmp_path / "kept", 0.1, date(2026, 3, 1))
    expected = load_expectations(tmp_path / "kept" / "acceptance.yaml")
    assert expected.expectations[0].bisection_processes == 2
    (of_two,), (of_one,) = (check_expectations(run, expected).findings for run in (two, one))
    assert of_two.verdict == Verdict.GOOD
    assert of_one.verdict == Verdict.UNKNOWN
    assert "2 expected, 1 in the result" in sentence_of(of_one)


def test_a_print_does_not_tell_its_nodes() -> None:
    importer = next(importer for importer in IMPORTERS if importer.recognises(T3E))
    (fields,) = importer.read(Printed("t3e", "t3e", T3E))
    run = check_document("t3e", fields)
    reference = {"b_eff_MBps": [run.fields["summary"]["b_eff_MBps"], 0, 0, "MB/s"]}
    lmax = run.fields["message_sizes_bytes"][-1]
    anywhere, on_64 = (
        expecting(reference, lmax_bytes=lmax, **more) for more in ({}, {"nodes": 64})
    )
    (found,) = check_expectations(run, read_expectations("e.yaml", anywhere)).findings
    assert found.verdict == Verdict.GOOD
    (found,) = check_expectations(run, read_expectations("e.yaml", on_64)).findings
    assert found.verdict == Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "e.yaml: must hold 'expectations:' and under it entries with 'benchmark'"),
        ({"expectations": [{"reference": {}}]}, "e.yaml: expectations.0.benchmark: "),
        (expecting({"b_eff_MBps": [1, 0.1, 0.1, "MB/s"]}), "reference.b_eff_MBps.1: "),
        (
            expecting({"b_eff_MBps": [1, 0, 0, "us"]}),
            "e.yaml: expectations.0: b_eff_MBps is in MB/s, not in us; give the value in MB/s",
        ),
        (expecting({"b_eff_MBps": [1, "5%", 0, "MB/s"]}), "tolerances as shares or null, as in ["),
        (expecting({}), "expectations.0.reference: "),
        (expecting({"b_eff_MBps": [1, 0, 0, "MB/s"]}, processes=0), "expectations.0.processes: "),
        (expecting({}, benchmark="b_ef"), "must be 'b_eff', 'b_eff_io' or 'b_pairs'"),
        (expecting({"b_eff_MBps": [1, 0]}), "reference.b_eff_MBps"),
        (
            expecting({"b_eff_MBps": [1, 0, 0, "MB/s"]}, proceses=3),
            "expectations.0.proceses: is not known; known are benchmark, definition, procedure, ",
        ),
    ],
)
def test_wrong_expectations_are_one_sentence(content: Any, sentence: str) -> None:
    with pytest.raises(ResultError, match=r"^e\.yaml: ") as problem:
        read_expectations("e.yaml", content)
    assert sentence in str(problem.value)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("expectations: 2020-99-99", "expectations: must be a list"),
        ("expectations:\n- reference:\n    b_eff_MBps: [1:30, 0, 0, MB/s]", "expectations.0."),
        ("a: !!bool yes", "must hold fields, lists and words, and nothing else (line 1)"),
        (f"a: {'1' * 5000}", "must hold 'expectations:'"),
        ("[" * 1000, "must hold fields, lists and words, and nothing else (line 1)"),
        ("a: [1\nb: :", "is not YAML, line 2"),
        ("b: 0b", "must hold 'expectations:'"),
        ("a:\n  b: 1\n  c: 2\n  b: 3", "gives the field 'b' twice (line 4); keep one of them"),
    ],
)
def test_damaged_yaml_is_one_sentence(content: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "e.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ResultError) as problem:
        load_expectations(file)
    assert str(problem.value).startswith(f"{file}: {sentence}")
