"""`beff today` with the real program, as short as it can be; Open MPI sleeps while it waits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from beff.definition.verify import verify
from beff.result.load import as_b_eff, load_document
from beff.verify.analysis import others_had
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
    """One beside which other programs had the cores is kept as a file, and is no day."""
    quiet, known = 0, set[Path]()
    for _ in (1, 2):
        done = today(tmp_path)
        found = json.loads(done.stdout)
        (kept,) = {*(tmp_path / "kept").rglob("*.json.gz")} - known
        known.add(kept)
        document = load_document(kept)
        assert not verify(document).findings
        if others_had(document) is not None:
            assert done.returncode == 3
            assert found["line"].startswith("inconclusive: others had ")
            continue
        quiet += 1
        assert done.returncode == 0, done.stderr
        assert found["line"].startswith("kept as the first day: ")
        assert found["series"]["definition"] == "short-1"
        value, latency = found["days"][0]["figures"]
        assert len(value["repetitions"]) == len(latency["repetitions"]) == quiet
        assert found["results"] == [str(kept.relative_to(tmp_path))]
        measured = as_b_eff(document).summary.b_eff_MBps
        assert value["repetitions"][-1] == pytest.approx(measured)
    assert sum(path.is_file() for path in (tmp_path / "kept").rglob("*")) == 2
