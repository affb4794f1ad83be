"""Everything that must be known before a measuring program is started."""

import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from beff.launch.allocation import Cores, cores_of_machine, find_allocation, usable_cores
from beff.launch.engine import find_engine, output_of, own_folder
from beff.launch.launcher import (
    Flavour,
    Launcher,
    find_launcher,
    for_engine,
    in_slurm_job,
    look_for_launcher,
)
from beff.launch.mpi_build import choose_build, require_fit, uses_packed, wanted_build
from beff.launch.numbering import Numbering, numbering_options
from beff.result.errors import LaunchError

FEWEST_PROCESSES = 2
"""Communication needs two."""


@dataclass(frozen=True)
class Target:
    """Engine, launcher and cores of a run."""

    engine: Path
    launcher: Launcher
    cores: Cores

    @property
    def starts_at_once(self) -> bool:
        """Whether nothing stands between us and the start, such as the queue of a batch system."""
        return self.launcher.flavour is not Flavour.SRUN or in_slurm_job(os.environ)

    def pass_on(self, process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
        """Ask a run to stop when we receive a signal.

        Most launchers pass a signal on. Open MPI's kills the processes a second after SIGINT or
        SIGTERM, which is too short to write a result where cores are shared; SIGUSR1 it only passes
        on. srun answers SIGINT with the state of its tasks, and SIGTERM by killing them; so Slurm
        itself is asked to send SIGTERM to the step of this engine.
        """
        if self.launcher.flavour is not Flavour.SRUN:
            is_open_mpi = self.launcher.flavour is Flavour.OPEN_MPI
            process.send_signal(signal.SIGUSR1 if is_open_mpi else number)
            return
        if not _stopped_by_slurm(self.engine.name):
            process.terminate()

    def command(
        self, processes: int, engine_options: list[str], numbering: Numbering | None = None
    ) -> list[str]:
        """Return the whole command line that runs the engine on a number of processes."""
        allocation = find_allocation()
        nodes = 1 if allocation is None or allocation.nodes is None else allocation.nodes
        cores = self.cores.physical * nodes
        order: tuple[str, ...] = ()
        if numbering is not None:
            order = numbering_options(self.launcher, numbering, processes, os.environ)
        launch = self.launcher.command(processes, cores, os.geteuid() == 0, order)
        return [*launch, str(self.engine), *engine_options]


def find_target(
    benchmark: str, engine: Path | None, launcher: str | None, mpi: str | None = None
) -> Target:
    """Engine and launcher for a benchmark; options override what is found.

    The programs of the portable wheel are chosen by the launcher, every other brings its own.
    Raises WrongUsageError for what an option names, LaunchError for what is not found.
    """
    if uses_packed(engine, mpi):
        starter = look_for_launcher(launcher, own_folder())
        found = choose_build(benchmark, starter, mpi).engine
        starter = for_engine(starter, found)
    else:
        found = find_engine(benchmark, engine, own_folder())
        starter = find_launcher(launcher, found)
    if engine is None and not wanted_build(mpi)[0]:
        require_fit(found, starter, find_allocation())
    return Target(found, starter, usable_cores())


def default_processes(cores: Cores) -> int:
    """Return the processes of the batch job, else one per physical core; at least two.

    Nodes of a job are taken to have as many cores as this machine.
    """
    allocation = find_allocation()
    given = None if allocation is None else allocation.default_processes(cores_of_machine())
    return max(FEWEST_PROCESSES, cores.physical if given is None else given)


_STOP_WITHIN_S = 30


def _stopped_by_slurm(name: str) -> bool:
    """Send SIGTERM to the steps of this job with this name, which is that of their program."""
    job = os.environ.get("SLURM_JOB_ID", "")
    ask = ["squeue", "--steps", "--noheader", f"--jobs={job}", "--format=%i %j"]
    try:
        rows = [line.split() for line in output_of(ask).splitlines()]
        steps = [row[0] for row in rows if row[1:] == [name]]
        if not steps:
            return False
        tell = ["scancel", "--signal=TERM", *steps]
        none = subprocess.DEVNULL
        subprocess.run(tell, stdin=none, capture_output=True, timeout=_STOP_WITHIN_S, check=True)
    except (LaunchError, OSError, subprocess.SubprocessError):
        return False
    return True
