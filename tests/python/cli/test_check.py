"""`beff check`: expectations, earlier results, hosts among each other, hardware; exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.checks import PLAN, Fields, expecting, host, result, roofs_fields, write
from support.machines.flat import flat
from support.machines.leaves import leaves
from support.machines.machine import Machine
from support.machines.result import make_map
from support.repeated import with_figures
from support.results import Plan, make_result

from beff.cli.app import main
from beff.cli.check import check_measured
from beff.judge.expectations import read_expectations
from beff.judge.finding import Verdict
from beff.judge.hosts import check_hosts, findings_of
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import pair_map
from beff.result.load import Document, as_b_pairs, check_document

SLOW_UPLINK = Machine(leaves(2, 6, hop=3.0, taper=2), passes=20)
"""Two hosts to which short messages take three times as long; both at once get a half."""


def suspect() -> Fields:
    """A result in which node4 is slow, but not alone."""
    fields = make_map(flat(8, slow={3: 2.0}))
    again = fields["retests"]
    again["small_ns"], again["large_ns"] = ([ns] * len(again["first"]) for ns in (1800, 90_000))
    return fields


def test_no_list_of_hosts_without_a_judged_host(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty list of bad hosts would say that there are none."""
    file, bad = write(tmp_path / "a.json", result()), tmp_path / "bad"
    assert main(["check", str(file), "--bad", str(bad)]) == 3
    assert f"--bad {bad}: not written" in capsys.readouterr().err
    assert not bad.exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--openmetrics", "none/j"], "--openmetrics none/j: the folder none does not exist"),
        (["--good", "", "--overwrite"], "--good .: is a folder; name a file"),
        (["--bad", "old", "--overwrite"], "--bad old: is a folder"),
        (["--bad", "./a.json", "--overwrite"], "--bad a.json: is read; choose another name"),
        (["--bad", "old/b.json", "--overwrite", "--baseline", "old"], "old/b.json: is read"),
        (["--good", "e.yaml", "--overwrite", "--expect", "e.yaml"], "--good e.yaml: is read"),
        (["--good", "same", "--bad", "./same"], "--bad same: is the file of --good, too"),
        (["--bad", "/proc/bad"], "/proc/bad cannot be written ("),
    ],
)
def test_what_cannot_be_written_is_wrong_usage(
    options: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    measured = json.dumps(make_map(flat(8)))
    for name in ("a.json", "old/b.json"):
        write(Path(name), {}).write_text(measured, encoding="utf-8")
    content = expecting({"b_eff_MBps": [1, None, None, "MB/s"]})
    write(Path("e.yaml"), content)
    assert main(["check", "a.json", *options]) == 2
    assert says in capsys.readouterr().err
    assert Path("a.json").read_text("utf-8") == Path("old/b.json").read_text("utf-8") == measured
    assert json.loads(Path("e.yaml").read_text("utf-8")) == content


def test_results_in_folders_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "runs" / "a.json", make_map(flat(8)))
    write(tmp_path / "runs" / "inner" / "b.json", make_map(flat(8, slow={3: 2.0})))
    write(tmp_path / "runs" / "other" / "none.json", {"patterns": []})
    assert main(["check", str(tmp_path / "runs"), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {Path(each["source"]).name for each in found if each["verdict"] == "bad"} == {"b.json"}
    assert {Path(each["source"]).name for each in found} == {"a.json", "b.json"}


def test_a_suspect_cannot_be_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, bad = write(tmp_path / "a.json", suspect()), tmp_path / "bad"
    assert main(["check", str(file), "--bad", str(bad)]) == 3
    assert "suspect" in capsys.readouterr().out
    assert bad.read_text("utf-8") == ""


def test_hosts_of_one_name_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A list of good hosts cannot hold a name that is a slow one's, too."""
    fields = make_map(flat(8, slow={3: 2.0}))
    for index in (2, 3):
        fields["environment"]["hosts"][index]["name"] = "twin"
    file, good = write(tmp_path / "a.json", fields), tmp_path / "good"
    assert main(["check", str(file), "--good", str(good)]) == 1
    assert "twin (host 3)" in capsys.readouterr().out
    assert "twin" not in good.read_text("utf-8")


def test_only_who_is_good_in_all_results_is_a_good_host(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Suspects, hosts behind an uplink and bad networks, though other results call them good."""
    roofs = roofs_fields(None, host("node[1-7]", 25_000.0), host("node8", 12_500.0))
    twins = suspect()
    for index in (3, 4):
        twins["environment"]["hosts"][index]["name"] = "twin"
    twins["environment"]["host_list"] = "node[1-3],twin,twin,node[6-8]"
    runs = {
        "clean": make_map(flat(8)),
        "suspect": suspect(),
        "twins": twins,
        "uplink": make_map(SLOW_UPLINK),
        "network": make_map(flat(8), roofs=roofs),
    }
    files = {name: str(write(tmp_path / f"{name}.json", fields)) for name, fields in runs.items()}

    def told(*names: str) -> tuple[str, str, str]:
        main(["check", *(files[name] for name in names), "--json"])
        found = json.loads(capsys.readouterr().out)
        good, bad, undecided = (found[f"{word}_hosts"] for word in ("good", "bad", "open"))
        return "".join(host[-1] for host in good), " ".join(bad), " ".join(undecided)

    assert told("clean", "suspect") == ("1235678", "", "node4")
    assert told("twins") == ("123678", "", "twin")
    assert told("uplink", "clean") == ("345678", "", "node1 node2")
    assert told("clean", "network") == ("1234567", "node8", "")


def test_the_pairs_beyond_a_slow_uplink_are_named(tmp_path: Path) -> None:
    fields = make_map(SLOW_UPLINK)
    findings = check_hosts(check_document("a.json", fields)).findings
    about = "pairs between node[1-2] and the others"
    *_, uplink = ways = [finding for finding in findings if finding.about == about]
    assert {one.verdict for one in ways} == {Verdict.UNKNOWN}
    assert [one.code for one in ways] == ["suspect group", "unlike uplink"]
    assert uplink.facts["crossing"] == 2
    assert uplink.facts["own_share"] == pytest.approx(0.45, abs=0.05)
    assert {finding.about for finding in findings} == {about, "hosts"}


def test_processes_are_called_so() -> None:
    pairs = replace(
        pair_map(as_b_pairs(check_document("a.json", make_map(flat(8))))), unit="process"
    )
    (finding,) = findings_of(pairs, judge_pairs(pairs))
    assert finding.about == "processes"


def test_hosts_without_a_measurement_are_not_called_good() -> None:
    fields = make_map(flat(8))
    for kind in ("small_ns", "large_ns"):
        passes = fields["passes"][kind]
        fields["passes"][kind] = [["- - - -"] * len(rounds) for rounds in passes]
    checked = check_hosts(check_document("a.json", fields))
    (finding,) = checked.findings
    assert (finding.about, finding.verdict) == ("hosts node[1-8]", Verdict.UNKNOWN)
    assert (finding.code, checked.good_hosts) == ("not tried", ())


def noisy() -> Fields:
    """A valid result whose second repetitions take half as long again."""
    fields = make_result(Plan(processes=8, hosts=(1,) * 8, methods=("sendrecv",), repetitions=2))
    samples = fields["samples"]
    slower = [1 + repetition / 2 for repetition in samples["repetition"]]
    samples["time_max_s"] = [s * f for s, f in zip(samples["time_max_s"], slower, strict=True)]
    return {**with_figures(fields), "valid": True}


def in_environment(name: str) -> Fields:
    fields = make_map(flat(8))
    return {**fields, "environment": {**fields["environment"], name: True}}


def changed() -> Fields:
    """A result whose value its samples do not give."""
    fields = result()
    value = 1.2 * fields["summary"]["b_eff_MBps"]
    return {**fields, "summary": {**fields["summary"], "b_eff_MBps": value}}


def edited_debug_build() -> Fields:
    """A Debug build that calls itself valid."""
    fields = result()
    return {**fields, "environment": {**fields["environment"], "build_type": "Debug"}}


def forged_passes() -> Fields:
    """The passes of a clean machine under the digest of one with a slow host."""
    slow = make_map(flat(8, slow={3: 3.0}))
    return {**make_map(flat(8)), "digest": slow["digest"]}


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (changed, "does not verify: summary.b_eff_MBps"),
        (lambda: make_map(flat(8), complete=False), "partial"),
        (lambda: make_result(replace(PLAN, methods=("sendrecv",))), "not valid: only by sendrecv"),
        (edited_debug_build, "does not verify: criteria["),
        (forged_passes, "does not verify: digest."),
        (lambda: in_environment("oversubscribed"), "more processes than cores"),
        (lambda: in_environment("simulated"), "simulated"),
        (noisy, "repetitions differ by"),
        (result, "not checked"),
    ],
)
def test_what_is_in_doubt_is_never_good(
    fields: Callable[[], Fields], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even beside a good result, and against an expectation that it meets."""
    good = write(tmp_path / "good.json", make_map(flat(8)))
    assert main(["check", str(good), "--json"]) == 0
    capsys.readouterr()
    file = write(tmp_path / "a.json", fields())
    content = expecting({"b_eff_MBps": [1, None, None, "MB/s"]})
    expect = [] if fields is result else ["--expect", str(write(tmp_path / "e.yaml", content))]
    assert main(["check", str(good), str(file), *expect, "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "inconclusive"
    own = [each for each in told["findings"] if each["source"] == str(file)]
    assert {each["verdict"] for each in own} == {"inconclusive"}
    assert any(reason in each["sentence"] for each in own)
    assert main(["check", str(file), *expect, "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["good_hosts"] == []


@pytest.mark.parametrize(
    ("entry", "missing"),
    [
        (
            {"benchmark": "b_pairs", "processes": 2, "nodes": 3},
            "b_pairs with 2 processes on 3 nodes",
        ),
        ({"benchmark": "b_eff_io"}, "b_eff_io"),
        ({"processes": 16}, "b_eff with 16 processes"),
        ({"nodes": 1}, "b_eff on 1 node"),
        ({"processes": 16, "optional": True}, None),
        ({"processes": 8}, None),
    ],
)
def test_a_commitment_that_nobody_handed_in_is_named(
    entry: dict[str, Any], missing: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = expecting({"b_eff_MBps": [1, 0, None, "MB/s"]})
    content["expectations"].append({**content["expectations"][0], **entry})
    file, expect = write(tmp_path / "a.json", result()), write(tmp_path / "e.yaml", content)
    assert main(["check", str(file), "--expect", str(expect), "--json"]) == (3 if missing else 0)
    found = json.loads(capsys.readouterr().out)["findings"]
    open_ones = [one["about"] for one in found if one["verdict"] == "inconclusive"]
    assert open_ones == ([missing] if missing else [])


def test_wrong_data_is_bad(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = result(valid=False)
    fields["data_check"]["wrong_messages"] = 3
    assert main(["check", str(write(tmp_path / "a.json", fields))]) == 1
    assert capsys.readouterr().out.startswith("bad: data")


def test_partial_runs_of_a_measurement_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """As `beff run --expect` has them; a run without a result has been told of already."""

    def run(name: str, **more: Any) -> Document:
        return check_document(name, result(**more))

    expected = read_expectations("e.yaml", expecting({"b_eff_MBps": [1, None, None, "MB/s"]}))
    partial = run("part.json", complete=False)
    assert check_measured([run("a.json")], expected) == 0
    assert check_measured([run("a.json"), partial], expected) == 3
    assert "part.json" in capsys.readouterr().out
    assert check_measured([], expected) == 3
