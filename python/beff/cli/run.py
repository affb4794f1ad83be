"""`beff run`."""

import sys
from pathlib import Path

from beff.analysis.check.expectations import Expectations
from beff.cli import exit_codes
from beff.cli.check import check_runs, expectations_of
from beff.cli.errors import WrongUsageError
from beff.cli.options import (
    BuildOption,
    LauncherOption,
    MemoryOption,
    memory_options,
    parse_process_counts,
)
from beff.cli.results_folder import make_folder
from beff.cli.run_b_eff import B_EFF, b_eff_job
from beff.cli.run_b_eff_io import B_EFF_IO, IoWanted, check_path, io_job, short_run_remarks
from beff.cli.run_benchmark import Job, Run
from beff.cli.run_job import run_once
from beff.cli.run_linpack import (
    HplSizeOption,
    WithHplOption,
    add_rmax,
    find_for_run,
    print_balance,
)
from beff.cli.run_numbering import NumberingOption, is_on_one_node, parse_numbering
from beff.cli.run_options import (
    BenchmarkOption,
    CheckOption,
    EngineOptions,
    FilesystemNoteOption,
    MaxDataOption,
    OutputDirOption,
    PathOption,
    ProcessesOption,
    RunEngineOption,
    StallLimitOption,
    TimeOption,
    check_engine_options,
    check_io_options,
    check_size,
    engine_paths,
    parse_benchmarks,
    parse_duration,
)
from beff.cli.run_page import ReportOption, require_report, write_page
from beff.cli.run_report import report_runs
from beff.cli.run_sign import SignOption, sign_runs, signer
from beff.launch.allocation import find_allocation
from beff.launch.numbering import Numbering, check_numbering
from beff.launch.target import Target, default_processes, find_target
from beff.model.errors import ResultError


def run(  # noqa: PLR0917 - one parameter per option of the command
    processes: ProcessesOption = None,
    output_dir: OutputDirOption = None,
    benchmark: BenchmarkOption = None,
    path: PathOption = None,
    time: TimeOption = None,
    max_data: MaxDataOption = None,
    filesystem_note: FilesystemNoteOption = None,
    numbering: NumberingOption = None,
    memory_per_process: MemoryOption = None,
    engine: RunEngineOption = None,
    launcher: LauncherOption = None,
    mpi: BuildOption = None,
    with_hpl: WithHplOption = False,
    hpl_size: HplSizeOption = None,
    stall_limit: StallLimitOption = None,
    check: CheckOption = None,
    sign: SignOption = False,
    report: ReportOption = False,
    engine_options: EngineOptions = None,
) -> int:
    """Measure b_eff and b_eff_io and show them beside published results.

    Exit code 0: measured and valid; 3: measured, but partial or not valid for comparison; 1:
    failed; 2: wrong usage; of several runs, the worst. 3 also when the launcher did not number the
    processes as --numbering asked. Without --time, b_eff_io makes a short run
    that is never valid; when it is complete, verified and only too short, it counts as 0. Ctrl-C
    ends the measurement with a partial result. With --with-hpl, Linpack follows, and the balance.
    With --check, the results are judged at the end as beff check does; 1 also when they are bad.
    With --sign, they are signed as beff sign does, with a key that is made on first use.

    \b
    Examples:
      beff run
      beff run --processes 2,4,8 --output-dir results/scaling
      beff run --benchmark b_eff_io --path /scratch/me --time 30min
      beff run --benchmark b_eff -- --definition 3.1 --time-limit 5min
    """  # noqa: D301 - \b keeps the lines of the example apart
    expected = None if check is None else _expected(check)
    if report:
        require_report()
    sign_result = signer() if sign else None
    benchmarks = parse_benchmarks(benchmark)
    options = engine_options or []
    check_engine_options(options, benchmarks)
    check_io_options(
        benchmarks, path=path, time=time, max_data=max_data, filesystem_note=filesystem_note
    )
    check_path(path)
    time_s = None if time is None else parse_duration("--time", time)
    if max_data is not None:
        check_size("--max-data", max_data)
    given_counts = None if processes is None else parse_process_counts(processes)
    linpack = find_for_run(with_hpl, hpl_size)
    stall_limit_s = None if stall_limit is None else parse_duration("--stall-limit", stall_limit)
    programs = engine_paths(engine, benchmarks)
    numberings = parse_numbering(numbering)
    targets = {name: find_target(name, chosen, launcher, mpi) for name, chosen in programs.items()}
    if numbering is not None:
        for target in targets.values():
            check_numbering(target.launcher)
    folder = make_folder(output_dir)
    counts = given_counts or _default_counts(next(iter(targets.values())))

    memory = memory_options(memory_per_process)
    wanted = IoWanted(path, time, time_s, max_data, filesystem_note, options, folder)
    jobs = []
    if B_EFF in benchmarks:
        jobs.append(b_eff_job(targets[B_EFF.name], [*memory, *options], stall_limit_s))
    if B_EFF_IO in benchmarks:
        jobs.append(io_job(targets[B_EFF_IO.name], wanted, memory, stall_limit_s))
    runs = _run_all(jobs, counts, numberings, folder)
    solved = True
    if linpack is not None and not any(run.stopped for run in runs):
        runs, solved = add_rmax(linpack, runs, hpl_size, folder)
    signed = sign_result is None or sign_runs(runs, sign_result)
    verified = report_runs(runs)
    if linpack is not None:
        print_balance(runs, hpl_size)
    if any(run.benchmark is B_EFF_IO and run.measured is not None for run in runs):
        for line in short_run_remarks(wanted, targets[B_EFF_IO.name].launcher.path, counts):
            print(line)
    codes = [run.exit_code for run in runs]
    good = verified and solved and signed
    if expected is not None:
        codes.append(check_runs(runs, expected))
    page = write_page(runs, folder) if report else None
    if page is not None:
        print(f"report: {page}")
    return exit_codes.worst(codes if good else [*codes, exit_codes.FAILED])


def _expected(path: Path) -> Expectations:
    """Read the file before anything is measured. Raises WrongUsageError."""
    try:
        return expectations_of(path)
    except ResultError as problem:
        raise WrongUsageError(f"--check {problem}") from None


def _run_all(
    jobs: list[Job], counts: list[int], numberings: list[Numbering | None], folder: Path
) -> list[Run]:
    """Run one after the other, until one is stopped or refused by its engine.

    On one node the numbering makes no difference: there, one run is enough.
    """
    runs: list[Run] = []
    for job in jobs:
        for count in counts:
            for numbering in numberings:
                runs.append(run_once(job, count, folder, numbering))
                if runs[-1].stopped or runs[-1].exit_code == exit_codes.WRONG_USAGE:
                    return runs
                if is_on_one_node(runs[-1]):
                    break
    return runs


def _default_counts(target: Target) -> list[int]:
    count = default_processes(target.cores)
    if find_allocation() is None and count > target.cores.physical:
        print(
            f"beff: {target.cores.physical} core is usable, but b_eff needs at least 2 processes;"
            f" running {count}, which share it",
            file=sys.stderr,
        )
    return [count]
