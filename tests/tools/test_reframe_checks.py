"""The checks for ReFrame, run by ReFrame itself with stand-ins for the measuring programs."""

import json
import os
import subprocess
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from support.machines.measure import flat
from support.machines.result import make_map
from support.programs.programs import Programs
from support.results import Plan, make_result

from beff.cli.app import main

pytestmark = pytest.mark.thorough

CHECKS = Path(__file__).resolve().parents[2] / "packaging" / "reframe" / "beff_checks.py"
BIN = Path(sys.executable).parent
PROCESSES = 4
CHECK = "b_eff %nodes=1"
OFFICIAL = Plan(processes=PROCESSES)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A configuration: one partition, on this node, whose nodes have as many cores as processes."""
    partition = {
        "name": "node",
        "scheduler": "local",
        "launcher": "local",
        "environs": ["default"],
        "env_vars": [["FAKE_PROCESSES", str(PROCESSES)]],
        "processor": {"num_cpus": PROCESSES, "num_cpus_per_core": 1, "num_sockets": 1},
    }
    configuration = {
        "systems": [{"name": "here", "hostnames": [".*"], "partitions": [partition]}],
        "environments": [{"name": "default"}],
        "general": [{"save_log_files": False}],
    }
    file = tmp_path / "site.json"
    file.write_text(json.dumps(configuration), encoding="utf-8")
    return file


def outcome(
    site: Path, programs: Programs, *options: str, **stand_in: str
) -> tuple[int, dict[str, str]]:
    """Exit code, and how each check of the JUnit file ended."""
    junit = site.with_name("junit.xml")
    command = [str(BIN / "reframe"), "-C", str(site), "-c", str(CHECKS), "-r"]
    path = f"{programs.folder}{os.pathsep}{BIN}{os.pathsep}{os.environ['PATH']}"
    home = {"HOME": str(site.parent), "PATH": path, "RFM_REPORT_JUNIT": str(junit)}
    ended = subprocess.run(
        [*command, *options],
        cwd=site.parent,
        env={**os.environ, **home, **stand_in},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    found = {}
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
        failure = case.find("failure")
        name = case.get("name", "").partition(" @")[0]
        found[name] = "passed" if failure is None else str(failure.text or failure.attrib)
    return ended.returncode, found


def test_a_program_that_fails(site: Path, programs: Programs) -> None:
    """Neither several nodes nor files, for which this site is not made, stand in the JUnit file."""
    code, found = outcome(site, programs, FAKE_ENGINE="fails")
    assert (code, [*found]) == (1, [CHECK])
    assert "b_eff.json was not written" in found[CHECK]


def test_a_wrong_result_of_other_processes_fails(site: Path, programs: Programs) -> None:
    code, found = outcome(site, programs, "-S", "tasks_per_node=2", FAKE_ENGINE="wrong")
    assert code == 1
    assert f"measured with {PROCESSES} processes on 1 nodes, not 2 on 1" in found[CHECK]
    assert "not verified: " in found[CHECK]


@pytest.mark.parametrize(("factor", "good"), [(1.0, True), (1.2, False)])
def test_references_of_an_acceptance_hold(
    site: Path, programs: Programs, factor: float, good: bool
) -> None:
    result = site.with_name("accepted.json")
    result.write_text(json.dumps(make_result(OFFICIAL)), encoding="utf-8")
    folder = site.with_name("acceptance")
    assert main(["accept", str(result), "--as", str(folder), "--tolerance", "10%"]) == 0
    file = folder / "acceptance.yaml"
    accepted = yaml.safe_load(file.read_text("utf-8"))
    for one in accepted["expectations"]:
        one["reference"]["b_eff_MBps"][0] *= factor
    file.write_text(yaml.safe_dump(accepted), encoding="utf-8")
    code, found = outcome(site, programs, "-S", f"b_eff.expectations={file}")
    assert (code, [*found]) == (0 if good else 1, [CHECK])
    assert "b_eff_MBps" in found[CHECK] if not good else found[CHECK] == "passed"


@pytest.mark.parametrize(
    ("conditions", "figure", "missing"),
    [
        ({"nodes": 2}, "b_eff_MBps", "anything for its conditions"),
        ({"definition": "3.1"}, "b_eff_MBps", "anything for its conditions"),
        ({"lmax_bytes": 8192}, "b_eff_MBps", "anything for its conditions"),
        ({}, "b_eff_TBps", "b_eff_TBps"),
    ],
)
def test_expectations_that_do_not_fit_have_no_references(
    tmp_path: Path,
    conditions: dict[str, Any],
    figure: str,
    missing: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(CHECKS.parent)
    module = import_module(CHECKS.stem)
    file = tmp_path / "expect.yaml"
    one = {"benchmark": "b_eff", **conditions, "reference": {figure: [1.0, None, None, "MB/s"]}}
    file.write_text(yaml.safe_dump({"expectations": [one]}), encoding="utf-8")
    check = SimpleNamespace(expectations=str(file), perf_variables={"b_eff_MBps": None})
    with pytest.raises(module.PerformanceError, match=f"do not both have {missing}"):
        module.beff_benchmark.references_for(check, make_result(OFFICIAL))


@pytest.mark.parametrize("slow", [False, True])
def test_a_slow_host_fails_the_check_of_pairs(
    site: Path, slow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(CHECKS.parent)
    module = import_module(CHECKS.stem)
    result = site.with_name("b_pairs.json")
    machine = flat(8, slow={3: 1.5} if slow else {})
    result.write_text(json.dumps(make_map(machine)), encoding="utf-8")
    check = SimpleNamespace(companion=str(BIN / "beff"), result_file=str(result))
    check.said_by_companion = partial(module.beff_benchmark.said_by_companion, check)
    found = module.b_pairs.disagreements(check)
    assert ["host node4" in one for one in found] == [True] * slow, found
