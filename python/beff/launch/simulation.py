"""One simulated run: its programs, what is simulated, how it is started, and what comes of it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from beff.launch.campaign import Start
from beff.launch.engine import find_engine, found_program, is_program, own_folder
from beff.launch.networks import Platform
from beff.result.errors import SimulationError
from beff.result.places import is_file, is_folder, write_atomically

_SETTINGS: dict[str, list[str]] = json.loads(
    Path(__file__).with_name("simgrid.json").read_text("utf-8")
)
"""Those of SimGrid. `all` are of all models: only communication takes time, so every run is the
same, and reading the clock takes none; the engine keeps nothing in global variables; collectives
are those of MPICH, but not by its selector, whose own look for nodes costs SMPI n^2 messages.
Of the models, `exact` has latencies of the route plus (size + 16 byte) / fair share of the
narrowest link, nothing else; `smpi` is SimGrid's default, with factors by message size that were
fitted to a real cluster. `folded` keeps the message buffers of all processes in the same memory,
which nobody writes."""
LOG = ("--log=root.thresh:warning", "--log=smpi_kernel.thresh:error")
"""Without a warning for each process that returns the exit code of a result that is not valid."""


@dataclass(frozen=True)
class SimulationPlan:
    """Everything that decides the outcome of a run, but for the engine's own options.

    `hosts` has the host of each rank.
    """

    platform: Platform
    hosts: tuple[str, ...]
    placement: str
    model: str

    @property
    def processes(self) -> int:
        """Number of processes."""
        return len(self.hosts)

    @property
    def settings(self) -> list[str]:
        """Those of SimGrid, by model."""
        return [*_SETTINGS["all"], *_SETTINGS[self.model], *_SETTINGS["folded"]]

    def record(self) -> dict[str, object]:
        """Return what the result records of the simulation beside simulator and version."""
        network = self.platform
        platform = {"name": network.name, "description": network.description}
        return {
            "platform": {**platform, "hosts": len(network.hosts), "sha256": network.sha256},
            "model": self.model,
            "settings": self.settings,
            "placement": self.placement,
            "folded_memory": True,
        }


def start_of(
    simulation: SimulationPlan,
    benchmark: str,
    programs: tuple[Path, Path],
    prefix: Path,
    engine_options: Sequence[str],
) -> Start:
    """Return the run of smpirun and a program, whose files begin with `prefix`; the folder exists.

    Beside the files of every run stand PREFIX.hosts, with the host of each rank, and the platform
    of a described network, PREFIX.platform.xml: with them the recorded command runs again. Raises
    SimulationError, or BeffError where they cannot be written.
    """
    smpirun, engine = programs
    hostfile = Path(f"{prefix}.hosts")
    hosts = "".join(f"{host}\n" for host in simulation.hosts)
    write_atomically(hostfile, hosts, overwrite=True)
    platform = simulation.platform.file
    if platform is None:
        platform = Path(f"{prefix}.platform.xml")
        write_atomically(platform, simulation.platform.xml, overwrite=True)
    command = [
        *(str(smpirun), "-np", str(simulation.processes)),
        *("-platform", str(platform), "-hostfile", str(hostfile)),
        *(f"--cfg={setting}" for setting in simulation.settings),
        *(f"--cfg=path:{platform.parent}", *LOG),
        *(str(engine), "--output", str(prefix), "--progress", "never", *engine_options),
    ]
    if blank := [argument for argument in command if re.search(r"\s", argument)]:
        raise SimulationError(  # the script smpirun cuts there
            f"smpirun cannot take the blank in '{blank[0]}'; choose names without blanks"
        )
    return Start(
        benchmark=benchmark,
        processes=simulation.processes,
        title=f"{benchmark}, {simulation.processes} processes on {simulation.platform.name}",
        prefix=prefix,
        command=command,
        launcher=smpirun,
        environment={"BEFF_SIMULATION": json.dumps(simulation.record())},
        pass_on=signal_simulator,
        shows_errors=True,
    )


def signal_simulator(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    """Pass a signal on to the simulator itself: smpirun would not wait for its orderly end."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    with suppress(FileNotFoundError, ProcessLookupError):  # either may just have ended
        for child in children.read_text(encoding="ascii").split():
            os.kill(int(child), number)


def find_smpirun() -> Path:
    """Return SimGrid's launcher, which is on PATH. Raises SimulationError."""
    if (found := found_program("smpirun")) is not None:
        return found
    raise SimulationError(
        "SimGrid's smpirun is not on PATH; install SimGrid with SMPI (Debian: apt install"
        " libsimgrid-dev; Spack: spack install simgrid)"
    )


_BUILT = Path("build/smpi/engines")


def find_simulated_engine(chosen: Path | None, benchmark: str) -> Path:
    """Return the engine: the one chosen, else built in the checkout or installed, else build it.

    Raises WrongUsageError for the one chosen, else SimulationError, with the way out.
    """
    program = f"{benchmark}_smpi"
    if chosen is not None:
        return find_engine(program, chosen, own_folder())
    # of the sources that this package or its virtual environment stands in
    places = (Path(__file__).resolve().parents[3], Path(sys.prefix).resolve().parent)
    for place in places:
        if is_program(built := place / _BUILT / program):
            return built
    if (found := found_program(program, own_folder())) is not None:
        return found
    for place in places:
        if is_file(place / "CMakePresets.json") and is_folder(place / "engines"):
            _build(place, benchmark)
            return place / _BUILT / program
    raise SimulationError(
        f"{program}, the measuring program for simulations, is neither beside this command nor on"
        " PATH; in the sources of beff, 'cmake --preset smpi && cmake --build --preset smpi' makes"
        " it (build/smpi/engines), and --engine names it"
    )


def _build(sources: Path, benchmark: str) -> None:
    """Build a program for simulations, with the tools of this Python's environment first."""
    path = os.pathsep.join([str(own_folder()), os.environ.get("PATH", "")])
    for tool in ("smpicxx", "cmake"):
        if shutil.which(tool, path=path) is None:
            raise SimulationError(
                f"{tool} is not on PATH, so {benchmark} cannot be built for simulations; install"
                " SimGrid with SMPI, CMake and Ninja, or name a built program by --engine"
            )
    print(f"building {sources / _BUILT / benchmark}_smpi once, in some minutes", file=sys.stderr)
    for words in (["--preset", "smpi"], ["--build", "--preset", "smpi", "--target", benchmark]):
        command = [str(shutil.which("cmake", path=path)), *words]
        environment = {**os.environ, "PATH": path}
        done = subprocess.run(command, cwd=sources, env=environment, stdout=2, check=False)
        if done.returncode != 0:
            raise SimulationError(
                f"{benchmark} could not be built for simulations: 'cmake {' '.join(words)}' failed"
                f" in {sources}; name a built program by --engine"
            )
