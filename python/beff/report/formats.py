"""The formats of a report, and writing one."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from beff.report.csv_file import write_csv
from beff.report.latex import write_latex
from beff.report.markdown import write_markdown
from beff.report.pictures import write_picture
from beff.report.skampi import write_skampi
from beff.report.summary_file import write_objects, write_summary
from beff.report.text_file import write_text
from beff.result.write import made_whole, require_free
from beff.verify.subject import Subject


class Draw(Protocol):
    """Write a chart, that with a key or the file's name, else the first, by choice without title.

    Returns its key, and behind the first those of the others.
    """

    def __call__(  # noqa: D102 - said by the class
        self, subject: Subject, path: Path, key: str | None = None, *, titled: bool = True
    ) -> list[str]: ...


@dataclass(frozen=True)
class Format:
    """How a report is written.

    `write` makes the file. It raises BeffError when the results have nothing that it shows.
    """

    ending: str
    description: str
    write: Callable[[Subject, Path], object]
    draw: Draw | None = None
    """None for a format that is no picture."""


def _write_page(subject: Subject, path: Path) -> None:
    """Load what writes pages when it writes: it takes long, and only the extra `report` has it."""
    from beff.report.page.html_file import write_html  # noqa: PLC0415

    write_html(subject, path)


FORMATS = (
    Format(".html", "one page with everything, which needs no network", _write_page),
    Format(".pdf", "a chart", write_picture, write_picture),
    Format(".png", "a chart", write_picture, write_picture),
    Format(".svg", "a chart", write_picture, write_picture),
    Format(".md", "all tables in Markdown", write_markdown),
    Format(".txt", "all tables in plain text", write_text),
    Format(".tex", "the figures as a table for LaTeX (booktabs)", write_latex),
    Format(".csv", "one row per sample, for spreadsheets and statistics", write_csv),
    Format(".sko", "the measured times as SKaMPI writes them", write_skampi),
    Format(".json", "the figures, an object a result", write_objects),
)


SUMMARY = "summary.csv"
"""How the name of a file ends that holds figures in place of samples."""


def format_of(path: Path) -> Format | None:
    """Return the format that a file's name means by its ending; None for an unknown one."""
    if path.name.lower().endswith(SUMMARY):
        return Format(".csv", "one row per figure, with its unit and interval", write_summary)
    return next((entry for entry in FORMATS if entry.ending == path.suffix.lower()), None)


def write_report(chosen: Format, subject: Subject, target: Path, *, overwrite: bool) -> None:
    """Write the report in a folder of its own and move it to its place: nobody sees half of it.

    Raises TargetError when there is no place for it, and BeffError when it cannot be written.
    """
    require_free(target, overwrite=overwrite)
    with made_whole(target) as made:
        chosen.write(subject, made)
