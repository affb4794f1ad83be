"""`beff doctor`."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from beff.cli.common import exit_codes
from beff.cli.common.help_text import Group
from beff.cli.common.options import (
    Quantity,
    build_option,
    flag,
    launcher_option,
    memory_option,
    memory_options,
    option,
    taking,
)
from beff.cli.common.say import say
from beff.cli.measuring.benchmarks import B_EFF_IO
from beff.cli.measuring.request import engine_paths
from beff.definition.b_eff_plan import largest_message
from beff.launch.allocation import Cores, usable_cores
from beff.launch.engine import find_engine, first_line, own_folder
from beff.launch.launcher import Launcher, find_launcher, for_engine, look_for_launcher
from beff.launch.mpi_build import MpiBuild, choose_build, uses_packed
from beff.launch.probe import Probe, probe, try_files
from beff.launch.target import Target, default_processes, find_target
from beff.report.parts.sentences import required_text, sentence
from beff.result.errors import BeffError
from beff.result.load import Document
from beff.result.numbers import counted, duration, format_size

_LONG_BARRIER_S = 1e-3
"""No network needs as long: some processes wait for a core."""


@dataclass
class Diagnosis:
    """What was found; a missing piece is None and has its sentence in `problems`."""

    cores: Cores
    processes: int
    engine: Path | None = None
    engine_version: str | None = None
    build: MpiBuild | None = None
    launcher: Launcher | None = None
    probe: Probe | None = None
    files: Document | None = None
    problems: list[str] = field(default_factory=list)

    @property
    def doubts(self) -> list[str]:
        """Why a run would be inconclusive, as far as the probe shows."""
        if self.probe is None:
            return []
        environment = self.probe.environment
        barrier_s = environment["clock"]["barrier_cost_s"]
        reasons = [
            f"not valid: {criterion.code} (needs {required_text(criterion)})"
            for criterion in self.probe.would_not_be_valid
        ]
        if environment["oversubscribed"]:
            reasons.append("more processes than cores")
        if barrier_s > _LONG_BARRIER_S:
            waiting = duration(barrier_s)
            reasons.append(f"MPI_Barrier takes {waiting}: the processes do not run at once")
        return reasons


@dataclass(frozen=True, kw_only=True)
class _Options:
    processes: int | None = option(
        "N",
        "Processes of the run in question.",
        names="--processes -n",
        otherwise="the physical cores",
        min=2,
    )
    path: Path | None = option("DIR", "Also let b_eff_io write and read a little in this folder.")
    memory_per_process: Quantity | None = memory_option()
    engine: Path | None = option(
        "PATH",
        "The measuring program.",
        otherwise="b_eff beside this command, else on PATH",
        group=Group.PROCESSES,
    )
    launcher: str | None = launcher_option()
    mpi: str | None = build_option()
    as_json: bool = flag("Print one JSON object.", names="--json")


@taking(_Options)
def doctor(given: _Options) -> int:
    """Show what a run would find on this machine.

    Looks at measuring program, MPI library, launcher, cores, memory limits, clock and binding, and
    shows what would make a run not valid. Each piece that is missing has one sentence with the way
    out.

    Examples:
      beff doctor -n 4
      beff doctor -n 4 --path /scratch/me
    """
    cores = usable_cores()
    found = Diagnosis(cores, given.processes or default_processes(cores))
    try:
        if uses_packed(given.engine, given.mpi):
            _look_at_packed(found, given.launcher, given.mpi)
        else:
            _look_at_installed(found, given.engine, given.launcher)
    except BeffError as problem:
        found.problems.append(str(problem))
    if found.engine is not None and found.launcher is not None:
        target = Target(found.engine, found.launcher, cores)
        try:
            found.probe = probe(target, found.processes, memory_options(given.memory_per_process))
            if given.path is not None:
                chosen = engine_paths(given.engine, [B_EFF_IO])[B_EFF_IO]
                of_files = find_target(B_EFF_IO, chosen, given.launcher, given.mpi)
                memory = memory_options(given.memory_per_process)
                found.files = try_files(of_files, found.processes, given.path, memory)
        except BeffError as problem:
            found.problems.append(str(problem))
    if given.as_json:
        print(json.dumps(_as_fields(found), indent=1))
    else:
        for line in _as_lines(found):
            say(line)
    if found.problems:
        return exit_codes.FAILED
    return exit_codes.NOT_VALID if found.doubts else exit_codes.OK


def _look_at_packed(found: Diagnosis, launcher: str | None, mpi: str | None) -> None:
    """Find the launcher first: it decides which of the wheel's programs is taken."""
    try:
        found.launcher = look_for_launcher(launcher, own_folder())
    except BeffError as problem:
        found.problems.append(str(problem))
    found.build = choose_build("b_eff", found.launcher, mpi)
    found.engine = found.build.engine
    found.engine_version = first_line([str(found.engine), "--version"])
    if found.launcher is not None:
        found.launcher = for_engine(found.launcher, found.engine)


