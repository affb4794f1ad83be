"""File systems on the hosts of a cell: sshfs, and small disks in files."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from cluster.emulation import Cell, CellError

_READY_WITHIN_S = 240


def reason_against(*programs: str) -> str | None:
    """Why file systems that need these programs cannot be tried here; None where they can."""
    if os.geteuid() != 0:
        return "mounting needs root"
    missing = [program for program in programs if shutil.which(program) is None]
    return f"not installed: {', '.join(missing)}" if missing else None


def _until(cell: Cell, host: str, *words: str | Path) -> None:
    """Repeat a command until it works. Raises CellError."""
    deadline = time.monotonic() + _READY_WITHIN_S
    while (done := cell.run(host, *words)).returncode != 0:
        if time.monotonic() > deadline:
            told = done.stderr.strip() or done.stdout.strip()
            raise CellError(f"{' '.join(map(str, words))} on {host}: {told}")
        time.sleep(0.3)


# --- sshfs ---

SSHFS = ("sshfs", "sshd", "ssh-keygen")
_SSHD = """
mount -t tmpfs none /run
mkdir -p /run/sshd
exec "$(command -v sshd)" -D -e -f "$1"
"""


def mount_sshfs(cell: Cell, server: int, clients: list[int], folder: Path, *options: str) -> None:
    """Mount a folder of the server as `folder` on the clients. Raises CellError."""
    network = cell.network
    exported = cell.folder / "exported"
    exported.mkdir()
    key = cell.folder / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    address = network.address(server)
    configuration = cell.folder / "sshd_config"
    configuration.write_text(
        f"Port 2222\nListenAddress {address}\nHostKey {key}\nAuthorizedKeysFile {key}.pub\n"
        "PermitRootLogin yes\nStrictModes no\nUsePAM no\nPidFile none\n"
        "Subsystem sftp internal-sftp\n",
        encoding="ascii",
    )
    cell.start(network.host_names[server], "sh", "-e", "-c", _SSHD, "sshd", configuration)
    login = f"IdentityFile={key},StrictHostKeyChecking=no,UserKnownHostsFile=/dev/null"
    for client in clients:
        name = network.host_names[client]
        mount = ["sshfs", "-f", "-p", "2222", "-o", ",".join([login, "allow_other", *options])]
        _until(cell, name, "bash", "-c", f"exec 3<>/dev/tcp/{address}/2222")
        cell.start(name, *mount, f"root@{address}:{exported}", folder)
        _until(cell, name, "mountpoint", "-q", folder)


# --- small disks ---

DISKS = {"ext4": (("mkfs.ext4", "-q"), 160), "xfs": (("mkfs.xfs", "-q"), 320)}
"""Commands that make a file system, and the smallest disk in MiB that suits it and the tests."""


def mount_disk(cell: Cell, host: str, kind: str, folder: Path) -> None:
    """Mount a small disk of its own, in a file, as `folder` on a host. Raises CellError."""
    make, size_mib = DISKS[kind]
    image = cell.folder / f"{kind}.image"
    with image.open("wb") as file:
        file.truncate(size_mib * 2**20)
    cell.must(host, *make, image)
    cell.must(host, "mount", "-o", "loop", image, folder)
