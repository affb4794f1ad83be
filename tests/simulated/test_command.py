"""`beff run --simulate` as a user sees it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from beff.cli.app import main
from beff.cli.common import exit_codes
from beff.definition.verify import verify
from beff.result.load import as_b_eff, load_document
from simulated.support import ROOT, engine, needs_simgrid

SHORT = ("--", "--patterns", "0-5,39", "--sizes", "0,20")


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "beff", "run", *arguments]


def beff_simulate(
    folder: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "python"), **environment},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def result_of(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


@needs_simgrid
def test_a_described_network(tmp_path: Path) -> None:
    done = beff_simulate(
        tmp_path,
        *("--simulate", "two-switch,1GB/s,1us,backbone=2GB/s", "--processes", "4,6"),
        *("--output-dir", "out"),
        *(*SHORT, "--seed", "5"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("NOT VALID: ") == 2
    result = result_of(tmp_path / "out" / "b_eff_6p.json")
    environment = result["environment"]
    assert environment["simulated"] is True
    simulation = environment["simulation"]
    assert simulation["simulator"] == "SimGrid SMPI"
    assert simulation["platform"]["name"] == "two-switch-6"
    assert "backbone 2 GB/s and 1 us" in simulation["platform"]["description"]
    assert simulation["model"] == "exact"
    assert "network/model:CM02" in simulation["settings"]
    assert simulation["folded_memory"] is True
    assert result["options"]["seed"] == 5
    assert [host["name"] for host in environment["hosts"]] == [f"n{i}" for i in range(6)]
    assert environment["uname"]["sysname"] == "simulated"
    assert not result["valid"]
    assert {"machine", "data"} <= {c["code"] for c in result["criteria"] if not c["met"]}
    assert as_b_eff(load_document(tmp_path / "out" / "b_eff_6p.json")).environment.simulation


@needs_simgrid
def test_the_recorded_command_runs_again(tmp_path: Path) -> None:
    done = beff_simulate(
        tmp_path,
        "--simulate",
        "flat",
        "--processes",
        "3",
        "--output-dir",
        "out",
        *SHORT,
        "--seed",
        "1",
    )
    assert done.returncode == 0, done.stderr
    path = tmp_path / "out" / "b_eff_3p.json"
    first = result_of(path)
    again = [*first["environment"]["launch_command"].split(), "--overwrite"]
    subprocess.run(again, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    second = result_of(path)
    assert second["options"]["overwrite"] is True
    assert second["samples"] == first["samples"]


@needs_simgrid
def test_a_platform_file_with_cyclic_placement(tmp_path: Path) -> None:
    (tmp_path / "cluster.xml").write_text(
        "<?xml version='1.0'?>\n"
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        '<platform version="4.1">\n<cluster id="c" prefix="node" suffix=".c" radical="1,3-4"'
        ' speed="1Gf" bw="1GBps" lat="1us"/>\n</platform>\n'
    )
    done = beff_simulate(
        tmp_path,
        *("--simulate", "cluster.xml", "--processes", "6", "--placement", "cyclic"),
        *("--model", "smpi", "--output-dir", "out"),
        *SHORT,
    )
    assert done.returncode == 0, done.stderr
    environment = result_of(tmp_path / "out" / "b_eff_6p.json")["environment"]
    assert environment["placement"] == "0 1 2 0 1 2"
    assert environment["host_list"] == "node[1,3-4].c"
    assert environment["simulation"]["placement"] == "cyclic"
    assert environment["simulation"]["model"] == "smpi"
    assert environment["simulation"]["platform"]["name"] == "cluster"


@needs_simgrid
def test_neighbourhood_collectives_are_refused(tmp_path: Path) -> None:
    done = beff_simulate(
        tmp_path,
        *("--simulate", "flat", "--processes", "2", "--output-dir", "out"),
        *("--", "--methods", "all"),
    )
    assert done.returncode == 1
    assert "--methods neighbor_alltoallv: SimGrid's SMPI has no neighbourhood" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out" / "b_eff_2p.json").exists()


@needs_simgrid
def test_a_simulator_that_stops_is_told(tmp_path: Path) -> None:
    """SimGrid returns 0 after a deadlock, and a sentence of its own after a wrong platform."""
    platform = tmp_path / "wrong.xml"
    platform.write_text(
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        '<platform version="4.1"><zone id="z" routing="NoSuchRouting">'
        '<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/></zone></platform>\n'
    )
    done = beff_simulate(
        tmp_path,
        *("--simulate", str(platform), "--processes", "2", "--output-dir", "out"),
    )
    assert done.returncode == 1
    assert "exit code" in done.stderr
    assert "CRITICAL" in done.stderr
    assert "Traceback" not in done.stderr


@needs_simgrid
def test_a_deadlock_is_no_success(tmp_path: Path) -> None:
    engine_that_waits = tmp_path / "waits"
    source = tmp_path / "waits.c"
    source.write_text(
        "#include <mpi.h>\n"
        "int main(int argc, char** argv) {\n"
        "  int rank;\n  MPI_Init(&argc, &argv);\n  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        "  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);\n  else return 0;\n"
        "  MPI_Finalize();\n  return 0;\n}\n"
    )
    subprocess.run(["smpicc", source, "-o", engine_that_waits], check=True, timeout=120)
    done = beff_simulate(
        tmp_path,
        *("--simulate", "flat", "--processes", "2", "--engine", str(engine_that_waits)),
        *("--output-dir", "out"),
    )
    assert done.returncode == 1
    assert "deadlock" in done.stderr


@needs_simgrid
def test_ctrl_c_leaves_a_partial_result(tmp_path: Path) -> None:
    engine("b_eff")
    process = subprocess.Popen(
        command("--simulate", "flat", "--processes", "8", "--output-dir", "out"),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    journal = tmp_path / "out" / "b_eff_8p.journal.jsonl"
    for _ in range(1200):
        if journal.exists() and journal.read_text().count('"sample"') >= 10:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    result = result_of(tmp_path / "out" / "b_eff_8p.json")
    assert not result["complete"]
    assert len(result["samples"]["pattern"]) >= 10
    assert any("signal" in str(caution) for caution in result["cautions"])
    assert verify(load_document(tmp_path / "out" / "b_eff_8p.json")).agrees


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--model", "smpi"], "--model: --simulate is missing"),
        (["--simulate", "ring"], "--simulate ring: 'ring' is none of flat, two-switch"),
        (["--simulate", "torus"], "--simulate torus: needs 3 numbers, x x y x z"),
        (["--simulate", "torus:4x4"], "--simulate torus:4x4: needs 3 numbers"),
        (["--simulate", "torus:4x-4"], "'4x-4' must be whole numbers from 1"),
        (["--simulate", "torus:1x1x1"], "--simulate torus:1x1x1: has at least two hosts"),
        (["--simulate", "flat:4x4"], "--simulate flat:4x4: give the number of hosts alone"),
        (["--simulate", "two-switch:5"], "--simulate two-switch:5: each switch has half"),
        (
            ["--simulate", "dragonfly:4x2x2x1"],
            "SimGrid crashes with more groups (4) than blades per chassis (2)",
        ),
        (["--simulate", "flat,backbone=1GB/s"], "has no backbone"),
        (["--simulate", "flat,fast/s"], "'fast/s' must be a bandwidth"),
        (["--simulate", "flat,0.5"], "'0.5' must be a latency"),
        (["--simulate", "flat", "--model", "LV08"], "'--model': 'LV08' is not one of 'exact'"),
        (["--simulate", "flat", "--placement", "rows"], "--placement rows: is neither block"),
        (["--simulate", "flat", "--placement", "block:0"], "--placement block:0: must be like"),
        (
            ["--simulate", "flat:2", "--placement", "block:1"],
            "--placement block:1: 4 processes need 4 hosts, but flat-2 has 2",
        ),
        (["--simulate", "none.xml"], "--simulate none.xml: there is no such file"),
        (["--simulate", "flat", "--", "--output", "x"], "--output cannot be given behind '--'"),
        (["--simulate", "flat", "--", "--plan"], "--plan measures nothing"),
        (["--simulate", "flat", "flat"], "'flat' is not an option; numbers of processes are given"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code = main(["run", "--processes", "4", *arguments])
    errors = capsys.readouterr().err
    assert code == exit_codes.WRONG_USAGE
    assert told in errors
    assert errors.startswith("beff: ")
    assert errors.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_without_simgrid_the_way_out_is_told(tmp_path: Path) -> None:
    done = beff_simulate(
        tmp_path, "--simulate", "flat", "--processes", "4", PATH=str(tmp_path / "nothing")
    )
    assert done.returncode == 1
    assert "smpirun is not on PATH" in done.stderr
    assert "apt install libsimgrid-dev" in done.stderr


@needs_simgrid
def test_an_earlier_run_is_kept(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    earlier = tmp_path / "out" / "b_eff_4p.json"
    earlier.write_text("{}")
    done = beff_simulate(
        tmp_path, "--simulate", "flat", "--processes", "4", "--output-dir", "out", *SHORT
    )
    assert done.returncode == 2
    assert "--overwrite" in done.stderr
    assert earlier.read_text() == "{}"
