"""HPL's program: where it is, and a run of it."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from beff.launch.cores import Cores, usable_cores
from beff.launch.launcher import Launcher, find_launcher
from beff.launch.process import run_to_end
from beff.linpack.output import parse_linpack
from beff.linpack.problem import HPL_OUTPUT, LinpackSize, hpccinf, hpl_dat
from beff.model.errors import LaunchError
from beff.model.result_parts import RMax
from beff.model.strict_json import read_text


@dataclass(frozen=True)
class LinpackKind:
    """A program by name, its input and output files, and what is written into the first."""

    name: str
    input_name: str
    output_name: str
    write_input: Callable[[LinpackSize], str]


KINDS = (
    LinpackKind("xhpl", "HPL.dat", HPL_OUTPUT, hpl_dat),
    LinpackKind("hpcc", "hpccinf.txt", "hpccoutf.txt", hpccinf),
)
"""In the order of preference: hpcc runs six other benchmarks before Linpack."""


@dataclass(frozen=True)
class Linpack:
    """The program that was found, and what starts its processes."""

    kind: LinpackKind
    path: Path
    launcher: Launcher
    cores: Cores

    def command(self, processes: int) -> list[str]:
        """Return the command line; the program reads its input in the folder it is started in."""
        as_root = os.geteuid() == 0
        launch = self.launcher.command(processes, self.cores.physical, as_root=as_root)
        return [*launch, str(self.path)]


def find_linpack() -> Linpack:
    """Return the first of the programs on PATH, with the mpiexec beside it, else that on PATH.

    It may belong to another MPI library than the benchmarks, so their launcher is not taken.
    Raises LaunchError with the way out.
    """
    for kind in KINDS:
        found = shutil.which(kind.name)
        if found is not None:
            path = Path(found).absolute()
            return Linpack(kind, path, find_launcher(None, path), usable_cores())
    raise LaunchError(
        "--with-hpl: neither xhpl nor hpcc is on PATH; install one (such as Debian's package"
        " hpcc), or add R_max later by beff balance --rmax or --hpl"
    )


def run_linpack(
    linpack: Linpack, size: LinpackSize, folder: Path, look: Callable[[], None]
) -> RMax:
    """Write the input, run, and return what the output says; its files stay in the folder.

    `look` is called twice a second. Raises LaunchError when the program fails, ResultError when its
    output does not give R_max.
    """
    processes = size.p * size.q
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / linpack.kind.output_name
    output.unlink(missing_ok=True)  # hpcc appends
    text = linpack.kind.write_input(size)
    (folder / linpack.kind.input_name).write_text(text, encoding="utf-8")
    ended = run_to_end(linpack.command(processes), look, folder=folder)
    if ended.stopped_by is not None:
        raise LaunchError(f"{linpack.kind.name} was stopped by {ended.stopped_by.name}")
    if ended.exit_code != 0 or not output.exists():
        last = f": {ended.error_lines[-1]}" if ended.error_lines else ""
        raise LaunchError(
            f"{linpack.kind.name} with {processes} processes, started by {linpack.launcher.path},"
            f" ended with exit code {ended.exit_code} and left no result{last}"
        )
    return parse_linpack(str(output), output.name, read_text(output))
