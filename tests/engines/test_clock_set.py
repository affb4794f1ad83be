"""The time of day is set while a run measures: no figure follows, as a steady clock times."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.b_eff_io.io_support import PROGRAM as B_EFF_IO
from engines.b_eff_io.io_support import tight
from engines.support import MPICH, OPENMPI, SHORT, Library, assert_verified, result_in, standin

pytestmark = pytest.mark.thorough

BACK, FORWARD = {"BEFF_STEP": "-3600"}, {"BEFF_STEP": "100", "BEFF_RANK": "1"}


def clock_set(library: Library, step: dict[str, str]) -> dict[str, str]:
    shim = standin(library.headers, "clock_set.c")
    return {"LD_PRELOAD": str(shim), "BEFF_AFTER": "0", **step}


@pytest.mark.parametrize("step", [BACK, FORWARD], ids=["back", "forward"])
def test_b_eff(tmp_path: Path, step: dict[str, str]) -> None:
    env = clock_set(MPICH, step)
    MPICH.run(2, *SHORT, "--patterns", "5", cwd=tmp_path, env=env)
    result = result_in(tmp_path)
    assert_verified(tmp_path, "b_eff")
    assert result["complete"]
    assert 0 < max(result["samples"]["time_max_s"]) < 50


@pytest.mark.parametrize("step", [BACK, FORWARD], ids=["back", "forward"])
def test_b_eff_io(tmp_path: Path, step: dict[str, str]) -> None:
    env = clock_set(OPENMPI, step)
    OPENMPI.run(2, *tight(2), cwd=tmp_path, env=env, program=B_EFF_IO)
    assert_verified(tmp_path, B_EFF_IO)
    assert result_in(tmp_path, B_EFF_IO)["complete"]
