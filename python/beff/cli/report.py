"""`beff report`."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.files import load_with_progress, say_without_pictures
from beff.cli.common.options import argument, flag, option, overwrite_flag, taking
from beff.cli.common.say import say
from beff.report.formats import DEFAULT_ENDING, FORMATS, Format, format_of, write_report
from beff.report.pictures import write_chart_data
from beff.result.errors import WrongUsageError
from beff.result.numbers import counted
from beff.result.places import is_folder
from beff.result.result_files import files_of
from beff.result.write import check_apart, require_free

_TEXTS = (".txt", ".md", ".tex", ".csv", ".sko")
"""Formats of one file of text."""
_PRINTED = {f"-{entry.ending}": entry for entry in FORMATS if entry.ending in _TEXTS}
_PRINTED["-"] = _PRINTED["-.txt"]
_ENDINGS = ", ".join(entry.ending for entry in FORMATS)


@dataclass(frozen=True, kw_only=True)
class _Options:
    results: list[Path] = argument("RESULT...", "Result files, or folders of them.")
    output: Path | None = option(
        "FILE",
        f"Where the report goes; its ending chooses the format: {_ENDINGS}. '-', '-.md' and so"
        " on print it, as text or as another format of text. A picture shows the chart that it has"
        " the name of, as pairs.svg, else the first. A .csv holds the samples; one whose name ends"
        " in summary.csv the figures.",
        names="--output -o",
        otherwise=f"beside the result, ending in {DEFAULT_ENDING}",
    )
    figure: str | None = option(
        "KEY",
        "Draw this chart, or write its data to a .csv; a wrong key lists those there are.",
    )
    no_title: bool = flag("Draw pictures without title and caption, for a paper.")
    data: bool = flag("Write what a picture shows beside it, as a .csv of its name.")
    overwrite: bool = overwrite_flag()


@taking(_Options)
def report(given: _Options) -> int:
    """Show results as a page, pictures, tables or data.

    One report may hold several results of both benchmarks. Repeated runs in one folder are one line
    in charts.

    Examples:
      beff report results/b_eff_4p.json
      beff report results/b_eff_4p.json -o -
      beff report results/*/b_eff_*p.json -o summary.csv
      beff report results/b_eff_4p.json -o rings.pdf --figure rings_and_random --data
      beff report results/b_eff_4p.json -o patterns.svg
      beff report results/b_pairs_64p.json -o pairs.svg
      beff report results/monday results/friday
    """
    paths = given.results
    if given.output is not None and given.output.name == f"-{given.output.suffix}":
        if given.no_title or given.data:
            refused = _of_pictures(given)
            raise WrongUsageError(f"{refused}: goes with a picture, not with {given.output}")
        return _print(paths, given.output, given.figure)
    target = given.output if given.output is not None else _default_target(paths)
    chosen = _format(target)
    drawn: list[str] = []
    if (draw := chosen.draw) is not None:
        chosen = replace(
            chosen,
            write=lambda subject, path: drawn.extend(
                draw(subject, path, given.figure, titled=not given.no_title)
            ),
        )
    elif given.no_title or given.data or (given.figure is not None and chosen.ending != ".csv"):
        pictures = ", ".join(entry.ending for entry in FORMATS if entry.draw)
        raise WrongUsageError(
            f"{_of_pictures(given)}: {target} is not a picture; end its name in one of {pictures}"
        )
    elif given.figure is not None:
        chosen = _data_of(given.figure)
    targets = {"--output": target} | ({"--data": target.with_suffix(".csv")} if given.data else {})
    for name, path in targets.items():
        require_free(path, overwrite=given.overwrite, option=name)
    check_apart(targets, [file for path in paths for file in files_of(path)])
    subject = load_with_progress(paths)
    for path, written in zip(targets.values(), (chosen, _data_of(given.figure)), strict=False):
        write_report(written, subject, path, overwrite=given.overwrite)
    of = counted(len(subject.results), "result")
    what = f"the chart {drawn[0]}" if drawn else chosen.description
    others = f"; --figure draws {', '.join(drawn[1:])}" if drawn[1:] else ""
    say(f"{' and '.join(map(str, targets.values()))}: report of {of}: {what}{others}")
    say_without_pictures(target)
    return exit_codes.OK


def _of_pictures(given: _Options) -> str:
    """Return the option that asks for a picture."""
    if given.no_title:
        return "--no-title"
    return "--data" if given.data else f"--figure {given.figure}"


def _data_of(key: str | None) -> Format:
    """Return the format of what a chart shows."""
    return Format(
        ".csv",
        f"the data of the chart {key}",
        lambda subject, path: write_chart_data(subject, path, key),
    )


def _print(results: list[Path], output: Path, figure: str | None) -> int:
    """Print the report in a format of text."""
    if figure is not None:
        raise WrongUsageError(f"--figure {figure}: a chart cannot be printed; name a picture")
    chosen = _PRINTED.get(output.name.lower())
    if chosen is None:
        _format(output)
        raise WrongUsageError(
            f"--output {output}: cannot be printed, as it is not one file of text; '-' goes with"
            f" {', '.join(_TEXTS)}"
        )
    subject = load_with_progress(results)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"report{chosen.ending}"
        chosen.write(subject, file)
        print(file.read_text(encoding="utf-8"), end="")
    return exit_codes.OK


def _format(target: Path) -> Format:
    chosen = format_of(target)
    if chosen is None:
        raise WrongUsageError(
            f"--output {target}: the ending '{target.suffix}' is not a format of a report; end the"
            f" name in one of {_ENDINGS}"
        )
    return chosen


def _default_target(results: list[Path]) -> Path:
    """Return the name of a single result with another ending; 'report' for several."""
    first = results[0]
    in_folder = is_folder(first)
    if len(results) == 1 and not in_folder:
        return first.with_suffix(DEFAULT_ENDING)
    folder = first if in_folder else first.parent
    return folder / f"report{DEFAULT_ENDING}"
