"""Everything that must be known before a measuring program is started."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from beff.launch.cores import Cores, usable_cores
from beff.launch.engine import Engine, find_engine, own_folder
from beff.launch.launcher import Launcher, find_launcher, in_slurm_job

FEWEST_PROCESSES = 2
"""Communication needs two."""


@dataclass(frozen=True)
class Target:
    """Engine, launcher and cores of a run."""

    engine: Engine
    launcher: Launcher
    cores: Cores

    def command(self, processes: int, engine_options: list[str]) -> list[str]:
        """Return the whole command line that runs the engine on a number of processes."""
        cores = self.cores.physical * _nodes()
        launch = self.launcher.command(processes, cores, as_root=os.geteuid() == 0)
        return [*launch, str(self.engine.path), *engine_options]


def find_target(benchmark: str, engine: Path | None, launcher: str | None) -> Target:
    """Engine and launcher for a benchmark; options override what is found. Raises LaunchError."""
    found = find_engine(benchmark, engine, own_folder())
    return Target(found, find_launcher(launcher, found.path), usable_cores())


def default_processes(cores: Cores) -> int:
    """Tasks of the Slurm job, else one process per physical core; at least two."""
    tasks = os.environ.get("SLURM_NTASKS", "") if in_slurm_job(os.environ) else ""
    return max(FEWEST_PROCESSES, int(tasks) if tasks.isdecimal() else cores.physical)


def launch_environment(command: list[str]) -> dict[str, str]:
    """Return the environment plus the command line, which the engine records."""
    return {**os.environ, "BEFF_LAUNCH_COMMAND": shlex.join(command)}


def _nodes() -> int:
    nodes = os.environ.get("SLURM_JOB_NUM_NODES", "1")
    return max(1, int(nodes)) if nodes.isdecimal() else 1
