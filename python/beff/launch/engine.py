"""The measuring program: where it is, which MPI it is linked with, and how srun starts it.

srun and the MPI library must speak the same protocol, srun's option --mpi. With a wrong one, each
process believes to be alone.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from enum import Enum
from pathlib import Path

from beff.result.errors import LaunchError, WrongUsageError
from beff.result.places import is_file

_ANSWER_WITHIN_S = 60


def is_program(path: Path) -> bool:
    """Whether the path is a file that may be executed. Raises ResultError."""
    return is_file(path) and os.access(path, os.X_OK)


def own_folder() -> Path:
    """Return the folder of the running Python: programs installed with this package stand there."""
    return Path(sys.executable).parent


def find_engine(name: str, chosen: Path | None, beside: Path) -> Path:
    """Return the engine that was chosen, else the one beside this Python, else the first on PATH.

    Raises WrongUsageError for the one chosen, else LaunchError, with the way out.
    """
    if chosen is not None:
        if not is_program(chosen):
            raise WrongUsageError(
                f"--engine {chosen}: there is no such program; build it or name another"
            )
        return chosen.absolute()
    if is_program(beside / name):
        return (beside / name).absolute()
    on_path = shutil.which(name)
    if on_path is None:
        raise LaunchError(
            f"the measuring program {name} is neither in {beside} nor on PATH; build it with"
            " 'make build' or name it with --engine"
        )
    return Path(on_path).absolute()


def first_line(command: list[str]) -> str:
    """First non-empty line that a command prints. Raises LaunchError when it does not run."""
    return next((line for line in output_of(command).splitlines() if line.strip()), "").strip()


def output_of(command: list[str], **environment: str) -> str:
    """Everything that a short command prints, errors included. Raises LaunchError."""
    try:
        answer = subprocess.run(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_ANSWER_WITHIN_S,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as problem:
        raise LaunchError(f"{command[0]} cannot be started ({problem.strerror})") from None
    except subprocess.TimeoutExpired:
        raise LaunchError(f"{command[0]} did not answer within {_ANSWER_WITHIN_S} s") from None
    return answer.stdout


_LIBRARY_NAME = re.compile(rb"\x00(libmpi[a-z_]*)\.so\.(\d+)")
_MPICH_ABI = 12
"""Number in the library's file name that MPICH and the libraries compatible with it share."""
_FIRST_OPEN_MPI = 20
_STANDARD_ABI = b"libmpi_abi"
_CHOSEN_BY_USER = "SLURM_MPI_TYPE"


class MpiFamily(Enum):
    """Libraries that start up alike."""

    MPICH = "MPICH"
    OPEN_MPI = "Open MPI"


PROTOCOLS = {MpiFamily.MPICH: ("pmi2", "pmix"), MpiFamily.OPEN_MPI: ("pmix",)}
"""What the libraries of a family speak, the most likely first."""


def family_of_library(text: str) -> MpiFamily | None:
    """Return the family by what MPI_Get_library_version says; None where it is not known."""
    if "Open MPI" in text:
        return MpiFamily.OPEN_MPI
    kin = any(name in text for name in ("MPICH", "Intel(R) MPI", "MVAPICH"))
    return MpiFamily.MPICH if kin else None


def mpi_family(engine: Path) -> MpiFamily | None:
    """Return the family of the library that a program is linked with; None where it is not clear.

    Known from the name that the program asks the dynamic linker for; where that is the standard
    ABI's, which several families serve, the program is asked which it has found. Cray MPICH has a
    protocol of its own, which its site has made the default.
    """
    try:
        found = _LIBRARY_NAME.search(engine.read_bytes())
        if found is not None and found[1] == _STANDARD_ABI:
            return family_of_library(output_of([str(engine), "--version"]))
    except (OSError, LaunchError):
        return None
    if found is None or found[1].startswith(b"libmpi_"):
        return None
    number = int(found[2])
    if number == _MPICH_ABI:
        return MpiFamily.MPICH
    return MpiFamily.OPEN_MPI if number >= _FIRST_OPEN_MPI else None


def srun_options(engine: Path, offered: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the option --mpi for a program; `offered` is what srun prints for --mpi=list.

    Empty where the user has chosen by SLURM_MPI_TYPE, or where nothing offered suits: then the
    site's default is the best there is.
    """
    family = mpi_family(engine)
    if _CHOSEN_BY_USER in environ or family is None:
        return ()
    names = re.findall(r"\w+", offered)
    suitable = [name for name in PROTOCOLS[family] if name in names]
    return (f"--mpi={suitable[0]}",) if suitable else ()