def _look_at_installed(found: Diagnosis, engine: Path | None, launcher: str | None) -> None:
    try:
        found.engine = find_engine("b_eff", engine, own_folder())
        found.engine_version = first_line([str(found.engine), "--version"])
    except BeffError as problem:
        found.problems.append(str(problem))
    found.launcher = find_launcher(launcher, found.engine)


def _as_fields(found: Diagnosis) -> dict[str, Any]:
    return {
        "engine": None
        if found.engine is None
        else {"path": str(found.engine), "version": found.engine_version},
        "mpi_build": None
        if found.build is None
        else {
            "name": found.build.name,
            "library": found.build.library,
            "reason": found.build.reason,
        },
        "launcher": None
        if found.launcher is None
        else {"path": str(found.launcher.path), "flavour": found.launcher.flavour.value.name},
        "cores": asdict(found.cores),
        "processes": found.processes,
        "lmax_bytes": None if found.probe is None else _lmax(found.probe.environment),
        "probe": None
        if found.probe is None
        else {
            "environment": found.probe.environment,
            "cautions": [one.model_dump() for one in found.probe.cautions],
            "would_not_be_valid": [one.model_dump() for one in found.probe.would_not_be_valid],
        },
        "filesystem": None
        if found.files is None
        else found.files.fields["environment"]["filesystem"],
        "doubts": found.doubts,
        "problems": found.problems,
    }


def _as_lines(found: Diagnosis) -> list[str]:
    rows = [*_own_rows(found), *(_probe_rows(found.probe) if found.probe is not None else [])]
    if found.files is not None:
        rows.append(("files", _of_files(found.files.fields["environment"])))
    width = max(len(name) for name, _ in rows)
    lines = [f"{name:<{width}}  {text}" for name, text in rows]
    lines += [f"problem: {problem}" for problem in found.problems]
    if found.probe is not None:
        lines += [f"caution: {sentence(caution)}" for caution in found.probe.cautions]
        lines += [f"a run would be inconclusive: {reason}" for reason in found.doubts]
        if not found.doubts:
            lines.append(f"a run with {found.processes} processes can be valid")
    return lines


def _own_rows(found: Diagnosis) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    if found.engine is not None:
        rows.append(("engine", f"{found.engine} ({found.engine_version or 'no version'})"))
    if found.build is not None:
        rows.append(("MPI build", f"{found.build.name}: {found.build.reason}"))
    if found.launcher is not None:
        rows.append(("launcher", f"{found.launcher.path} ({found.launcher.flavour.value.name})"))
    cores = found.cores
    quota = "" if cores.quota is None else f", limited to {cores.quota:g} CPUs by the cgroup"
    rows.append(("cores", f"{cores.physical} physical, {cores.threads} threads{quota}"))
    return rows


def _of_files(environment: Mapping[str, Any]) -> str:
    storage = environment["filesystem"]
    free = format_size(storage["free_at_start_bytes"])
    return (
        f"{storage['kind']}, {free} free: {counted(environment['processes'], 'process')}"
        f" on {counted(environment['nodes'], 'node')} wrote and read them"
    )


def _lmax(environment: Mapping[str, Any]) -> int:
    return largest_message(int(environment["memory_per_process_bytes"]))


def _probe_rows(probe: Probe) -> list[tuple[str, str]]:
    environment = probe.environment
    clock, binding, mpi = environment["clock"], environment["binding"], environment["mpi"]
    placed = f"{environment['processes']} on {counted(environment['nodes'], 'node')}"
    memory = environment["memory_per_process_bytes"]
    return [
        ("MPI library", f"{mpi['library']}, MPI {mpi['standard']}"),
        ("processes", f"{placed}: {environment['host_list']}"),
        ("topology", environment["topology"]),
        ("memory", f"{format_size(memory)} per process: {environment['memory_source']}"),
        ("L_max", format_size(_lmax(environment))),
        ("clock", f"resolution {duration(clock['resolution_s'])}"),
        ("reading it", duration(clock["call_cost_s"])),
        ("MPI_Barrier", duration(clock["barrier_cost_s"])),
        (
            "binding",
            f"{binding['bound_processes']} bound, {binding['unbound_processes']} free to move:"
            f" {' '.join(binding['first_node'])}",
        ),
    ]
