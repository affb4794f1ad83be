"""`beff compare`."""

import json
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from beff.analysis.compare.compare import CompareSettings
from beff.analysis.compare.compare import compare as compare_runs
from beff.analysis.compare.report import Report, report_json
from beff.analysis.compare.sides import cautions_of_sides
from beff.analysis.structure import load_sound
from beff.cli import exit_codes
from beff.cli.compare_text import print_report
from beff.cli.options import OverwriteOption, argument, flag, option
from beff.model.errors import BeffError, WrongUsageError
from beff.model.write import require_free
from beff.report.compare_files import ENDINGS, write_comparison


def compare(  # noqa: PLR0917 - one parameter per option of the command
    a: Annotated[Path, argument("A", "The old side: a result, or a folder of runs.")],
    b: Annotated[Path, argument("B", "The new side.")],
    threshold: Annotated[
        str, option("--threshold", "PERCENT", "The smallest change that matters.")
    ] = "5%",
    run_noise: Annotated[
        str | None,
        option(
            "--run-noise",
            "PERCENT",
            "How much runs differ (standard deviation), where fewer than five runs in"
            " all do not show it.",
            default="15% for b_eff, 50% for b_eff_io",
        ),
    ] = None,
    show_all: Annotated[bool, flag("--all", "Show every row of every table.")] = False,
    as_json: Annotated[bool, flag("--json", "Print one JSON object instead of tables.")] = False,
    output: Annotated[
        Path | None,
        option("--output -o", "FILE", f"Also draw the changes into a file: {', '.join(ENDINGS)}."),
    ] = None,
    overwrite: OverwriteOption = False,
    force: Annotated[
        bool, flag("--force", "Compare what should not be compared, and say why.")
    ] = False,
) -> int:
    """Find out whether B is slower than A, beyond noise.

    Each side is a result file or a folder of repeated runs of either benchmark; imported results
    are runs, too.

    \b
    Examples:
      beff compare results/monday results/tuesday --threshold 10%
      beff compare before.json after.json -o changes.svg
    """  # noqa: D301 - \b keeps the lines of the examples apart
    if output is not None:
        _check_target(output, overwrite)
    settings = CompareSettings(
        threshold=_share("--threshold", threshold),
        assumed_noise=None if run_noise is None else _share("--run-noise", run_noise),
        force=force,
    )
    runs_a, runs_b = load_sound([a], maps=False), load_sound([b], maps=False)
    report = compare_runs(runs_a, runs_b, settings)
    report = replace(report, cautions=cautions_of_sides(runs_a, runs_b))
    if output is not None and report.comparisons:
        _draw(report, output)
    if as_json:
        print(json.dumps(report_json(report), indent=1))
    else:
        print_report(report, show_all)
    return _exit_code(report)


def _exit_code(report: Report) -> int:
    if report.slower:
        return exit_codes.FAILED
    if not report.decided:
        return exit_codes.WRONG_USAGE
    return exit_codes.OK if report.not_slower else exit_codes.NOT_VALID


def _check_target(target: Path, overwrite: bool) -> None:
    """Refuse before long work what could not be written after it. Raises WrongUsageError."""
    if target.suffix.lower() not in ENDINGS:
        raise WrongUsageError(
            f"--output {target}: the ending '{target.suffix}' is no picture or page; end the name"
            f" in one of {', '.join(ENDINGS)}"
        )
    require_free(target, overwrite=overwrite, option="--output")


def _draw(report: Report, target: Path) -> None:
    try:
        write_comparison(report, target)
    except OSError as problem:
        raise BeffError(f"--output {target}: cannot be written ({problem.strerror})") from None
    print(f"drawn in {target}", file=sys.stderr)


def _share(option: str, text: str) -> float:
    """Read `5%` as 0.05. Raises WrongUsageError."""
    try:
        percent = float(text.strip().removesuffix("%"))
    except ValueError:
        percent = math.nan
    if not 0 <= percent <= 1000:
        raise WrongUsageError(f"{option} {text}: must be a percentage from 0 to 1000, as in 5%")
    return percent / 100
