"""Which MPI library a program is built for, and whether it suits the machine.

The portable wheel holds each program once for every kind of library, in `beff/programs`. Which
library there is, only the dynamic linker knows; so each program is asked: its `--version` names the
library that it has found. Libraries of Python packages are right on one machine, and not for the
nodes of a cluster.
"""

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from beff.launch.allocation import Allocation
from beff.launch.engine import (
    family_of_library,
    install_command,
    is_program,
    mpi_family,
    output_of,
    own_folder,
)
from beff.launch.launcher import Launcher
from beff.result.errors import LaunchError, WrongUsageError
from beff.result.places import is_folder

LIBRARIES = {"mpich": "libmpi.so.12", "openmpi": "libmpi.so.40", "abi": "libmpi_abi.so.1"}
"""The builds, by the name of their folder, and the library that each asks the linker for.

The order of preference: MPICH's own interface before the standard one, whose MPI_File_seek mixes up
MPI_SEEK_SET, MPI_SEEK_CUR and MPI_SEEK_END in Intel MPI 2021.19.
"""
VARIABLE = "BEFF_MPI"
_LIBRARY_LINE = re.compile(r"^MPI library: (.+)$", re.MULTILINE)


def packed_programs() -> Path:
    """Return the folder in which the portable wheel has its programs."""
    return Path(__file__).resolve().parent.parent / "programs"


def is_packed(engine: Path) -> bool:
    """Whether a program is one of the portable wheel's."""
    return packed_programs() in engine.parents


def uses_packed(chosen_engine: Path | None, mpi: str | None) -> bool:
    """Whether a run takes a program of the portable wheel.

    Not where a program is chosen, nor where one that was built here stands beside this Python.
    Raises WrongUsageError where --mpi is given and there is nothing to choose among.
    """
    if chosen_engine is not None and mpi is not None:
        raise WrongUsageError(
            f"--mpi {mpi}: chooses among the programs of the package, and --engine"
            f" {chosen_engine} names another; leave one of the two out"
        )
    if chosen_engine is not None:
        return False
    has_packed = any(is_folder(packed_programs() / name) for name in LIBRARIES)
    name, source = wanted_build(mpi)
    if name and not has_packed:
        raise WrongUsageError(
            f"{source} {name}: this installation was built for one MPI library only, so there is"
            " nothing to choose; leave it out, or install the wheel"
        )
    return has_packed and (bool(name) or not is_program(own_folder() / "b_eff"))


@dataclass(frozen=True)
class MpiBuild:
    """A program of the wheel, and what is said of the choice."""

    name: str
    engine: Path
    library: str
    reason: str


def wanted_build(chosen: str | None) -> tuple[str, str]:
    """Return the build that --mpi or BEFF_MPI names, and which of them; empty where neither does.

    Raises WrongUsageError for a name that is none.
    """
    variable = os.environ.get(VARIABLE)
    if chosen is None and not variable:
        return "", ""
    name, source = (variable or "", VARIABLE) if chosen is None else (chosen, "--mpi")
    if name not in LIBRARIES:
        known = ", ".join(LIBRARIES)
        raise WrongUsageError(f"{source} {name}: there is no such build; name one of {known}")
    return name, source


def choose_build(program: str, launcher: Launcher | None, mpi: str | None = None) -> MpiBuild:
    """Return the build of a program that suits the library and the launcher.

    `mpi` is what --mpi names. Without a launcher, as on a node where only job scripts are written,
    the library decides. Raises LaunchError, or WrongUsageError for the build named, with what was
    tried and the way out.
    """
    name, source = wanted_build(mpi)
    started, starter, tried = None, Path(), []
    if launcher is not None:
        started, starter = launcher.flavour.value.starts, launcher.path
    for each in [name] if name else LIBRARIES:
        path = packed_programs() / each / program
        library, refusal = _library_in(each, path)
        offers = f"{LIBRARIES[each]} is {library}"
        if library and (name or started in (None, family_of_library(library))):
            reason = f"the first library that is found: {offers}"
            if source:
                reason = f"chosen by {source}"
            elif started is not None:
                reason = f"{starter} starts {started.value}, and {offers}"
            return MpiBuild(each, path, library, reason)
        tried.append(f"{each}: {refusal or offers}")
    subject = f"no MPI library was found for {program}"
    if source:
        subject = f"{source} {name}: {program} cannot be used"
    elif started is not None:
        subject += f" that {starter} ({started.value}) starts"
    raise (WrongUsageError if name else LaunchError)(
        f"{subject} ({'; '.join(tried)}); load the module of an MPI library, or install one:"
        f" {install_command('mpich')}, or with openmpi in place of mpich"
    )


