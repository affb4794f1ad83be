"""`beff show`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.answer_text import print_answers
from beff.cli.common.files import RESULTS, existing_results, load_with_progress, name_left_out
from beff.cli.common.help_text import Group
from beff.cli.common.options import argument, flag, option, overwrite_flag, taking
from beff.cli.common.rich_tables import print_table
from beff.cli.common.say import say, warn
from beff.cli.show_file import ENDINGS, Wanted, write_file
from beff.cli.show_history import show_history
from beff.cli.show_journal import deal_with_left, parts_of, recovered
from beff.cli.show_many import show_many
from beff.importers.linpack import parse_linpack
from beff.report.summary_file import objects_text
from beff.report.tables.balance import balance_table, balance_tables
from beff.report.tables.sections import published_tables
from beff.result.errors import WrongUsageError
from beff.result.journal_file import Journal
from beff.result.load import Document, JournalError
from beff.result.places import is_folder, modified
from beff.result.result_files import SUFFIXES, files_of
from beff.result.result_parts import RMax
from beff.result.strict_json import read_text
from beff.result.write import check_apart, require_free, write_result
from beff.verify.common.summary_figures import with_rmax
from beff.verify.subject import LabelledResult, Subject, load_sound_document

MOST_IN_FULL = 8
"""Files of folders; of more, answers would fill screens."""


@dataclass(frozen=True, kw_only=True)
class _Options:
    results: list[Path] | None = argument(
        "RESULT...",
        "Result files, journals of runs that were killed, or folders of results; else the newest"
        " in results.",
        default=None,
    )
    show_all: bool = flag("Show all of every answer, also of many results.", names="--all")
    as_json: bool = flag("Print a JSON array with an object a result.", names="--json")
    history: bool = flag("Show runs over time, and where the system became slower or faster.")
    rmax: str | None = option(
        "GFLOPS", "Show the balance with Linpack's R_max of the same processes, in 10^9 flop/s."
    )
    hpl: Path | None = option("FILE", "Read R_max from the output of HPL, or hpccoutf.txt of HPCC.")
    published: bool = flag("Also show the published systems, of 1999 to 2001.")
    output: Path | None = option(
        "FILE",
        f"Write the results to a file; its ending says as what: {ENDINGS}. '-', '-.md' and so on"
        " print it. A picture shows the chart that it has the name of, as pairs.svg, else the"
        " first. A .csv holds the samples; one whose name ends in summary.csv the figures. A .json"
        " holds the figures; of a journal, and with R_max, it is the result.",
        names="--output -o",
        group=Group.WRITTEN,
    )
    figure: str | None = option(
        "KEY",
        "Draw this chart, or write its data to a .csv; a wrong key lists those there are.",
        group=Group.WRITTEN,
    )
    no_title: bool = flag(
        "Draw pictures without title and caption, for a paper.", group=Group.WRITTEN
    )
    data: bool = flag(
        "Write what a picture shows beside it, as a .csv of its name.", group=Group.WRITTEN
    )
    overwrite: bool = overwrite_flag()
    remove_files: bool = flag("Remove the files that a killed b_eff_io has left.")


@taking(_Options)
def show(given: _Options) -> int:
    """Show the answer of stored results, as beff run does at its end, or write them to a file.

    Of folders with more than 8 files, each result is a line of a table, the newest first. The
    journal of a run that was killed is shown as a partial result. With --rmax or --hpl, results of
    b_eff and b_eff_io on the same hosts with as many processes stand in one row. With --history,
    equal runs are a row over time, for three days at least, by the rule of beff today.

    Examples:
      beff show
      beff show results/monday -o monday.html
      beff show results/b_eff_4p.json -o rings.pdf --figure rings_and_random --data
      beff show results/b_eff_4p.journal.jsonl -o results/b_eff_4p_recovered.json
      beff show results/*p.json --hpl HPL.out
      beff show --history results
    """
    if given.history:
        return _show_history(given)
    _check(given)
    paths = given.results or [_newest_folder()]
    rmax = _rmax_of(given.rmax, given.hpl)
    is_plain = not (given.show_all or given.published or given.as_json or given.output or rmax)
    if is_plain and any(map(is_folder, paths)):
        files = [file for path in paths for file in files_of(path, name_left_out)]
        if len(files) > MOST_IN_FULL:
            show_many(paths[0], files)
            return exit_codes.OK
    reader = _Reader(paths, rmax)
    if given.output is not None:
        _write(given, given.output, reader)
    elif given.as_json:
        print(objects_text(reader.subject))
    elif rmax is not None:
        print_table(balance_table(reader.subject.b_eff(), reader.subject.b_eff_io()))
        return exit_codes.OK
    else:
        documents = [one.document for one in reader.subject.results]
        print_answers(documents, show_all=given.show_all)
    if given.published:
        balance = balance_tables(reader.subject.b_eff(), reader.subject.b_eff_io())
        for table in (*published_tables(reader.subject), *balance):
            print_table(table)
    left = [
        deal_with_left(entries, path, remove=given.remove_files)
        for path, entries in reader.journals.items()
    ]
    return exit_codes.OK if all(left) else exit_codes.FAILED


class _Reader:
    """Reads the results when they are asked for, once, and notes which come from journals."""

    def __init__(self, paths: Sequence[Path], rmax: RMax | None) -> None:
        self.paths, self.rmax = paths, rmax
        self.journals: dict[Path, Journal] = {}

    @cached_property
    def subject(self) -> Subject:
        """The results, with R_max where it is given. Raises BeffError."""
        found = load_with_progress(
            self.paths, load=self._load, maps=self.rmax is None, with_rmax=self.rmax is None
        )
        return found if self.rmax is None else _balanced(found, self.rmax)

    @property
    def are_new(self) -> bool:
        """Whether no file holds them: they are of journals, or R_max is added."""
        return self.rmax is not None or bool(self.subject and self.journals)

    def _load(self, path: Path) -> Document:
        try:
            return load_sound_document(path)
        except JournalError:
            document, self.journals[path] = recovered(path)
            return document


def _check(given: _Options) -> None:
    """Refuse options that nothing here uses. Raises WrongUsageError."""
    if given.output is not None and given.as_json:
        raise WrongUsageError(
            f"--json and --output {given.output}: leave one of them out; -o NAME.json writes the"
            " same"
        )
    of_files = {
        f"--figure {given.figure}": given.figure is not None,
        "--no-title": given.no_title,
        "--data": given.data,
    }
    for name in (name for name, is_given in of_files.items() if is_given and not given.output):
        raise WrongUsageError(f"{name}: say by -o FILE where the picture goes")


def _write(given: _Options, output: Path, reader: _Reader) -> None:
    """Write the results as the ending asks for, or the one that is not yet a file."""
    if output.name.endswith(SUFFIXES) and output.name != "-.json":
        require_free(output, overwrite=given.overwrite, option="--output")
        if reader.are_new:
            _write_result(output, reader, overwrite=given.overwrite)
            return
    wanted = Wanted(output, given.figure, not given.no_title, given.data, given.overwrite)
    write_file(wanted, reader.paths, lambda: reader.subject)


def _write_result(output: Path, reader: _Reader, *, overwrite: bool) -> None:
    """Write the partial result of a journal, or a result with R_max. Raises BeffError."""
    document, *more = (one.document for one in reader.subject.results)
    if more:
        raise WrongUsageError(
            f"--output {output}: holds one result, and these are {1 + len(more)}; name one"
        )
    check_apart({"--output": output}, [Path(document.source)])
    write_result(output, document.fields, overwrite=overwrite)
    source = Path(document.source)
    if source in reader.journals:
        parts = parts_of(reader.journals[source])
        say(f"{output}: partial result with {parts}, not valid for comparison")
    if reader.rmax is not None:
        say(f"{output}: {source.name} with R_max = {reader.rmax.gflops:g} GFLOP/s")


def _show_history(given: _Options) -> int:
    others = (given.rmax, given.hpl, given.figure, given.published, given.no_title, given.data)
    if any(others) or given.remove_files:
        raise WrongUsageError("--history: goes with --all, --json, -o FILE and --overwrite alone")
    show_history(
        given.results or [existing_results()],
        given.output,
        overwrite=given.overwrite,
        show_all=given.show_all,
        as_json=given.as_json,
    )
    return exit_codes.OK


def _newest_folder() -> Path:
    """Return the folder of the newest file below `results` that may be a result."""
    files = files_of(existing_results())
    newest = max(files, key=lambda file: modified(file) or 0, default=None)
    return RESULTS if newest is None else newest.parent


_LARGEST_GFLOPS = 1e13


def _rmax_of(given: str | None, hpl: Path | None) -> RMax | None:
    """Return R_max as it was given, or as Linpack printed it. Raises BeffError."""
    if given is not None and hpl is not None:
        raise WrongUsageError(f"--rmax {given} and --hpl {hpl}: give one of them")
    if hpl is not None:
        return parse_linpack(str(hpl), hpl.name, read_text(hpl))
    if given is None:
        return None
    try:
        gflops = float(given)
    except ValueError:
        gflops = math.nan
    if not 0 < gflops < _LARGEST_GFLOPS:
        raise WrongUsageError(f"--rmax {given}: must be a number of GFLOP/s above 0, such as 95.2")
    return RMax(gflops=gflops, origin="given", source=None)


def _balanced(subject: Subject, rmax: RMax) -> Subject:
    """Return the results with R_max, and say on standard error what makes a balance doubtful."""
    added = [LabelledResult(one.label, with_rmax(one.document, rmax)) for one in subject.results]
    for document in (one.document for one in added):
        processes = document.result.environment.processes
        if rmax.p is not None and rmax.q is not None and rmax.p * rmax.q != processes:
            warn(
                f"beff: {document.source}: Linpack ran on {rmax.p} x {rmax.q} processes, the"
                f" benchmark on {processes}; the balance holds only if both used the same cores"
            )
    return Subject(tuple(added))
