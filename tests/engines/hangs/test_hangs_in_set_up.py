"""Hangs before anything is measured: who is named, and where it stands."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from engines.b_eff_io.io_support import run_folders
from engines.hangs.hang_support import FOR_EVER, run_that_hangs
from engines.support import MPICH, OPENMPI, Library


@pytest.mark.parametrize(
    ("library", "program"), [(MPICH, "b_eff"), (OPENMPI, "b_eff_io"), (OPENMPI, "b_pairs")]
)
def test_who_hangs_is_named_with_host_and_place(
    tmp_path: Path, library: Library, program: str
) -> None:
    said = run_that_hangs(library, program, tmp_path, f"MPI_Get_processor_name 1 {FOR_EVER}")
    place = "set-up: reading the name of the host"
    assert f"rank 1 on {socket.gethostname()} stood in {place}" in said
    assert not (tmp_path / f"{program}.json").exists()


@pytest.mark.parametrize(
    ("library", "program", "hangs", "place"),
    [
        (OPENMPI, "b_eff", "journal 0", "set-up: opening the journal"),
        (MPICH, "b_eff_io", "MPI_File_open 1", "set-up: trying out a file"),
    ],
)
def test_a_file_system_that_hangs_at_the_first_open(
    tmp_path: Path, library: Library, program: str, hangs: str, place: str
) -> None:
    said = run_that_hangs(library, program, tmp_path, f"{hangs} {FOR_EVER}")
    assert f"{program}: {place} did not end within 3 s" in said
    assert "nothing was measured" in said
    assert not (tmp_path / f"{program}.json").exists()
    assert run_folders(tmp_path) == []


def test_who_has_gone_on_since_it_answered_is_not_named(tmp_path: Path) -> None:
    """Rank 0 asks after 3 s; rank 2 answers, and goes on before rank 0 says who is missing."""
    hangs = f"MPI_Get_processor_name 1 {FOR_EVER} MPI_Get_processor_name 2 7"
    said = run_that_hangs(OPENMPI, "b_pairs", tmp_path, hangs, processes=3)
    assert "rank 1 did not arrive" in said


@pytest.mark.parametrize(
    ("hangs", "blamed"),
    [
        ("MPI_Sendrecv_1048576 2", "trying a long message did not end within 3 s: ranks 0, 2 did"),
        ("MPI_Finalize 2", "MPI_Finalize did not end within 3 s: all processes are inside"),
    ],
)
def test_who_is_alone_on_its_host_is_not_blamed(tmp_path: Path, hangs: str, blamed: str) -> None:
    """MPICH takes ranks 0 and 2 for a host and rank 1 for another, which has nobody to send to.

    Its steps have the same numbers, where the others exchange a message and afterwards.
    """
    hosts = {"MPIR_CVAR_NUM_CLIQUES": "2"}
    hangs = f"{hangs} {FOR_EVER}"
    said = run_that_hangs(MPICH, "b_pairs", tmp_path, hangs, processes=3, env=hosts)
    assert blamed in said
    assert "rank 1" not in said
