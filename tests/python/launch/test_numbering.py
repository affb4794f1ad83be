"""`beff run --numbering`: what launchers are asked, what came of it, what it is worth."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.programs.programs import Programs
from support.runs import beff_run, engine_arguments

from beff.launch.launcher import Flavour, Launcher
from beff.launch.numbering import (
    Numbering,
    check_numbering,
    numbering_options,
    numberings_of,
)
from beff.result.bounds import expanded
from beff.result.errors import WrongUsageError
from beff.result.numbers import rate_unit

SEQUENTIAL, ROUND_ROBIN = Numbering.SEQUENTIAL, Numbering.ROUND_ROBIN
COUNTS = st.lists(st.integers(1, 5), min_size=1, max_size=5)


def filled(counts: list[int]) -> list[int]:
    """Nodes of the ranks when a node is filled, then the next."""
    return [node for node, number in enumerate(counts) for _ in range(number)]


def dealt(counts: list[int]) -> list[int]:
    """Nodes of the ranks when each node gets one in turn, while it has room."""
    left, nodes = list(counts), []
    while any(left):
        for node, room in enumerate(left):
            if room:
                left[node] -= 1
                nodes.append(node)
    return nodes


@given(COUNTS)
def test_a_placement_tells_its_numbering(counts: list[int]) -> None:
    assert SEQUENTIAL in numberings_of(filled(counts))
    assert ROUND_ROBIN in numberings_of(dealt(counts))
    same = filled(counts) == dealt(counts)
    assert (SEQUENTIAL in numberings_of(dealt(counts))) == same
    assert (ROUND_ROBIN in numberings_of(filled(counts))) == same


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


@pytest.mark.parametrize(
    ("flavour", "own", "command"),
    [
        (Flavour.HYDRA, "", "/l -bind-to core ORDER -n 4"),
        (Flavour.HYDRA, "-f h", "/l -f h ORDER -n 4"),
        (Flavour.OPEN_MPI, "", "/l --bind-to core ORDER -n 4"),
        (Flavour.SRUN, "", "/l --cpu-bind=cores ORDER --ntasks=4"),
        (Flavour.INTEL, "", "/l ORDER -n 4"),
    ],
)
def test_where_the_options_stand(flavour: Flavour, own: str, command: str) -> None:
    launcher = Launcher(Path("/l"), flavour, (), tuple(own.split()))
    assert launcher.command(4, 4, as_root=False, order=("ORDER",)) == command.split()


RUN = ("--benchmark", "b_eff", "--processes", "4", "--output-dir", "out")


def on_nodes(monkeypatch: pytest.MonkeyPatch, counts: str, obeys: str = "yes") -> None:
    monkeypatch.setenv("FAKE_NODES", counts)
    monkeypatch.setenv("FAKE_OBEYS", obeys)


@pytest.mark.parametrize("asked", ["sequential", "round-robin"])
def test_one_numbering(
    programs: Programs,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    asked: str,
) -> None:
    placement, option = {
        "sequential": ([0, 0, 1, 1], "-ppn 2"),
        "round-robin": ([0, 1, 0, 1], "-ppn 1"),
    }[asked]
    on_nodes(monkeypatch, "2,2")
    launcher = f"{programs.launcher} -hosts a,b"
    done = beff_run(programs, tmp_path, *RUN, "--numbering", asked, "--launcher", launcher)
    assert done.returncode == 0, done.stderr
    assert f"numbering: {asked}, as asked" in done.stdout
    assert f"b_eff with 4 processes, {asked}, started by" in done.stderr
    prefix = tmp_path / f"out/b_eff_4p_{asked}"
    result = json.loads(Path(f"{prefix}.json").read_text(encoding="utf-8"))
    assert expanded(result["environment"]["placement"]) == placement
    assert f" -hosts a,b {option} -n 4 " in engine_arguments(prefix)[-1]


def test_both_show_the_ratio(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_nodes(monkeypatch, "2,2")
    monkeypatch.setenv("FAKE_SLOWER", "1.97")
    launcher = f"{programs.launcher} -hosts a,b"
    done = beff_run(programs, tmp_path, *RUN, "--numbering", "both", "--launcher", launcher)
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
    assert "the ratio is not" not in done.stdout
    assert "differ also" not in done.stdout


def test_a_launcher_that_does_not_do_it(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_nodes(monkeypatch, "2,2", obeys="no")
    launcher = f"{programs.launcher} -hosts a,b"
    done = beff_run(programs, tmp_path, *RUN, "--numbering", "both", "--launcher", launcher)
    assert done.returncode == 3, done.stderr
    assert "NOT round-robin: " in done.stdout
    assert "are 0 0 1 1" in done.stdout
    assert "sequential, as asked" in done.stdout
    assert "the ratio is not" in done.stdout


def test_other_numbers_of_processes_on_a_node_are_named(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_nodes(monkeypatch, "3,1;2,2")
    launcher = f"{programs.launcher} -hosts a,b"
    done = beff_run(programs, tmp_path, *RUN, "--numbering", "both", "--launcher", launcher)
    assert done.returncode == 0, done.stderr
    assert "(sequential node1 3, node2 1; round-robin node1 2, node2 2)" in done.stdout


def test_one_node_is_measured_once(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *RUN, "--numbering", "both")
    assert done.returncode == 0, done.stderr
    assert "all 4 processes" in done.stdout
    assert "by the numbering of the processes" not in done.stdout
    assert [path.name for path in (tmp_path / "out").glob("*.json")] == [
        "b_eff_4p_round-robin.json"
    ]


def test_one_process_per_node_is_the_same_either_way(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_nodes(monkeypatch, "1,1,1,1")
    done = beff_run(programs, tmp_path, *RUN, "--numbering", "sequential")
    assert done.returncode == 0, done.stderr
    assert "has one process" in done.stdout


@pytest.mark.parametrize(
    ("numbering", "launcher", "refusal"),
    [
        (
            "random",
            "HYDRA",
            (
                2,
                "'random' is not one of 'sequential', 'round-robin', 'both'",
            ),
        ),
        ("both", "MyMPI 1.0", (2, "is asked for an order is not known")),
    ],
)
def test_what_is_refused(
    programs: Programs, tmp_path: Path, numbering: str, launcher: str, refusal: tuple[int, str]
) -> None:
    done = beff_run(programs, tmp_path, *RUN, "--numbering", numbering, launcher=launcher)
    code, message = refusal
    assert done.returncode == code
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
