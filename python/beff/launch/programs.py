"""The programs of a simulation: SimGrid, and ours as built for SMPI or to be built."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beff.launch.engine import is_program, own_folder
from beff.result.errors import SimulationError, WrongUsageError
from beff.result.places import is_file, is_folder, is_taken
from beff.result.plain_text import one_line


def find_smpirun() -> Path:
    """Return SimGrid's launcher, which is on PATH. Raises SimulationError."""
    found = shutil.which("smpirun")
    if found is not None:
        return Path(found).absolute()
    raise SimulationError(
        "SimGrid's smpirun is not on PATH; install SimGrid with SMPI (Debian: apt install"
        " libsimgrid-dev; Spack: spack install simgrid)"
    )


_BUILD_WITHIN_S = 3600
_LINES_SHOWN = 15


def find_or_build_engine(chosen: Path | None, benchmark: str) -> Path:
    """Return the engine: the one chosen, else built in the checkout, else installed.

    In a checkout it is built anew when its sources have changed. Raises WrongUsageError for
    the one chosen, else SimulationError, with the way out.
    """
    if chosen is not None:
        if not is_program(chosen):
            raise WrongUsageError(
                f"--engine {chosen}: there is no such program; 'cmake --preset smpi' in the sources"
                " of beff makes the build files for it"
            )
        return chosen.absolute()
    checkout = find_checkout()
    if checkout is not None:
        return build_engine(checkout, benchmark)
    program = f"{benchmark}_smpi"
    if is_program(own_folder() / program):
        return own_folder() / program
    on_path = shutil.which(program)
    if on_path is not None:
        return Path(on_path).absolute()
    raise SimulationError(
        f"{program}, the measuring program for simulations, is neither beside this command nor on"
        " PATH; in the sources of beff, 'cmake --preset smpi && cmake --build --preset smpi' makes"
        " it (build/smpi/engines), and --engine names it"
    )


def find_checkout() -> Path | None:
    """Return the sources that this package or its virtual environment stands in, if any."""
    for place in (Path(__file__).resolve().parents[3], Path(sys.prefix).resolve().parent):
        if is_file(place / "CMakePresets.json") and is_folder(place / "engines" / "b_eff"):
            return place
    return None


def build_engine(checkout: Path, benchmark: str) -> Path:
    """Build the engine in the folder build/smpi of the sources. Raises SimulationError."""
    if shutil.which("smpicxx") is None:
        raise SimulationError(
            "SimGrid's compiler smpicxx is not on PATH, so the measuring program cannot be built"
            " for simulation; install SimGrid with SMPI (Debian: apt install libsimgrid-dev)"
        )
    folder = checkout / "build" / "smpi"
    program = folder / "engines" / f"{benchmark}_smpi"
    with _alone(folder):
        if not is_taken(program):
            print(f"building {program} once; this takes some minutes", file=sys.stderr)
        if not is_taken(folder / "build.ninja"):
            _cmake(checkout, "--preset", "smpi")
        _cmake(checkout, "--build", "--preset", "smpi", "--target", benchmark)
    return program


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process at a time build."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w", encoding="ascii")
    except OSError as problem:
        raise SimulationError(
            f"{folder} cannot be written ({problem.strerror}); build the measuring program"
            " elsewhere and name it with --engine"
        ) from None
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _cmake(checkout: Path, *arguments: str) -> None:
    """Run CMake with the tools of this Python's environment in front."""
    path = os.pathsep.join([str(own_folder()), os.environ.get("PATH", "")])
    cmake = shutil.which("cmake", path=path)
    if cmake is None:
        raise SimulationError(
            "cmake is missing, so the measuring program cannot be built for simulation; install"
            " CMake 3.25 or newer and Ninja, or name a built program with --engine"
        )
    try:
        done = subprocess.run(
            [cmake, *arguments],
            cwd=checkout,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_BUILD_WITHIN_S,
            text=True,
            errors="replace",
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SimulationError(f"building in {checkout} took more than an hour") from None
    if done.returncode != 0:
        for line in done.stdout.splitlines()[-_LINES_SHOWN:]:
            print(f"  {one_line(line)}", file=sys.stderr)
        raise SimulationError(
            f"the measuring program could not be built for simulation: {' '.join(arguments)} failed"
            f" in {checkout}"
        )
