"""`beff compare`."""

import json
import math
import sys
from pathlib import Path
from typing import Annotated

import typer

from beff.analysis.compare.compare import Settings
from beff.analysis.compare.compare import compare as compare_runs
from beff.analysis.compare.report import Report
from beff.analysis.compare.report_json import report_json
from beff.cli import exit_codes
from beff.cli.compare_text import print_report
from beff.cli.errors import WrongUsageError
from beff.cli.result_files import load_runs
from beff.model.errors import ResultError

SLOWER = 1
CANNOT_COMPARE = 2


def compare(  # noqa: PLR0917 - one parameter per option of the command
    a: Annotated[
        Path, typer.Argument(metavar="A", help="The old side: a result, or a folder of runs.")
    ],
    b: Annotated[Path, typer.Argument(metavar="B", help="The new side.")],
    threshold: Annotated[
        str,
        typer.Option("--threshold", metavar="PERCENT", help="The smallest change that matters."),
    ] = "5%",
    run_noise: Annotated[
        str | None,
        typer.Option(
            "--run-noise",
            metavar="PERCENT",
            help="How much runs differ (standard deviation), where fewer than five runs in all do"
            " not tell it.  [default: 10% for b_eff, 40% for b_eff_io]",
            show_default=False,
        ),
    ] = None,
    show_all: Annotated[bool, typer.Option("--all", help="Show every row of every table.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of tables.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Compare what should not be compared, and say why.")
    ] = False,
) -> int:
    """Tell whether B is slower than A, beyond noise.

    Each side is a result file or a folder of repeated runs of either benchmark. Exit code 0: no
    slowdown beyond threshold and noise; 1: B is slower; 2: cannot be compared.

    \b
    Example:
      beff compare results/monday results/tuesday --threshold 10%
    """  # noqa: D301 - \b keeps the lines of the example apart
    settings = Settings(
        threshold=_share("--threshold", threshold),
        assumed_noise=None if run_noise is None else _share("--run-noise", run_noise),
        force=force,
    )
    try:
        report = compare_runs(load_runs(a), load_runs(b), settings)
    except ResultError as problem:
        print(f"beff: {problem}", file=sys.stderr)
        return CANNOT_COMPARE
    if as_json:
        print(json.dumps(report_json(report), indent=1))
    else:
        print_report(report, show_all)
    return _exit_code(report)


def _exit_code(report: Report) -> int:
    if report.slower:
        return SLOWER
    return exit_codes.OK if report.decided else CANNOT_COMPARE


def _share(option: str, text: str) -> float:
    """Read `5%` as 0.05. Raises WrongUsageError."""
    try:
        percent = float(text.strip().removesuffix("%"))
    except ValueError:
        percent = math.nan
    if not text.strip().endswith("%") or not 0 <= percent <= 1000:
        raise WrongUsageError(f"{option} {text}: must be a percentage from 0% to 1000%, as in 5%")
    return percent / 100
