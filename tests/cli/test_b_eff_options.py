"""The command line of b_eff as a black box: messages, exit codes, nothing half-written."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from beff.result.bounds import expanded

B_EFF = Path(__file__).resolve().parents[2] / ".venv" / "bin" / "b_eff"


def b_eff(*options: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [B_EFF, *options], cwd=cwd, capture_output=True, text=True, timeout=240, check=False
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--memory-per-process", "0"], ["--memory-per-process 0", "512MiB"]),
        (["--memory-per-process", "-1"], ["--memory-per-process -1", "negative"]),
        (["--memory-per-process", "12parsecs"], ["12parsecs", "parsecs", "MiB"]),
        (["--memory-per-process"], ["--memory-per-process needs a value"]),
        (["--memory-per-node", "x"], ["--memory-per-node x"]),
        (["--memory-per-node", "1GiB", "--memory-per-process", "1GiB"], ["exclude each other"]),
        (["--unknown"], ["--unknown is not an option", "--help"]),
        (["stray"], ["'stray' is not an option"]),
        (["--seed", "-3"], ["--seed -3", "whole number"]),
        (["--seed", "9007199254740992"], ["9007199254740991"]),
        (["--definition", "3.6"], ["--definition 3.6", "must be one of 3.5, 3.1"]),
        (["--methods", "smoke"], ["smoke", "sendrecv"]),
        (["--methods", "sendrecv,sendrecv"], ["twice"]),
        (["--methods", ""], ["names no method"]),
        (["--patterns", "100"], ["--patterns 100", "99"]),
        (["--patterns", "5-3"], ["backwards"]),
        (["--patterns", ""], ["must be a list"]),
        (["--sizes", "21"], ["--sizes 21", "20"]),
        (["--repetitions", "0"], ["--repetitions 0", "at least 1"]),
        (["--loop-time", "0s"], ["--loop-time 0s", "more than 0"]),
        (["--time-limit", "5"], ["--time-limit 5", "no unit"]),
        (["--nodes", "two"], ["--nodes two"]),
        (["--rmax", "0"], ["--rmax 0", "positive"]),
        (["--progress", "loud"], ["auto, always, never"]),
        (["--plan=yaml"], ["--plan=json"]),
        (["--processes", "4"], ["only --plan takes it"]),
        (["--plan", "--processes", "1"], ["--processes 1", "at least two"]),
        (["--plan", "--processes", "8", "--memory-per-process", "512KiB"], ["4096 byte"]),
        (["--plan", "--processes", "2", "--patterns", "43"], ["--patterns 43:", "2 processes"]),
        (["--plan", "--processes", "9", "--patterns", "49"], ["--patterns 49:", "9 processes"]),
        (["--output", ""], ["must end in a file name"]),
        (["--output", "results/"], ["must end in a file name"]),
    ],
)
def test_wrong_usage_is_one_sentence(tmp_path: Path, options: list[str], words: list[str]) -> None:
    run = b_eff(*options, cwd=tmp_path)
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith("b_eff: ")
    assert len(run.stderr.splitlines()) == 1
    for word in words:
        assert word in run.stderr
    assert list(tmp_path.iterdir()) == []


def under_mpiexec(*options: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [B_EFF.with_name("mpiexec"), "-n", "2", B_EFF, *options],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_usage_errors_are_printed_by_one_process(tmp_path: Path) -> None:
    run = under_mpiexec("--unknown", cwd=tmp_path)
    assert run.returncode == 2
    assert run.stderr.count("--unknown") == 1


def test_missing_output_folder(tmp_path: Path) -> None:
    run = under_mpiexec("--output", "nowhere/b_eff", cwd=tmp_path)
    assert run.returncode == 2
    assert "--output nowhere/b_eff: " in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_output_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    run = under_mpiexec("--output", "plain/b_eff", cwd=tmp_path)
    assert run.returncode == 2
    assert "plain does not exist" in run.stderr


def without_override() -> None:
    """Let root, too, keep to permissions of files; called in a process that is about to start."""
    drop_from_bounding_set, dac_override = 24, 1  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(drop_from_bounding_set, dac_override, 0, 0, 0):
        raise OSError("prctl")


def test_read_only_output_folder(tmp_path: Path) -> None:
    folder = tmp_path / "read_only"
    folder.mkdir(mode=0o555)
    run = subprocess.run(
        [B_EFF.with_name("mpiexec"), "-n", "2", B_EFF, "--output", f"{folder}/b_eff"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        preexec_fn=without_override,
    )
    assert list(folder.iterdir()) == []
    assert run.returncode == 2
    assert f"the folder {folder} cannot be written" in run.stderr


def test_help_and_version(tmp_path: Path) -> None:
    helped = b_eff("--help", cwd=tmp_path)
    assert helped.returncode == 0
    assert "mpiexec -n" in helped.stdout
    version = b_eff("--version", cwd=tmp_path)
    assert version.returncode == 0
    assert version.stdout.startswith("b_eff ")
    assert "\nMPI library: MPICH" in version.stdout


def plan(*options: str, cwd: Path) -> dict[str, Any]:
    run = b_eff("--plan=json", *options, cwd=cwd)
    assert run.returncode == 0, run.stderr
    document: dict[str, Any] = json.loads(run.stdout)
    return document


def test_plan_for_many_processes(tmp_path: Path) -> None:
    document = plan("--processes", "100000", "--memory-per-process", "1GiB", cwd=tmp_path)
    assert document["processes"] == 100000
    assert len(document["patterns"]) == 49
    assert document["message_sizes_bytes"][-1] == 8 * 2**20
    assert document["loops"] == (48 * 3 + 1) * 21 * 3
    assert sum(expanded(document["patterns"][0]["ring_sizes"])) == 100000
    assert document["patterns"][6]["seed"] is None
    assert list(tmp_path.iterdir()) == []


def test_plan_follows_the_options(tmp_path: Path) -> None:
    document = plan(
        *("--processes", "7", "--patterns", "0,39", "--methods", "sendrecv,put_fence"),
        *("--sizes", "0-2", "--repetitions", "2", "--seed", "5"),
        cwd=tmp_path,
    )
    assert [p["ring_sizes"] for p in document["patterns"]] == ["2x2 3", ""]
    assert document["methods"] == ["sendrecv", "put_fence"]
    assert document["loops"] == (2 + 1) * 3 * 2


def test_readable_plan_names_the_bound(tmp_path: Path) -> None:
    run = b_eff("--plan", "--processes", "64", "--time-limit", "5min", cwd=tmp_path)
    assert run.returncode == 0
    assert "Time limit: 5 min" in run.stdout
    assert "rings of 32 x 2" in run.stdout


def test_plan_of_a_job(tmp_path: Path) -> None:
    run = under_mpiexec("--plan=json", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["processes"] == 2
