"""Rank 0, which asks the others, is stopped for good: another says so."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from support.reports import beside

from beff.cli.app import main
from engines.b_eff_io.io_support import run_folders
from engines.hangs.hang_support import BOUND_S, LIMIT, OPTIONS, hanging, run_that_is_stopped
from engines.support import MPICH, OPENMPI, Library, assert_verified


@pytest.mark.parametrize(
    ("library", "program"), [(MPICH, "b_eff"), (OPENMPI, "b_eff_io"), (OPENMPI, "b_pairs")]
)
def test_what_was_measured_can_be_recovered(tmp_path: Path, library: Library, program: str) -> None:
    said, journal = run_that_is_stopped(library, program, tmp_path, 0), f"{program}.journal.jsonl"
    assert f"'beff show {journal}'" in said
    written = ["-o", beside(tmp_path / journal), "--remove-files"]
    assert main(["show", str(tmp_path / journal), *written]) == 0
    assert_verified(tmp_path, program)
    assert not (tmp_path / f"{program}.roll").exists()
    assert run_folders(tmp_path) == []


@pytest.mark.parametrize(
    ("library", "program", "stops", "leaves"),
    [
        (MPICH, "b_eff", "MPI_Get_processor_name", "nothing was measured"),
        (OPENMPI, "b_eff_io", "journal", "nothing was measured"),
        (MPICH, "b_eff_io", "result", "what was measured is in b_eff_io.journal.jsonl"),
        (MPICH, "b_pairs", "MPI_Finalize", "the result is in b_pairs.json"),
        (OPENMPI, "b_eff", "MPI_Finalize", "the result is in b_eff.json"),
    ],
)
def test_it_is_stopped_elsewhere(
    tmp_path: Path, library: Library, program: str, stops: str, leaves: str
) -> None:
    env = hanging(library, f"{stops} 0 0 launcher")
    options = [*OPTIONS[program], *LIMIT]
    run = library.run(2, *options, cwd=tmp_path, env=env, program=program, timeout_s=BOUND_S)
    assert run.returncode != 0
    assert f"rank 0 on {socket.gethostname()} did not answer; {leaves}" in run.stderr
    if "journal" not in leaves:  # Open MPI's mpiexec lets it go on before it kills it
        assert (tmp_path / f"{program}.json").exists() == ("result is in" in leaves)
