"""`beff doctor`."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Annotated

from beff.cli.common import exit_codes, options
from beff.cli.common.terminal import print_lines
from beff.cli.measuring.benchmarks import B_EFF, B_EFF_IO
from beff.cli.measuring.request import require_cores, targets_of
from beff.definition.b_eff_plan import largest_message
from beff.launch.allocation import default_processes, usable_cores
from beff.launch.engine import first_line
from beff.launch.target import Target, find_pieces, probe, try_files
from beff.result.errors import BeffError
from beff.result.numbers import duration
from beff.show.parts.sentences import WORDS, filled, required_text, sentence

_LONG_BARRIER_S = 1e-3
"""No network needs as long: some processes wait for a core."""


@dataclass(frozen=True, kw_only=True)
class _Options(options.LaunchOptions, options.MemoryOptions):
    processes: Annotated[options.Count | None, options.NUMBER] = None
    """Processes of the run in question.  [default: the physical cores]"""
    path: options.Folder | None = None
    """Also try b_eff_io in this folder, with little data."""
    engine: Annotated[options.AnyPath | None, options.PROCESSES] = None
    """The measuring program.  [default: b_eff beside this command, else on PATH]"""
    as_json: Annotated[bool, options.JSON] = False
    """Print one JSON object."""


def doctor(given: _Options) -> int:
    """Show what a run would find on this machine.

    Looks at measuring program, MPI library, launcher, cores, memory limits, clock and binding, and
    shows what would make a run not valid. For each missing piece one sentence says what to do.

    Examples:
      beff doctor -n 4
      beff doctor -n 4 --path /scratch/me

    Exit codes:
      0  nothing is missing, and a run can be valid
      1  a piece is missing
      3  a run could not be valid, or not be judged
    """
    cores, problems = usable_cores(), list[str]()
    count = given.processes or default_processes(cores)
    version, seen, storage, doubts = None, None, None, list[str]()

    @contextmanager
    def noted() -> Iterator[None]:
        """Note a problem, and go on."""
        try:
            yield
        except BeffError as problem:
            problems.append(str(problem))

    engine, launcher, build = find_pieces(B_EFF, given.engine, given.launcher, given.mpi, noted)
    with noted():
        version = None if engine is None else first_line([str(engine), "--version"])
    with noted():
        if engine is not None and launcher is not None:
            memory = options.words_of(given, "memory_per_process")
            target = Target(engine, launcher, cores)
            require_cores(given, [target], [count])
            seen = probe(target, count, memory)
            unmet = {one.code: required_text(one) for one in seen.would_not_be_valid}
            doubts += [f"not valid: {code} (needs {needs})" for code, needs in unmet.items()]
            doubts += ["more processes than cores"] * bool(seen.environment["oversubscribed"])
            barrier_s = seen.environment["clock"]["barrier_cost_s"]
            waiting = f"MPI_Barrier takes {duration(barrier_s)}: the processes do not run at once"
            doubts += [waiting] * (barrier_s > _LONG_BARRIER_S)
            if given.path is not None:
                program = targets_of(given, [B_EFF_IO])[B_EFF_IO]
                tried = try_files(program, count, given.path, memory)
                storage = tried.fields["environment"]["filesystem"]
    starter = launcher and {"path": str(launcher.path), "flavour": launcher.flavour.value.name}
    memory_bytes = seen and int(seen.environment["memory_per_process_bytes"])
    report = {
        "engine": engine and {"path": str(engine), "version": version},
        "mpi_build": build and {one: getattr(build, one) for one in ("name", "library", "reason")},
        "launcher": starter,
        "cores": asdict(cores),
        "processes": count,
        "lmax_bytes": memory_bytes and largest_message(memory_bytes),
        "probe": seen and seen.model_dump(),
        "filesystem": storage,
        "doubts": doubts,
        "problems": problems,
    }
    if given.as_json:
        print(json.dumps(report, indent=1))
    else:
        environment = {} if seen is None else seen.environment
        first = {"first_node": " ".join(environment.get("binding", {}).get("first_node", ()))}
        facts = {**environment, **report, **first}
        there = [rows for piece, rows in WORDS["doctor"].items() if report[piece] is not None]
        rows = [(name, filled(words, facts)) for one in there for name, words in one.items()]
        width = max(len(name) for name, _ in rows)
        lines = [f"{name:<{width}}  {text}" for name, text in rows]
        lines += [f"problem: {problem}" for problem in problems]
        lines += [f"caution: {sentence(caution)}" for caution in (seen.cautions if seen else ())]
        lines += [f"a run would be inconclusive: {reason}" for reason in doubts]
        if seen is not None and not doubts and not problems:
            lines.append(f"a run with {count} processes can be valid")
        print_lines(lines)
    if problems:
        return exit_codes.FAILED
    return exit_codes.NOT_VALID if doubts else exit_codes.OK
