"""What `beff run` does with results: their page, and whether they verify."""

from collections.abc import Sequence
from pathlib import Path

from beff.cli.answer_text import print_answers, print_labelled
from beff.cli.files import say_without_pictures
from beff.cli.rich_tables import print_line, print_table
from beff.cli.run_benchmarks import Run
from beff.cli.run_numbering import numbering_remarks, numbering_table
from beff.cli.verify import verify_file


def report_runs(runs: list[Run]) -> bool:
    """Print the answer of each result, what does not verify, and where the files are.

    Returns whether every result was verified.
    """
    measured = [(run, run.measured.document) for run in runs if run.measured is not None]
    print_answers([document for _, document in measured])
    verified = True
    for run, _ in measured:
        for remark in numbering_remarks(run):
            print_line(f"{run.title}: {remark}")
        verified = verify_file(run.result_file, only_failures=True) and verified
    for benchmark in dict.fromkeys(run.benchmark.name for run in runs):
        compared = numbering_table([run for run in runs if run.benchmark.name == benchmark])
        if compared is not None:
            print_table(compared)
    for folder in dict.fromkeys(run.prefix.parent for run, _ in measured):
        print_labelled("results", str(folder))
    return verified


def require_report() -> None:
    """Find out before measuring whether a page can be drawn. Raises ModuleNotFoundError."""
    import beff.report.page.html_file  # noqa: F401, PLC0415 - of an extra that only this needs


def write_page(runs: Sequence[Run], folder: Path) -> Path | None:
    """Write the page of all results into the folder; None without any. Raises BeffError."""
    from beff.analysis.subject import load_subject  # noqa: PLC0415
    from beff.report.formats import format_of, write_report  # noqa: PLC0415 - as above

    files = [run.result_file for run in runs if run.measured is not None]
    if not files:
        return None
    target = _free(folder)
    chosen = format_of(target)
    assert chosen is not None
    page = write_report(chosen, load_subject(files), target, overwrite=False)[0]
    say_without_pictures(page)
    return page


def _free(folder: Path) -> Path:
    """Return a name that no file has: an earlier report is never replaced unasked."""
    target, number = folder / "report.html", 1
    while target.exists():
        number += 1
        target = folder / f"report-{number}.html"
    return target
