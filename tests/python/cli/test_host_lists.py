"""The names by which lists and commands hold hosts."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.machines.flat import flat
from support.machines.result import make_map
from support.results import Plan, make_result

from beff.cli.app import main
from beff.cli.host_lists import hosts_of, listed
from beff.cli.nodes import print_judged
from beff.judge.judge_results import judge_results
from beff.result.load import Document, check_document


def named(hosts: dict[str, str | None]) -> dict[str, Any]:
    """Return a result of hosts by name, with Slurm's name of each where that is another."""
    fields = make_result(Plan(processes=len(hosts), hosts=(1,) * len(hosts)))
    for host, (name, node) in zip(fields["environment"]["hosts"], hosts.items(), strict=True):
        host["name"] = name
        if node is not None:
            host["node"] = node
    fields["environment"]["host_list"] = ",".join(hosts)
    return fields


def document(hosts: dict[str, str | None]) -> Document:
    return check_document("a.json", named(hosts))


def test_slurm_knows_hosts_by_names_of_its_own() -> None:
    results = [document({"n3.cluster.example": "n3", "n4.cluster.example": "n4", "login": None})]
    hosts = ["n4.cluster.example", "login"]
    assert listed(hosts, list(map(hosts_of, results))) == ("n4", "login")


def test_each_result_may_have_names_of_its_own() -> None:
    results = [document({"a.example": "a", "b": None}), document({"c.example": "c", "d": None})]
    assert listed(["d", "c.example", "b", "a.example"], list(map(hosts_of, results))) == (
        "d",
        "c",
        "b",
        "a",
    )


def test_lists_and_drain_commands_hold_the_names_of_slurm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = make_map(flat(8, slow={3: 2.0}))
    hosts = fields["environment"]["hosts"]
    for number, host in enumerate(hosts, 1):
        host |= {"name": f"n{number}.cluster.example", "node": f"n{number}"}
    fields["environment"]["host_list"] = ",".join(host["name"] for host in hosts)
    result, good, bad = tmp_path / "a.json", tmp_path / "good", tmp_path / "bad"
    result.write_text(json.dumps(fields), "utf-8")
    assert main(["check", str(result), "--good", str(good), "--bad", str(bad)]) == 1
    assert good.read_text("utf-8").split() == ["n1", "n2", "n3", "n5", "n6", "n7", "n8"]
    assert bad.read_text("utf-8").split() == ["n4"]
    capsys.readouterr()
    read = check_document("a.json", fields)
    print_judged(read, judge_results([read], None, None), "", show_all=True)
    told = capsys.readouterr().out
    assert "good together: n[1-3,5-8] (7 of 8)" in told
    assert "nodename=n4 " in told
