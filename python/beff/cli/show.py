"""`beff show`."""

from pathlib import Path
from typing import Annotated

from beff.cli.common import exit_codes
from beff.cli.common.answer_text import print_answers
from beff.cli.common.files import load_with_progress
from beff.cli.common.options import OverwriteOption, PublishedOption, argument, flag, option
from beff.cli.common.rich_tables import print_table
from beff.cli.history import draw_history, require_picture, show_history
from beff.cli.overview_table import show_overview
from beff.model.errors import WrongUsageError
from beff.model.places import is_folder, modified
from beff.model.result_files import files_of
from beff.model.write import check_apart, require_free
from beff.report.tables.sections import published_tables

RESULTS = Path("results")
"""Where `beff run` puts its folders."""
MOST_IN_FULL = 8
"""Files of folders; of more, answers would fill screens."""


def show(  # noqa: PLR0917 - one parameter per option of the command
    results: Annotated[
        list[Path] | None,
        argument("RESULT...", "Result files, or folders of them; else the newest in results."),
    ] = None,
    history: Annotated[
        bool, flag("--history", "Show runs over time: those in results, or in the paths named.")
    ] = False,
    as_json: Annotated[bool, flag("--json", "Print the history as a JSON array.")] = False,
    output: Annotated[
        Path | None, option("--output -o", "FILE", "Draw the history as .svg, .png or .pdf.")
    ] = None,
    overwrite: OverwriteOption = False,
    published: PublishedOption = False,
    all_cautions: Annotated[
        bool, flag("--all", "Show every caution, and of many results each answer.")
    ] = False,
) -> int:
    """Show the answer of stored results, as beff run does at its end.

    Of folders with more than 8 files, each result is a line of a table, the newest first.

    With --history, equal runs stand below each other, each with a bar of its value, and a mark
    where valid runs became faster or slower: at least three on either side, and a step beyond the
    noise. Equal are benchmark, definition, procedure, processes, nodes and memory; what does not
    verify, and simulated runs, are left out.

    \b
    Examples:
      beff show
      beff show results/monday
      beff show --history
      beff show --history results -o history.svg
    """  # noqa: D301 - \b keeps the lines of the examples apart
    if history:
        _show_history(results or [_existing_results()], output, overwrite, as_json)
        return exit_codes.OK
    for name, value in (("--json", as_json), ("--output", output)):
        if value:
            raise WrongUsageError(f"{name} goes with --history; beff report writes one result")
    paths = results or [_newest_folder()]
    if not (all_cautions or published) and any(map(is_folder, paths)):
        files = [file for path in paths for file in files_of(path)]
        if len(files) > MOST_IN_FULL:
            return show_overview(paths, files)
    subject = load_with_progress(paths)
    print_answers([one.document for one in subject.results], all_cautions=all_cautions)
    for table in published_tables(subject) if published else ():
        print_table(table)
    return exit_codes.OK


def _show_history(paths: list[Path], output: Path | None, overwrite: bool, as_json: bool) -> None:
    if output is not None:
        require_picture(output)
        require_free(output, overwrite=overwrite, option="--output")
        check_apart({"--output": output}, [file for path in paths for file in files_of(path)])
    found = show_history(paths, as_json=as_json)
    if output is not None:
        draw_history(found, output)


def _existing_results() -> Path:
    if not is_folder(RESULTS):
        raise WrongUsageError(
            f"there is no folder '{RESULTS}' here; name a result, or measure by beff run"
        )
    return RESULTS


def _newest_folder() -> Path:
    """Return the folder of the newest file below `results` that may be a result."""
    files = files_of(_existing_results())
    newest = max(files, key=lambda file: modified(file) or 0, default=None)
    return RESULTS if newest is None else newest.parent
