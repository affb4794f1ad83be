"""`beff nodes`: order of what it prints, and wrong use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.pair_maps import Machine, make_map

from beff.analysis.check.judge import judge
from beff.cli.app import main
from beff.cli.nodes import print_judged
from beff.cli.run import usual_benchmarks
from beff.cli.run_request import benchmarks_of
from beff.model.load import check_document


def printed(machine: Machine, capsys: pytest.CaptureFixture[str]) -> list[str]:
    document = check_document("a.json", make_map(machine))
    print_judged(document, judge([document], None, None), 0.15)
    return capsys.readouterr().out.splitlines()


def test_what_an_operator_acts_on_in_its_order(capsys: pytest.CaptureFixture[str]) -> None:
    machine = Machine(16, slow={3: 2.0, 9: 1.5}, links={(4, 7): 2.0})
    seen, *told = printed(machine, capsys)
    assert seen.startswith("hosts: 2 found slow; slowest other node")
    assert "would not be seen here; 16 of 16 hosts, 120 of 120 links tried" in seen
    abouts = [line.partition(":")[0] for line in told]
    assert abouts[:3] == ["host node4", "host node10", "link node5 - node8"]
    assert abouts[-2:] == ["good together", "drain"]
    assert told[-2].endswith(" (13 of 16)")
    assert told[-1] == (
        "drain: scontrol update nodename=node4,node10 state=drain reason='slow by beff nodes'"
    )


def test_a_clean_machine_has_nothing_to_drain(capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(Machine(8), capsys)
    assert told[0].startswith("hosts: none found slow; slowest node")
    assert "good together: node[1-8] (8 of 8)" in told
    assert not any(line.startswith("drain") for line in told)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--slow", "1%"], "--slow 1%: must be a percentage from 2% to 1000%"),
        (["--slow", "fast"], "--slow fast: must be a percentage"),
        (["--bad", "x", "--good", "x"], "--bad x: is the file of --good, too"),
        (["--", "--output", "x"], "--output cannot be given behind '--'"),
    ],
)
def test_wrong_use(
    options: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["nodes", *options]) == 2
    assert says in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("hosts", "names"), [("3", ["b_eff", "b_eff_io"]), ("4", ["b_eff", "b_eff_io", "b_pairs"])]
)
def test_a_run_in_a_job_of_four_hosts_measures_pairs_as_well(
    hosts: str, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("SLURM_JOB_NUM_NODES", hosts)
    assert [one.name for one in benchmarks_of(None, usual_benchmarks())] == names
    assert [one.name for one in benchmarks_of(["b_pairs"], usual_benchmarks())] == ["b_pairs"]


def test_a_real_run_on_one_host(tmp_path: Path) -> None:
    """The units are processes, of which no list is made."""
    command = (
        *(sys.executable, "-m", "beff", "nodes", "--processes", "4", "--output-dir", "out"),
        *("--memory-per-process", "4MiB", "--", "--duration", "200ms"),
    )
    run = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode in (0, 1, 3), run.stderr
    result = json.loads((tmp_path / "out" / "b_pairs_4p.json").read_text())
    assert result["plan"]["unit"] == "process"
    verdicts = {0: "good", 1: "bad", 3: "inconclusive"}
    assert run.stdout.splitlines()[-1] == f"verdict: {verdicts[run.returncode]}"
