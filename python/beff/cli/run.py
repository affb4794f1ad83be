"""`beff run`."""

import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated

import typer

from beff.cli import exit_codes
from beff.cli.errors import WrongUsageError
from beff.cli.live import display_for
from beff.cli.options import (
    EngineOption,
    LauncherOption,
    MemoryOption,
    memory_options,
    parse_process_counts,
)
from beff.cli.run_report import Run, report_runs
from beff.launch.follow import Follower
from beff.launch.process import Ended, run_to_end
from beff.launch.target import Target, default_processes, find_target
from beff.model.b_eff_result import BEffResult
from beff.model.errors import BeffError, ResultError
from beff.model.journal import SUFFIX
from beff.model.load import load_result

_SET_HERE = ("--output", "--progress", "--quiet", "--memory-per-process")
_MEASURE_NOTHING = ("--help", "--version", "--plan", "--probe")


def run(  # noqa: PLR0917 - one parameter per option of the command
    processes: Annotated[
        str | None,
        typer.Option(
            "--processes",
            metavar="N[,N...]",
            help="Numbers of processes to measure.  [default: the physical cores]",
            show_default=False,
        ),
    ] = None,
    output_dir: Annotated[
        Path | None,
        typer.Option(
            "--output-dir",
            metavar="DIR",
            help="Folder for the results.  [default: results/<time in UTC>]",
            show_default=False,
        ),
    ] = None,
    memory_per_process: MemoryOption = None,
    engine: EngineOption = None,
    launcher: LauncherOption = None,
    engine_options: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ENGINE_OPTIONS",
            help="Options passed on to b_eff; write them behind '--'.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Measure b_eff and show it beside published results.

    Exit code 0: measured and valid; 3: measured, but partial or not valid for comparison; 1:
    failed; 2: wrong usage. Ctrl-C ends the measurement with a partial result.

    \b
    Examples:
      beff run
      beff run --processes 2,4,8 --output-dir results/scaling
      beff run -- --definition 3.1 --time-limit 5min
    """  # noqa: D301 - \b keeps the lines of the example apart
    _check_engine_options(engine_options or [])
    counts = None if processes is None else parse_process_counts(processes)
    target = find_target(engine, launcher)
    folder = _make_folder(output_dir)
    options = [*memory_options(memory_per_process), *(engine_options or [])]
    runs: list[Run] = []
    for count in counts or _default_counts(target):
        runs.append(_run_once(target, count, folder, options))
        if runs[-1].stopped or runs[-1].exit_code == exit_codes.WRONG_USAGE:
            break
    verified = report_runs(runs)
    codes = [run.exit_code for run in runs]
    return exit_codes.worst(codes if verified else [*codes, exit_codes.FAILED])


def _check_engine_options(options: list[str]) -> None:
    if options and not options[0].startswith("-"):
        raise WrongUsageError(
            f"'{options[0]}' is not an option; numbers of processes are given by --processes"
        )
    for option in (option.partition("=")[0] for option in options):
        if option in _SET_HERE:
            raise WrongUsageError(
                f"{option} cannot be given behind '--': beff run sets it; see --output-dir and"
                " --memory-per-process"
            )
        if option in _MEASURE_NOTHING:
            raise WrongUsageError(
                f"{option} measures nothing; start the measuring program b_eff itself with it"
            )


def _make_folder(chosen: Path | None) -> Path:
    now = datetime.now(timezone.utc)
    folder = chosen if chosen is not None else Path("results") / f"{now:%Y-%m-%dT%H%M%SZ}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BeffError(
            f"the folder {folder} cannot be made ({problem.strerror}); choose another with"
            " --output-dir"
        ) from None
    return folder


def _default_counts(target: Target) -> list[int]:
    count = default_processes(target.cores)
    if count > target.cores.physical:
        print(
            f"beff: {target.cores.physical} core is usable, but b_eff needs at least 2 processes;"
            f" running {count}, which share it",
            file=sys.stderr,
        )
    return [count]


def _run_once(target: Target, processes: int, folder: Path, options: list[str]) -> Run:
    prefix = folder / f"b_eff_{processes}p"
    command = target.command(processes, ["--output", str(prefix), "--progress", "never", *options])
    print(f"b_eff with {processes} processes, started by {target.launcher.path}", file=sys.stderr)
    before = _modified(Path(f"{prefix}.json"))
    follower = Follower(Path(f"{prefix}{SUFFIX}"))
    display = display_for(f"b_eff, {processes} processes")
    try:
        ended = run_to_end(command, lambda: display.show(follower.look()))
    finally:
        display.close()
    is_new = _modified(Path(f"{prefix}.json")) != before
    return _judge(processes, prefix, ended, is_new)


def _modified(path: Path) -> int | None:
    return path.stat().st_mtime_ns if path.exists() else None


def _judge(processes: int, prefix: Path, ended: Ended, is_new: bool) -> Run:
    """Read what the run left.

    A run that was stopped on demand counts by its result alone, since some launchers then return a
    code of their own.
    """
    result: BEffResult | None = None
    expected = ended.exit_code in (exit_codes.OK, exit_codes.NOT_VALID)
    code = ended.exit_code if expected else exit_codes.FAILED
    if ended.exit_code == exit_codes.WRONG_USAGE:
        code = exit_codes.WRONG_USAGE
    if is_new:
        try:
            result = load_result(Path(f"{prefix}.json"))
        except ResultError as problem:
            print(f"beff: {problem}", file=sys.stderr)
            code = exit_codes.FAILED
    elif expected:
        code = exit_codes.FAILED
    stopped = ended.stopped_by is not None
    if result is not None and (expected or stopped):
        code = exit_codes.OK if result.valid else exit_codes.NOT_VALID
    elif result is None:
        _explain_failure(processes, prefix, ended)
    return Run(processes, prefix, result, code, stopped)


def _explain_failure(processes: int, prefix: Path, ended: Ended) -> None:
    for line in ended.error_lines:
        print(f"  {line}", file=sys.stderr)
    if ended.stopped_by is not None:
        reason = f"was stopped by {ended.stopped_by.name}"
    else:
        reason = f"ended with exit code {ended.exit_code}"
    way_out = ""
    journal = Path(f"{prefix}{SUFFIX}")
    if journal.exists():
        way_out = f"; 'beff recover {journal}' makes a partial result of what was measured"
    print(
        f"beff: b_eff with {processes} processes {reason} and left no result{way_out}",
        file=sys.stderr,
    )
