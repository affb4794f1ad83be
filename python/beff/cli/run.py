"""`beff run`."""

import sys
from collections.abc import Sequence
from pathlib import Path

from beff.cli import exit_codes
from beff.cli.answer_text import print_labelled
from beff.cli.check import check_runs, expectations_of
from beff.cli.files import make_folder
from beff.cli.options import memory_options, parse_process_counts, quantity, taking
from beff.cli.run_b_pairs import B_PAIRS, FEWEST_HOSTS, b_pairs_job
from beff.cli.run_benchmarks import (
    B_EFF,
    B_EFF_IO,
    Benchmark,
    IoWanted,
    Job,
    Run,
    b_eff_job,
    check_path,
    io_job,
    is_valid,
    valid_run,
)
from beff.cli.run_job import prefix_of, run_once
from beff.cli.run_linpack import add_rmax, find_for_run, print_balance
from beff.cli.run_numbering import is_on_one_node, parse_numbering
from beff.cli.run_options import RunOptions
from beff.cli.run_quick import B_EFF_OPTIONS, MEMORY, REMARK, accepts, check_quick
from beff.cli.run_request import (
    BENCHMARKS,
    USUAL,
    benchmarks_of,
    check_engine_options,
    check_io_options,
    engine_paths,
)
from beff.cli.run_results import report_runs, require_report, sign_runs, signer, write_page
from beff.launch.allocation import find_allocation
from beff.launch.numbering import Numbering, check_numbering
from beff.launch.target import Target, default_processes, find_target
from beff.model.journal import SUFFIX
from beff.model.quantities import parse_duration, parse_size
from beff.model.write import require_free


@taking(RunOptions)
def run(given: RunOptions) -> int:
    """Measure b_eff and b_eff_io and show the answer.

    In a job of four hosts or more it runs b_pairs as well, which names slow hosts.

    Without --time, b_eff_io makes a short run that is never valid; with --quick, b_eff does, too.
    Ctrl-C ends the measurement with a partial result. With --with-hpl, Linpack follows, and the
    balance. With --expect, the results are judged at the end as beff check does. With --sign, they
    are signed as beff sign does, with a key that is made on first use.

    \b
    Examples:
      beff run
      beff run -n 2,4,8 --output-dir results/scaling
      beff run --quick --output-dir weekly/2026-11-24
      beff run --benchmark b_eff_io --path /scratch/me --time 30min
      beff run --benchmark b_eff -- --definition 3.1 --time-limit 5min
    """  # noqa: D301 - \b keeps the lines of the example apart
    expected = None if given.expect is None else expectations_of(given.expect)
    if given.report:
        require_report()
    sign_result = signer() if given.sign else None
    benchmarks = benchmarks_of(given.benchmark, usual_benchmarks())
    check_engine_options(given.engine_options or [], benchmarks)
    check_io_options(benchmarks, given)
    check_quick(given)
    check_path(given.path)
    time_s = None if given.time is None else quantity("--time", given.time, parse_duration)
    if given.max_data is not None:
        quantity("--max-data", given.max_data, parse_size)
    counts = None if given.processes is None else parse_process_counts(given.processes)
    linpack = find_for_run(given.with_hpl, given.hpl_size)
    limit = given.stall_limit
    stall_limit_s = None if limit is None else quantity("--stall-limit", limit, parse_duration)
    programs = engine_paths(given.engine, benchmarks)
    numberings = parse_numbering(given.numbering)
    targets = {
        name: find_target(name, chosen, given.launcher, given.mpi)
        for name, chosen in programs.items()
    }
    for target in targets.values() if given.numbering is not None else ():
        check_numbering(target.launcher)
    folder = make_folder(given.output_dir)
    counts = counts or _default_counts(next(iter(targets.values())))

    wanted = IoWanted(given, time_s, folder)
    jobs = _jobs(wanted, benchmarks, targets, stall_limit_s)
    _require_free(jobs, counts, numberings, folder, given.overwrite)
    runs = _run_all(jobs, counts, numberings, folder)
    solved = True
    if linpack is not None and not any(run.stopped for run in runs):
        runs, solved = add_rmax(linpack, runs, given.hpl_size, folder)
    signed = sign_result is None or sign_runs(runs, sign_result)
    verified = report_runs(runs, published=given.published)
    if linpack is not None:
        print_balance(runs, given.hpl_size)
    _print_ways_on(runs, wanted, counts)
    codes = [run.exit_code for run in runs]
    good = verified and solved and signed
    if expected is not None:
        codes.append(check_runs(runs, expected))
    page = write_page(runs, folder) if given.report else None
    if page is not None:
        print_labelled("report", str(page))
    return exit_codes.worst(codes if good else [*codes, exit_codes.FAILED])


def _jobs(
    wanted: IoWanted,
    benchmarks: list[Benchmark],
    targets: dict[str, Target],
    stall_limit_s: float | None,
) -> list[Job]:
    """Return what is to be measured, in this order."""
    given = wanted.given
    memory = memory_options(MEMORY if given.quick else given.memory_per_process)
    memory += ["--overwrite"] * given.overwrite
    jobs = []
    if B_EFF in benchmarks:
        options = B_EFF_OPTIONS if given.quick else given.engine_options or []
        accepted = accepts if given.quick else is_valid
        target = targets[B_EFF.name]
        jobs.append(b_eff_job(target, [*memory, *options], stall_limit_s, accepted))
    if B_EFF_IO in benchmarks:
        jobs.append(io_job(targets[B_EFF_IO.name], wanted, memory, stall_limit_s))
    if B_PAIRS in benchmarks:
        options = [*memory, *(given.engine_options or [])]
        jobs.append(b_pairs_job(targets[B_PAIRS.name], options, stall_limit_s))
    return jobs


def _print_ways_on(runs: list[Run], wanted: IoWanted, counts: list[int]) -> None:
    """Say that runs are quick, or print how b_eff_io is run long enough, where it was not."""
    if wanted.given.quick:
        print_labelled("quick", REMARK)
        return
    command = valid_run(wanted, counts)
    if command and any(run.benchmark is B_EFF_IO and run.measured is not None for run in runs):
        print_labelled("valid I/O", command)


def usual_benchmarks() -> Sequence[Benchmark]:
    """Return what is measured unless --benchmark names it: pairs only on several hosts."""
    allocation = find_allocation()
    hosts = 0 if allocation is None else allocation.nodes or 0
    return USUAL if hosts < FEWEST_HOSTS else BENCHMARKS


def _require_free(
    jobs: list[Job],
    counts: list[int],
    numberings: list[Numbering | None],
    folder: Path,
    overwrite: bool,
) -> None:
    """Refuse a folder that holds such a run, before anything is measured. Raises TargetError."""
    for job in jobs:
        for count in counts:
            for numbering in numberings:
                prefix = prefix_of(job, count, folder, numbering)
                for ending in (".json", ".txt", SUFFIX):
                    require_free(Path(f"{prefix}{ending}"), overwrite=overwrite)


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
