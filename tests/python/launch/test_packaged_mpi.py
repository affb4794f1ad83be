"""The MPI of a Python package is refused where it does not belong."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest
from support.programs import Programs, write_script

from beff.cli.app import main
from beff.launch import mpi_build, target
from beff.launch.allocation import Allocation
from beff.launch.engine import MpiFamily
from beff.launch.launcher import Flavour, Launcher
from beff.launch.mpi_build import MpiLibrary, library_of, network_note, require_fit
from beff.model.errors import LaunchError

HYDRA = Launcher(Path("/l/mpiexec"), Flavour.HYDRA)
SRUN = Launcher(Path("/usr/bin/srun"), Flavour.SRUN)
FOREIGN = Launcher(Path("/l/mpirun"), Flavour.OPEN_MPI)
ENGINE = Path("/v/bin/b_eff")
OF_A_PACKAGE = MpiLibrary(Path("/v/lib/libmpi.so.12"), "MPICH Version: 5.0.2", "mpich")
OF_THE_SITE = MpiLibrary(Path("/opt/lib/libmpi.so.12"), "MPICH Version: 4.3", "")


def linked_with(monkeypatch: pytest.MonkeyPatch, library: MpiLibrary | None) -> None:
    monkeypatch.setattr(mpi_build, "library_of", lambda _: library)
    monkeypatch.setattr(mpi_build, "mpi_family", lambda _: MpiFamily.MPICH)


@pytest.mark.parametrize(
    ("launcher", "allocation", "reason"),
    [
        (HYDRA, Allocation("Slurm", 8, 4), "the job has 4 nodes"),
        (SRUN, Allocation("Slurm", 8, 2), "the job has 2 nodes"),
        (FOREIGN, None, "/l/mpirun is of another MPI"),
        (HYDRA, None, None),
        (HYDRA, Allocation("PBS", 8, 1), None),
        (SRUN, Allocation("Slurm", 8, None), None),
    ],
)
def test_refused_on_several_nodes_and_under_a_foreign_launcher(
    monkeypatch: pytest.MonkeyPatch,
    launcher: Launcher,
    allocation: Allocation | None,
    reason: str | None,
) -> None:
    linked_with(monkeypatch, OF_A_PACKAGE)
    if reason is None:
        require_fit(ENGINE, launcher, allocation)
        return
    with pytest.raises(LaunchError) as told:
        require_fit(ENGINE, launcher, allocation)
    for part in ("Python package mpich", reason, "tools/site_build", f"--engine {ENGINE}"):
        assert part in str(told.value)


@pytest.mark.parametrize("library", [OF_THE_SITE, None])
def test_what_is_no_packages_is_never_refused(
    monkeypatch: pytest.MonkeyPatch, library: MpiLibrary | None
) -> None:
    linked_with(monkeypatch, library)
    for launcher in (HYDRA, SRUN, FOREIGN):
        require_fit(ENGINE, launcher, Allocation("Slurm", 8, 4))


def test_a_program_that_is_named_is_taken_as_it_is(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """beff run refuses the program that it has found itself, before a folder is made."""
    linked_with(monkeypatch, OF_A_PACKAGE)
    monkeypatch.setattr(target, "find_allocation", lambda: Allocation("Slurm", 2, 2))
    monkeypatch.setattr(target, "own_folder", lambda: programs.folder)
    monkeypatch.chdir(tmp_path)
    command = ["run", "--benchmark", "b_eff", "--output-dir", "out"]
    launcher = ["--launcher", str(programs.launcher)]
    assert main([*command, *launcher]) != 0
    assert not (tmp_path / "out").exists()
    assert main([*command, *launcher, "--engine", str(programs.engine)]) == 0


@pytest.mark.parametrize(
    ("library", "words"),
    [
        (OF_A_PACKAGE, ("/v/lib/libmpi.so.12", "Python package mpich", "tools/site_build")),
        (OF_THE_SITE, ("/opt/lib/libmpi.so.12", "MPICH Version: 4.3", "this site's")),
        (None, ("/v/bin/b_eff", "only the job knows")),
    ],
)
def test_a_job_says_which_library_it_will_use(
    monkeypatch: pytest.MonkeyPatch, library: MpiLibrary | None, words: tuple[str, ...]
) -> None:
    linked_with(monkeypatch, library)
    note = network_note(ENGINE)
    assert all(word in note for word in words)


def test_beff_job_says_it_unless_a_program_is_named(
    programs: Programs, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    linked_with(monkeypatch, OF_A_PACKAGE)
    monkeypatch.setattr("beff.cli.job.own_folder", lambda: programs.folder)
    size = ["--nodes", "2", "--tasks-per-node", "4", "--benchmark", "b_eff"]
    assert main(["job", "slurm", *size]) == 0
    told = capsys.readouterr()
    assert "Python package mpich" in told.err
    assert told.out.startswith("#!/bin/bash")
    assert main(["job", "slurm", *size, "--engine", str(programs.engine)]) == 0
    assert capsys.readouterr().err == ""


def test_what_is_no_program_has_no_library(tmp_path: Path) -> None:
    script = tmp_path / "b_eff"
    write_script(script, "print('MPI library: x')")
    assert library_of(script) is None
    assert library_of(tmp_path / "missing") is None


def test_the_library_of_a_built_program_is_that_of_its_package() -> None:
    """The programs of this environment find MPICH's package beside them."""
    if not any(file.name == "libmpi.so.12" for file in metadata.files("mpich") or []):
        pytest.skip("the package mpich is not installed")
    built = packaged_mpi_program()
    if built is None:
        pytest.skip("no program was built into this environment; make build does")
    found = library_of(built)
    assert found is not None
    assert (found.package, found.path.name) == ("mpich", "libmpi.so.12")
    assert "MPICH" in found.text


def packaged_mpi_program() -> Path | None:
    """Return the b_eff of this environment."""
    program = target.own_folder() / "b_eff"
    return program if program.is_file() else None
