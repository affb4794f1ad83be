"""The installed SimGrid."""

import shutil
from pathlib import Path

from beff.simulate.errors import SimulationError


def find_smpirun(chosen: str | None) -> Path:
    """Return SimGrid's launcher: the one chosen, else the one on PATH. Raises SimulationError."""
    name = "smpirun" if chosen is None else chosen
    found = shutil.which(name)
    if found is not None:
        return Path(found).absolute()
    if chosen is not None:
        raise SimulationError(f"--launcher {chosen}: there is no such program; name an smpirun")
    raise SimulationError(
        "SimGrid's smpirun is not on PATH; install SimGrid with SMPI (Debian: apt install"
        " libsimgrid-dev; Spack: spack install simgrid) or name its smpirun with --launcher"
    )
