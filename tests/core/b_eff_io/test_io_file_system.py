"""What is read of parallel file systems: mounts, Lustre's striping, batch jobs."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from program_core import core

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
    assert core.mount_of(folder, table) == [*mount]


def test_without_a_table_no_mount_is_known(tmp_path: Path) -> None:
    assert core.mount_of("/scratch", tmp_path / "missing") is None


def layout(magic: int, size: int, count: int, pool: bytes = b"") -> bytes:
    """struct lov_user_md_v1 or _v3: magic, pattern, object id, stripe size, count, offset, pool."""
    fixed = struct.pack("=II16xIhH", magic, 1, size, count, 0xFFFF)
    return fixed + (pool.ljust(16, b"\0") if pool else b"")


def striping(attribute: bytes) -> Any:
    """Size and count of stripes, components and pool, or None."""
    return core.lustre_striping([*attribute])


@pytest.mark.parametrize("count", [1, 8, -1])
def test_striping_of_lustre(count: int) -> None:
    assert striping(layout(0x0BD10BD0, 2**20, count)) == [2**20, count, None, ""]
    with_pool = layout(0x0BD30BD0, 4 * 2**20, count, b"flash")
    assert striping(with_pool) == [4 * 2**20, count, None, "flash"]


def test_a_composite_layout_tells_its_components_only() -> None:
    head = struct.pack("=IIIHH16x", 0x0BD60BD0, 200, 1, 0, 3)
    assert striping(head + bytes(168)) == [None, None, 3, ""]


@given(st.binary(max_size=80))
def test_other_bytes_are_no_layout(attribute: bytes) -> None:
    known = {0x0BD10BD0, 0x0BD30BD0, 0x0BD60BD0}
    if len(attribute) < 4 or struct.unpack("=I", attribute[:4])[0] not in known:
        assert striping(attribute) is None


@pytest.mark.parametrize("length", range(30))
def test_a_layout_that_is_cut_off_is_none(length: int) -> None:
    assert striping(layout(0x0BD10BD0, 2**20, 4)[:length]) is None


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
    assert core.batch_job(variables) == (job and [*job])


DISK_MB = 7
"""What each disk has read."""


class System:
    """A tree like that of a machine, to which mounts and devices are added."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.mounts: list[str] = []
        self.disk("sda", "8:0")
        self.disk("sda1", "8:1", parent="sda")
        self.mount("/", "ext4", "8:1", "/dev/sda1")

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n", encoding="utf-8")

    def disk(self, name: str, numbers: str, parent: str = "", slaves: tuple[str, ...] = ()) -> None:
        folder = f"sys/devices/block/{parent}/{name}" if parent else f"sys/devices/block/{name}"
        self.write(f"{folder}/dev", numbers)
        self.write(f"{folder}/stat", f"9 9 {DISK_MB * 10**6 // 512} 9 9 9 9 9 9 9 9")
        if parent:
            self.write(f"{folder}/partition", "1")
        for slave in slaves:
            (self.root / folder / "slaves").mkdir(exist_ok=True)
            (self.root / folder / "slaves" / slave).symlink_to(
                self.root / f"sys/class/block/{slave}"
            )
        for place, link in (("dev/block", numbers), ("class/block", name)):
            (self.root / "sys" / place).mkdir(parents=True, exist_ok=True)
            (self.root / "sys" / place / link).symlink_to(self.root / folder)

    def loop(self, file: str) -> None:
        self.disk("loop0", "7:0")
        self.write("sys/devices/block/loop0/loop/backing_file", file)

    def mount(
        self, point: str, kind: str, device: str, source: str = "none", options: str = "rw"
    ) -> None:
        self.mounts.append(f"1 1 {device} / {point} rw - {kind} {source} {options}")
        self.write("proc/self/mountinfo", "\n".join(self.mounts))
        (self.root / point.strip("/")).mkdir(parents=True, exist_ok=True)


def plain(system: System) -> str:
    return "/home"


def on_tmpfs(system: System) -> str:
    system.mount("/scratch", "tmpfs", "0:40")
    return "/scratch/me"


def in_a_file_on_tmpfs(system: System) -> str:
    system.mount("/dev/shm", "tmpfs", "0:40")
    system.loop("/dev/shm/a/file (deleted)")
    system.mount("/scratch", "ext4", "7:0", "/dev/loop0")
    return "/scratch"


def in_a_file_on_a_disk(system: System) -> str:
    system.loop("/home/file")
    system.mount("/scratch", "xfs", "7:0", "/dev/loop0")
    return "/scratch"


def in_a_file_on_lustre(system: System) -> str:
    """Whose pages in the caches nobody looks at."""
    system.mount("/lustre", "lustre", "0:41", "10.1.0.2@o2ib:/fs")
    system.loop("/lustre/file")
    system.mount("/scratch", "ext4", "7:0", "/dev/loop0")
    return "/scratch"


def in_a_file_on_itself(system: System) -> str:
    system.loop("/scratch/file")
    system.mount("/scratch", "ext4", "7:0", "/dev/loop0")
    return "/scratch"


