"""`beff import`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.files import verify_file
from beff.cli.common.options import argument, option, overwrite_flag, taking
from beff.cli.common.say import say, warn
from beff.importers import figures_csv
from beff.importers.printed import Printed, printed_file, utc_of
from beff.importers.table import importer_of, results_of
from beff.result.errors import WrongUsageError
from beff.result.load import Document
from beff.result.numbers import counted
from beff.result.plain_figures import ENDING, is_figures, write_figures
from beff.result.result_files import with_stem_ending
from beff.result.write import check_apart, write_result


@dataclass(frozen=True, kw_only=True)
class _Options:
    files: list[Path] = argument(
        "FILE...", "Outputs of the original programs, tables of pairs of hosts or of figures."
    )
    output: Path | None = option(
        "FILE",
        "The result file, or that of figures, of one FILE.",
        names="--output -o",
        otherwise="FILE with the ending .json, of figures .figures.json",
    )
    definition: str | None = option(
        "RELEASE",
        "Definition it was measured by, if the output does not say: 3.5 or 3.1; 0.5, 1 or 2.1.",
    )
    date: str | None = option(
        "TIME", "When pairs were measured, if the table does not say: 2026-11-01T10:00:00Z."
    )
    overwrite: bool = overwrite_flag()


@taking(_Options)
def import_results(given: _Options) -> int:
    """Make results, or a series of figures, of what other programs printed.

    Of the original programs: the summary (*.sum) of b_eff_io 1.x and 2.1, and the last line and
    summary table of b_eff 3.x. Of measurements between hosts, by any program: pairs.csv, a table
    with columns from, to, bytes and seconds or MBps, makes a map. A result is marked as imported
    and never valid; show, verify, compare and, of maps, check and nodes --fleet take it as far as
    it goes. Figures of any benchmark over time: figures.csv, a table with columns figure, value,
    unit and when, makes a series for show --history and check. docs/how-to/import.md makes such
    tables of logs of OSU, IMB, IOR, IO500 and others.

    Examples:
      beff import b_eff_io_T30.sum -o results/t3e_b_eff_io.json
      beff import pairs.csv -o maps/monday.json --date 2026-11-02
      beff import figures.csv
    """
    if given.output is not None and len(given.files) > 1:
        raise WrongUsageError(
            f"--output {given.output}: is one file for {len(given.files)} files; leave it out"
        )
    try:
        date = None if given.date is None else utc_of(given.date)
    except ValueError as problem:
        raise WrongUsageError(f"--date {given.date}: {problem}") from None
    agree = True
    for file in given.files:
        agree = _import(given, printed_file(file, given.definition, date)) and agree
    return exit_codes.OK if agree else exit_codes.FAILED


def _import(given: _Options, printed: Printed) -> bool:
    """Write what a file holds, say so, and return whether its figures agree."""
    importer = importer_of(printed)
    for name in ("definition", "date"):
        said = getattr(given, name)
        if said is not None and (importer is None or name != importer.lacks):
            raise WrongUsageError(f"--{name} {said}: leave it out; {printed.source} has its own")
    if given.output is not None and is_figures(given.output) != (importer is None):
        word = "do not end" if importer else "end"
        raise WrongUsageError(
            f"--output {given.output}: only figures of no result are in files that end in {ENDING};"
            f" {word} its name so"
        )
    target = given.output or Path(printed.source).with_suffix(".json" if importer else ENDING)
    check_apart({"--output": target}, given.files)
    if importer is None:
        return _write_figures(target, printed, overwrite=given.overwrite)
    return _write_results(target, printed, results_of(printed, importer), overwrite=given.overwrite)


def _write_figures(target: Path, printed: Printed, *, overwrite: bool) -> bool:
    series = figures_csv.read(printed)
    _say_remarks(printed)
    write_figures(target, printed.name, series, overwrite=overwrite)
    days = sorted(when[:10] for one in series for when in one["when"])
    said = f"{counted(len(series), 'figure')}, {counted(len(days), 'measurement')}"
    say(f"{target}: {said}, {days[0]} to {days[-1]}; for beff check, never a result")
    return True


def _write_results(
    target: Path, printed: Printed, documents: Sequence[Document], *, overwrite: bool
) -> bool:
    """Write results, say so, and return whether their figures agree."""
    _say_remarks(printed)
    agree = True
    for number, document in enumerate(documents, start=1):
        path = with_stem_ending(target, f"_{number}") if len(documents) > 1 else target
        write_result(path, document.fields, overwrite=overwrite)
        say(f"{path}: imported from {printed.source}, never valid for comparison")
        agree = verify_file(path) and agree
    return agree


def _say_remarks(printed: Printed) -> None:
    for remark in printed.remarks:
        warn(f"beff: {printed.source}: {remark}")
