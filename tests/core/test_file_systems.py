"""What is read of parallel file systems: mounts, Lustre's striping, what files lie on."""

import shlex
import struct
from pathlib import Path
from typing import Any

import pytest

from program_core import core, plant

MOUNTS = r"""22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro
31 22 0:41 / /scratch rw,flock - lustre 10.1.0.2@o2ib:10.1.0.3@o2ib:/scratch rw,flock,lazystatfs
32 22 0:42 / /gpfs/fs1 rw,relatime shared:12 - gpfs fs1 rw,mtime,relatime,dev=fs1
34 22 0:44 / /my\040data rw - xfs /dev/sdb1 rw,inode64
35 31 0:45 / /scratch rw - tmpfs hidden rw
36 31 0:41 / /scratch rw,flock - lustre 10.1.0.2@o2ib:/scratch rw,flock,lazystatfs
"""


@pytest.mark.parametrize(
    ("folder", "mount"),
    [
        ("/opt/x", ("/", "ext4", "/dev/sda1", "rw,relatime", "rw,errors=remount-ro")),
        (
            "/scratch/me",  # the last of three that stand there
            ("/scratch", "lustre", "10.1.0.2@o2ib:/scratch", "rw,flock", "rw,flock,lazystatfs"),
        ),
        ("/gpfs/fs1/a", ("/gpfs/fs1", "gpfs", "fs1", "rw,relatime", "rw,mtime,relatime,dev=fs1")),
        ("/my data/x", ("/my data", "xfs", "/dev/sdb1", "rw", "rw,inode64")),
        ("/gpfs/fs10", ("/", "ext4", "/dev/sda1", "rw,relatime", "rw,errors=remount-ro")),
    ],
)
def test_the_mount_that_covers_a_folder(
    tmp_path: Path, folder: str, mount: tuple[str, ...]
) -> None:
    table = tmp_path / "mountinfo"
    assert core.mount_of(folder, table) is None
    table.write_text(MOUNTS, encoding="utf-8")
    assert tuple(core.mount_of(folder, table).values()) == mount


def layout(magic: int, size: int, count: int, pool: bytes = b"") -> bytes:
    """struct lov_user_md_v1 or _v3: magic, pattern, object id, stripe size, count, offset, pool."""
    fixed = struct.pack("=II16xIhH", magic, 1, size, count, 0xFFFF)
    return fixed + (pool.ljust(16, b"\0") if pool else b"")


def striping(attribute: bytes) -> Any:
    """Size and count of stripes, components and pool, or None."""
    found = core.lustre_striping([*attribute])
    return found and tuple(found.values())


@pytest.mark.parametrize("count", [1, 8, -1])
def test_striping_of_lustre(count: int) -> None:
    whole = layout(0x0BD10BD0, 2**20, count)
    assert striping(whole) == (2**20, count, None, "")
    assert {striping(whole[:length]) for length in range(30)} == {None}
    assert striping(b"\1" + whole[1:]) is None
    with_pool = layout(0x0BD30BD0, 4 * 2**20, count, b"flash")
    assert striping(with_pool) == (4 * 2**20, count, None, "flash")
    composite = struct.pack("=IIIHH16x", 0x0BD60BD0, 200, 1, 0, 3) + bytes(168)
    assert striping(composite) == (None, None, 3, "")


DISK_BYTES = 7 * 10**6 // 512 * 512
"""What each disk has read."""