def on_a_mirror(system: System) -> str:
    """On an encrypted volume of an array of two disks."""
    system.disk("sdb", "8:16")
    system.disk("sdc", "8:32")
    system.disk("md0", "9:0", slaves=("sdb", "sdc"))
    system.disk("dm-0", "253:0", slaves=("md0",))
    system.mount("/scratch", "xfs", "253:0", "/dev/mapper/scratch")
    return "/scratch"


def on_compressed_memory(system: System) -> str:
    system.disk("zram0", "252:0")
    system.mount("/scratch", "ext4", "252:0", "/dev/zram0")
    return "/scratch"


def on_an_overlay(system: System) -> str:
    system.mount("/upper", "xfs", "8:1")
    system.mount(
        "/scratch", "overlay", "0:50", "overlay", "rw,lowerdir=/a:/b,upperdir=/upper/x,workdir=/w"
    )
    (system.root / "upper/x").mkdir()
    return "/scratch"


def on_an_overlay_on_tmpfs(system: System) -> str:
    system.mount("/upper", "tmpfs", "0:40")
    system.mount(
        "/scratch", "overlay", "0:50", "overlay", "rw,lowerdir=/a,upperdir=/upper,workdir=/w"
    )
    return "/scratch"


def in_a_container(system: System) -> str:
    """The upper folder of the overlay is nowhere in it."""
    system.mount(
        "/", "overlay", "0:50", "overlay", "rw,lowerdir=/a,upperdir=/var/lib/docker/x/diff"
    )
    return "/tmp"


def on_lustre(system: System) -> str:
    system.mount("/scratch", "lustre", "0:41", "10.1.0.2@o2ib:/scratch")
    return "/scratch"


def on_gpfs(system: System) -> str:
    system.mount("/gpfs", "gpfs", "0:42", "fs1")
    return "/gpfs"


def on_fuse(system: System) -> str:
    system.mount("/scratch", "fuse.sshfs", "0:43", "server:/data")
    return "/scratch"


def on_persistent_memory(system: System) -> str:
    system.disk("pmem0", "259:0")
    system.mount("/scratch", "ext4", "259:0", "/dev/pmem0", "rw,dax=always")
    return "/scratch"


def compressed(system: System) -> str:
    system.mount("/scratch", "btrfs", "0:44", "/dev/sda1", "rw,compress=zstd:3")
    return "/scratch"


def on_two_disks_of_btrfs(system: System) -> str:
    system.disk("sdb", "8:16")
    for name in ("sda", "sdb"):
        pool = system.root / "sys/fs/btrfs/0123/devices"
        pool.mkdir(parents=True, exist_ok=True)
        (pool / name).symlink_to(system.root / f"sys/class/block/{name}")
    system.mount("/scratch", "btrfs", "0:44", "/dev/sda")
    return "/scratch"


@pytest.mark.parametrize(
    ("arrange", "below", "seen_by", "disks"),
    [
        (plain, ["sda1"], "devices", 1),
        (on_tmpfs, [], "memory", 0),
        (in_a_file_on_tmpfs, ["loop0", "tmpfs at /dev/shm"], "memory", 0),
        (in_a_file_on_a_disk, ["loop0", "ext4 at /", "sda1"], "devices", 1),
        (in_a_file_on_lustre, ["loop0", "lustre at /lustre"], "nothing", 0),
        (on_a_mirror, ["dm-0", "md0", "sdb", "sdc"], "devices", 2),
        (on_compressed_memory, ["zram0"], "memory", 0),
        (on_an_overlay, ["xfs at /upper", "sda1"], "devices", 1),
        (on_an_overlay_on_tmpfs, ["tmpfs at /upper"], "memory", 0),
        (in_a_container, [], "page caches", 0),
        (on_lustre, [], "page caches", 0),
        (on_gpfs, [], "nothing", 0),
        (on_fuse, [], "nothing", 0),
        (on_persistent_memory, [], "nothing", 0),
        (compressed, ["sda1"], "page caches", 1),
        (on_two_disks_of_btrfs, ["sda", "sdb"], "devices", 2),
    ],
)
def test_what_files_lie_on_in_the_end(
    tmp_path: Path,
    arrange: Callable[[System], str],
    below: list[str],
    seen_by: str,
    disks: int,
) -> None:
    folder = arrange(System(tmp_path))
    found, in_memory, reads_seen_by, read = core.storage_of(folder, tmp_path)
    assert found == below
    assert ("memory" if in_memory else reads_seen_by) == seen_by
    assert read == (DISK_MB * 10**6 // 512 * 512 * disks or None)


def test_a_file_system_in_its_own_file_ends(tmp_path: Path) -> None:
    _, in_memory, reads_seen_by, _ = core.storage_of(
        in_a_file_on_itself(System(tmp_path)), tmp_path
    )
    assert (in_memory, reads_seen_by) == (False, "nothing")


def test_where_nothing_is_reported_nothing_is_known(tmp_path: Path) -> None:
    assert core.storage_of("/x", tmp_path) == [[], False, "nothing", None]
