"""`beff show`."""

from pathlib import Path
from typing import Annotated

from beff.cli import exit_codes
from beff.cli.answer_text import print_answers
from beff.cli.files import load_with_progress
from beff.cli.options import PublishedOption, argument, flag
from beff.cli.rich_tables import print_table
from beff.cli.show_history import print_history
from beff.model.errors import WrongUsageError
from beff.model.result_files import files_of
from beff.report.tables.sections import published_tables

RESULTS = Path("results")
"""Where `beff run` puts its folders."""


def show(
    results: Annotated[
        list[Path] | None,
        argument("[RESULT]...", "Result files, or folders of them; else the newest in results."),
    ] = None,
    history: Annotated[
        bool, flag("--history", "Show the last runs in results, or in the folders named.")
    ] = False,
    published: PublishedOption = False,
    all_cautions: Annotated[bool, flag("--all", "Show every caution.")] = False,
) -> int:
    """Show the answer of stored results, as beff run does at its end.

    With --history, the last runs that were measured in the same way stand below each other, each
    with a bar of its value.

    \b
    Examples:
      beff show
      beff show results/monday
      beff show --history
    """  # noqa: D301 - \b keeps the lines of the examples apart
    if history:
        print_history(results or [_existing_results()])
        return exit_codes.OK
    subject = load_with_progress(results or [_newest_folder()])
    print_answers([one.document for one in subject.results], all_cautions=all_cautions)
    for table in published_tables(subject) if published else ():
        print_table(table)
    return exit_codes.OK


def _existing_results() -> Path:
    if not RESULTS.is_dir():
        raise WrongUsageError(
            f"there is no folder '{RESULTS}' here; name a result, or measure by beff run"
        )
    return RESULTS


def _newest_folder() -> Path:
    """Return the folder of the newest file below `results` that may be a result."""
    files = files_of(_existing_results())
    newest = max(files, key=lambda file: file.stat().st_mtime, default=None)
    return RESULTS if newest is None else newest.parent
