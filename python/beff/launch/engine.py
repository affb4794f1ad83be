"""The measuring program: where it is, which MPI it is linked with, and how srun starts it.

From where this installation of beff came, its extras, and the command that adds one.

srun and the MPI library must speak the same protocol, srun's option --mpi. With a wrong one, each
process believes to be alone.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import Enum
from importlib.metadata import PackageNotFoundError, distribution, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from beff.result.errors import LaunchError, ResultError, WrongUsageError
from beff.result.places import is_file, is_folder

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
    if (program := found_program(name, beside)) is not None:
        return program
    raise LaunchError(
        f"the measuring program {name} is neither in {beside} nor on PATH; build it with"
        " 'make build' or name it with --engine"
    )


def found_program(name: str, beside: Path | None = None) -> Path | None:
    """Return the program of a folder, else the first on PATH. Raises ResultError."""
    if beside is not None and is_program(beside / name):
        return (beside / name).absolute()
    on_path = shutil.which(name)
    return None if on_path is None else Path(on_path).absolute()


def first_line(command: list[str]) -> str:
    """First non-empty line that a command prints. Raises LaunchError when it does not run."""
    return next((line for line in output_of(command).splitlines() if line.strip()), "").strip()


def output_of(command: list[str], **environment: str) -> str:
    """Everything that a short command prints, errors included. Raises LaunchError."""
    try:
        return subprocess.run(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_ANSWER_WITHIN_S,
            text=True,
            errors="replace",
            check=False,
        ).stdout
    except OSError as problem:
        raise LaunchError(f"{command[0]} cannot be started ({problem.strerror})") from None
    except subprocess.TimeoutExpired:
        raise LaunchError(f"{command[0]} did not answer within {_ANSWER_WITHIN_S} s") from None


_LIBRARY_NAME = re.compile(rb"\x00(libmpi[a-z_]*)\.so\.(\d+)")
_MPICH_ABI = 12
"""Number in the library's file name that MPICH and the libraries compatible with it share."""
_FIRST_OPEN_MPI = 20


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
    with suppress(OSError, LaunchError):
        library = _LIBRARY_NAME.search(engine.read_bytes())
        if library is not None and library[1] == b"libmpi_abi":
            return family_of_library(output_of([str(engine), "--version"]))
        if library is not None and not library[1].startswith(b"libmpi_"):
            if int(library[2]) == _MPICH_ABI:
                return MpiFamily.MPICH
            return MpiFamily.OPEN_MPI if int(library[2]) >= _FIRST_OPEN_MPI else None
    return None


def srun_options(engine: Path, offered: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the option --mpi for a program; `offered` is what srun prints for --mpi=list.

    Empty where the user has chosen by SLURM_MPI_TYPE, or where nothing offered suits: then the
    site's default is the best there is.
    """
    family = None if "SLURM_MPI_TYPE" in environ else mpi_family(engine)
    names = re.findall(r"\w+", offered)
    suitable = (name for name in PROTOCOLS[family] if name in names) if family else ()
    return tuple(f"--mpi={name}" for name in suitable)[:1]


def install_command(extra: str) -> str:
    """Return the command that adds an extra of pyproject.toml to this installation."""
    record = _record()
    folder = Path(unquote(urlsplit(record.get("url", "")).path))
    with suppress(ResultError):
        if "dir_info" in record and is_folder(folder):
            return f"pip install {shlex.quote(f'{folder}[{extra}]')}"
    source = repository() or (record["url"] if "archive_info" in record else None)
    wanted = f"beff[{extra}]{f' @ {source}' if source else ''}"
    return f"pip install {shlex.quote(wanted)}"


def repository() -> str | None:
    """Return "git+URL@COMMIT", as pip takes it; None where beff came from elsewhere."""
    record = _record()
    vcs = record.get("vcs_info")
    return f"{vcs['vcs']}+{record['url']}@{vcs['commit_id']}" if vcs else None


def home() -> str | None:
    """Return the address of beff's own repository; None where pyproject.toml has none."""
    with suppress(PackageNotFoundError):
        addresses = metadata("beff").get_all("Project-URL") or ()
        return dict(one.split(", ", 1) for one in addresses).get("Repository")
    return None


def _record() -> dict[str, Any]:
    """Return what pip notes of what it did not take from an index (PEP 610, direct_url.json)."""
    with suppress(PackageNotFoundError):
        return dict(json.loads(distribution("beff").read_text("direct_url.json") or "{}"))
    return {}


EXTRA_OF = {"vl_convert": "report", "yaml": "list"}
"""The extra of pyproject.toml that brings a package, by the name under which it is imported."""


def is_installed(extra: str) -> bool:
    """Whether all packages of an extra can be imported."""
    return all(find_spec(package) for package, brought in EXTRA_OF.items() if brought == extra)


@contextmanager
def missing_extra_explained() -> Iterator[None]:
    """Make one sentence of an import that fails as an extra is missing. Raises WrongUsageError."""
    try:
        yield
    except ModuleNotFoundError as problem:
        extra = EXTRA_OF.get((problem.name or "").partition(".")[0])
        if extra is None:  # a fault
            raise
        raise WrongUsageError(
            f"this needs the package {problem.name}, which is not installed;"
            f" {install_command(extra)} adds it"
        ) from None
