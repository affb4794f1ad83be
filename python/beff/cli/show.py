"""`beff show`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from rich.text import Text

from beff.analysis.common.summary_figures import main_value
from beff.analysis.compare.earlier_runs import in_same_way
from beff.cli import exit_codes
from beff.cli.answer_text import print_answers
from beff.cli.files import load_with_progress
from beff.cli.options import PublishedOption, argument, flag
from beff.cli.rich_tables import output_console, print_table
from beff.model.errors import WrongUsageError
from beff.model.load import Document
from beff.model.numbers import counted, rate
from beff.model.result_files import files_of
from beff.report.parts.answer import answer_of
from beff.report.tables.sections import published_tables
from beff.report.tables.validity import stamps

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


_MOST_FILES = 100
"""The newest ones are read."""
_MOST_RUNS = 20
"""Of those that were measured in the same way, the last ones are shown."""
_BAR_WIDTH = 20
_EIGHTHS = " ▏▎▍▌▋▊▉"


def print_history(paths: Sequence[Path]) -> None:
    """Print the runs that files and folders hold, grouped by how they were measured.

    Raises ResultError.
    """
    files = [file for path in paths for file in files_of(path)]
    files.sort(key=lambda file: file.stat().st_mtime if file.exists() else 0.0)
    chosen = files[-_MOST_FILES:] if len(files) > _MOST_FILES else paths
    documents = [one.document for one in load_with_progress(chosen).results]
    console = output_console()
    if len(files) > _MOST_FILES:
        console.print(f"the newest {_MOST_FILES} of {len(files)} files")
    for group in in_same_way(documents):
        for line in history_lines(group):
            console.print(line, soft_wrap=True)


def history_lines(runs: Sequence[Document]) -> list[Text]:
    """Return a heading, then a line for each run, oldest first: time, value, bar, stamps."""
    answer = answer_of(runs[-1])
    shown = runs[-_MOST_RUNS:]
    left_out = len(runs) - len(shown)
    before = f", {counted(left_out, 'earlier run')} not shown" if left_out else ""
    lines = [Text(f"{answer.benchmark}, {answer.on}{before}", "bold")]
    largest = max((main_value(run.result) or 0.0 for run in shown), default=0.0)
    for run in shown:
        value = main_value(run.result)
        line = Text(f"{_time(run)}  {rate(value):>12}  ")
        line.append(bar((value or 0.0) / largest if largest else 0.0).ljust(_BAR_WIDTH), "cyan")
        line.append(f"  {stamps(run)}", "green" if run.result.valid else "red")
        lines.append(line)
    return lines


def bar(share: float) -> str:
    """Draw a share, from 0 to 1, in eighths of a column."""
    eighths = round(max(0.0, min(1.0, share)) * 8 * _BAR_WIDTH)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def _time(run: Document) -> str:
    """Write when a run began, in UTC; an import has no time."""
    began = run.fields["environment"].get("started_at") or ""
    return str(began)[:16].replace("T", " ").ljust(16)
