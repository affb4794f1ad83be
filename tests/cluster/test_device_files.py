"""Files from and to buffers on devices: what takes too long for `make test`."""

from __future__ import annotations

from pathlib import Path

from engines.b_eff_io.io_support import TINY
from engines.device_support import StandIn, files_go_through_the_host
from engines.support import MPICH, OPENMPI, result_in, unmet


def test_files_go_through_the_host_with_open_mpi(tmp_path: Path) -> None:
    files_go_through_the_host(tmp_path, OPENMPI)


def test_files_hold_what_was_on_the_device_alone(tmp_path: Path) -> None:
    """Copies from the device bring nothing, and so nothing right comes into the files."""
    env = StandIn(tmp_path, MPICH, mpi=False).environment(BEFF_STANDIN_FAIL="idle_copies")
    options = (*TINY, "--time", "2s", "--memory", "cuda")
    run = MPICH.run(2, *options, cwd=tmp_path, env=env, program="b_eff_io")
    assert run.returncode == 3, run.stderr
    assert "data" in unmet(result_in(tmp_path, "b_eff_io"))
