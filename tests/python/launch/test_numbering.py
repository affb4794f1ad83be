"""`beff run --numbering`: what launchers are asked, what came of it, what it is worth."""

import json
import os
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

import pytest
from support.programs.programs import Programs
from support.runs import beff_run, engine_arguments

from beff.launch.launcher import (
    Flavour,
    Launcher,
    Numbering,
    check_numbering,
    numbering_options,
    numberings_of,
)
from beff.result.bounds import expanded
from beff.result.errors import WrongUsageError
from beff.result.numbers import rate_unit

SEQUENTIAL, ROUND_ROBIN = Numbering.SEQUENTIAL, Numbering.ROUND_ROBIN


@pytest.mark.parametrize(
    ("placement", "numberings"),
    [
        ([0, 0, 0], {SEQUENTIAL, ROUND_ROBIN}),
        ([0, 1, 2], {SEQUENTIAL, ROUND_ROBIN}),
        ([0, 0, 1, 1], {SEQUENTIAL}),
        ([0, 1, 0, 1], {ROUND_ROBIN}),
        ([0, 1, 0, 0], {ROUND_ROBIN}),
        ([0, 1, 1, 0], set()),
        ([0, 0, 1, 1, 0, 0], set()),
    ],
)
def test_placements(placement: list[int], numberings: set[Numbering]) -> None:
    assert numberings_of(placement) == numberings


@pytest.mark.parametrize(
    ("flavour", "own", "sequential", "round_robin"),
    [
        (Flavour.SRUN, "", "--distribution=block", "--distribution=cyclic"),
        (Flavour.OPEN_MPI, "--hostfile h", "--map-by slot", "--map-by node"),
        (Flavour.HYDRA, "", "", "-ppn 1"),
        (Flavour.HYDRA, "-hosts a,b,c", "-ppn 3", "-ppn 1"),
        (Flavour.HYDRA, "-f {hosts}", "-ppn 4", "-ppn 1"),
        (Flavour.HYDRA, "-f nowhere", "", "-ppn 1"),
        (Flavour.INTEL, "-hosts a:9,b:9", "-ppn 4", "-ppn 1"),
    ],
)
def test_what_launchers_are_asked(
    tmp_path: Path, flavour: Flavour, own: str, sequential: str, round_robin: str
) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text("# two\na:4\n\nb\na\n", encoding="ascii")
    launcher = Launcher(Path("/l"), flavour, (), tuple(own.format(hosts=hosts).split()))
    check_numbering(launcher)
    assert numbering_options(launcher, SEQUENTIAL, 7, {}) == tuple(sequential.split())
    assert numbering_options(launcher, ROUND_ROBIN, 7, {}) == tuple(round_robin.split())


def test_hydra_knows_the_hosts_of_a_job_or_a_variable(tmp_path: Path) -> None:
    hydra = Launcher(Path("/l"), Flavour.HYDRA)
    job = {"LSB_JOBID": "7", "LSB_DJOB_NUMPROC": "8", "LSB_MCPU_HOSTS": "a 4 b 4"}
    assert numbering_options(hydra, SEQUENTIAL, 8, job) == ("-ppn", "4")
    (tmp_path / "hosts").write_text("a\nb\nc\nd\n", encoding="ascii")
    variable = {"HYDRA_HOST_FILE": str(tmp_path / "hosts")}
    assert numbering_options(hydra, SEQUENTIAL, 8, variable) == ("-ppn", "2")


@pytest.mark.parametrize(
    ("flavour", "own", "problem"),
    [
        (Flavour.OTHER, "", "how /l is asked for an order is not known"),
        (Flavour.HYDRA, "-ppn 4", "gives an order already by -ppn"),
        (Flavour.OPEN_MPI, "--map-by core", "gives an order already by --map-by"),
        (Flavour.SRUN, "--distribution=block", "gives an order already by --distribution=block"),
        (Flavour.SRUN, "-m block", "gives an order already by -m"),
    ],
)
def test_launchers_that_are_refused(flavour: Flavour, own: str, problem: str) -> None:
    with pytest.raises(WrongUsageError, match=problem):
        check_numbering(Launcher(Path("/l"), flavour, (), tuple(own.split())))


RUN = ("--benchmark", "b_eff", "--processes", "4", "--output-dir", "out")


def on_two_nodes(
    programs: Programs, folder: Path, asked: str, **variables: str
) -> CompletedProcess[str]:
    words = ("--numbering", asked, "--launcher", f"{programs.launcher} -hosts a,b")
    with patch.dict(os.environ, FAKE_NODES="2,2", **variables):
        return beff_run(programs, folder, *RUN, *words)


@pytest.mark.parametrize(
    ("asked", "placement", "option"),
    [("sequential", [0, 0, 1, 1], "-ppn 2"), ("round-robin", [0, 1, 0, 1], "-ppn 1")],
)
def test_one_numbering(
    programs: Programs, tmp_path: Path, asked: str, placement: list[int], option: str
) -> None:
    done = on_two_nodes(programs, tmp_path, asked)
    assert done.returncode == 0, done.stderr
    assert f"numbering: {asked}, as asked" in done.stdout
    assert f"b_eff with 4 processes, {asked}, started by" in done.stderr
    prefix = tmp_path / f"out/b_eff_4p_{asked}"
    result = json.loads(Path(f"{prefix}.json").read_text(encoding="utf-8"))
    assert expanded(result["environment"]["placement"]) == placement
    assert f" -hosts a,b {option} -n 4 " in engine_arguments(prefix)[-1]


def test_both_show_the_ratio(programs: Programs, tmp_path: Path) -> None:
    done = on_two_nodes(programs, tmp_path, "both", FAKE_SLOWER="1.97")
    assert done.returncode == 0, done.stderr
    values = {
        each.value: json.loads((tmp_path / f"out/b_eff_4p_{each.value}.json").read_text())[
            "summary"
        ]["b_eff_MBps"]
        for each in Numbering
    }
    assert values["sequential"] / values["round-robin"] == pytest.approx(1.97, rel=1e-6)
    (row,) = (line.split() for line in done.stdout.splitlines() if line.rstrip().endswith(" 1.97"))
    assert row[0] == "4"
    length, _ = rate_unit(values["sequential"])
    assert [float(cell) * length for cell in row[1:3]] == pytest.approx(
        [values["sequential"], values["round-robin"]], rel=0.01
    )


def test_a_launcher_that_does_not_do_it(programs: Programs, tmp_path: Path) -> None:
    done = on_two_nodes(programs, tmp_path, "both", FAKE_OBEYS="no")
    assert done.returncode == 3, done.stderr
    assert "NOT round-robin: " in done.stdout
    assert "are 0 0 1 1" in done.stdout
    assert "sequential, as asked" in done.stdout
    assert "ratio" not in done.stdout


def test_one_node_is_measured_once(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *RUN, "--numbering", "both")
    assert done.returncode == 0, done.stderr
    assert "with 4 processes on 1 node, sequential" in done.stdout
    assert "by the numbering of the processes" not in done.stdout
    assert [path.name for path in (tmp_path / "out").glob("*.json")] == [
        "b_eff_4p_round-robin.json"
    ]
