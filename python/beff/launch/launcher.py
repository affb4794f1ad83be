"""Finding the program that starts MPI processes, and how it is started."""

import os
import re
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from beff.launch.allocation import find_allocation
from beff.launch.engine import is_program, output_of, srun_options
from beff.launch.installation import install_command
from beff.result.errors import LaunchError, WrongUsageError
from beff.result.places import is_file


class Flavour(Enum):
    """Families of launchers with a command line of their own."""

    HYDRA = "MPICH hydra"
    INTEL = "Intel MPI"
    OPEN_MPI = "Open MPI"
    SRUN = "Slurm srun"
    OTHER = "unknown"


_SIGNS = (
    (Flavour.INTEL, "intel(r) mpi"),
    (Flavour.HYDRA, "hydra"),
    (Flavour.OPEN_MPI, "open mpi"),
    (Flavour.OPEN_MPI, "openrte"),
    (Flavour.OPEN_MPI, "prrte"),
    (Flavour.SRUN, "slurm"),
)


@dataclass(frozen=True)
class Launcher:
    """A launcher and the family it belongs to.

    `start_options` is what it needs to start this engine at all, `own_options` what the user
    wants to add, `version` what it prints for --version.
    """

    path: Path
    flavour: Flavour
    start_options: tuple[str, ...] = ()
    own_options: tuple[str, ...] = ()
    version: str = field(default="", compare=False)

    def command(
        self, processes: int, cores: int, as_root: bool, order: tuple[str, ...] = ()
    ) -> list[str]:
        """Command line that starts `processes` processes, to be followed by the program.

        Each process is bound to a core of its own where there are enough `cores` (over all nodes of
        the job); otherwise the launcher is asked to let processes share cores. A user who gives
        options says by them where the processes go; then nothing is said about cores. `order` are
        options for the numbering of the processes.
        """
        fits = processes <= cores
        count = str(processes)
        program = str(self.path)
        if self.own_options:
            return [program, *self.start_options, *self.own_options, *order, "-n", count]
        if self.flavour is Flavour.HYDRA:
            bound = ["-bind-to", "core"] if fits else []
            return [program, *self.start_options, *bound, *order, "-n", count]
        if self.flavour is Flavour.OPEN_MPI:
            root = ["--allow-run-as-root"] if as_root else []
            # With --bind-to core, Open MPI 5 refuses more processes than cores even if
            # --oversubscribe is given.
            place = ["--bind-to", "core"] if fits else ["--bind-to", "none", "--oversubscribe"]
            return [program, *root, *place, *order, "-n", count]
        if self.flavour is Flavour.SRUN:
            cores_option = "--cpu-bind=cores" if fits else "--overcommit"
            return [program, *self.start_options, cores_option, *order, f"--ntasks={count}"]
        return [program, *self.start_options, *order, "-n", count]


def recognise(version_text: str) -> Flavour:
    """Return the family of a launcher by what it prints for --version."""
    text = version_text.lower()
    return next((flavour for flavour, sign in _SIGNS if sign in text), Flavour.OTHER)


def in_slurm_job(environ: Mapping[str, str]) -> bool:
    """Whether this process runs inside a Slurm allocation."""
    return "SLURM_JOB_ID" in environ


def find_launcher(
    chosen: str | None, engine: Path | None, environ: Mapping[str, str] = os.environ
) -> Launcher:
    """Find the launcher for an engine: the one chosen, else srun in a Slurm job, else mpiexec.

    What is chosen may have options, such as `mpiexec -f hosts`. mpiexec is looked for beside the
    engine, then with mpirun on PATH. Raises WrongUsageError for the one chosen, else LaunchError.
    """
    beside = None if engine is None else engine.parent
    launcher = look_for_launcher(chosen, beside, environ)
    return launcher if engine is None else for_engine(launcher, engine, environ)


