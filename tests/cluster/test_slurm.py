"""Launches by a real Slurm: srun, job scripts, and the launchers of the MPI libraries in a job."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from beff.cli.common.exit_codes import STOPPED
from beff.result.bounds import expanded
from cluster.emulation import Network, make_cell
from cluster.emulation.mpi import CLUSTER_MPICH, CLUSTER_OPENMPI, ClusterLibrary
from cluster.emulation.slurm import Slurm, make_slurm, reason_against
from engines.support import ROOT, assert_verified, cautions_with

LINK = 50.0
QUICK = ["--memory-per-process", "4MiB", "--loop-time", "200us", "--progress", "never"]
TINY = [*QUICK, "--patterns", "5", "--sizes", "20", "--methods", "sendrecv"]
BEFF = (sys.executable, "-m", "beff")
PYTHON = {"PYTHONPATH": str(ROOT / "python")}
TOPOLOGY = """\
SwitchName=leaf0 Nodes=n[0-1]
SwitchName=leaf1 Nodes=n2
SwitchName=root Switches=leaf[0-1]
"""
PROTOCOLS = {"mpich": "pmi2", "openmpi": "pmix"}


@pytest.fixture(scope="module")
def slurm() -> Iterator[Slurm]:
    reason = reason_against()
    if reason is not None:
        pytest.skip(reason)
    with (
        make_cell(Network(hosts=3, link_mbit=LINK)) as cell,
        make_slurm(cell, topology=TOPOLOGY) as running,
    ):
        yield running


def engine_of(library: ClusterLibrary, program: str = "b_eff") -> Path:
    return library.library.programs / program


def placement_in(result: dict[str, Any]) -> list[int]:
    placement: list[int] = expanded(result["environment"]["placement"])
    return placement


@pytest.fixture
def beff_run(slurm: Slurm, library: ClusterLibrary, tmp_path: Path) -> Callable[..., str]:
    """Run `beff run` of b_eff with more options in a job on all nodes; returns what it printed."""

    def run(*options: str, per_node: int = 2, script: str = "BEFF_RUN", code: int = 3) -> str:
        command = [
            *(*BEFF, "run", "--benchmark", "b_eff", "--engine", str(engine_of(library))),
            *("--output-dir", "out", "--memory-per-process", "4MiB", *options),
        ]
        asked = f"#!/bin/bash\n#SBATCH --nodes=3 --ntasks-per-node={per_node}\n"
        job = tmp_path / "job.sh"
        job.write_text(asked + script.replace("BEFF_RUN", " ".join(command)) + "\n")
        ended = slurm.batch(job, cwd=tmp_path, env={**library.environment, **PYTHON})
        output = "\n".join(path.read_text() for path in tmp_path.glob("slurm-*.out"))
        assert ended == code, output
        return output

    return run


@pytest.mark.parametrize(
    ("distribution", "placement"), [("block", [0, 0, 1, 1, 2, 2]), ("cyclic", [0, 1, 2, 0, 1, 2])]
)
def test_srun_places_as_asked(
    slurm: Slurm, library: ClusterLibrary, tmp_path: Path, distribution: str, placement: list[int]
) -> None:
    run = slurm.run(
        *("srun", f"--mpi={PROTOCOLS[library.name]}", "--nodes=3", "--ntasks-per-node=2"),
        *(f"--distribution={distribution}", engine_of(library), "--nodes", "3", *TINY),
        cwd=tmp_path,
        env=library.environment,
    )
    assert run.returncode in {0, 3}, run.stderr
    result = json.loads((tmp_path / "b_eff.json").read_text())
    assert placement_in(result) == placement
    assert result["environment"]["hosts"] == [
        {"name": f"n{host}", "processes": 2, "switches": f"root.{leaf}"}
        for host, leaf in enumerate(("leaf0", "leaf0", "leaf1"))
    ]
    assert_verified(tmp_path)


@pytest.mark.parametrize(
    ("library", "protocol"),
    [(CLUSTER_MPICH, "none"), (CLUSTER_OPENMPI, "none"), (CLUSTER_OPENMPI, "pmi2")],
    ids=["mpich-none", "openmpi-none", "openmpi-pmi2"],
)
def test_processes_that_run_apart_are_recognised(
    slurm: Slurm, tmp_path: Path, library: ClusterLibrary, protocol: str
) -> None:
    run = slurm.run(
        *("srun", f"--mpi={protocol}", "--nodes=3", "--ntasks=3", engine_of(library), *TINY),
        cwd=tmp_path,
        env=library.environment,
    )
    assert run.returncode != 0
    assert "single process" in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_both_numberings_are_what_srun_does(
    beff_run: Callable[..., str], library: ClusterLibrary, tmp_path: Path
) -> None:
    shorter = ("--loop-time", "200us", "--patterns", "5", "--sizes", "20", "--methods", "sendrecv")
    output = beff_run("--numbering", "both", "--", *shorter)
    placements = {"sequential": [0, 0, 1, 1, 2, 2], "round-robin": [0, 1, 2, 0, 1, 2]}
    for numbering, placement in placements.items():
        result = json.loads((tmp_path / f"out/b_eff_6p_{numbering}.json").read_text())
        assert placement_in(result) == placement
        launched = result["environment"]["launch_command"]
        assert f"srun --mpi={PROTOCOLS[library.name]} " in launched
        assert_verified(tmp_path / "out", f"b_eff_6p_{numbering}")
    assert "by the numbering of the processes" in output


def test_interrupt_leaves_a_partial_result(beff_run: Callable[..., str], tmp_path: Path) -> None:
    script = (
        "set -m\nBEFF_RUN &\n"
        "for i in {1..600}; do\n"
        '  [ "$(wc -l < out/b_eff_3p.journal.jsonl)" -gt 20 ] && break; sleep 0.1\n'
        "done 2>/dev/null\n"
        "kill -INT $!\nwait $!"
    )
    beff_run("--", "--repetitions", "1000", per_node=1, script=script, code=STOPPED)
    result = json.loads((tmp_path / "out" / "b_eff_3p.json").read_text())
    assert not result["complete"]
    assert cautions_with(result, "signal")


def test_the_library_s_own_launcher_in_a_job(
    slurm: Slurm, library: ClusterLibrary, tmp_path: Path
) -> None:
    job = tmp_path / "job.sh"
    launcher = library.library.mpiexec[0]
    root = "" if library is CLUSTER_MPICH else "--allow-run-as-root"
    program = f"{engine_of(library)} --nodes 3 {' '.join(TINY)}"
    job.write_text(
        f"#!/bin/bash\n#SBATCH --nodes=3 --ntasks-per-node=2\n{launcher} {root} -n 6 {program}\n"
    )
    slurm.batch(job, cwd=tmp_path, env=library.environment)
    output = "\n".join(path.read_text() for path in tmp_path.glob("slurm-*.out"))
    assert (tmp_path / "b_eff.json").exists(), output
    assert placement_in(json.loads((tmp_path / "b_eff.json").read_text())) == [0, 0, 1, 1, 2, 2]


def test_a_job_script_of_ours_measures_both(
    slurm: Slurm, library: ClusterLibrary, tmp_path: Path
) -> None:
    files = tmp_path / "files"
    files.mkdir()
    made = slurm.run(
        *(*BEFF, "job", "slurm", "--nodes", "3", "--tasks-per-node", "1", "--path", files),
        *("--walltime", "4min", "--time", "3s", "--max-data", "400MiB"),
        *("--memory-per-process", "1MiB"),
        *("--engine", engine_of(library).parent, "--output-dir", "out", "--output", "job.sh"),
        cwd=tmp_path,
        env=PYTHON,
    )
    assert made.returncode == 0, made.stderr
    script = tmp_path / "job.sh"
    # The script is run as it is, but for options that make the measuring shorter.
    few = "--patterns 0-9 --methods sendrecv --repetitions 1"
    script.write_text(script.read_text().replace("b_eff --nodes", f"b_eff {few} --nodes"))
    for _ in range(2):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        ended = slurm.batch(script, cwd=tmp_path, env=library.environment, timeout=280)
        output = "\n".join(path.read_text() for path in tmp_path.glob("beff_*.out"))
        if "mpi/pmi2: invalid client request" not in output:  # Slurm's own, on busy cores
            break
    assert ended == 3, output
    for name in ("b_eff_3p", "b_eff_io_3p"):
        (result,) = (tmp_path / "out").glob(f"{name}_*.json")
        assert placement_in(json.loads(result.read_text())) == [0, 1, 2]
        assert_verified(tmp_path / "out", result.stem)
    assert list(files.iterdir()) == []
