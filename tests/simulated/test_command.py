"""`beff run --simulate` as a user sees it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.reports import beff_process

from beff.definition.verify import verify
from beff.result.load import load_document
from engines.processes import wait_for_samples
from engines.support import cautions_with
from simulated.support import ROOT, engine, needs_simgrid

SHORT = ("--", "--patterns", "0-5,39", "--sizes", "0,20")


def beff_simulate(
    folder: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `beff run --simulate` with these words, which writes into `out`."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python"), **environment}
    words = ("run", "--output-dir", "out", "--simulate", *arguments)
    return beff_process(*words, cwd=folder, env=env)


def result_of(folder: Path, processes: int) -> dict[str, Any]:
    path = folder / "out" / f"b_eff_{processes}p.json"
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def assert_refused(
    done: subprocess.CompletedProcess[str], folder: Path, *words: str, code: int = 1
) -> None:
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr
    assert list(folder.glob("out/*.json")) == []


@needs_simgrid
def test_a_described_network(tmp_path: Path) -> None:
    network = "two-switch,1GB/s,1us,backbone=2GB/s"
    done = beff_simulate(tmp_path, network, "--processes", "4,6", *SHORT, "--seed", "5")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("NOT VALID: ") == 2
    result = result_of(tmp_path, 6)
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


@needs_simgrid
def test_the_recorded_command_runs_again(tmp_path: Path) -> None:
    done = beff_simulate(tmp_path, "flat", "--processes", "3", *SHORT, "--seed", "1")
    assert done.returncode == 0, done.stderr
    first = result_of(tmp_path, 3)
    again = [*first["environment"]["launch_command"].split(), "--overwrite"]
    subprocess.run(again, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    second = result_of(tmp_path, 3)
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
    placed = ("--processes", "6", "--placement", "cyclic", "--model", "smpi")
    done = beff_simulate(tmp_path, "cluster.xml", *placed, *SHORT)
    assert done.returncode == 0, done.stderr
    environment = result_of(tmp_path, 6)["environment"]
    assert environment["placement"] == "0 1 2 0 1 2"
    assert environment["host_list"] == "node[1,3-4].c"
    assert environment["simulation"]["placement"] == "cyclic"
    assert environment["simulation"]["model"] == "smpi"
    assert environment["simulation"]["platform"]["name"] == "cluster"


@needs_simgrid
def test_what_the_simulator_cannot_run_is_told(tmp_path: Path) -> None:
    """SimGrid returns 0 after a deadlock, and a sentence of its own after a wrong platform."""
    done = beff_simulate(tmp_path, "flat", "--processes", "2", "--", "--methods", "all")
    said = "--methods neighbor_alltoallv: SimGrid's SMPI has no neighbourhood"
    assert_refused(done, tmp_path, said, code=2)
    platform = tmp_path / "wrong.xml"
    platform.write_text(
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        '<platform version="4.1"><zone id="z" routing="NoSuchRouting">'
        '<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/></zone></platform>\n'
    )
    done = beff_simulate(tmp_path, str(platform), "--processes", "2")
    assert_refused(done, tmp_path, "exit code", "CRITICAL")
    engine_that_waits, source = tmp_path / "waits", tmp_path / "waits.c"
    source.write_text(
        "#include <mpi.h>\n"
        "int main(int argc, char** argv) {\n"
        "  int rank;\n  MPI_Init(&argc, &argv);\n  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        "  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);\n  else return 0;\n"
        "  MPI_Finalize();\n  return 0;\n}\n"
    )
    subprocess.run(["smpicc", source, "-o", engine_that_waits], check=True, timeout=120)
    program = ("--engine", str(engine_that_waits))
    done = beff_simulate(tmp_path, "flat", "--processes", "2", *program)
    assert_refused(done, tmp_path, "Deadlock detected")


@needs_simgrid
def test_ctrl_c_leaves_a_partial_result(tmp_path: Path) -> None:
    engine("b_eff")
    words = ["run", "--output-dir", "out", "--simulate", "flat", "--processes", "8"]
    process = subprocess.Popen(
        [sys.executable, "-m", "beff", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for_samples(tmp_path / "out" / "b_eff_8p.journal.jsonl", 10)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    result = result_of(tmp_path, 8)
    assert not result["complete"]
    assert len(result["samples"]["pattern"]) >= 10
    assert cautions_with(result, "signal")
    assert verify(load_document(tmp_path / "out" / "b_eff_8p.json")).agrees


def test_without_simgrid_the_way_out_is_told(tmp_path: Path) -> None:
    done = beff_simulate(tmp_path, "flat", "--processes", "4", PATH=str(tmp_path / "nothing"))
    assert_refused(done, tmp_path, "smpirun is not on PATH", "apt install libsimgrid-dev")
