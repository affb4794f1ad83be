"""Other files of the system for one command: what it reads there is what a test wrote."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from needed import needed


def disguised(command: Sequence[str], places: Mapping[str, Path]) -> list[str]:
    """Return a command that runs another with files and folders mounted over those of the system.

    Skips where no mount namespace can be made.
    """
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    inside = [needed("unshare"), *user, "--mount"]
    trial = subprocess.run([*inside, "true"], capture_output=True, text=True, check=False)
    if trial.returncode != 0:
        pytest.skip(f"no namespace can be made: {trial.stderr.strip()}")
    mounts = [shlex.join(["mount", "--bind", str(new), place]) for place, new in places.items()]
    return [*inside, "sh", "-e", "-c", "\n".join([*mounts, f"exec {shlex.join(command)}"])]


def empty(folder: Path) -> Path:
    """Make an empty folder."""
    folder.mkdir()
    return folder


def quota(folder: Path, quota_us: int) -> Path:
    """Write a folder like /sys/fs/cgroup in which all groups have this time of 100 ms together."""
    in_version_1 = folder / "cpu"
    in_version_1.mkdir(parents=True)
    (folder / "cpu.max").write_text(f"{quota_us} 100000\n", encoding="ascii")
    (in_version_1 / "cpu.cfs_quota_us").write_text(f"{quota_us}\n", encoding="ascii")
    (in_version_1 / "cpu.cfs_period_us").write_text("100000\n", encoding="ascii")
    return folder


def processors(folder: Path, cores: Sequence[str]) -> Path:
    """Write a folder like /sys/devices/system/cpu with cores that have these threads."""
    threads = [int(thread) for core in cores for thread in core.split(",")]
    for core in cores:
        for thread in core.split(","):
            topology = folder / f"cpu{thread}" / "topology"
            topology.mkdir(parents=True)
            (topology / "core_cpus_list").write_text(f"{core}\n", encoding="ascii")
            (topology / "thread_siblings_list").write_text(f"{core}\n", encoding="ascii")
            (topology / "physical_package_id").write_text("0\n", encoding="ascii")
    (folder / "online").write_text(f"{min(threads)}-{max(threads)}\n", encoding="ascii")
    return folder
