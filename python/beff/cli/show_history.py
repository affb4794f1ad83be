"""`beff show --history`: the last runs of a machine, with a bar for each."""

from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from beff.analysis.earlier_runs import in_same_way
from beff.analysis.summary_figures import main_value
from beff.cli.files import load_with_progress
from beff.cli.rich_tables import output_console
from beff.model.load import Document
from beff.model.numbers import counted, rate
from beff.model.result_files import files_of
from beff.report.answer import answer_of
from beff.report.tables.validity import stamps

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
