"""Hangs in MPI_Finalize, after the result was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.b_eff_io.io_support import run_folders
from engines.hangs.hang_support import FOR_EVER, run_that_hangs
from engines.support import MPICH, OPENMPI, Library, assert_verified, result_in


@pytest.mark.parametrize(
    ("library", "program"), [(MPICH, "b_eff"), (OPENMPI, "b_eff_io"), (OPENMPI, "b_pairs")]
)
def test_a_hang_at_the_end_leaves_the_complete_result(
    tmp_path: Path, library: Library, program: str
) -> None:
    said = run_that_hangs(library, program, tmp_path, f"MPI_Finalize 1 {FOR_EVER}")
    assert f"the result is in {program}.json" in said or "rank 1 on" in said
    assert "MPI_Finalize did not end within 3 s" in said
    assert result_in(tmp_path, program)["complete"]
    assert_verified(tmp_path, program)
    assert run_folders(tmp_path) == []
