"""The weekly job: its hosts go into the fleet, and its code is that of the check."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

MONITORING = Path(__file__).resolve().parents[2] / "packaging" / "monitoring"
BEFF = """#!/bin/bash
echo "$*" >>"$CALLED"
case $1 in check) exit 3 ;; nodes) exit 1 ;; esac
"""


def test_a_week(tmp_path: Path) -> None:
    shared, called = tmp_path / "shared", tmp_path / "called"
    shared.mkdir()
    (shared / "beff-fleet.sh").symlink_to(MONITORING / "beff-fleet.sh")
    (tmp_path / "beff").write_text(BEFF, encoding="utf-8")
    (tmp_path / "beff").chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "CALLED": str(called),
        "BEFF_SHARED": str(shared),
        "BEFF_TEXTFILES": str(tmp_path),
        "SLURM_JOB_ID": "1",
        "SLURM_JOB_NUM_NODES": "4",
    }
    weekly = MONITORING / "beff-weekly.sh"
    assert subprocess.run([weekly], env=environment, check=False).returncode == 3
    run, nodes, check = (line.split() for line in called.read_text(encoding="utf-8").splitlines())
    assert run[:2] == ["run", "--quick"]
    assert nodes[:5] == ["nodes", "--processes", "4", "--fleet", str(shared / "maps")]
    assert {"--bad", "--good", "--due", "--overwrite"} <= {*nodes}
    assert check[:2] == ["check", run[3]]
    assert not {"--bad", "--good"} & {*check}
