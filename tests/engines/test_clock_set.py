"""A clock that is set while a run measures: at each of its readings in a loop, on one process."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from engines.io_support import PROGRAM as B_EFF_IO
from engines.io_support import tight
from engines.support import SHORT, Library, assert_verified, result_in, unmet

BACK, FORWARD = {"BEFF_STEP": "-3600"}, {"BEFF_STEP": "100", "BEFF_RANK": "1"}
AT_THE_START = 1100
"""Readings of the clock before the first loop, and some more."""


def clock_set(library: Library, folder: Path, step: dict[str, str], after: int) -> dict[str, str]:
    shim = folder / "clock_set.so"
    source = Path(__file__).with_name("clock_set.c")
    subprocess.run([library.compiler, "-shared", "-fPIC", source, "-o", shim], check=True)
    return {"LD_PRELOAD": str(shim), "BEFF_AFTER": str(after), **step}


def assert_ended_by_clock(folder: Path, prefix: str, step: dict[str, str]) -> None:
    result = result_in(folder, prefix)
    assert_verified(folder, prefix)
    assert not result["complete"]
    assert "clock" in unmet(result)
    step_s = abs(float(step["BEFF_STEP"]))
    assert result["environment"]["clock"]["step_s"] == pytest.approx(step_s, abs=0.1)
    direction = "back by 1 h 00 min" if step is BACK else "forward by "
    assert any(f"MPI_Wtime was set {direction}" in text for text in result["cautions"])


@pytest.mark.parametrize(("step", "reading"), [(BACK, 0), (BACK, 1), (BACK, 2), (FORWARD, 0)])
def test_b_eff(tmp_path: Path, library: Library, step: dict[str, str], reading: int) -> None:
    env = clock_set(library, tmp_path, step, AT_THE_START + reading)
    run = library.run(2, *SHORT, "--patterns", "5", cwd=tmp_path, env=env)
    assert run.returncode == 3, run.stderr
    assert_ended_by_clock(tmp_path, "b_eff", step)
    # 3 readings of the clock for each of the loops that went well
    samples = result_in(tmp_path)["samples"]
    assert 10 < len(samples["pattern"]) < AT_THE_START / 3
    assert max(samples["time_max_s"]) < 50


@pytest.mark.parametrize("step", [BACK, FORWARD], ids=["back", "forward"])
def test_b_eff_io(tmp_path: Path, library: Library, step: dict[str, str]) -> None:
    env = clock_set(library, tmp_path, step, AT_THE_START)
    run = library.run(2, *tight(2), cwd=tmp_path, env=env, program=B_EFF_IO)
    assert run.returncode == 3, run.stderr
    assert_ended_by_clock(tmp_path, B_EFF_IO, step)
