"""`beff run --report`: the page of what was just measured."""

from collections.abc import Sequence
from pathlib import Path

from beff.cli.run_benchmark import Run


def require_report() -> None:
    """Find out before measuring whether a page can be drawn. Raises ModuleNotFoundError."""
    import beff.report.page.html_file  # noqa: F401, PLC0415 - of an extra that only this needs


def write_page(runs: Sequence[Run], folder: Path) -> Path | None:
    """Write the page of all results into the folder; None without any. Raises BeffError."""
    from beff.analysis.subject import load_subject  # noqa: PLC0415
    from beff.report.formats import format_of  # noqa: PLC0415 - as above
    from beff.report.write import write_report  # noqa: PLC0415

    files = [run.result_file for run in runs if run.measured is not None]
    if not files:
        return None
    target = _free(folder)
    chosen = format_of(target)
    assert chosen is not None
    return write_report(chosen, load_subject(files), target, overwrite=False)[0]


def _free(folder: Path) -> Path:
    """Return a name that no file has: an earlier report is never replaced unasked."""
    target, number = folder / "report.html", 1
    while target.exists():
        number += 1
        target = folder / f"report-{number}.html"
    return target
