"""`beff nodes --fleet DIR --show`: what all maps of a folder say of every host."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.checks import host, roofs_fields
from support.fleet_folder import map_fields, write_map
from support.machines.result import derived
from support.reports import ROOT, run_beff

from beff.cli.fleet import answer_by_fleet
from beff.judge.finding import USUAL
from beff.judge.judge_results import judge_results
from beff.result.load import load_document

MAPS = (
    (25, ("n1", "n2", "n3", "n4", "n5")),
    (20, ("n3", "n4", "n5", "n6", "n7")),
    (15, ("n1", "n5", "n6", "n8")),
    (8, ("n2", "n3", "n6", "n7", "n8")),
)


def fleet(folder: Path, maps: tuple[tuple[int, tuple[str, ...]], ...], **slow: float) -> Path:
    for seed, (ago, names) in enumerate(maps, 1):
        write_map(folder, map_fields(names, ago, slow if ago < 18 else {}, seed))
    return folder


def said(folder: Path, *options: object) -> int:
    return run_beff("nodes", "--fleet", folder, "--show", *options).returncode


@pytest.mark.parametrize(("factor", "code"), [(1.0, 0), (1.4, 3)])
def test_a_map_of_two_that_was_just_measured_is_judged_by_the_fleet(
    tmp_path: Path, factor: float, code: int
) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    path = write_map(folder, map_fields(("n3", "n8"), 0.1, {"n8": factor}, seed=9))
    tonight = load_document(path)
    alone = judge_results([tonight])
    given = SimpleNamespace(fleet=folder, days=30, hosts=None, show_all=False)
    assert answer_by_fleet(given, USUAL, {}, (tonight, alone)) == code


def test_a_host_of_a_slower_network_is_bad_whatever_it_took(tmp_path: Path) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    fields = map_fields(("n1", "n2", "n3", "n4"), 1, seed=9)
    fields["roofs"] = roofs_fields(None, host("n[1-3]", 25_000.0), host("n4", 12_500.0))
    write_map(folder, derived(fields))
    assert said(folder) == 1
    assert said(folder, "--hosts", "n4") == 1
    assert said(folder, "--hosts", "n3") == 0


def test_a_machine_that_is_slower_as_a_whole_is_bad(tmp_path: Path) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    names = ("n1", "n2", "n3", "n4")
    write_map(folder, map_fields(names, 1, dict.fromkeys(names, 3.0), seed=9))
    assert said(folder) == 1


def test_a_map_that_does_not_verify_is_left_out(tmp_path: Path) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    fields = map_fields(("n1", "n2", "n3", "n4"), 1, {"n1": 2.0})
    fields["summary"]["latency_us"] *= 2
    path = write_map(folder, fields)
    bad, good = tmp_path / "bad", tmp_path / "good"
    bad.write_text("n3\n")
    given = ("--bad", bad, "--good", good, "--overwrite")
    done = run_beff("nodes", "--fleet", folder, "--show", *given)
    assert done.returncode == 3
    assert f"{path}" in done.stderr
    assert bad.read_text() == "n3\n"
    assert "n3" not in good.read_text().split()
    path.unlink()
    assert said(folder, *given) == 0
    assert bad.read_text() == ""


def test_hosts_of_one_name_cannot_be_told_apart(tmp_path: Path) -> None:
    fields = map_fields(("n1", "n1", "n1", "n1"), 1)
    write_map(tmp_path / "maps", fields)
    assert said(tmp_path / "maps") == 2


def test_a_map_of_which_a_sample_was_changed_is_that_map(tmp_path: Path) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    fields = map_fields(("n1", "n2", "n3", "n4"), 2, seed=8)
    write_map(folder, fields)
    column = fields["passes"]["small_ns"][0]
    column[0] = re.sub(r"\d+", lambda first: f"{int(first[0]) + 1}", column[0], count=1)
    fields["environment"]["started_at"] = fields["environment"]["finished_at"]
    write_map(folder / "copy", derived(fields))
    done = run_beff("nodes", "--fleet", folder, "--show")
    assert done.returncode == 0
    assert "holds samples of" in done.stderr


def test_the_dashboard_asks_for_metrics_that_are_written(tmp_path: Path) -> None:
    said(fleet(tmp_path / "maps", MAPS, n8=1.4), "-o", str(tmp_path / "fleet.prom"))
    text = (tmp_path / "fleet.prom").read_text("utf-8")
    dashboard = json.loads((ROOT / "packaging/monitoring/grafana.json").read_text("utf-8"))
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    metrics = {name for query in queries for name in re.findall(r"beff_\w+", query)}
    assert metrics
    assert metrics <= set(re.findall(r"^# TYPE (\w+) gauge$", text, re.MULTILINE))
    (states,) = re.findall(r'state=~"(.*?)"', " ".join(queries))
    assert [state for state in states.split("|") if f'state="{state}"' not in text] == []


def test_a_bad_host_of_no_map_stays_so(tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.write_text("other\n")
    assert said(fleet(tmp_path / "maps", MAPS), "--bad", str(bad), "--overwrite") == 0
    assert bad.read_text() == "other\n"