def program_of_a_job(program: str, mpi: str | None) -> Path:
    """Return the program that a job script starts. Raises LaunchError.

    What --mpi or BEFF_MPI names is not questioned: the job may load a library that this node has
    not.
    """
    name, _ = wanted_build(mpi)
    if name:
        return packed_programs() / name / program
    return choose_build(program, None).engine


def _library_in(build: str, path: Path) -> tuple[str, str]:
    """Return the library that a program says it runs with, else "" and why it does not run."""
    if not is_program(path):
        return "", f"{path} is missing"
    printed = output_of([str(path), "--version"])
    if line := _LIBRARY_LINE.search(printed):
        return line[1], ""
    if LIBRARIES[build] in printed:
        return "", f"{LIBRARIES[build]} is not found"
    return "", printed.strip().partition("\n")[0] or "no answer"


_PACKAGES = ("mpich", "openmpi", "impi-rt")
_LIBRARY = re.compile(r"^\s*(libmpi\S*) => (/.*) \(0x", re.MULTILINE)
_WAY_OUT = (
    "build with the site's MPI (tools/site_build) and name the programs by --engine, or load the"
    " site's module, whose library then comes first"
)


@dataclass(frozen=True)
class MpiLibrary:
    """The MPI library that the dynamic linker gives a program; `package` is empty of the site's."""

    path: Path
    text: str
    package: str


def library_of(engine: Path) -> MpiLibrary | None:
    """Return the library of a program; None where the linker does not report it."""
    try:
        libraries = output_of([str(engine), "--version"], LD_TRACE_LOADED_OBJECTS="1")
    except LaunchError:
        return None
    line = _LIBRARY.search(libraries)
    if line is None:
        return None
    path = Path(line[2])
    version = _LIBRARY_LINE.search(output_of([str(engine), "--version"]))
    return MpiLibrary(path, "" if version is None else version[1], _package_of(path))


def _package_of(library: Path) -> str:
    """Return the Python package that has brought a library; empty where none has."""
    real = library.resolve()
    for name in _PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            files = metadata.distribution(name).files or []
            named = (file for file in files if file.name == library.name)
            if any(Path(file.locate()).resolve() == real for file in named):
                return name
    return ""


def require_fit(engine: Path, launcher: Launcher, allocation: Allocation | None) -> None:
    """Refuse a Python package's MPI on several nodes of a job, or under a foreign launcher.

    For programs that nobody has named. Raises LaunchError with the way out.
    """
    nodes = (allocation and allocation.nodes) or 1
    started = launcher.flavour.value.starts
    if nodes == 1 and started in (None, mpi_family(engine)):
        return
    library = library_of(engine)
    if library is None or not library.package:
        return
    where = f"the job has {nodes} nodes" if nodes > 1 else f"{launcher.path} is of another MPI"
    raise LaunchError(
        f"{engine} runs with the MPI of the Python package {library.package}, which is for one"
        f" machine, and {where}; {_WAY_OUT}, or insist by --engine {engine}"
    )


def network_note(engine: Path) -> str:
    """Return which program and MPI a job will use, and why that will know its network or not."""
    library = library_of(engine)
    if library is None:
        return f"the job starts {engine}, whose MPI library only the job knows"
    whose = "this site's, so it should know the network"
    if library.package:
        whose = (
            f"of the Python package {library.package}, which was not built for this site's network"
            f" and batch system: {_WAY_OUT}"
        )
    return f"the job starts {engine} with {library.path} ({library.text}); that library is {whose}"
