"""One simulated run: what is simulated, how it is started, and what comes of it."""

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from beff.launch.campaign import Left, Start
from beff.launch.platform import Platform
from beff.result.contract import MeasuredResult
from beff.result.errors import SimulationError

_COMMON = (
    "smpi/simulate-computation:no",  # only communication takes time, so every run is the same
    "smpi/wtime:0",  # reading the clock takes none
    "smpi/privatization:no",  # the engine keeps nothing in global variables
    "smpi/coll-selector:mpich",
    # The selector's own look for nodes first, which costs SMPI n^2 messages.
    "smpi/allreduce:redbcast",
    "smpi/barrier:ompi_bruck",
    "smpi/bcast:binomial_tree",
    "smpi/reduce:binomial",
    "smpi/gather:ompi_binomial",
)

_EXACT = (
    "network/model:CM02",
    "network/bandwidth-factor:1",
    "network/latency-factor:1",
    "network/weight-S:0",
    "network/TCP-gamma:0",
    "network/crosstraffic:0",
    "smpi/send-is-detached-thresh:0",
)

MODELS: dict[str, tuple[str, ...]] = {
    "exact": (*_COMMON, *_EXACT),
    "smpi": _COMMON,
}
"""`exact`: latencies of the route plus (size + 16 byte) / fair share of the narrowest link, nothing
else. `smpi`: SimGrid's default, with factors by message size that were fitted to a real cluster."""

FOLDING = ("smpi/shared-malloc:local", "smpi/auto-shared-malloc-thresh:65536")
"""Keeps the message buffers of all processes in the same memory, which nobody writes."""


LOG = ("--log=root.thresh:warning", "--log=smpi_kernel.thresh:error")
"""Without a warning for each process that returns the exit code of a result that is not valid."""
_DEADLOCK = "Deadlock detected"


@dataclass(frozen=True)
class SimulationPlan:
    """Everything that decides the outcome of a run, but for the engine's own options.

    `hosts` has the host of each rank; `folded` says whether all processes share the memory of
    their message buffers.
    """

    platform: Platform
    hosts: tuple[str, ...]
    placement: str
    model: str
    folded: bool = True

    @property
    def processes(self) -> int:
        """Number of processes."""
        return len(self.hosts)

    @property
    def settings(self) -> list[str]:
        """Those of SimGrid, by model and folding."""
        folds = FOLDING if self.folded else ()
        return [*MODELS[self.model], *folds]

    def record(self) -> dict[str, object]:
        """Return what the result records of the simulation beside simulator and version."""
        return {
            "platform": {
                "name": self.platform.name,
                "description": self.platform.description,
                "hosts": len(self.platform.hosts),
                "sha256": self.platform.sha256,
            },
            "model": self.model,
            "settings": self.settings,
            "placement": self.placement,
            "folded_memory": self.folded,
        }


@dataclass(frozen=True)
class Programs:
    """SimGrid's launcher, and the program as built for SMPI."""

    smpirun: Path
    engine: Path


def start_of(
    simulation: SimulationPlan,
    benchmark: str,
    programs: Programs,
    prefix: Path,
    engine_options: Sequence[str],
) -> Start:
    """Return the run of a program, whose files begin with `prefix`; the folder exists.

    Beside the files of every run stand PREFIX.hosts, with the host of each rank, and the platform
    of a described network, PREFIX.platform.xml: with them the recorded command runs again. Raises
    SimulationError.
    """
    hostfile = Path(f"{prefix}.hosts")
    _write(hostfile, "".join(f"{host}\n" for host in simulation.hosts))
    platform = simulation.platform.file
    if platform is None:
        platform = Path(f"{prefix}.platform.xml")
        _write(platform, simulation.platform.xml)
    command = [
        *(str(programs.smpirun), "-np", str(simulation.processes)),
        *("-platform", str(platform), "-hostfile", str(hostfile)),
        *(f"--cfg={setting}" for setting in simulation.settings),
        *(f"--cfg=path:{platform.parent}", *LOG),
        *(str(programs.engine), "--output", str(prefix), "--progress", "never", *engine_options),
    ]
    for argument in command:
        if any(character.isspace() for character in argument):  # at which smpirun, a script, cuts
            raise SimulationError(
                f"smpirun cannot take the blank in '{argument}'; choose names without blanks"
            )
    return Start(
        benchmark=benchmark,
        processes=simulation.processes,
        title=f"{benchmark}, {simulation.processes} processes on {simulation.platform.name}",
        prefix=prefix,
        command=command,
        launcher=programs.smpirun,
        environment={"BEFF_SIMULATION": json.dumps(simulation.record())},
        pass_on=signal_simulator,
        shows_errors=True,
    )


def result_of(left: Left) -> MeasuredResult:
    """Return the result of a simulation. Raises ResultError, or SimulationError without one.

    The simulator returns 0 after a deadlock and after a collective abort.
    """
    if left.problem is not None:
        raise left.problem
    if left.result is not None:
        return left.result
    ended = left.ended
    reason = f"the simulator ended with exit code {ended.exit_code} and left no result"
    if any(_DEADLOCK in line for line in ended.error_lines):
        reason = "the simulator found a deadlock: a process ended early, or waits for ever"
    own = [line for line in ended.error_lines if line.startswith(("b_eff:", "b_pairs:", "beff:"))]
    raise SimulationError("\n  ".join([reason, *(own or ended.error_lines)]))


def signal_simulator(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    """Pass a signal on to the simulator itself: smpirun would not wait for its orderly end."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for child in children.read_text(encoding="ascii").split():
        os.kill(int(child), number)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise SimulationError(f"{path} cannot be written ({problem.strerror})") from None
