"""Finding the program that starts MPI processes, how it is started, and how it numbers them.

Of the numberings of ranks sequential fills a node, then the next; round-robin gives each node one
process in turn.
"""

import math
import os
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import pairwise
from pathlib import Path

from beff.launch.allocation import hosts_of_job, hydra_slots
from beff.launch.engine import MpiFamily, found_program, install_command, output_of, srun_options
from beff.result.errors import LaunchError, WrongUsageError
from beff.result.places import is_file


@dataclass(frozen=True)
class Traits:
    """How launchers of a family are told apart, and told what to do; options in one text.

    `signs` are in what they print for --version. `starts` is the family of programs that they
    start, None for any. `bound` gives each process a core of its own, `shared` lets processes share
    cores, `for_root` is what root needs. `count` asks for a number of processes, `hosts` for those
    of a file. `numbering` asks for each Numbering; {} stands for the processes of a
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
    numbering: tuple[str, str] = ("", "")
    ordering: tuple[str, ...] = ()
    by_srun: tuple[str, str] | None = None


class Flavour(Enum):
    """Families of launchers with a command line of their own."""

    INTEL = Traits(
        name="Intel MPI",
        signs=("intel(r) mpi",),
        starts=MpiFamily.MPICH,
        numbering=("-ppn {}", "-ppn 1"),
        ordering=("ppn", "perhost", "rr", "grr"),
        by_srun=("-bootstrap", "I_MPI_HYDRA_BOOTSTRAP"),
    )
    HYDRA = Traits(
        name="MPICH hydra",
        signs=("hydra",),
        starts=MpiFamily.MPICH,
        bound="-bind-to core",
        hosts='-f "$hosts"',
        numbering=("-ppn {}", "-ppn 1"),
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
        numbering=("--map-by slot", "--map-by node"),
        ordering=("map-by", "rank-by", "bynode", "byslot", "npernode", "N"),
    )
    SRUN = Traits(
        name="Slurm srun",
        signs=("slurm",),
        bound="--cpu-bind=cores",
        shared="--overcommit",
        count="--ntasks={}",
        numbering=("--distribution=block", "--distribution=cyclic"),
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
        traits, program = self.flavour.value, str(self.path)
        if self.own_options:
            own = [*self.start_options, *self.own_options, *order]
            return [program, *own, "-n", str(processes)]
        place = traits.bound if processes <= cores else traits.shared
        root = traits.for_root if as_root else ""
        return [
            *(program, *self.start_options, *root.split(), *place.split(), *order),
            *traits.count.format(processes).split(),
        ]


def recognise(version_text: str) -> Flavour:
    """Return the family of a launcher by what it prints for --version."""
    text = version_text.lower()
    found = (one for one in Flavour if any(sign in text for sign in one.value.signs))
    return next(found, Flavour.OTHER)


def in_slurm_job(environ: Mapping[str, str]) -> bool:
    """Whether this process runs inside a Slurm allocation."""
    return "SLURM_JOB_ID" in environ


def look_for_launcher(
    chosen: str | None, beside: Path | None, environ: Mapping[str, str] = os.environ
) -> Launcher:
    """Find a launcher: the one chosen, else srun in a Slurm job, else mpiexec.

    What is chosen may have options, such as `mpiexec -f hosts`. mpiexec is looked for in the folder
    `beside`, then with mpirun on PATH. Raises WrongUsageError for the one chosen, else LaunchError.
    """
    path, own = (_usual_launcher(beside, environ), []) if chosen is None else _chosen(chosen)
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
    options: tuple[str, ...] = ()
    if "SLURM_STEP_ID" in environ and "--overlap" not in launcher.own_options:
        found = _VERSION.search(launcher.version)  # this process is in a step, as by srun --pty
        if found and (int(found[1]), int(found[2])) >= _FIRST_WITH_OVERLAP:
            options = ("--overlap",)
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
    if (nodes := hosts_of_job(environ)) <= 1:
        return (option, "fork")
    raise LaunchError(
        f"{launcher.path} starts the processes of a Slurm job by srun, which is not on PATH, and"
        f" the job has {nodes} nodes; put srun on PATH, or name another way, such as --launcher"
        f" '{launcher.path} {option} ssh'"
    )


def _chosen(command: str) -> tuple[Path, list[str]]:
    """Return program and options of a command such as `mpiexec -f hosts`, or of a path."""
    name = ""
    with suppress(ValueError):  # no word at all, or a quote that is not closed
        name, *options = [command] if os.access(command, os.X_OK) else shlex.split(command)
        if program := shutil.which(name):
            return Path(program).absolute(), options
    is_file(Path(name))  # raises where one may not look
    raise WrongUsageError(f"--launcher {command}: there is no such program; name mpiexec or srun")


def _usual_launcher(beside: Path | None, environ: Mapping[str, str]) -> Path:
    if in_slurm_job(environ) and (srun := shutil.which("srun")) is not None:
        return Path(srun)
    if program := found_program("mpiexec", beside) or found_program("mpirun"):
        return program
    where = f"in {beside} or " if beside is not None else ""
    raise LaunchError(
        f"no launcher was found: neither mpiexec {where}on PATH nor srun of a Slurm job; install an"
        f" MPI library (such as by {install_command('mpich')}) or name its mpiexec with --launcher"
    )


class Numbering(Enum):
    """A numbering that can be asked for."""

    SEQUENTIAL = "sequential"
    ROUND_ROBIN = "round-robin"


def check_numbering(launcher: Launcher) -> None:
    """Refuse a launcher that cannot be asked, or that was given an order.

    Raises WrongUsageError.
    """
    ordering = launcher.flavour.value.ordering
    if not ordering:
        raise WrongUsageError(
            f"--numbering: how {launcher.path} is asked for an order is not known; give its own"
            " option in --launcher instead"
        )
    for option in launcher.own_options:
        name = option.partition("=")[0]
        if name.startswith("-") and name.lstrip("-") in ordering:
            raise WrongUsageError(
                f"--numbering: --launcher gives an order already by {option}; leave one of them out"
            )


def numbering_options(
    launcher: Launcher, numbering: Numbering | None, processes: int, environ: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the options that ask for a numbering; nothing where hydra's hosts are not known."""
    asking = dict(zip(Numbering, launcher.flavour.value.numbering, strict=True))
    words = asking[numbering] if numbering else ""
    if "{}" not in words:
        return tuple(words.split())
    hosts = _hosts_of_hydra(launcher.own_options, environ)
    return tuple(words.format(math.ceil(processes / hosts)).split()) if hosts else ()


def _hosts_of_hydra(options: Sequence[str], environ: Mapping[str, str]) -> int:
    """Return how many hosts hydra shall use: by option, variable or batch system, else 0."""
    file = environ.get("HYDRA_HOST_FILE")
    for option, value in pairwise(options):
        if option.lstrip("-") in ("hosts", "host"):
            return len(value.split(","))
        if option.lstrip("-") in ("f", "hostfile", "machinefile", "machine"):
            file = value
    return hosts_of_job(environ) if file is None else len(hydra_slots(file))


def numberings_of(placement: Sequence[int]) -> frozenset[Numbering]:
    """Return the numberings that a placement has: the node of each rank, nodes by lowest rank.

    Both on one node and with one process per node. Round-robin passes over nodes that are full.
    """
    rounds: list[tuple[int, int]] = []
    on_node = Counter[int]()
    for node in placement:
        on_node[node] += 1
        rounds.append((on_node[node], node))
    filled = [(0, node) for node in placement]
    orders = {Numbering.SEQUENTIAL: filled, Numbering.ROUND_ROBIN: rounds}
    return frozenset(name for name, order in orders.items() if order == sorted(order))
