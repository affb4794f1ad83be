"""`beff show -o FILE`: results as a page, a picture, tables or data."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from beff.cli.common.files import say_without_pictures
from beff.cli.common.say import say
from beff.report.formats import FORMATS, Format, format_of, write_report
from beff.report.pictures import write_chart_data
from beff.result.errors import WrongUsageError
from beff.result.numbers import counted
from beff.result.result_files import files_of
from beff.result.write import check_apart, require_free
from beff.verify.subject import Subject

_TEXTS = (".txt", ".md", ".tex", ".csv", ".sko", ".json")
"""Formats of one file of text."""
_PRINTED = {f"-{entry.ending}": entry for entry in FORMATS if entry.ending in _TEXTS}
_PRINTED["-"] = _PRINTED["-.txt"]
ENDINGS = ", ".join(entry.ending for entry in FORMATS)


@dataclass(frozen=True)
class Wanted:
    """The file that was asked for, and how a picture in it should be; nothing is checked yet."""

    output: Path
    figure: str | None
    titled: bool
    data: bool
    overwrite: bool

    @property
    def is_printed(self) -> bool:
        """Whether it goes to standard output."""
        return self.output.name == f"-{self.output.suffix}"

    @property
    def of_pictures(self) -> str | None:
        """The option that only pictures have, where one is given."""
        if not self.titled:
            return "--no-title"
        if self.data:
            return "--data"
        return None if self.figure is None else f"--figure {self.figure}"


def write_file(wanted: Wanted, paths: Sequence[Path], load: Callable[[], Subject]) -> None:
    """Write or print what was asked for of the results of `paths`, which `load` reads.

    All that is wrong with the options is found before anything is read. Raises BeffError.
    """
    if wanted.is_printed:
        _print(wanted, load)
        return
    chosen = _format(wanted.output)
    drawn: list[str] = []
    if (draw := chosen.draw) is not None:
        chosen = replace(
            chosen,
            write=lambda subject, path: drawn.extend(
                draw(subject, path, wanted.figure, titled=wanted.titled)
            ),
        )
    elif chosen.ending == ".csv" and wanted.of_pictures == f"--figure {wanted.figure}":
        chosen = _data_of(wanted.figure)
    elif wanted.of_pictures is not None:
        pictures = ", ".join(entry.ending for entry in FORMATS if entry.draw)
        raise WrongUsageError(
            f"{wanted.of_pictures}: {wanted.output} is not a picture; end its name in one of"
            f" {pictures}"
        )
    targets = {"--output": wanted.output}
    if wanted.data:
        targets["--data"] = wanted.output.with_suffix(".csv")
    for name, path in targets.items():
        require_free(path, overwrite=wanted.overwrite, option=name)
    check_apart(targets, [file for path in paths for file in files_of(path)])
    subject = load()
    for path, written in zip(targets.values(), (chosen, _data_of(wanted.figure)), strict=False):
        write_report(written, subject, path, overwrite=wanted.overwrite)
    of = counted(len(subject.results), "result")
    what = f"the chart {drawn[0]}" if drawn else chosen.description
    others = f"; --figure draws {', '.join(drawn[1:])}" if drawn[1:] else ""
    say(f"{' and '.join(map(str, targets.values()))}: {of}: {what}{others}")
    say_without_pictures(wanted.output)


def _data_of(key: str | None) -> Format:
    """Return the format of what a chart shows."""
    return Format(
        ".csv",
        f"the data of the chart {key}",
        lambda subject, path: write_chart_data(subject, path, key),
    )


def _print(wanted: Wanted, load: Callable[[], Subject]) -> None:
    """Print what a file of text would hold."""
    if wanted.of_pictures is not None:
        raise WrongUsageError(
            f"{wanted.of_pictures}: goes with a picture, not with {wanted.output}"
        )
    chosen = _PRINTED.get(wanted.output.name.lower())
    if chosen is None:
        _format(wanted.output)
        raise WrongUsageError(
            f"--output {wanted.output}: cannot be printed, as it is not one file of text; '-' goes"
            f" with {', '.join(_TEXTS)}"
        )
    subject = load()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"report{chosen.ending}"
        chosen.write(subject, file)
        print(file.read_text(encoding="utf-8"), end="")


def _format(target: Path) -> Format:
    chosen = format_of(target)
    if chosen is None:
        raise WrongUsageError(
            f"--output {target}: the ending '{target.suffix}' is none that results are written in;"
            f" end the name in one of {ENDINGS}"
        )
    return chosen
