"""`beff today` with the real program, as short as it can be; Open MPI sleeps while it waits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from beff.definition.verify import verify
from beff.result.load import as_b_eff, load_document
from engines.support import OPENMPI

pytestmark = pytest.mark.thorough


def today(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "beff", "today", "--history", "kept", "--within", "1s"]
    command += ["-n", "2", "--engine", str(OPENMPI.programs / "b_eff"), "--json"]
    command += ["--launcher", " ".join(OPENMPI.mpiexec)]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


def test_a_repetition_of_each_call_is_kept(tmp_path: Path) -> None:
    for calls in (1, 2):
        done = today(tmp_path)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["line"].startswith("kept as the first day: ")
        assert found["series"]["definition"] == "short-1"
        value, latency = found["days"][0]["figures"]
        assert len(value["repetitions"]) == len(latency["repetitions"]) == calls
        (kept,) = found["results"]
        document = load_document(tmp_path / kept)
        assert not verify(document).findings
        measured = as_b_eff(document).summary.b_eff_MBps
        assert value["repetitions"][-1] == pytest.approx(measured)
    assert sum(path.is_file() for path in (tmp_path / "kept").rglob("*")) == 2
