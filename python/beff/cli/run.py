"""`beff run`."""

from functools import partial

from beff.cli.check import check_measured, expectations_of
from beff.cli.common import exit_codes
from beff.cli.common.answer_text import print_command, print_labelled
from beff.cli.common.options import taking
from beff.cli.measuring.benchmarks import B_EFF_IO, accepts
from beff.cli.measuring.options import RunOptions
from beff.cli.measuring.outcome import exit_code_of, shown
from beff.cli.measuring.request import QUICK_REMARK, campaign_of
from beff.cli.measuring.results import report_runs, require_report, valid_run, write_page
from beff.cli.measuring.simulated import code_of_simulated, simulated_campaign
from beff.result.write import require_free


@taking(RunOptions)
def run(given: RunOptions) -> int:
    """Measure b_eff and b_eff_io and show the answer.

    In a job of four hosts or more it runs b_pairs as well, which names slow hosts.

    Without --time, b_eff_io makes a short run that is never valid. With --quick, that of b_eff is
    short as well, and valid among its own kind.

    With --simulate a program runs in SimGrid's SMPI; such a result is never valid.

    Ctrl-C ends the measurement with a partial result. With --expect, the results are judged at the
    end as beff check does.

    Examples:
      beff run
      beff run -n 2,4,8 --output-dir results/scaling
      beff run --quick --output-dir weekly/2026-11-24
      beff run --benchmark b_eff_io --path /scratch/me --time 30min
      beff run --benchmark b_eff -- --definition 3.1 --time-limit 5min
      beff run --simulate fat-tree:16x4x4,12.5GB/s,1us -n 64
    """
    expected = None if given.expect is None else expectations_of(given.expect)
    if given.report:
        require_report()
    is_real = given.simulate is None
    campaign = campaign_of(given) if is_real else simulated_campaign(given)
    starts = list(campaign.starts)
    for start in starts:
        for path in start.files:
            require_free(path, overwrite=given.overwrite)
    runs, codes = [], []
    for left in campaign.measure(shown):
        runs.append(left)
        accepted = partial(accepts, given)
        codes.append(exit_code_of(left, accepted) if is_real else code_of_simulated(left))
    if not report_runs(runs):
        codes.append(exit_codes.FAILED)
    if given.quick:
        print_labelled("quick", QUICK_REMARK)
    elif any(run.start.benchmark == B_EFF_IO and run.result is not None for run in runs):
        counts = list(dict.fromkeys(start.processes for start in starts))
        command = valid_run(given, given.path or campaign.folder, counts)
        if command is not None:
            print_command("valid I/O", command)
    if expected is not None:
        codes.append(
            check_measured([run.document for run in runs if run.document is not None], expected)
        )
    page = write_page(runs, campaign.folder) if given.report else None
    if page is not None:
        print_labelled("report", str(page))
    return exit_codes.worst(codes)
