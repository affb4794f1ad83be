"""Bisection and processes per host: real runs on two MPI libraries."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from support.reports import beside
from typer.testing import CliRunner

from beff.cli.app import make_app
from engines.processes import long_run, text_of, wait_until
from engines.support import MPICH, OPENMPI, Library, assert_verified, result_in

pytestmark = pytest.mark.thorough

QUICK = ["--memory-per-process", "8MiB", "--progress", "never", "--duration", "1ms"]


@pytest.mark.parametrize(
    ("library", "processes"), [(MPICH, 2), (MPICH, 3), (OPENMPI, 4), (OPENMPI, 7)]
)
def test_all_steps_of_all_halves(tmp_path: Path, library: Library, processes: int) -> None:
    options = (*QUICK, "--bisection", "--random-halves", "2", "--seed", "5")
    run = library.run(processes, *options, cwd=tmp_path, program="b_pairs")
    assert run.returncode in (0, 3), run.stderr
    result = result_in(tmp_path, "b_pairs")
    assert result["complete"]
    assert result["plan"]["bisection"]["message_bytes"] == 65536
    halves = result["bisection"]["halves"]
    assert [len(one["steps"]["sum_MBps"]) for one in halves] == [(processes + 1) // 2] * 3
    assert len(result["bisection"]["alone"]["ns"]) == processes // 2
    assert 0 < result["summary"]["bisection_MBps"] <= result["summary"]["bisection_mean_MBps"]
    assert result["per_host"] is None
    assert_verified(tmp_path, "b_pairs")
    assert ", bisection " in run.stdout.splitlines()[-1]
    journal = (tmp_path / "b_pairs.journal.jsonl").read_text(encoding="utf-8")
    assert journal.count('{"step":') == 3 * ((processes + 1) // 2)


def test_a_file_names_the_halves(tmp_path: Path) -> None:
    (tmp_path / "half").write_text("# one alone\n2\n", encoding="utf-8")
    options = (*QUICK, "--bisection", "--random-halves", "0", "--halves", "half")
    run = OPENMPI.run(4, *options, cwd=tmp_path, program="b_pairs")
    assert run.returncode in (0, 3), run.stderr
    result = result_in(tmp_path, "b_pairs")
    assert result["plan"]["bisection"]["first_half"] == [2]
    (only,) = result["bisection"]["halves"]
    pairs = list(zip(only["steps"]["first"], only["steps"]["second"], strict=True))
    assert sorted(pairs) == [(0, 2), (1, 2), (2, 3)]
    assert_verified(tmp_path, "b_pairs")
    (tmp_path / "half").write_text("4\n", encoding="utf-8")
    run = OPENMPI.run(4, *options, "--overwrite", cwd=tmp_path, program="b_pairs")
    assert run.returncode == 2
    assert "--halves half: 4 takes no part in this run" in run.stderr


def test_processes_per_host_need_hosts(tmp_path: Path, library: Library) -> None:
    run = library.run(2, *QUICK, "--per-host", "1,all", cwd=tmp_path, program="b_pairs")
    assert run.returncode == 2
    assert "--per-host needs at least two hosts" in run.stderr
    assert not (tmp_path / "b_pairs.json").exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--halves", "no_file", "--bisection"), "--halves no_file: the file cannot be read"),
        (("--message-size", "64KiB"), "--message-size 64 KiB: goes with --bisection or --per-host"),
        (("--bisection", "--message-size", "1MiB"), "is more than the largest message of 256 KiB"),
        (("--bisection=2",), "--bisection 2: a process has 1 process; give at most 1"),
    ],
)
def test_wrong_use(options: tuple[str, ...], says: str, tmp_path: Path) -> None:
    run = MPICH.run(2, *QUICK, *options, cwd=tmp_path, program="b_pairs")
    assert run.returncode == 2
    assert says in run.stderr


def test_a_killed_bisection_is_recovered(tmp_path: Path) -> None:
    options = [*QUICK, "--bisection", "--random-halves", "300", "--message-size", "256KiB"]
    journal = tmp_path / "b_pairs.journal.jsonl"
    with long_run(OPENMPI, "b_pairs", options, tmp_path, samples=9, processes=3) as run:
        wait_until(lambda: text_of(journal).count('{"step":') > 9, "no steps were measured")
        run.send(signal.SIGKILL)
    recovered = CliRunner().invoke(make_app(), ["show", str(journal), "-o", beside(journal)])
    assert recovered.exit_code == 0, recovered.output
    assert_verified(tmp_path, "b_pairs")
    result = result_in(tmp_path, "b_pairs")
    assert not result["complete"]
    assert result["summary"]["bisection_MBps"] > 0


def test_steps_that_the_time_leaves_out_are_said(tmp_path: Path) -> None:
    options = (*QUICK, "--bisection", "--bisection-time", "1us")
    run = MPICH.run(4, *options, cwd=tmp_path, program="b_pairs")
    assert run.returncode in (0, 3), run.stderr
    result = result_in(tmp_path, "b_pairs")
    assert result["complete"]
    facts = {"steps": 0, "planned": 18}
    assert {"code": "short bisection", "facts": facts} in result["cautions"]
    assert_verified(tmp_path, "b_pairs")


def test_the_plan_of_hosts_and_given_halves(tmp_path: Path) -> None:
    (tmp_path / "half").write_text("one\ntwo\none\n", encoding="utf-8")
    options = ("--plan=json", "--bisection=4", "--per-host", "1,all", "--halves", "half")
    size = ("--processes", "24", "--nodes", "6", "--memory-per-process", "2GiB")
    run = MPICH.run(1, *options, *size, cwd=tmp_path, program="b_pairs")
    assert run.returncode == 0, run.stderr
    plan = json.loads(run.stdout)["plan"]
    assert plan["processes_per_host"]["processes"] == [1, 4]
    assert (plan["bisection"]["steps"], plan["bisection"]["first_half"]) == (4, None)
    run = MPICH.run(1, "--nodes", "2", *QUICK, cwd=tmp_path, program="b_pairs")
    assert run.returncode == 2


def test_the_plan_states_the_time(tmp_path: Path) -> None:
    options = ("--plan", "--processes", "10000", "--bisection", "--memory-per-process", "2GiB")
    run = MPICH.run(1, *options, cwd=tmp_path, program="b_pairs")
    assert "45000 steps" in run.stdout
    assert "10 min" in run.stdout
    run = MPICH.run(1, "--plan=json", *options[1:], cwd=tmp_path, program="b_pairs")
    assert json.loads(run.stdout)["plan"]["bisection"]["at_10_GBps_s"] == 600.0
