"""`beff compare`."""

import json
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated

from beff.cli.common import exit_codes, options
from beff.cli.common.files import chosen_targets, name_left_out
from beff.cli.common.say import warn
from beff.cli.common.terminal import print_headline, print_lines, print_table
from beff.definition.subject import load_sound, once
from beff.judge.benchmarks import DECIDING, VALUES, compared_figures
from beff.judge.change import Word
from beff.judge.compare import Comparison, Report
from beff.judge.compare import compare as compare_runs
from beff.result.errors import ResultError, WrongUsageError
from beff.result.load import Document
from beff.result.numbers import parse_percent
from beff.result.places import check_apart, made_whole
from beff.show.judged_files import COMPARE_ENDINGS, write_comparison
from beff.show.parts.comparison import as_fields, basis_text, headline_of_report, notes_of
from beff.show.parts.sentences import cautions_of_runs
from beff.show.tables.comparison import changes_table

_LOSS = options.quantity(partial(parse_percent, most=0.99))


@dataclass(frozen=True, kw_only=True)
class _Options(options.OverwriteOptions):
    a: Annotated[options.AnyPath, "A"] = field(kw_only=False)
    """The old side: a result, or a folder of runs."""
    b: Annotated[options.AnyPath, "B"] = field(kw_only=False)
    """The new side."""
    threshold: Annotated[options.Quantity, "PERCENT", _LOSS] = options.Quantity(0.05, "5%")
    """The smallest change that matters."""
    run_noise: options.Percent | None = None
    """How much runs, and days, differ (standard deviation), if there are too few to show it.
    [default: 15% for b_eff, 50% for b_eff_io, 30% for b_pairs]"""
    history: Annotated[options.AnyPath | None, "FOLDER"] = None
    """Other runs of the machine, which show how much days differ."""
    show_all: Annotated[bool, options.ALL] = False
    """Show every row of every table."""
    as_json: Annotated[bool, options.JSON] = False
    """Print one JSON object instead of tables."""
    output: Annotated[options.File | None, options.OUTPUT] = None
    """Also draw the figures that decide in a file: .html, .svg, .png, .pdf."""
    no_title: bool = False
    """Draw a picture without title and caption."""
    force: bool = False
    """Compare even where conditions differ, and list what differs."""


def compare(given: _Options) -> int:
    """Find out whether B is slower than A, beyond noise.

    Each side is a result file or a folder of repeated runs of any benchmark; imported results count
    as runs. Of b_pairs bisection and rates of hosts are compared, not the map. Runs of the same
    days are compared with each other; where A and B are of different days, a change must exceed
    what days differ by, as for `beff today`.

    Examples:
      beff compare results/monday results/tuesday --threshold 10%
      beff compare before.json after.json -o changes.svg

    Exit codes:
      0  no slowdown beyond the threshold
      1  B is slower
      2  wrong usage; a file is missing, is not a result, or exists already; cannot be compared or
         written
      3  inconclusive
    """
    targets = chosen_targets(given, "output", endings=COMPARE_ENDINGS)
    if given.no_title and (given.output is None or given.output.suffix.lower() == ".html"):
        raise WrongUsageError(
            f"--no-title: goes with a picture, not with {given.output or 'tables'}"
        )
    sides = [
        [] if path is None else _with_values(path) for path in (given.a, given.b, given.history)
    ]
    check_apart(targets, [Path(run.source) for side in sides for run in side])
    force = given.force
    report = compare_runs(*sides, threshold=given.threshold, assumed=given.run_noise, force=force)
    of_runs = cautions_of_runs([run for side in sides[:2] for run in once(side)[0]])
    cautions = [*report.notes["cautions"], *of_runs]
    report = replace(report, notes={**report.notes, "cautions": cautions})
    if given.output is not None and report.comparisons:
        with made_whole(given.output) as made:
            write_comparison(report, made, titled=not given.no_title)
        warn(f"drawn in {given.output}")
    if given.as_json:
        print(json.dumps(report, indent=1, default=as_fields))
    elif given.show_all:
        _print_all(report)
    else:
        print_headline(headline_of_report(report))
    if report.word is Word.SLOWER:
        return exit_codes.FAILED
    if not report.is_whole and not report.notes["disturbed"]:
        return exit_codes.WRONG_USAGE
    return exit_codes.NOT_VALID if report.word is Word.OPEN else exit_codes.OK


def _with_values(path: Path) -> list[Document]:
    """Return results but maps of pairs that are nothing else. Raises ResultError where none is."""
    results = load_sound([path], left_out=name_left_out)
    kept = [one for one in results if one.benchmark != "b_pairs" or compared_figures(one.result)]
    if not kept:
        raise ResultError("a map of pairs has no value; beff check judges it", path)
    return kept


def _print_all(report: Report) -> None:
    """Print what the answer rests on, what was compared, and why not all was."""

    def print_notes(of: Comparison | Report) -> None:
        for title, lines in notes_of(of):
            print_lines((f"{title}:", *(f"  {line}" for line in lines)))

    print_headline(headline_of_report(report), "")
    for place, comparison in enumerate(report.comparisons):
        print()
        if comparison.values:
            print_table(changes_table(comparison.name, comparison.values))
        print_lines((f"{basis_text(comparison)}.",) if place else ())
        print_notes(comparison)
        for name, rows in comparison.tables.items():
            if name != VALUES:
                what = "decides as well" if name in DECIDING else "hint"
                print_lines([f"  {what}: {name}"])
                print_table(changes_table("", rows))
    print_notes(report)
