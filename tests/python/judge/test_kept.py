"""What is kept of a machine, and what is expected of it."""

import gzip
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from math import log
from pathlib import Path
from typing import Any

import pytest
from support.checks import LMAX, expecting, loaded, result
from support.reports import DATA, VALID, document_of

from beff.judge.expectations import check_expectations, read_expectations
from beff.judge.finding import Verdict
from beff.judge.kept import (
    cluster_name,
    days_of,
    history_folder,
    keep,
    kept_in,
    repetition_of,
    series_with,
)
from beff.judge.runs import Run
from beff.result.errors import BeffError, ResultError
from beff.result.load import check_document, load_document
from beff.show.parts.findings import sentence_of

DAY_S = 86400.0


def refuse(problem: ResultError) -> None:
    raise problem


def kept(runs: Path, call: str, number: int = 1, *, anew: bool = False) -> Run:
    """Keep a copy of the stored result as one of a call."""
    folder = runs / call / str(number)
    folder.mkdir(parents=True)
    for ending in (".json", ".txt", ".journal.jsonl"):
        shutil.copy(VALID, folder / f"b_eff_2p{ending}")
    return keep(load_document(folder / "b_eff_2p.json"), runs / call, anew=anew)


def test_a_result_is_kept_packed(tmp_path: Path) -> None:
    found = kept(tmp_path, "a")
    assert [path.name for path in (tmp_path / "a/1").iterdir()] == ["b_eff_2p.json.gz"]
    packed = load_document(Path(found.source))
    assert json.loads(gzip.decompress(Path(packed.source).read_bytes())) == document_of(VALID)
    summary = packed.fields["summary"]
    named = {one.name: figure for one, figure in found.figures.items()}
    assert named == {"b_eff": summary["b_eff_MBps"], "latency": summary["latency_us"]}
    assert found.alike["processes"] == "2"
    assert {"memory of the buffers", "processor"} <= found.alike.keys()
    assert {"program", "MPI library", "kernel"} <= found.others.keys()
    assert kept_in(tmp_path, refuse) == [found]


def test_what_cannot_be_used_is_named_and_left_out(tmp_path: Path) -> None:
    found, problems = kept(tmp_path, "a"), list[ResultError]()
    (tmp_path / "a/2").mkdir()
    (tmp_path / "a/2/b_eff_2p.json").write_text(VALID.read_text()[:5000])
    shutil.copy(DATA / "b_eff_io_stopped.json", tmp_path / "a/2")
    assert kept_in(tmp_path, problems.append) == [found]
    assert len(problems) == 2


def disturbed(fields: dict[str, Any]) -> None:
    fields |= loaded(fields, others_ms="9000")


def not_yet(fields: dict[str, Any]) -> None:
    started_at = fields["environment"]["started_at"]
    fields["environment"]["started_at"] = f"2062{started_at[4:]}"


@pytest.mark.parametrize(("change", "problem"), [(disturbed, ""), (not_yet, "is not yet")])
def test_what_is_no_day(
    change: Callable[[dict[str, Any]], None], problem: str, tmp_path: Path
) -> None:
    day, problems = kept(tmp_path, "a"), list[ResultError]()
    fields = json.loads(VALID.read_text())
    change(fields)
    (tmp_path / "b/1").mkdir(parents=True)
    (tmp_path / "b/1/b_eff_2p.json").write_text(json.dumps(fields))
    assert kept_in(tmp_path, problems.append) == [day]
    assert len(problems) == bool(problem)
    assert problem in "".join(map(str, problems))


def of_day(one: Run, day: float, **changed: object) -> Run:
    alike = {**one.alike, **{name.replace("_", " "): str(to) for name, to in changed.items()}}
    return replace(one, when=one.when + timedelta(days=day), folder=f"day {day}", alike=alike)


@pytest.fixture
def one() -> Run:
    return repetition_of(load_document(VALID))


def test_what_continues_a_series_and_what_does_not(one: Run) -> None:
    before = [of_day(one, 0), replace(of_day(one, 1), hosts="n7")]
    newest = of_day(one, 2)
    assert series_with(newest, [*before, newest]) == ([*before, newest], (), ())
    series = [*before, newest]
    assert [day.hosts for day in days_of(series)] == [one.hosts, "n7", one.hosts]
    updated = replace(newest, others={**one.others, "kernel": "7.0"})
    series, another, (changed,) = series_with(updated, [*before, updated])
    assert (series, another) == ([*before, updated], ())
    assert changed == f"kernel: {one.others['kernel']} before, 7.0 now"
    other = of_day(one, 2, processor="Z80", loop_time="1 ms")
    series, why, _ = series_with(other, [*before, other])
    assert series == [other]
    assert [sentence.partition(":")[0] for sentence in why] == ["loop time", "processor"]
    again = of_day(one, 3, processor="Z80", loop_time="1 ms")
    assert series_with(again, [*before, other, again]) == ([other, again], (), ())


def test_a_series_that_begins_anew_has_nothing_before(one: Run) -> None:
    before = [of_day(one, 0), of_day(one, 1)]
    anew = [replace(of_day(one, 2.0), anew=True) for _ in range(2)]
    anew[1] = replace(anew[1], when=anew[0].when + timedelta(seconds=20))
    newest = of_day(one, 3)
    assert series_with(newest, [*before, *anew, newest])[0] == [*anew, newest]


def test_a_day_has_the_repetitions_of_a_session(one: Run) -> None:
    later = replace(of_day(one, 0.1), hosts="n2")
    first, second = days_of([one, later, of_day(one, 1)])
    assert first.start_s == one.when.timestamp()
    assert first.logs["b_eff"] == [log(one.value)] * 2
    assert second.start_s == one.when.timestamp() + DAY_S


def test_where_a_history_is(tmp_path: Path) -> None:
    variables = {"XDG_DATA_HOME": "/data", "BEFF_HISTORY": "/shared"}
    assert history_folder(tmp_path, variables) == tmp_path
    assert history_folder(None, variables) == Path("/shared")
    assert history_folder(None, {"XDG_DATA_HOME": "/data"}) == Path("/data/beff/history")
    assert history_folder(None, {}).parts[-2:] == ("beff", "history")


@pytest.mark.parametrize(
    ("environ", "node", "name"),
    [
        ({}, "laptop7.home", "laptop7"),
        ({"SLURM_JOB_ID": "1"}, "node-17.site", "node"),
        ({"SLURM_JOB_ID": "1"}, "17", "17"),
        ({"SLURM_CLUSTER_NAME": "big/one"}, "n1", "big_one"),
        ({}, "..", "machine"),
    ],
)
def test_the_name_of_the_cluster(environ: dict[str, str], node: str, name: str) -> None:
    assert cluster_name(environ, node) == name


def test_an_imported_or_partial_result_is_of_no_use() -> None:
    with pytest.raises(BeffError):
        repetition_of(load_document(DATA / "b_eff_io_stopped.json"))


def test_a_call_that_begins_anew_says_so(tmp_path: Path) -> None:
    kept(tmp_path, "a", anew=True)
    kept(tmp_path, "b")
    assert [one.anew for one in kept_in(tmp_path, refuse)] == [True, False]


# --- `beff check --expect`: tolerances, and what is wrong in a file of expectations ---


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
        ({"buffers": "cuda"}, Verdict.UNKNOWN, "memory of the buffers: cuda expected, "),
        ({"buffers": "host"}, Verdict.GOOD, ""),
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
