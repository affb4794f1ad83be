"""`beff check`: expectations, earlier results, hosts among each other, hardware; exit codes."""

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
from support.reports import run_beff
from support.results import make_result

SLOW_UPLINK = Machine(leaves(2, 6, hop=3.0, taper=2), passes=20)
"""Two hosts to which short messages take three times as long; both at once get a half."""


def suspect() -> Fields:
    """A result in which node4 is slow, but not alone."""
    fields = make_map(flat(8, slow={3: 2.0}))
    again = fields["retests"]
    again["small_ns"], again["large_ns"] = ([ns] * len(again["first"]) for ns in (1800, 90_000))
    return fields


def checked(*arguments: object, folder: Path | None = None) -> tuple[int, Fields]:
    """Exit code and object."""
    done = run_beff("check", *arguments, "--json", folder=folder)
    return done.returncode, json.loads(done.stdout)


def test_only_who_is_good_in_all_results_is_a_good_host(tmp_path: Path) -> None:
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
        _, found = checked(*(files[name] for name in names))
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


SLOW = make_map(flat(8, slow={3: 3.0}))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (changed, "does not verify: summary.b_eff_MBps"),
        (lambda: make_map(flat(8), complete=False), "partial"),
        (lambda: make_result(replace(PLAN, methods=("sendrecv",))), "not valid: only by sendrecv"),
        (lambda: {**make_map(flat(8)), "digest": SLOW["digest"]}, "does not verify: digest."),
        (lambda: in_environment("oversubscribed"), "more processes than cores"),
        (lambda: in_environment("simulated"), "simulated"),
        (result, "not checked"),
    ],
)
def test_what_is_in_doubt_is_never_good(
    fields: Callable[[], Fields], reason: str, tmp_path: Path
) -> None:
    """Even beside a good result, and against an expectation that it meets."""
    good = write(tmp_path / "good.json", make_map(flat(8)))
    assert checked(good)[0] == 0
    file = write(tmp_path / "a.json", fields())
    content = expecting({"b_eff_MBps": [1, None, None, "MB/s"]})
    expect = [] if fields is result else ["--expect", write(tmp_path / "e.yaml", content)]
    code, told = checked(good, file, *expect)
    assert (code, told["verdict"]) == (3, "inconclusive")
    own = [each for each in told["findings"] if each["source"] == str(file)]
    assert {each["verdict"] for each in own} == {"inconclusive"}
    assert any(reason in each["sentence"] for each in own)
    code, told = checked(file, *expect)
    assert (code, told["good_hosts"]) == (3, [])


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
    entry: dict[str, Any], missing: str | None, tmp_path: Path
) -> None:
    content = expecting({"b_eff_MBps": [1, 0, None, "MB/s"]})
    content["expectations"].append({**content["expectations"][0], **entry})
    file, expect = write(tmp_path / "a.json", result()), write(tmp_path / "e.yaml", content)
    code, told = checked(file, "--expect", expect)
    assert code == (3 if missing else 0)
    open_ones = [one["about"] for one in told["findings"] if one["verdict"] == "inconclusive"]
    assert open_ones == ([missing] if missing else [])


def test_wrong_data_is_bad(tmp_path: Path) -> None:
    fields = result(valid=False)
    fields["data_check"]["wrong_messages"] = 3
    done = run_beff("check", write(tmp_path / "a.json", fields))
    assert done.returncode == 1
    assert done.stdout.startswith("bad: data")


def test_partial_runs_of_a_measurement_are_named(tmp_path: Path) -> None:
    write(tmp_path / "a.json", result())
    write(tmp_path / "part.json", result(complete=False))
    write(tmp_path / "e.yaml", expecting({"b_eff_MBps": [1, None, None, "MB/s"]}))
    assert checked("a.json", "--expect", "e.yaml", folder=tmp_path)[0] == 0
    done = run_beff("check", "a.json", "part.json", "--expect", "e.yaml", folder=tmp_path)
    assert done.returncode == 3
    assert "part.json" in done.stdout


# --- `beff check --baseline`: results against earlier ones ---


def test_a_result_is_no_earlier_one_of_itself(tmp_path: Path) -> None:
    """Five runs and the slow one that is checked: it must not count on their side."""
    old = tmp_path / "old"
    for number in range(5):
        write(old / f"{number}.json", result(1 + number / 5000))
    file = write(tmp_path / "new.json", result(1.3))
    code, told = checked(file, "--baseline", old)
    (before,) = told["findings"]
    copy = write(old / "copy.json", result(1.3))
    write(old / "1 again.json", result(1 + 1 / 5000))
    again, told = checked(file, "--baseline", old)
    (after,) = told["findings"]
    assert again == code
    assert after["sentence"].startswith(before["sentence"])
    assert after["sentence"].endswith(f": {copy}")
    code, told = checked(old, "--baseline", old)
    assert (code, [one["verdict"] for one in told["findings"]]) == (3, ["inconclusive"])


def test_each_day_that_is_checked_is_judged(tmp_path: Path) -> None:
    """The second of three is slow; a copy of it counts once, and is named."""
    for day in range(6):
        write(tmp_path / "old" / f"{day}.json", result(1 + day / 5000, day=1 + day))
    new = [
        str(write(tmp_path / f"{day}{again}.json", result(slower, day=day)))
        for day, slower, again in ((9, 1.0, ""), (10, 1.5, ""), (10, 1.5, "again"), (11, 1.001, ""))
    ]
    code, told = checked(*new, "--baseline", tmp_path / "old")
    findings = told["findings"]
    assert code == 1
    assert [one["verdict"] for one in findings] == ["good", "bad", "good"]
    assert findings[1]["source"] == new[1]
    assert all(file in findings[1]["sentence"] for file in new[1:3])