class System:
    """A tree like that of a machine, to which mounts and devices are added."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.mounts: list[str] = []
        self.disk("sda", "8:0")
        self.disk("sda1", "8:1", parent="sda")
        self.mount("/", "ext4", "8:1", "/dev/sda1")

    def disk(self, name: str, numbers: str, *slaves: str, parent: str = "") -> None:
        folder = f"sys/devices/block/{parent}/{name}" if parent else f"sys/devices/block/{name}"
        stat = f"9 9 {DISK_BYTES // 512} 9 9 9 9 9 9 9 9"
        plant(self.root, {f"{folder}/dev": numbers, f"{folder}/stat": stat})
        if parent:
            plant(self.root, {f"{folder}/partition": "1"})
        links = {f"dev/block/{numbers}": folder, f"class/block/{name}": folder}
        links |= {f"{folder[4:]}/slaves/{slave}": f"sys/class/block/{slave}" for slave in slaves}
        self.link(links)

    def link(self, links: dict[str, str]) -> None:
        for place, target in links.items():
            link = self.root / "sys" / place
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(self.root / target)

    def loop(self, file: str) -> None:
        """A disk in a file."""
        self.disk("loop0", "7:0")
        plant(self.root, {"sys/devices/block/loop0/loop/backing_file": file})
        self.mount("/scratch", "ext4", "7:0", "/dev/loop0")

    def mount(
        self, point: str, kind: str, device: str, source: str = "none", options: str = "rw"
    ) -> None:
        self.mounts.append(f"1 1 {device} / {point} rw - {kind} {source} {options}")
        plant(self.root, {"proc/self/mountinfo": "\n".join(self.mounts)})
        (self.root / point.strip("/")).mkdir(parents=True, exist_ok=True)

    def overlay(self, upper: str) -> None:
        options = f"rw,lowerdir=/a:/b,upperdir={upper},workdir=/w"
        self.mount("/scratch", "overlay", "0:50", "overlay", options)

    def pool(self, *disks: str) -> None:
        """Btrfs over disks."""
        self.link({f"fs/btrfs/0123/devices/{disk}": f"sys/class/block/{disk}" for disk in disks})


ARRAY = "disk sdb 8:16; disk sdc 8:32; disk md0 9:0 sdb sdc; disk dm-0 253:0 md0"


@pytest.mark.parametrize(
    ("verbs", "below", "seen_by", "disks"),
    [
        ("", ["sda1"], "devices", 1),
        ("mount /scratch tmpfs 0:40", [], "memory", 0),
        (
            "mount /dev/shm tmpfs 0:40; loop '/dev/shm/a/file (deleted)'",
            ["loop0", "tmpfs at /dev/shm"],
            "memory",
            0,
        ),
        ("loop /home/file", ["loop0", "ext4 at /", "sda1"], "devices", 1),
        # pages of the file in the caches, which nobody looks at
        (
            "mount /lustre lustre 0:41 10.1:/fs; loop /lustre/file",
            ["loop0", "lustre at /lustre"],
            "nothing",
            0,
        ),
        # an encrypted volume of an array of two disks
        (
            f"{ARRAY}; mount /scratch xfs 253:0 /dev/mapper/scratch",
            ["dm-0", "md0", "sdb", "sdc"],
            "devices",
            2,
        ),
        ("disk zram0 252:0; mount /scratch ext4 252:0 /dev/zram0", ["zram0"], "memory", 0),
        ("mount /upper/x xfs 8:1; overlay /upper/x", ["xfs at /upper/x", "sda1"], "devices", 1),
        ("mount /upper tmpfs 0:40; overlay /upper", ["tmpfs at /upper"], "memory", 0),
        ("overlay /var/lib/nowhere/in/the/container", [], "page caches", 0),
        ("mount /scratch lustre 0:41 10.1:/fs", [], "page caches", 0),
        ("mount /scratch gpfs 0:42 fs1", [], "nothing", 0),
        ("mount /scratch fuse.sshfs 0:43 server:/data", [], "nothing", 0),
        # persistent memory
        ("disk pmem0 259:0; mount /scratch ext4 259:0 /dev/pmem0 rw,dax=always", [], "nothing", 0),
        # what is compressed
        ("mount /scratch btrfs 0:44 /dev/sda1 rw,compress=zstd:3", ["sda1"], "page caches", 1),
        (
            "disk sdb 8:16; pool sda sdb; mount /scratch btrfs 0:44 /dev/sda",
            ["sda", "sdb"],
            "devices",
            2,
        ),
    ],
)
def test_what_files_lie_on_in_the_end(
    tmp_path: Path, verbs: str, below: list[str], seen_by: str, disks: int
) -> None:
    system = System(tmp_path)
    for line in filter(None, verbs.split("; ")):
        verb, *words = shlex.split(line)
        getattr(system, verb)(*words)
    folder = "/scratch/me" if verbs else "/home"
    found, in_memory, reads_seen_by, read = core.storage_of(folder, tmp_path)
    assert found == below
    assert ("memory" if in_memory else reads_seen_by) == seen_by
    assert read == (DISK_BYTES * disks or None)


def test_what_is_not_known(tmp_path: Path) -> None:
    assert core.storage_of("/x", tmp_path) == [[], False, "nothing", None]
    System(tmp_path).loop("/scratch/file")  # a file system in its own file
    assert core.storage_of("/scratch/me", tmp_path)[1:3] == [False, "nothing"]
