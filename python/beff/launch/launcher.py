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
from beff.launch.engine import MpiFamily, is_program, output_of, srun_options
from beff.launch.installation import install_command
from beff.result.errors import LaunchError, WrongUsageError
from beff.result.places import is_file


@dataclass(frozen=True)
class Traits:
    """How launchers of a family are told apart, and told what to do; options in one text.

    `signs` are in what they print for --version. `starts` is the family of programs that they
    start, None for any. `bound` gives each process a core of its own, `shared` lets processes share
    cores, `for_root` is what root needs. `count` asks for a number of processes, `hosts` for those
    of a file. `sequential` and `round_robin` ask for a numbering; {} stands for the processes of a
    host. `ordering` are the options, without dashes, by which a user gives one. `by_srun` are
    option and variable that choose another way to start processes than srun in a Slurm job.
    """

    name: str
    signs: tuple[str, ...] = ()
    starts: MpiFamily | None = None
    bound: str = ""
    shared: str = ""
    for_root: str = ""
    count: str = "-n {}"
    hosts: str = ""
    sequential: str = ""
    round_robin: str = ""
    ordering: tuple[str, ...] = ()
    by_srun: tuple[str, str] | None = None


class Flavour(Enum):
    """Families of launchers with a command line of their own."""

    INTEL = Traits(
        name="Intel MPI",
        signs=("intel(r) mpi",),
        starts=MpiFamily.MPICH,
        sequential="-ppn {}",
        round_robin="-ppn 1",
        ordering=("ppn", "perhost", "rr", "grr"),
        by_srun=("-bootstrap", "I_MPI_HYDRA_BOOTSTRAP"),
    )
    HYDRA = Traits(
        name="MPICH hydra",
        signs=("hydra",),
        starts=MpiFamily.MPICH,
        bound="-bind-to core",
        hosts='-f "$hosts"',
        sequential="-ppn {}",
        round_robin="-ppn 1",
        ordering=("ppn", "perhost", "rr"),
        by_srun=("-launcher", "HYDRA_LAUNCHER"),
    )
    OPEN_MPI = Traits(
        name="Open MPI",
        signs=("open mpi", "openrte", "prrte"),
        starts=MpiFamily.OPEN_MPI,
        bound="--bind-to core",
        # With --bind-to core, Open MPI 5 refuses more processes than cores even if
        # --oversubscribe is given.
        shared="--bind-to none --oversubscribe",
        for_root="--allow-run-as-root",
        hosts='--hostfile "$hosts" --map-by slot',
        sequential="--map-by slot",
        round_robin="--map-by node",
        ordering=("map-by", "rank-by", "bynode", "byslot", "npernode", "N"),
    )
    SRUN = Traits(
        name="Slurm srun",
        signs=("slurm",),
        bound="--cpu-bind=cores",
        shared="--overcommit",
        count="--ntasks={}",
        sequential="--distribution=block",
        round_robin="--distribution=cyclic",
        ordering=("distribution", "m"),
    )
    OTHER = Traits(name="unknown")


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
        told, program = self.flavour.value, str(self.path)
        if self.own_options:
            own = [*self.start_options, *self.own_options, *order]
            return [program, *own, "-n", str(processes)]
        place = told.bound if processes <= cores else told.shared
        root = told.for_root if as_root else ""
        return [
            *(program, *self.start_options, *root.split(), *place.split(), *order),
            *told.count.format(processes).split(),
        ]


def recognise(version_text: str) -> Flavour:
    """Return the family of a launcher by what it prints for --version."""
    text = version_text.lower()
    found = (one for one in Flavour if any(sign in text for sign in one.value.signs))
    return next(found, Flavour.OTHER)


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
    by_srun = launcher.flavour.value.by_srun
    if by_srun is not None:
        return replace(launcher, start_options=_without_srun(launcher, *by_srun, environ))
    if launcher.flavour is not Flavour.SRUN:
        return launcher
    options = _beside_own_step(launcher, environ)
    if not any(option.startswith("--mpi") for option in launcher.own_options):
        offered = output_of([str(launcher.path), "--mpi=list"])
        options = (*srun_options(engine, offered, environ), *options)
    return replace(launcher, start_options=options)


_FIRST_WITH_OVERLAP = (20, 11)
_VERSION = re.compile(r"slurm\D*(\d+)\.(\d+)", re.IGNORECASE)


def _without_srun(
    launcher: Launcher, option: str, variable: str, environ: Mapping[str, str]
) -> tuple[str, ...]:
    """Return what lets a launcher do without the srun of a Slurm job, as in a container.

    Raises LaunchError where the job has several nodes.
    """
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
