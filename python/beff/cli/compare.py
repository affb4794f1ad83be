"""`beff compare`."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.files import name_left_out
from beff.cli.common.options import (
    PERCENT,
    Quantity,
    argument,
    flag,
    option,
    overwrite_flag,
    taking,
    value_of,
)
from beff.cli.common.rich_tables import print_headline, print_line, print_table
from beff.cli.common.say import warn
from beff.judge.benchmarks import compared_figures
from beff.judge.compare import CompareSettings, Comparison, Report
from beff.judge.compare import compare as compare_runs
from beff.judge.day_rule import Word
from beff.report.compare_files import ENDINGS, write_comparison
from beff.report.parts.comparison import (
    as_fields,
    basis_text,
    headline_of_report,
    order_sentences,
)
from beff.report.parts.sentences import cautions_of_runs
from beff.report.tables.comparison import changes_table
from beff.result.errors import ResultError, WrongUsageError
from beff.result.load import Document
from beff.result.write import check_apart, made_whole, require_free
from beff.verify.subject import load_sound, once

_THRESHOLD = PERCENT.of("5%")


@dataclass(frozen=True, kw_only=True)
class _Options:
    a: Path = argument("A", "The old side: a result, or a folder of runs.")
    b: Path = argument("B", "The new side.")
    threshold: Quantity = option(PERCENT, "The smallest change that matters.", default=_THRESHOLD)
    run_noise: Quantity | None = option(
        PERCENT,
        "How much runs, and days, differ (standard deviation), where too few show it.",
        otherwise="15% for b_eff, 50% for b_eff_io, 30% for b_pairs",
    )
    history: Path | None = option(
        "FOLDER", "Other runs of the machine, which show how much days differ."
    )
    show_all: bool = flag("Show every row of every table.", names="--all")
    as_json: bool = flag("Print one JSON object instead of tables.", names="--json")
    output: Path | None = option(
        "FILE", f"Also draw what decides in a file: {', '.join(ENDINGS)}.", names="--output -o"
    )
    no_title: bool = flag("Draw a picture without title and caption.")
    overwrite: bool = overwrite_flag()
    force: bool = flag("Compare even where conditions differ, and list what differs.")


@taking(_Options)
def compare(given: _Options) -> int:
    """Find out whether B is slower than A, beyond noise.

    Each side is a result file or a folder of repeated runs of any benchmark; imported results are
    runs, too, and maps of pairs alone are not. Runs of a day are compared with each other; where A
    and B are of other days, a change must exceed what days differ by, as for `beff today`.

    Examples:
      beff compare results/monday results/tuesday --threshold 10%
      beff compare before.json after.json -o changes.svg
    """
    if given.output is not None:
        if given.output.suffix.lower() not in ENDINGS:
            raise WrongUsageError(
                f"--output {given.output}: the ending '{given.output.suffix}' is neither a picture"
                f" nor a page; end the name in one of {', '.join(ENDINGS)}"
            )
        require_free(given.output, overwrite=given.overwrite, option="--output")
    if given.no_title and (given.output is None or given.output.suffix == ".html"):
        raise WrongUsageError(
            f"--no-title: goes with a picture, not with {given.output or 'tables'}"
        )
    settings = CompareSettings(
        threshold=given.threshold.value,
        assumed_noise=value_of(given.run_noise),
        force=given.force,
    )
    runs_a, runs_b, earlier = (
        [] if path is None else _with_values(path) for path in (given.a, given.b, given.history)
    )
    if given.output is not None:
        read = [Path(run.source) for run in (*runs_a, *runs_b, *earlier)]
        check_apart({"--output": given.output}, read)
    report = compare_runs(runs_a, runs_b, settings, earlier)
    cautions = *report.cautions, *cautions_of_runs((*once(runs_a)[0], *once(runs_b)[0]))
    report = replace(report, cautions=cautions)
    if given.output is not None and report.comparisons:
        with made_whole(given.output) as made:
            write_comparison(report, made, titled=not given.no_title)
        warn(f"drawn in {given.output}")
    if given.as_json:
        print(json.dumps(report, indent=1, default=as_fields))
    else:
        print_report(report, given.show_all)
    return exit_code_of(report)


def _with_values(path: Path) -> list[Document]:
    """Return results but maps of pairs that are nothing else. Raises ResultError where none is."""
    found = load_sound([path], left_out=name_left_out)
    kept = [one for one in found if one.benchmark != "b_pairs" or compared_figures(one.result)]
    if not kept:
        raise ResultError("a map of pairs has no value; beff check judges it", path)
    return kept


def exit_code_of(report: Report) -> int:
    """Return 0, 1 or 3 for the question whether B is slower, 2 where not all was compared."""
    if report.word is Word.SLOWER:
        return exit_codes.FAILED
    if not report.is_whole and not report.disturbed:
        return exit_codes.WRONG_USAGE
    return exit_codes.NOT_VALID if report.word is Word.OPEN else exit_codes.OK


def print_report(report: Report, show_all: bool) -> None:
    """Print the headline, or all: what it rests on, what was compared, and why not."""
    headline = headline_of_report(report)
    print_headline(
        replace(headline, lines=()) if show_all else headline, "" if show_all else "--all"
    )
    if not show_all:
        return
    for comparison in report.comparisons:
        print_line(f"{comparison.name}: {basis_text(comparison)}.")
    for comparison in report.comparisons:
        print()
        _print_comparison(comparison)
    _print_lines("cannot be compared (--force compares anyway):", report.refusals)
    _print_lines("not compared:", report.unpaired if report.comparisons else ())
    _print_lines("duplicate runs:", report.copies)
    _print_lines("cautions:", report.cautions)


def _print_comparison(comparison: Comparison) -> None:
    if comparison.values:
        print_table(changes_table(comparison.name, comparison.values))
    for sentence in order_sentences(comparison):
        print_line(sentence)
    _print_lines("outliers among the runs of their side:", comparison.far_off)
    _print_lines("should not be compared (--force):", comparison.differences)
    _print_lines("not the same on both sides:", comparison.remarks)
    _print_lines("what cannot be compared:", comparison.not_compared)
    for table in comparison.beside_values:
        what = "decides as well" if table.decides else "hint"
        print_line(f"  {what}: {table.name}")
        print_table(changes_table("", table.rows))


def _print_lines(title: str, lines: tuple[str, ...]) -> None:
    for line in (title, *(f"  {line}" for line in lines)) if lines else ():
        print_line(line)
