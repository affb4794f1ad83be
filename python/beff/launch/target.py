"""Everything that must be known before a measuring program is started.

An engine is asked what it sees of the machine, and whether it can use a folder for files.
"""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from beff.launch.allocation import Cores, find_allocation, hosts_of_job, usable_cores
from beff.launch.engine import find_engine, mpi_family, output_of, own_folder
from beff.launch.launcher import (
    Flavour,
    Launcher,
    Numbering,
    for_engine,
    in_slurm_job,
    look_for_launcher,
    numbering_options,
)
from beff.launch.mpi_build import MpiBuild, choose_build, require_fit, uses_packed, wanted_build
from beff.launch.process import Ended, death_in, run_to_end
from beff.result.armour import parse_json
from beff.result.bounds import Record
from beff.result.errors import LaunchError, WrongUsageError
from beff.result.load import Document, load_document
from beff.result.numbers import counted
from beff.result.result_parts import Criterion, Statement

_MOST_ON_A_CORE = 8
"""More processes take minutes for what no check calls good; fewer are of use in tests."""


@dataclass(frozen=True)
class Target:
    """Engine, launcher and cores of a run."""

    engine: Path
    launcher: Launcher
    cores: Cores

    @property
    def starts_at_once(self) -> bool:
        """Whether nothing stands between us and the start, such as the queue of a batch system."""
        return self.launcher.flavour is not Flavour.SRUN or in_slurm_job(os.environ)

    def pass_on(self, process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
        """Ask a run to stop when we receive a signal.

        Most launchers pass a signal on. Open MPI's kills the processes a second after SIGINT or
        SIGTERM, which is too short to write a result where cores are shared; SIGUSR1 it only passes
        on. srun answers SIGINT with the state of its tasks, and SIGTERM by killing them; so Slurm
        itself is asked to send SIGTERM to the step of this engine.
        """
        if self.launcher.flavour is not Flavour.SRUN:
            is_open_mpi = self.launcher.flavour is Flavour.OPEN_MPI
            process.send_signal(signal.SIGUSR1 if is_open_mpi else number)
        elif not _stopped_by_slurm(self.engine.name):
            process.terminate()

    def require_cores(self, processes: int) -> None:
        """Refuse many more processes than this machine has cores. Raises WrongUsageError.

        In a job, and where the launcher has options or a queue, the cores are those of others.
        """
        elsewhere = find_allocation() is not None or self.launcher.own_options
        cores = self.cores.physical
        if self.starts_at_once and not elsewhere and processes > _MOST_ON_A_CORE * cores:
            raise WrongUsageError(
                f"--processes {processes}: {processes} processes on {counted(cores, 'core')} take"
                f" turns, and show nothing of the machine; give -n {max(2, cores)},"
                " or measure all the same by --oversubscribe"
            )

    def command(
        self, processes: int, engine_options: list[str], numbering: Numbering | None = None
    ) -> list[str]:
        """Return the whole command line that runs the engine on a number of processes."""
        cores = self.cores.physical * (hosts_of_job() or 1)
        order = numbering_options(self.launcher, numbering, processes, os.environ)
        launch = self.launcher.command(processes, cores, os.geteuid() == 0, order)
        return [*launch, str(self.engine), *engine_options]


def find_target(
    benchmark: str, engine: Path | None, launcher: str | None, mpi: str | None = None
) -> Target:
    """Engine and launcher for a benchmark; options override what is found.

    Raises WrongUsageError for what an option names, LaunchError for what is not found.
    """
    program, starter, _ = find_pieces(benchmark, engine, launcher, mpi)
    assert program is not None
    assert starter is not None
    if engine is None and not wanted_build(mpi)[0]:
        require_fit(program, starter, find_allocation())
    return Target(program, starter, usable_cores())


def find_pieces(
    benchmark: str,
    chosen: Path | None,
    launcher: str | None,
    mpi: str | None,
    noted: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> tuple[Path | None, Launcher | None, MpiBuild | None]:
    """Return engine, launcher, and which of the portable wheel's programs the engine is, if any.

    These are chosen by the launcher, every other program brings its own. Each piece is looked for
    in a context of its own, which may note the problem; else it raises as `find_target` does.
    """
    engine, starter, build, is_packed = None, None, None, False
    with noted():
        is_packed = uses_packed(chosen, mpi)
        engine = None if is_packed else find_engine(benchmark, chosen, own_folder())
    with noted():
        beside = own_folder() if is_packed else engine and engine.parent
        starter = look_for_launcher(launcher, beside)
    with noted():
        if is_packed:
            build = choose_build(benchmark, starter, mpi)
            engine = build.engine
        if engine is not None and starter is not None:
            starter = for_engine(starter, engine)
    return engine, starter, build


_STOP_WITHIN_S = 30


def _stopped_by_slurm(name: str) -> bool:
    """Send SIGTERM to the steps of this job with this name, which is that of their program."""
    job = os.environ.get("SLURM_JOB_ID", "")
    ask = ["squeue", "--steps", "--noheader", f"--jobs={job}", "--format=%i %j"]
    try:
        rows = [line.split() for line in output_of(ask).splitlines()]
        steps = [row[0] for row in rows if row[1:] == [name]]
        if not steps:
            return False
        tell = ["scancel", "--signal=TERM", *steps]
        nothing = subprocess.DEVNULL
        subprocess.run(tell, stdin=nothing, capture_output=True, timeout=_STOP_WITHIN_S, check=True)
    except (LaunchError, OSError, subprocess.SubprocessError):
        return False
    return True


_ANSWER_WITHIN_S = 120
_MEASURED = (0, 3)
"""A trial of files is too short to be valid."""


class Probe(Record):
    """What the engine reported: an environment as in a result, and criteria that no run meets."""

    environment: dict[str, Any]
    cautions: list[Statement]
    would_not_be_valid: list[Criterion]


_LABEL = re.compile(r"^\s*(?:\[\d+(?:,\d+)*\](?:<\w+>)?:?|\d+:)[ \t]?", re.MULTILINE)
"""What launchers put before each line when they are asked to name the rank: srun -l, mpiexec -l,
--tag-output."""


def probe(target: Target, processes: int, options: list[str]) -> Probe:
    """Start the engine with --probe on a number of processes. Raises LaunchError."""
    answer = _answer(target, processes, ["--probe", *options])
    # launchers may print lines before and after the JSON object
    for printed in (answer, _LABEL.sub("", answer)):
        begin, end = printed.find("{"), printed.rfind("}")
        with suppress(ValueError):
            return Probe.model_validate(parse_json(printed[begin : end + 1]))
    raise LaunchError(
        f"{target.engine} --probe did not report what it sees; engine and this command"
        " probably have different versions"
    )


_TRIAL = ("--time", "1s", "--max-chunk", "2MiB", "--max-segment", "4MiB", "--quiet")


def try_files(target: Target, processes: int, folder: Path, options: list[str]) -> Document:
    """Let b_eff_io write and read a little in a folder, and return its result.

    Raises LaunchError with what it says where it cannot.
    """
    with TemporaryDirectory(prefix="beff-trial-") as place:
        prefix = Path(place) / "trial"
        told = ["--path", str(folder), "--output", str(prefix), *_TRIAL, *options]
        _answer(target, processes, told)
        return load_document(prefix.with_suffix(".json"))


def _answer(target: Target, processes: int, options: list[str]) -> str:
    """Start the engine and return what it prints. Raises LaunchError."""
    started = time.monotonic()
    ended = run_to_end(
        target.command(processes, options),
        lambda: None,
        stalled=lambda: time.monotonic() - started > _ANSWER_WITHIN_S,
    )
    what = f"{target.engine} started by {target.launcher.path}"
    if ended.stalled:
        last = f"; the last that it says: {ended.error_lines[-1]}" if ended.error_lines else ""
        seconds = f"{time.monotonic() - started:.0f} s"
        raise LaunchError(f"{what} did not answer within {seconds}{last}{_why(target, ended)}")
    if ended.exit_code not in _MEASURED:
        # launchers draw rulers and frames
        lines = (line.strip(" =") for line in ended.error_lines)
        words = next((line for line in lines if any(map(str.isalpha, line))), "without a message")
        reason = death_in(ended) or words
        raise LaunchError(f"{what} failed with exit code {ended.exit_code}: {reason}")
    return ended.output.decode(errors="replace")


def _why(target: Target, ended: Ended) -> str:
    """Return why a launch hangs, as far as it is known."""
    if ended.way_out:
        return f"; {ended.way_out}"
    starts, family = target.launcher.flavour.value.starts, mpi_family(target.engine)
    if starts is None or family is None or starts is family:
        return ""
    return (
        f"; {target.launcher.path} starts programs of {starts.value}, but this one is of"
        f" {family.value}: name the mpiexec of {family.value} with --launcher"
    )
