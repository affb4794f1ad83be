"""b_eff_io where files lie on other hosts, and on disks that fill up."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from cluster.emulation import Cell, Network, file_systems, make_cell
from cluster.emulation.mpi import CLUSTER_LIBRARIES, ClusterLibrary, result_of
from engines.b_eff_io.io_support import PROGRAM, TINY
from engines.support import assert_verified, cautions_with, unmet

LINK = 100.0
CLIENTS = [0, 1]
SERVERS = [2, 3]
ROMIO = {"OMPI_MCA_io": "romio341"}
"""Lets Open MPI read as MPICH does; its own way to read never meets the stale pages."""


def skip_without(*programs: str) -> None:
    reason = file_systems.reason_against(*programs)
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture
def four_hosts() -> Iterator[Cell]:
    with make_cell(Network(hosts=4, link_mbit=LINK)) as cell:
        yield cell


@pytest.fixture
def one_host() -> Iterator[Cell]:
    with make_cell(Network(hosts=1, link_mbit=LINK)) as cell:
        yield cell


@pytest.fixture
def mount_point(tmp_path: Path) -> Path:
    folder = tmp_path / "mounted"
    folder.mkdir()
    return folder


def measure(
    cell: Cell,
    library: ClusterLibrary,
    folder: Path,
    path: Path,
    *options: str,
    env: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Run with a process on each of the two clients, and every chunk compared."""
    run = library.run(
        cell,
        2,
        *(*TINY, "--path", str(path), "--partitions", "2", "--verify", "full", *options),
        cwd=folder,
        program=PROGRAM,
        env=env,
        timeout=250,
    )
    return result_of(run, folder, PROGRAM)


@pytest.mark.parametrize(
    ("cyclic", "library"),
    list(zip([False, True], CLUSTER_LIBRARIES, strict=True)),
    ids=["block", "cyclic"],
)
def test_shifted_readers_read_what_another_node_wrote(
    library: ClusterLibrary, tmp_path: Path, cyclic: bool
) -> None:
    with make_cell(Network(hosts=2, link_mbit=LINK)) as cell:
        run = library.run(
            cell,
            4,
            *(*TINY, "--partitions", "4", "--time", "5s", "--max-data", "200MiB"),
            *("--shift-readers", "--verify", "full", "--types", "all"),
            cwd=tmp_path,
            per_host=2,
            cyclic=cyclic,
            program=PROGRAM,
            timeout=250,
        )
    result = result_of(run, tmp_path, PROGRAM)
    assert result["reader_shifted"]
    assert result["complete"], result["cautions"]
    assert result["data_check"]["wrong_chunks"] == 0
    assert cautions_with(result, "shifted reader")
    assert_verified(tmp_path, PROGRAM)


def test_wrong_bytes_of_an_incoherent_file_system_are_noticed(
    four_hosts: Cell, library: ClusterLibrary, tmp_path: Path, mount_point: Path
) -> None:
    skip_without(*file_systems.SSHFS)
    file_systems.mount_sshfs(four_hosts, SERVERS[0], CLIENTS, mount_point)
    # Pages that a client keeps although another has changed the file: they must not be dropped.
    options = ["--time", "10s", "--max-data", "80MiB", "--procedure", "original"]
    result = measure(four_hosts, library, tmp_path, mount_point, *options, env=ROMIO)
    assert not result["valid"]
    assert {"data", "no error"} <= unmet(result)
    assert result["data_check"]["wrong_chunks"] > 0
    assert "expected 0x" in result["data_check"]["first_error"]
    assert cautions_with(result, "wrong data")


@pytest.mark.parametrize(
    ("kind", "library"),
    list(zip(file_systems.DISKS, CLUSTER_LIBRARIES, strict=True)),
    ids=file_systems.DISKS,
)
def test_a_small_disk_ends_the_loops_early(
    one_host: Cell, library: ClusterLibrary, tmp_path: Path, mount_point: Path, kind: str
) -> None:
    skip_without(file_systems.DISKS[kind][0][0])
    file_systems.mount_disk(one_host, "n0", kind, mount_point)
    options = [*TINY, "--path", str(mount_point), "--time", "20s", "--partitions", "2"]
    run = library.run(one_host, 2, *options, cwd=tmp_path, per_host=2, program=PROGRAM, timeout=200)
    assert run.returncode == 3, run.stderr
    result = result_of(run, tmp_path, PROGRAM)
    assert result["complete"]
    assert "space" in result["samples"]["stop"]
    assert result["environment"]["filesystem"]["kind"] == kind
    assert result["data_check"]["wrong_chunks"] == 0
    assert one_host.must("n0", "ls", mount_point).split() in ([], ["lost+found"])
