"""`beff run`."""

from pathlib import Path

from beff.cli.check import check_runs, expectations_of
from beff.cli.common import exit_codes
from beff.cli.common.answer_text import print_command, print_labelled
from beff.cli.common.options import taking
from beff.cli.measuring.benchmarks import B_EFF_IO, Run
from beff.cli.measuring.job import prefix_of, run_once
from beff.cli.measuring.options import RunOptions
from beff.cli.measuring.request import QUICK_REMARK, RunRequest, validated
from beff.cli.measuring.results import (
    is_on_one_node,
    report_runs,
    require_report,
    valid_run,
    write_page,
)
from beff.result.journal import SUFFIX
from beff.result.write import require_free


@taking(RunOptions)
def run(given: RunOptions) -> int:
    """Measure b_eff and b_eff_io and show the answer.

    In a job of four hosts or more it runs b_pairs as well, which names slow hosts.

    Without --time, b_eff_io makes a short run that is never valid; with --quick, so does b_eff.
    Ctrl-C ends the measurement with a partial result. With --expect, the results are judged at the
    end as beff check does.

    Examples:
      beff run
      beff run -n 2,4,8 --output-dir results/scaling
      beff run --quick --output-dir weekly/2026-11-24
      beff run --benchmark b_eff_io --path /scratch/me --time 30min
      beff run --benchmark b_eff -- --definition 3.1 --time-limit 5min
    """
    expected = None if given.expect is None else expectations_of(given.expect)
    if given.report:
        require_report()
    request = validated(given)
    _require_free(request, given.overwrite)
    runs = _run_all(request)
    verified = report_runs(runs)
    _print_ways_on(runs, request)
    codes = [run.exit_code for run in runs]
    if expected is not None:
        codes.append(check_runs(runs, expected))
    page = write_page(runs, request.folder) if given.report else None
    if page is not None:
        print_labelled("report", str(page))
    return exit_codes.worst(codes if verified else [*codes, exit_codes.FAILED])


def _print_ways_on(runs: list[Run], request: RunRequest) -> None:
    """Say that runs are quick, or print how b_eff_io is run long enough, where it was not."""
    if request.io.given.quick:
        print_labelled("quick", QUICK_REMARK)
        return
    if any(run.benchmark is B_EFF_IO and run.measured is not None for run in runs):
        command = valid_run(request.io, request.counts)
        if command is not None:
            print_command("valid I/O", command)


def _require_free(request: RunRequest, overwrite: bool) -> None:
    """Refuse a folder that holds such a run, before anything is measured. Raises TargetError."""
    for job in request.jobs:
        for count in request.counts:
            for numbering in request.numberings:
                prefix = prefix_of(job, count, request.folder, numbering)
                for ending in (".json", ".txt", SUFFIX):
                    require_free(Path(f"{prefix}{ending}"), overwrite=overwrite)


def _run_all(request: RunRequest) -> list[Run]:
    """Run one after the other, until one is stopped or refused by its engine.

    On one node the numbering makes no difference: there, one run is enough.
    """
    runs: list[Run] = []
    for job in request.jobs:
        for count in request.counts:
            for numbering in request.numberings:
                runs.append(run_once(job, count, request.folder, numbering))
                if runs[-1].stopped or runs[-1].exit_code == exit_codes.WRONG_USAGE:
                    return runs
                if is_on_one_node(runs[-1]):
                    break
    return runs
