"""Options that several commands share, and values that need a parser of their own."""

from pathlib import Path
from typing import Annotated

import typer

from beff.cli.errors import WrongUsageError

EngineOption = Annotated[
    Path | None,
    typer.Option(
        "--engine",
        metavar="PATH",
        help="The measuring program.  [default: b_eff beside this command, else on PATH]",
        show_default=False,
    ),
]
LauncherOption = Annotated[
    str | None,
    typer.Option(
        "--launcher",
        metavar="COMMAND",
        help="What starts the processes, if need be with options of its own, such as 'mpiexec -f"
        " hosts'.  [default: srun in a Slurm job, else mpiexec]",
        show_default=False,
    ),
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--memory-per-process",
        metavar="SIZE",
        help="Memory of one process, e.g. 512MiB.  [default: looked up by the engine]",
        show_default=False,
    ),
]


def parse_process_counts(text: str) -> list[int]:
    """Read '2,4,8'. Raises WrongUsageError."""
    counts = []
    for part in text.split(","):
        if not part.strip().isdecimal() or int(part) < 2:
            raise WrongUsageError(
                f"--processes {text}: '{part.strip()}' must be a whole number of at least 2;"
                " write one count or several as 2,4,8"
            )
        counts.append(int(part))
    return counts


def memory_options(memory_per_process: str | None) -> list[str]:
    """Return the engine's options for the memory; the engine itself judges the value."""
    return [] if memory_per_process is None else ["--memory-per-process", memory_per_process]
