"""What is read of parallel file systems: mounts, Lustre's striping, burst buffers, batch jobs."""

from __future__ import annotations

import struct
from pathlib import Path

import beff_core_testing as core
import pytest
from hypothesis import given
from hypothesis import strategies as st

MOUNTS = r"""22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro
30 22 0:40 / /home rw,relatime shared:9 - nfs4 nas:/export/home rw,vers=4.2,rsize=1048576,hard
31 22 0:41 / /scratch rw,flock - lustre 10.1.0.2@o2ib:10.1.0.3@o2ib:/scratch rw,flock,lazystatfs
32 22 0:42 / /gpfs/fs1 rw,relatime shared:12 - gpfs fs1 rw,mtime,relatime,dev=fs1
33 22 0:43 / /mnt/beegfs rw,relatime - beegfs beegfs_nodev rw,cfgFile=/etc/beegfs/beegfs-client.conf
34 22 0:44 / /my\040data rw - xfs /dev/sdb1 rw,inode64
35 31 0:45 / /scratch rw - tmpfs hidden rw
36 31 0:41 / /scratch rw,flock - lustre 10.1.0.2@o2ib:/scratch rw,flock,lazystatfs
"""


@pytest.mark.parametrize(
    ("folder", "mount"),
    [
        ("/opt/x", ("/", "ext4", "/dev/sda1", "rw,relatime", "rw,errors=remount-ro")),
        (
            "/home/me",
            *[
                (
                    *("/home", "nfs4", "nas:/export/home", "rw,relatime"),
                    "rw,vers=4.2,rsize=1048576,hard",
                )
            ],
        ),
        (
            "/scratch/me",  # the last of three that stand there
            ("/scratch", "lustre", "10.1.0.2@o2ib:/scratch", "rw,flock", "rw,flock,lazystatfs"),
        ),
        ("/gpfs/fs1/a", ("/gpfs/fs1", "gpfs", "fs1", "rw,relatime", "rw,mtime,relatime,dev=fs1")),
        (
            "/mnt/beegfs",
            (
                *("/mnt/beegfs", "beegfs", "beegfs_nodev", "rw,relatime"),
                "rw,cfgFile=/etc/beegfs/beegfs-client.conf",
            ),
        ),
        ("/my data/x", ("/my data", "xfs", "/dev/sdb1", "rw", "rw,inode64")),
        ("/homes", ("/", "ext4", "/dev/sda1", "rw,relatime", "rw,errors=remount-ro")),
    ],
)
def test_the_mount_that_covers_a_folder(
    tmp_path: Path, folder: str, mount: tuple[str, ...]
) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(MOUNTS, encoding="utf-8")
    assert core.mount_of(Path(folder), table) == mount


def test_without_a_table_no_mount_is_known(tmp_path: Path) -> None:
    assert core.mount_of(Path("/scratch"), tmp_path / "missing") is None


def layout(magic: int, size: int, count: int, pool: bytes = b"") -> bytes:
    """struct lov_user_md_v1 or _v3: magic, pattern, object id, stripe size, count, offset, pool."""
    fixed = struct.pack("=II16xIhH", magic, 1, size, count, 0xFFFF)
    return fixed + (pool.ljust(16, b"\0") if pool else b"")


@pytest.mark.parametrize("count", [1, 8, -1])
def test_striping_of_lustre(count: int) -> None:
    assert core.lustre_striping(layout(0x0BD10BD0, 2**20, count)) == (2**20, count, None, "")
    with_pool = layout(0x0BD30BD0, 4 * 2**20, count, b"flash")
    assert core.lustre_striping(with_pool) == (4 * 2**20, count, None, "flash")


def test_a_composite_layout_tells_its_components_only() -> None:
    head = struct.pack("=IIIHH16x", 0x0BD60BD0, 200, 1, 0, 3)
    assert core.lustre_striping(head + bytes(168)) == (None, None, 3, "")


@given(st.binary(max_size=80))
def test_other_bytes_are_no_layout(attribute: bytes) -> None:
    known = {0x0BD10BD0, 0x0BD30BD0, 0x0BD60BD0}
    if len(attribute) < 4 or struct.unpack("=I", attribute[:4])[0] not in known:
        assert core.lustre_striping(attribute) is None


@pytest.mark.parametrize("length", range(30))
def test_a_layout_that_is_cut_off_is_none(length: int) -> None:
    assert core.lustre_striping(layout(0x0BD10BD0, 2**20, 4)[:length]) is None


@pytest.mark.parametrize(
    ("folder", "variable"),
    [
        ("/var/opt/cray/dws/7/job/x", "DW_JOB_STRIPED"),
        ("/mnt/bb", "BBPATH"),
        ("/mnt/bbx", ""),
        ("/scratch", ""),
    ],
)
def test_the_burst_buffer_that_a_folder_is_in(folder: str, variable: str) -> None:
    variables = {
        "DW_JOB_STRIPED": "/var/opt/cray/dws/7/job/",
        "BBPATH": "/mnt/bb",
        "BB_JOB_NODES": "3",
        "SCRATCH": "/scratch",
    }
    assert core.burst_buffer_of(Path(folder), variables) == variable


@pytest.mark.parametrize(
    ("variables", "job"),
    [
        ({}, None),
        (
            {"SLURM_JOB_ID": "7", "SLURM_JOB_PARTITION": "cpu", "SLURM_JOB_QOS": "short"},
            ("Slurm", "cpu", "short"),
        ),
        ({"PBS_JOBID": "7.head", "PBS_QUEUE": "workq"}, ("PBS", "workq", "")),
        ({"LSB_JOBID": "7", "LSB_QUEUE": "normal"}, ("LSF", "normal", "")),
        ({"FLUX_JOB_ID": "f1"}, ("Flux", "", "")),
        ({"SLURM_JOB_PARTITION": "cpu"}, None),
    ],
)
def test_the_batch_job(variables: dict[str, str], job: tuple[str, str, str] | None) -> None:
    assert core.batch_job(variables) == job
