"""`beff check`: expectations, earlier results, hosts among each other, hardware; exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from slow_hosts.machine import Machine
from support.checks import PLAN, Fields, expecting, host, result, roofs_fields, write
from support.machines.measure import flat, leaves
from support.machines.result import make_map
from support.results import make_result

from beff.cli.app import main

SLOW_UPLINK = Machine(leaves(2, 6, hop=3.0, taper=2), passes=20)
"""Two hosts to which short messages take three times as long; both at once get a half."""


def suspect() -> Fields:
    """A result in which node4 is slow, but not alone."""
    fields = make_map(flat(8, slow={3: 2.0}))
    again = fields["retests"]
    again["small_ns"], again["large_ns"] = ([ns] * len(again["first"]) for ns in (1800, 90_000))
    return fields


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


def in_environment(name: str) -> Fields:
    fields = make_map(flat(8))
    return {**fields, "environment": {**fields["environment"], name: True}}


def changed() -> Fields:
    """A result whose value its samples do not give."""
    fields = result()
    value = 1.2 * fields["summary"]["b_eff_MBps"]
    return {**fields, "summary": {**fields["summary"], "b_eff_MBps": value}}


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
        (forged_passes, "does not verify: digest."),
        (lambda: in_environment("oversubscribed"), "more processes than cores"),
        (lambda: in_environment("simulated"), "simulated"),
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


def test_partial_runs_of_a_measurement_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("a.json"), result())
    write(Path("part.json"), result(complete=False))
    write(Path("e.yaml"), expecting({"b_eff_MBps": [1, None, None, "MB/s"]}))
    assert main(["check", "a.json", "--expect", "e.yaml"]) == 0
    assert main(["check", "a.json", "part.json", "--expect", "e.yaml"]) == 3
    assert "part.json" in capsys.readouterr().out


# --- `beff check --baseline`: results against earlier ones ---


def days_of(folder: Path, days: int = 6) -> None:
    for number in range(days):
        write(folder / f"{number}.json", result(1 + number / 5000, day=1 + number))


def test_a_result_is_no_earlier_one_of_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five runs and the slow one that is checked: it must not count on their side."""
    old = tmp_path / "old"
    for number in range(5):
        write(old / f"{number}.json", result(1 + number / 5000))
    file = write(tmp_path / "new.json", result(1.3))
    command = ["check", str(file), "--baseline", str(old), "--json"]
    code = main(command)
    (before,) = json.loads(capsys.readouterr().out)["findings"]
    copy = write(old / "copy.json", result(1.3))
    write(old / "1 again.json", result(1 + 1 / 5000))
    assert main(command) == code
    (after,) = json.loads(capsys.readouterr().out)["findings"]
    assert after["sentence"].startswith(before["sentence"])
    assert after["sentence"].endswith(f": {copy}")
    assert main(["check", str(old), "--baseline", str(old), "--json"]) == 3
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["verdict"] == "inconclusive"


def test_each_day_that_is_checked_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second of three is slow; a copy of it counts once, and is named."""
    days_of(tmp_path / "old")
    new = [
        str(write(tmp_path / f"{day}{again}.json", result(slower, day=day)))
        for day, slower, again in ((9, 1.0, ""), (10, 1.5, ""), (10, 1.5, "again"), (11, 1.001, ""))
    ]
    assert main(["check", *new, "--baseline", str(tmp_path / "old"), "--json"]) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [one["verdict"] for one in findings] == ["good", "bad", "good"]
    assert findings[1]["source"] == new[1]
    assert all(file in findings[1]["sentence"] for file in new[1:3])
