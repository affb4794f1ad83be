#!/usr/bin/env python3
"""What b_eff_io says of reads on file systems that lie on memory, on a disk, or on each other.

Usage: sudo bench/memory_or_disk.py [--bin .venv/bin] [--folder build/memory_or_disk] [--repeat N]

Makes each file system in a mount namespace of its own, in a folder on a disk, and measures there
with short runs: cold (`--procedure cold`), and warm (`--procedure original`, after the write of the
same files). Prints a table in Markdown: where the reads came from, what the results say, and how
many are wrong. Exit code 1 where one is: what came from memory meets the criterion, or what came
from the disk is said to be from memory. FUSE needs sshfs and OpenSSH's sftp-server, loop files
mkfs.ext4.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common import BIN, ROOT, options_of, skip_unless, table

CRITERION = "read from the file system"
RUN = [
    *("--memory-per-process", "64MiB", "--partitions", "2", "--time", "10min"),
    *("--max-data", "96MiB", "--progress", "never", "--quiet", "--overwrite"),
]
MEMORY, DISK = "memory", "disk"
_LOOP = """
truncate -s 600M {file}
mkfs.ext4 -q -F {file}
losetup {options} -f --show {file} >loop_device
mount $(cat loop_device) mnt
"""
_OVERLAY = """
mkdir -p {on}/upper {on}/work {on}/lower
on=$PWD/{on}
mount -t overlay overlay -o lowerdir=$on/lower,upperdir=$on/upper,workdir=$on/work mnt
"""
_TMPFS = "mkdir -p below; mount -t tmpfs -o size=1g none below\n"
_SFTP = "$(ls /usr/lib/openssh/sftp-server /usr/libexec/openssh/sftp-server 2>/dev/null | head -1)"
_FUSE = f"""
mkdir -p {{on}}/data
printf '#!/bin/sh\\nexec %s\\n' "{_SFTP}" >sftp; chmod +x sftp
sshfs -o ssh_command=$PWD/sftp 127.0.0.1:$PWD/{{on}}/data mnt
"""


@dataclass(frozen=True)
class Place:
    """A file system: how it is made, and where reads come from when caches are dropped or not."""

    name: str
    script: str
    cold: str
    warm: str


PLACES = (
    Place("tmpfs", "mount -t tmpfs -o size=1g none mnt", MEMORY, MEMORY),
    Place("ramfs", "mount -t ramfs none mnt", MEMORY, MEMORY),
    Place("ext4", "mkdir -p data; mount --bind data mnt", DISK, MEMORY),
    Place(
        "ext4 in a loop file on tmpfs",
        _TMPFS + _LOOP.format(file="below/file", options=""),
        MEMORY,
        MEMORY,
    ),
    Place("ext4 in a loop file on ext4", _LOOP.format(file="file", options=""), MEMORY, MEMORY),
    Place(
        "the same, the loop with direct I/O",
        _LOOP.format(file="file", options="--direct-io=on"),
        DISK,
        MEMORY,
    ),
    Place("overlay on ext4", _OVERLAY.format(on="data"), DISK, MEMORY),
    Place("overlay on tmpfs", _TMPFS + _OVERLAY.format(on="below"), MEMORY, MEMORY),
    Place(
        "overlay on ext4, its upper folder hidden",
        _OVERLAY.format(on="data") + "mount -t tmpfs none data",
        DISK,
        MEMORY,
    ),
    Place(
        "overlay on tmpfs, its upper folder hidden",
        _TMPFS + _OVERLAY.format(on="below") + "mount -t tmpfs none below",
        MEMORY,
        MEMORY,
    ),
    Place("FUSE (sshfs) on ext4", _FUSE.format(on="data"), MEMORY, MEMORY),
    Place("FUSE (sshfs) on tmpfs", _TMPFS + _FUSE.format(on="below"), MEMORY, MEMORY),
)


def measured(place: Place, procedure: str, folder: Path, programs: Path) -> dict[str, Any]:
    """Make the file system, measure there, take it down; return the result."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "mnt").mkdir(parents=True)
    run = [str(programs / "mpiexec"), "-n", "2", str(programs / "b_eff_io"), "--path", "mnt", *RUN]
    inside = f"""
trap 'umount -R mnt 2>/dev/null; [ ! -e loop_device ] || losetup -d $(cat loop_device)' EXIT
{place.script}
{" ".join(run)} --procedure {procedure} || [ $? = 3 ]
"""
    subprocess.run(
        ["unshare", "--mount", "sh", "-e", "-c", inside],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    result: dict[str, Any] = json.loads((folder / "b_eff_io.json").read_text())
    return result


_WORDS = {
    "read from the file system": DISK,
    "read from both": "mixture",
    "read from memory": MEMORY,
    "files in memory": MEMORY,
}


def said(result: dict[str, Any]) -> tuple[str, bool, str]:
    """Return the medium of a result, whether it meets the criterion, and what was found."""
    (criterion,) = (one for one in result["criteria"] if one["code"] == CRITERION)
    word = _WORDS.get(result["medium"]["code"], "not known")
    return word, bool(criterion["met"]), f"{criterion['found']} {criterion['unit']}"


def is_wrong(truth: str, word: str, met: bool) -> bool:
    """Whether memory meets the criterion, or a disk is called memory."""
    return met if truth != DISK else word == MEMORY


def rows(asked: argparse.Namespace, wrong: list[str]) -> Iterator[list[object]]:
    """Measure each place cold and warm; note those of which something wrong is said."""
    places = PLACES[:3:2] if asked.short else PLACES
    for place in (place for place in places if asked.only in place.name):
        both = ("cold", "cold", place.cold), ("warm", "original", place.warm)
        for caches, procedure, truth in both:
            seen = [
                said(measured(place, procedure, asked.folder, asked.bin.absolute()))
                for _ in range(asked.repeat)
            ]
            bad = sum(is_wrong(truth, word, met) for word, met, _ in seen)
            words = ", ".join(dict.fromkeys(word for word, _, _ in seen))
            met = f"{sum(met for _, met, _ in seen)} of {len(seen)}"
            wrong.extend([place.name] * bad)
            yield [place.name, caches, truth, words, seen[-1][2], met, bad]


def main() -> int:
    """Return 1 where a result is wrong."""
    parser = options_of(__doc__)
    parser.add_argument("--bin", type=Path, default=BIN, metavar="FOLDER")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "memory_or_disk")
    parser.add_argument("--only", default="", metavar="WORD", help="places with it in their name")
    parser.add_argument("--repeat", type=int, default=1, metavar="N")
    asked = parser.parse_args()
    skip_unless(os.geteuid() == 0, "root, to mount")
    wrong: list[str] = []
    heads = "file system", "caches", "reads come from", "it says", "found", "criterion met", "wrong"
    table(heads, rows(asked, wrong))
    shutil.rmtree(asked.folder, ignore_errors=True)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
