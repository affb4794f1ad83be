"""`beff accept`, `beff verify` and `beff import`."""

from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from beff.cli.common import exit_codes, options
from beff.cli.common.files import make_folder, verified, with_each
from beff.cli.common.say import say, warn
from beff.result.errors import WrongUsageError
from beff.result.load import SchemaError, with_stem_ending
from beff.result.many import many_at_once
from beff.result.numbers import counted, parse_percent
from beff.result.places import check_apart, write_result
from beff.result.plain_figures import ENDING, is_figures, write_figures


def _utc(text: str) -> str:
    """Read a time. Raises ValueError."""
    from beff.imports.printed import utc_of  # noqa: PLC0415 - only imports need it

    return utc_of(text)


_TOLERANCE = options.quantity(partial(parse_percent, most=0.9))


@dataclass(frozen=True, kw_only=True)
class _AcceptOptions:
    results: options.Results = field(kw_only=False)
    """Result files, or folders of them."""
    name: Annotated[options.AnyPath, "NAME", Parameter(name="--as")]
    """The folder to make, such as acceptance-2026."""
    tolerance: Annotated[options.Quantity | None, "PERCENT", _TOLERANCE] = None
    """How much less a later result may give.  [default: by how much three or more equal runs
    differ]"""


def accept(given: _AcceptOptions) -> int:
    """Keep the results of an acceptance, and what is expected of the machine from then on.

    Makes a folder with the results, whose figures are recomputed first, and the figures to expect;
    git can hold and sign it. beff check --accepted NAME judges later results by it. Only valid
    results are accepted.

    Examples:
      beff accept results/acceptance --as acceptance-2026 --tolerance 10%
      beff check results/today --accepted acceptance-2026

    Exit codes:
      0  accepted
      1  the folder could not be written
      3  a run was disturbed, or its repetitions differ too much: nothing is accepted
    """
    from beff.judge import acceptance  # noqa: PLC0415 - needs a package of an extra

    tolerance = None if given.tolerance is None else float(given.tolerance)
    if tolerance == 0:
        raise WrongUsageError(f"--tolerance {given.tolerance}: must be above 0%")
    today = datetime.now(timezone.utc).date()
    make_folder(given.name.parent, option="--as")
    sentences = acceptance.accept(given.results, given.name, tolerance, today)
    warn(*(f"beff: {sentence}" for sentence in sentences))
    say(
        f"{given.name}: accepted on {today}; {given.name / acceptance.FILE} says what is expected"
        " from now on"
    )
    return exit_codes.OK


@dataclass(frozen=True, kw_only=True)
class _VerifyOptions:
    files: options.Files = field(kw_only=False)
    """Result files, or folders of them."""
    show_all: Annotated[bool, options.ALL] = False
    """Show every disagreement, not only the first."""


def verify(given: _VerifyOptions) -> int:
    """Recompute every derived number of result files.

    Each file is checked against the schema and then recomputed from its raw samples by an
    implementation of the definition that shares nothing with the measuring program.

    Example:
      beff verify results/*/b_eff_*p.json

    Exit codes:
      0  all files agree
      1  one does not, or breaks the schema
    """
    return with_each(
        given.files, lambda file: verified(file, given.show_all), (SchemaError,), many_at_once
    )


@dataclass(frozen=True, kw_only=True)
class _ImportOptions(options.OverwriteOptions):
    files: options.Files = field(kw_only=False)
    """Outputs of the original programs, tables of pairs of hosts or of figures."""
    output: Annotated[options.File | None, options.OUTPUT] = None
    """The result file, or that of figures, of one FILE.  [default: FILE with the ending .json, of
    figures .figures.json]"""
    definition: Annotated[str | None, "RELEASE"] = None
    """Definition it was measured by, if the output does not say: 3.5 or 3.1; 0.5, 1 or 2.1."""
    date: Annotated[str | None, "TIME", options.kind(_utc)] = None
    """When pairs were measured, if the table does not say: 2026-11-01T10:00:00Z."""


def import_results(given: _ImportOptions) -> int:
    """Make results, or a series of figures, of what other programs printed.

    Of the original programs: the summary (*.sum) of b_eff_io 1.x and 2.1, and the last line and
    summary table of b_eff 3.x. Of measurements between hosts, by any program: pairs.csv, a table
    with columns from, to, bytes and seconds or MBps, makes a map. An imported result is never
    valid; show, verify and compare take it, and check and nodes --fleet take maps. Figures of any
    benchmark over time: figures.csv, a table with columns figure, value, unit and when, makes a
    series for show --history and check. docs/how-to/import.md makes such tables of logs of OSU,
    IMB, IOR, IO500 and others.

    Examples:
      beff import b_eff_io_T30.sum -o results/t3e_b_eff_io.json
      beff import pairs.csv -o maps/monday.json --date 2026-11-02
      beff import figures.csv

    Exit codes:
      0  imported
      1  the printed figures disagree with each other
    """
    if given.output is not None and len(given.files) > 1:
        raise WrongUsageError(
            f"--output {given.output}: is one file for {len(given.files)} files; leave it out"
        )
    agree = [_import(given, file) for file in given.files]
    return exit_codes.OK if all(agree) else exit_codes.FAILED


def _import(given: _ImportOptions, file: Path) -> bool:
    """Write what a file holds, say so, and return whether its figures agree."""
    from beff.imports.originals import importer_of, results_of  # noqa: PLC0415 - no other's
    from beff.imports.plain_table import figures_in  # noqa: PLC0415 - likewise
    from beff.imports.printed import printed_file  # noqa: PLC0415 - likewise

    printed = printed_file(file, given.definition, given.date)
    importer = importer_of(printed)
    for name in ("definition", "date"):
        if importer is None or name != importer.lacks:
            why = f"leave it out; {printed.source} has its own"
            options.refuse(options.named(given, name), why)
    if given.output is not None and is_figures(given.output) != (importer is None):
        word = "do not end" if importer else "end"
        raise WrongUsageError(
            f"--output {given.output}: only figures of no result are in files that end in {ENDING};"
            f" {word} its name so"
        )
    target = given.output or Path(printed.source).with_suffix(".json" if importer else ENDING)
    check_apart({"--output": target}, given.files)
    measured = figures_in(printed) if importer is None else {}
    documents = [] if importer is None else results_of(printed, importer)
    warn(*(f"beff: {printed.source}: {remark}" for remark in printed.remarks))
    agree = True
    for number, document in enumerate(documents, start=1):
        path = with_stem_ending(target, f"_{number}") if len(documents) > 1 else target
        write_result(path, document.fields, overwrite=given.overwrite)
        agrees, lines = verified(path)
        say(f"{path}: imported from {printed.source}, never valid for comparison", *lines)
        agree = agree and agrees
    if importer is None:
        write_figures(target, printed.name, measured, overwrite=given.overwrite)
        days = sorted(when[:10] for when in measured["when"])
        series = {*zip(measured["figure"], measured["host"], strict=True)}
        counts = f"{counted(len(series), 'figure')}, {counted(len(days), 'measurement')}"
        say(f"{target}: {counts}, {days[0]} to {days[-1]}; for beff check, never a result")
    return agree
