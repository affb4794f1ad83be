"""`beff twin order`: what it finds, and where it keeps the order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.machines.flat import QUIET, flat
from support.machines.leaves import Leaves, Level
from support.machines.machine import Machine, broken
from support.machines.result import make_map
from support.machines.torus import Torus
from support.programs.limited import Script, limited
from support.reports import written

from beff.cli.app import main
from beff.cli.common import exit_codes

SCATTERED = broken(
    Leaves((Level((4, 4, 4, 4), hop=1.3, taper=4.0),), scattered=3), **QUIET, passes=20
)
FILES = {
    "hostfile.hydra",
    "hostfile.slurm",
    "hosts.txt",
    "machinefile.intel",
    "MPICH_RANK_ORDER",
    "rankfile.openmpi",
}


def ordered(folder: Path, machine: Machine, *options: str) -> int:
    written(folder, "b_pairs_16p.json", make_map(machine))
    return main(["twin", "order", str(folder), *options])


def test_hosts_by_chance_are_ordered_and_written_for_each_launcher(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = tmp_path / "order"
    assert ordered(tmp_path, SCATTERED, "--output-dir", str(order)) == exit_codes.OK
    said = capsys.readouterr().out
    gain = re.search(r"gain: ([\d.]+) times as fast \(([\d.]+) to ([\d.]+)\)", said)
    assert gain is not None
    assert 1.5 < float(gain[2]) < float(gain[1]) < float(gain[3])
    assert {path.name for path in order.iterdir()} == FILES
    hosts = (order / "hosts.txt").read_text().split()
    assert sorted(hosts) == sorted(f"node{number}" for number in range(1, 17))
    assert main(["twin", "order", str(tmp_path), "--output-dir", str(order)]) == 2
    assert main(["twin", "order", str(tmp_path), "--output-dir", str(order), "--overwrite"]) == 0


@pytest.mark.parametrize("matrix", ["alltoall", None])
def test_no_gain_keeps_the_order(
    matrix: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On one switch nothing gains; all to all does nowhere."""
    machine = SCATTERED if matrix else flat(16, **QUIET)
    options = ("--output-dir", str(tmp_path / "order"), *(("--matrix", matrix) if matrix else ()))
    assert ordered(tmp_path, machine, *options) == exit_codes.OK
    assert "no gain: keep your order" in capsys.readouterr().out
    assert not (tmp_path / "order").exists()


def test_where_the_map_is_not_explained_nothing_is_promised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a torus pairs share what neither hosts nor groups of hosts show."""
    torus, order = broken(Torus((4, 4, 2)), **QUIET, passes=20), tmp_path / "order"
    assert ordered(tmp_path, torus, "--output-dir", str(order)) == exit_codes.NOT_VALID
    assert "times as fast" not in capsys.readouterr().out
    assert not order.exists()


def test_messages_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.txt"
    rows.write_text("".join(f"{rank} {rank ^ 1} 1048576\n" for rank in range(16)))
    assert ordered(tmp_path, SCATTERED, "--matrix", str(rows)) == exit_codes.OK
    assert "gain: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "named"), [(("--matrix", "halo:4d"), "halo:4d"), (("--matrix", "no.txt"), "no.txt")]
)
def test_wrong_use(
    options: tuple[str, ...], named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ordered(tmp_path, flat(16, **QUIET), *options) == exit_codes.WRONG_USAGE
    assert named in capsys.readouterr().err


@pytest.mark.parametrize(
    ("machine", "code", "said"),
    [
        (flat(8, **QUIET), exit_codes.OK, "no gain"),
        (
            broken(Leaves((Level((4, 4), hop=1.3, taper=4.0),), scattered=3), **QUIET, passes=20),
            exit_codes.NOT_VALID,
            "structure not understood",
        ),
    ],
)
def test_a_run_beside_the_map_tests_the_model(
    machine: Machine, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run is that of a flat machine: the uplinks of the other map are not understood."""
    written(tmp_path, "b_eff_8p.json", limited(Script(latency_s=2e-6)))
    written(tmp_path, "b_pairs_8p.json", make_map(machine))
    order = tmp_path / "order"
    assert main(["twin", "order", str(tmp_path), "--output-dir", str(order)]) == code
    out = capsys.readouterr().out
    assert said in out
    assert "self-test: " in out
    assert "gain: " not in out.replace("no gain: ", "")
    assert not order.exists()
