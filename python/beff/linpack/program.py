"""Which program runs Linpack, and with which files."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from beff.launch.cores import Cores, usable_cores
from beff.launch.errors import LaunchError
from beff.launch.launcher import Launcher, find_launcher
from beff.linpack.input_file import HPL_OUTPUT, hpccinf, hpl_dat
from beff.linpack.size import LinpackSize


@dataclass(frozen=True)
class Kind:
    """A program by name, its input and output files, and what is written into the first."""

    name: str
    input_name: str
    output_name: str
    write_input: Callable[[LinpackSize], str]


KINDS = (
    Kind("xhpl", "HPL.dat", HPL_OUTPUT, hpl_dat),
    Kind("hpcc", "hpccinf.txt", "hpccoutf.txt", hpccinf),
)
"""In the order of preference: hpcc runs six other benchmarks before Linpack."""


@dataclass(frozen=True)
class Linpack:
    """The program that was found, and what starts its processes."""

    kind: Kind
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
