"""`beff run` as a user starts it, with stand-ins for the engines and the launcher."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

from support.programs.programs import Programs
from support.reports import ROOT, run_beff


def environment(**variables: str) -> dict[str, str]:
    known = {key: value for key, value in os.environ.items() if not key.startswith("SLURM_")}
    return {**known, "PYTHONPATH": str(ROOT / "python"), **variables}


def beff_run(
    programs: Programs,
    folder: Path,
    *arguments: str,
    engine: str = "good",
    io: str = "short",
    launcher: str = "HYDRA",
) -> "subprocess.CompletedProcess[str]":
    """Run to the end; the last three arguments say what the stand-ins do."""
    with patch.dict(os.environ, environment(), clear=True):
        return run_beff(
            *("run", *programs.options(), *arguments),
            folder=folder,
            FAKE_ENGINE=engine,
            FAKE_IO_ENGINE=io,
            FAKE_LAUNCHER=launcher,
        )


def start_slow(
    programs: Programs, folder: Path, benchmark: str, engine: str = "slow"
) -> "subprocess.Popen[str]":
    """Start a run that lasts long, and wait until it has measured something."""
    wanted = ("--benchmark", benchmark, "--processes", "2,3", "--output-dir", "out")
    process = subprocess.Popen(
        [sys.executable, "-m", "beff", "run", *programs.options(), *wanted],
        cwd=folder,
        env=environment(FAKE_ENGINE=engine, FAKE_IO_ENGINE=engine),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    journal = folder / f"out/{benchmark}_2p.journal.jsonl"
    deadline = time.monotonic() + 240
    while not (journal.exists() and journal.read_text(encoding="utf-8").count("\n") > 5):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process


def engine_arguments(prefix: Path) -> list[str]:
    """What an engine was started with."""
    arguments: list[str] = json.loads(Path(f"{prefix}.arguments").read_text(encoding="utf-8"))
    return arguments