def look_for_launcher(
    chosen: str | None, beside: Path | None, environ: Mapping[str, str] = os.environ
) -> Launcher:
    """Find the launcher before it is known what it shall start.

    Raises WrongUsageError for the one chosen, else LaunchError.
    """
    path, own = (_first_found(beside, environ), []) if chosen is None else _chosen(chosen)
    version = output_of([str(path), "--version"])
    return Launcher(path, recognise(version), (), tuple(own), version)


def for_engine(
    launcher: Launcher, engine: Path, environ: Mapping[str, str] = os.environ
) -> Launcher:
    """Return the launcher with what it needs to start this engine. Raises LaunchError."""
    if launcher.flavour in _BY_SRUN:
        return replace(launcher, start_options=_without_srun(launcher, environ))
    if launcher.flavour is not Flavour.SRUN:
        return launcher
    options = _beside_own_step(launcher, environ)
    if not any(option.startswith("--mpi") for option in launcher.own_options):
        offered = output_of([str(launcher.path), "--mpi=list"])
        options = (*srun_options(engine, offered, environ), *options)
    return replace(launcher, start_options=options)


_BY_SRUN = {
    Flavour.HYDRA: ("-launcher", "HYDRA_LAUNCHER"),
    Flavour.INTEL: ("-bootstrap", "I_MPI_HYDRA_BOOTSTRAP"),
}
"""Launchers that start processes by srun in a Slurm job, and what makes them do otherwise."""
_FIRST_WITH_OVERLAP = (20, 11)
_VERSION = re.compile(r"slurm\D*(\d+)\.(\d+)", re.IGNORECASE)


def _without_srun(launcher: Launcher, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return what lets a launcher do without the srun of a Slurm job, as in a container.

    Raises LaunchError where the job has several nodes.
    """
    option, variable = _BY_SRUN[launcher.flavour]
    chosen = variable in environ or option in launcher.own_options
    if not in_slurm_job(environ) or shutil.which("srun") is not None or chosen:
        return ()
    allocation = find_allocation(environ)
    nodes = None if allocation is None else allocation.nodes
    if nodes in {None, 1}:
        return (option, "fork")
    raise LaunchError(
        f"{launcher.path} starts the processes of a Slurm job by srun, which is not on PATH, and"
        f" the job has {nodes} nodes; put srun on PATH, or name another way, such as --launcher"
        f" '{launcher.path} {option} ssh'"
    )


def _beside_own_step(launcher: Launcher, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return what lets srun start a step where this process is itself in one, as by srun --pty."""
    if "SLURM_STEP_ID" not in environ or "--overlap" in launcher.own_options:
        return ()
    found = _VERSION.search(launcher.version)
    is_known = found is not None and (int(found[1]), int(found[2])) >= _FIRST_WITH_OVERLAP
    return ("--overlap",) if is_known else ()


def _chosen(command: str) -> tuple[Path, list[str]]:
    """Return program and options of a command such as `mpiexec -f hosts`, or of a path."""
    try:
        name, *options = [command] if os.access(command, os.X_OK) else shlex.split(command)
        found = shutil.which(name)
    except ValueError:  # no word at all, or a quote that is not closed
        name, found = "", None
    if found is None:
        is_file(Path(name))  # raises where one may not look
        raise WrongUsageError(
            f"--launcher {command}: there is no such program; name mpiexec or srun"
        )
    return Path(found).absolute(), options


def _first_found(beside: Path | None, environ: Mapping[str, str]) -> Path:
    srun = shutil.which("srun") if in_slurm_job(environ) else None
    if srun is not None:
        return Path(srun)
    if beside is not None and is_program(beside / "mpiexec"):
        return beside / "mpiexec"
    for name in ("mpiexec", "mpirun"):
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    where = f"in {beside} or " if beside is not None else ""
    raise LaunchError(
        f"no launcher was found: neither mpiexec {where}on PATH nor srun of a Slurm job; install an"
        f" MPI library (such as by {install_command('mpich')}) or name its mpiexec with --launcher"
    )
