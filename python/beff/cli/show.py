"""`beff show`."""

import re
from datetime import timezone
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.files import RESULTS, UNDER_WAY, name_left_out
from beff.cli.common.options import named, refuse
from beff.cli.common.say import warn
from beff.cli.common.terminal import print_answers, print_table, print_whole
from beff.cli.show_file import Reader, ShowOptions, write_file
from beff.cli.show_history import show_history
from beff.definition.subject import load_sound_document, main_value, value_name, value_processes
from beff.imports.published import parse_linpack
from beff.judge.analysis import stamps
from beff.judge.conditions import memory_of
from beff.result.armour import read_text
from beff.result.errors import ResultError, WrongUsageError, one_line
from beff.result.load import Journal, files_of, read_results
from beff.result.many import many_at_once
from beff.result.numbers import format_size
from beff.result.places import is_folder, is_held, is_link, modified, remove_left, roll_of
from beff.show.tables.balance import balance_tables, published_tables
from beff.show.tables.table import Row, table
from beff.show.texts import text_lines

MOST_IN_FULL = 8
"""Files of folders; of more, answers would fill screens."""


def show(given: ShowOptions) -> int:
    """Show the answer of stored results, as beff run does at its end, or write them to a file.

    Of folders with more than 8 files, each result is a line of a table, the newest first. The
    journal of a killed run is shown as a partial result. With --rmax or --hpl, results of b_eff and
    b_eff_io on the same hosts with as many processes share a row. With --history, equal runs share
    a row over time, with changes that lasted three days, by the rule of beff today.

    Examples:
      beff show
      beff show results/monday -o monday.html
      beff show b_eff_4p.json -o rings.pdf --figure rings_and_random --data
      beff show results/b_eff_4p.journal.jsonl -o results/b_eff_4p_recovered.json
      beff show results/*p.json --hpl HPL.out
      beff show --history results

    Exit codes:
      0  shown, or written
      1  a run is still under way, or something could not be written or removed
    """
    _check(given)
    paths, hpl, rmax = given.results or [RESULTS], given.hpl, given.rmax
    if not given.results and not is_folder(RESULTS):
        raise WrongUsageError(
            f"there is no folder '{RESULTS}' here; name a result, or measure by beff run"
        )
    if given.history:
        show_history(given, paths)
        return exit_codes.OK
    if not given.results:  # the folder of the newest file that may be a result
        newest = max(files_of(RESULTS), key=lambda file: modified(file) or 0, default=None)
        paths = [RESULTS if newest is None else newest.parent]
    rmax = rmax if hpl is None else parse_linpack(str(hpl), hpl.name, read_text(hpl))
    output = Path("-.json") if given.as_json else given.output
    are_many = len([file for path in paths for file in files_of(path)]) > MOST_IN_FULL
    is_plain = not (given.show_all or given.published or output or rmax)
    if is_plain and are_many and any(map(is_folder, paths)):
        rows = read_results(paths, _row_of, left_out=name_left_out, many=many_at_once)
        rows.sort(key=lambda row: str(row[-1]))
        rows.sort(key=lambda row: str(row[0] or ""), reverse=True)  # the newest first
        for line in text_lines(table("results", rows, results=len(rows))):
            print_whole(line)
        return exit_codes.OK
    reader = Reader(paths, rmax)
    if output is not None:
        write_file(given, output, reader)
    elif rmax is None:
        print_answers([one.document for one in reader.subject.results], show_all=given.show_all)
    tables = published_tables(reader.subject) if given.published else []
    if given.published or (rmax is not None and output is None):
        tables += balance_tables(reader.subject)
    for each in tables:
        print_table(each)
    left = [
        _deal_with_left(entries, path, remove=given.remove_files)
        for path, entries in reader.journals.items()
    ]
    return exit_codes.OK if all(left) else exit_codes.FAILED


def _check(given: ShowOptions) -> None:
    """Refuse options that nothing here uses. Raises WrongUsageError."""
    others = ("rmax", "hpl", "figure", "published", "no_title", "data", "remove_files")
    if given.history and named(given, *others):
        raise WrongUsageError("--history: goes with --all, --json, -o FILE and --overwrite alone")
    if given.output is not None and given.as_json and not given.history:
        raise WrongUsageError(
            f"--json and --output {given.output}: leave one of them out; -o NAME.json writes the"
            " same"
        )
    if given.as_json or (given.output is not None and given.output.stem == "-"):
        why = "its tables would stand behind what --json or -o - prints; leave it out"
        refuse(named(given, "published"), why)
    if given.rmax is not None and given.hpl is not None:
        raise WrongUsageError(f"--hpl {given.hpl}: give it or --rmax, not both")
    if given.output is None:
        of_files = named(given, "figure", "no_title", "data")
        refuse(of_files, "say by -o FILE where the picture goes")


def _row_of(file: Path) -> Row:
    """Return the row of a file. Raises ResultError."""
    document = load_sound_document(file)
    result, environment = document.result, document.result.environment
    valid, *steadiness = stamps(document).split(", ")
    memory, started_at = memory_of(result), None
    kinds = ["simulated"] * getattr(environment, "simulated", False)
    kinds += [f"buffers on {memory}"] * (memory != "host")
    kinds += ["imported"] * document.is_imported + ["partial"] * (not result.complete)
    if not document.is_imported:
        started_at = f"{document.started_at.astimezone(timezone.utc):%Y-%m-%d %H:%M:%S}"
    return (
        *(started_at, value_name(result), main_value(result), value_processes(result)),
        *(getattr(environment, "nodes", None), ", ".join([valid, *kinds, *steadiness])),
        one_line(document.source),
    )


_LEFT = re.compile(r"b_eff_io-[0-9a-f]{16}")
"""The name of a folder that a run of b_eff_io may leave."""


def _deal_with_left(entries: Journal, journal: Path, *, remove: bool) -> bool:
    """Report what a run has left, and remove it if that is wanted; whether that worked.

    A journal may come from anywhere: only a real folder with the name of a run's is taken.
    """
    remove_left(roll_of(journal), without_locks=remove)
    worked = True
    for path in dict.fromkeys(map(Path, entries.paths)):
        try:
            if not _LEFT.fullmatch(path.name) or not path.is_absolute() or is_link(path):
                continue
            files = sorted(path.iterdir())
            size = format_size(sum(file.lstat().st_size for file in files))
        except (OSError, ResultError):
            continue
        command = f"'beff show {journal} --remove-files' removes it"
        outcome = f"if the run is over, nothing needs it: {command}"
        if is_held(path):
            outcome, worked = UNDER_WAY, worked and not remove
        elif remove:
            outcome = "removed"
            try:
                for file in files:  # nothing below another folder
                    file.unlink()
                path.rmdir()
            except OSError as problem:
                outcome, worked = f"cannot be removed ({problem.strerror})", False
        warn(f"{path} holds {size}; {outcome}")
    return worked
