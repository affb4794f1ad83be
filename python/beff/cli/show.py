"""`beff show`."""

import json
from dataclasses import dataclass
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.answer_text import print_answers
from beff.cli.common.files import RESULTS, existing_results, load_with_progress
from beff.cli.common.options import argument, flag, taking
from beff.cli.common.overview_table import show_overview
from beff.cli.common.rich_tables import print_table
from beff.report.summary_file import summary_object
from beff.report.tables.sections import published_tables
from beff.result.places import is_folder, modified
from beff.result.result_files import files_of

MOST_IN_FULL = 8
"""Files of folders; of more, answers would fill screens."""


@dataclass(frozen=True, kw_only=True)
class _Options:
    results: list[Path] | None = argument(
        "RESULT...", "Result files, or folders of them; else the newest in results.", default=None
    )
    published: bool = flag("Also show the published systems, of 1999 to 2001.")
    show_all: bool = flag("Show all of every answer, also of many results.", names="--all")
    as_json: bool = flag("Print a JSON array with an object a result.", names="--json")


@taking(_Options)
def show(given: _Options) -> int:
    """Show the answer of stored results, as beff run does at its end.

    Of folders with more than 8 files, each result is a line of a table, the newest first.

    Examples:
      beff show
      beff show results/monday
    """
    paths = given.results or [_newest_folder()]
    if not (given.show_all or given.published or given.as_json) and any(map(is_folder, paths)):
        files = [file for path in paths for file in files_of(path)]
        if len(files) > MOST_IN_FULL:
            return show_overview(paths, files)
    subject = load_with_progress(paths)
    if given.as_json:
        print(json.dumps([summary_object(one.document) for one in subject.results], indent=1))
        return exit_codes.OK
    print_answers([one.document for one in subject.results], show_all=given.show_all)
    for table in published_tables(subject) if given.published else ():
        print_table(table)
    return exit_codes.OK


def _newest_folder() -> Path:
    """Return the folder of the newest file below `results` that may be a result."""
    files = files_of(existing_results())
    newest = max(files, key=lambda file: modified(file) or 0, default=None)
    return RESULTS if newest is None else newest.parent
