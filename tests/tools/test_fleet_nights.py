"""The nightly job with stand-ins for Slurm: whom it measures; tests/cluster has a real one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

JOB = Path(__file__).resolve().parents[2] / "packaging" / "monitoring" / "beff-fleet.sh"
PROGRAMS = {
    "beff": ":",
    "sinfo": 'cat "$SITE/nodes"',
    "shuf": 'exec head "$@"',
    "sbatch": """for word; do case $word in
      --nodelist=*) nodes=${word#*=} ;;
    esac; done
    echo "$nodes $*" >>"$SITE/jobs" """,
}
MANY = [f"n{host:02}" for host in range(1, 21)]


@pytest.mark.parametrize(
    ("others", "good", "due", "measured"),
    [
        (["n2 alloc"], [], ["n2"], None),
        (["n1 idle", "n2 idle"], ["n1", "n2"], [], None),
        (["n1 idle"], [], ["n1"], None),  # nobody is there to meet
        (["n1 idle", "n2 idle"], ["n2"], ["n1"], ["n1", "n2"]),
        (["n1 idle", "n2 drain"], ["n1"], ["n2"], None),
        (["n1 idle", "n2 idle", "n2 idle*", "n3 idle~"], [], ["n2", "n1", "n3"], ["n2", "n1"]),
        (["n1 idle", "n2 idle", "n2 idle", "n3 idle"], [], ["n3"], ["n3", "n1", "n2"]),
        ([f"{name} idle" for name in MANY], [], MANY[::-1], MANY[:3:-1]),
        ([f"{name} idle" for name in MANY], MANY[:18], MANY[19:], ["n20", "n19", "n01", "n02"]),
    ],
)
def test_whom_a_night_measures(
    others: Sequence[str],
    good: Sequence[str],
    due: Sequence[str],
    measured: Sequence[str] | None,
    tmp_path: Path,
) -> None:
    """Those that are due, the longest ago first, those in no list, and good ones up to four."""
    programs, shared = tmp_path / "bin", tmp_path / "shared"
    programs.mkdir()
    shared.mkdir()
    for name, text in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    for file, lines in (
        (tmp_path / "nodes", others),
        (shared / "good_hosts", good),
        (shared / "due_hosts", due),
    ):
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    environment = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "SITE": str(tmp_path),
        "BEFF_SHARED": str(shared),
        "BEFF_DAYS": "30",
        "BEFF_TEXTFILES": str(tmp_path),
    }
    subprocess.run([JOB], env=environment, timeout=300, check=True)
    jobs = tmp_path / "jobs"
    text = jobs.read_text(encoding="utf-8") if jobs.exists() else ""
    lines = [line.split() for line in text.splitlines()]
    assert [words[0].split(",") for words in lines] == ([] if measured is None else [measured])
    asked = {word.partition("=")[0] for words in lines for word in words}
    assert measured is None or asked >= {"--exclusive", "--time", "--deadline", "--nice"}
