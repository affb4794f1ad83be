"""`beff check --expect`: tolerances, and what is wrong in a file of expectations."""

from typing import Any

import pytest
from support.checks import LMAX, expecting, result

from beff.judge.expectations import (
    check_expectations,
    read_expectations,
)
from beff.judge.finding import Verdict
from beff.result.errors import ResultError
from beff.result.load import check_document
from beff.show.parts.findings import sentence_of


def test_what_is_not_expected_cannot_be_said() -> None:
    run = check_document("a.json", result())
    reference = {"b_eff_MBps": [1.0, None, None, "MB/s"]}
    other = read_expectations("e.yaml", expecting(reference, processes=4))
    (finding,) = check_expectations(run, other)
    assert finding.verdict == Verdict.UNKNOWN
    unknown = read_expectations("e.yaml", expecting({"rmax_gflops": [1, 0, 0, "GFLOP/s"]}))
    (finding,) = check_expectations(run, unknown)
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
    (finding,) = check_expectations(run, read_expectations("e.yaml", content))
    assert finding.verdict == verdict
    assert says in sentence_of(finding)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "e.yaml: must hold 'expectations:' and under it entries with 'benchmark'"),
        ({"expectations": [{"reference": {}}]}, "e.yaml: expectations[0]: 'benchmark' is missing"),
        (expecting({"b_eff_MBps": [1, 0.1, 0.1, "MB/s"]}), "reference.b_eff_MBps[1]: "),
        (
            expecting({"b_eff_MBps": [1, 0, 0, "us"]}),
            "e.yaml: expectations[0]: b_eff_MBps is in MB/s, not in us; give the value in MB/s",
        ),
        (expecting({"b_eff_MBps": [1, "5%", 0, "MB/s"]}), "tolerances as shares or null, as in ["),
        (expecting({}), "expectations[0].reference: "),
        (expecting({"b_eff_MBps": [1, 0, 0, "MB/s"]}, processes=0), "expectations[0].processes: "),
        (expecting({}, benchmark="b_ef"), "must be 'b_eff', 'b_eff_io' or 'b_pairs'"),
        (expecting({"b_eff_MBps": [1, 0]}), "reference.b_eff_MBps"),
        (expecting({"b_eff_MBps": [1, 0, 0, "MB/s"]}) | {"tolerance": 5}, "e.yaml: tolerance: "),
        (
            expecting({"b_eff_MBps": [1, 0, 0, "MB/s"]}, proceses=3),
            "expectations[0].proceses: is not known; known are benchmark, definition, procedure, ",
        ),
    ],
)
def test_wrong_expectations_are_one_sentence(content: Any, sentence: str) -> None:
    with pytest.raises(ResultError, match=r"^e\.yaml: ") as problem:
        read_expectations("e.yaml", content)
    assert sentence in str(problem.value)
    assert "\n" not in str(problem.value)
