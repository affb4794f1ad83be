"""`beff show -o FILE`: results as a page, a picture, tables or data."""

import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from beff.cli.common import options
from beff.cli.common.files import name_left_out, recovered, say_without_pictures
from beff.cli.common.say import say, warn
from beff.definition.subject import Subject, load_sound_document, load_subject, with_rmax
from beff.result.errors import WrongUsageError
from beff.result.load import SUFFIXES, Document, Journal, JournalError, files_of
from beff.result.numbers import counted
from beff.result.places import check_apart, made_whole, require_free, write_result
from beff.result.result_parts import RMax
from beff.show.formats import FORMATS, format_of, write_chart_data

_TEXTS = (".txt", ".md", ".tex", ".csv", ".sko", ".json")
"""Formats of one file of text."""
ENDINGS = ", ".join(entry.ending for entry in FORMATS)


_LARGEST_GFLOPS = 1e13
_HYPHEN = Parameter(allow_leading_hyphen=True)


def _rmax(text: str) -> RMax:
    with suppress(ValueError):
        if 0 < (gflops := float(text)) < _LARGEST_GFLOPS:
            return RMax(gflops=gflops, origin="given", source=None)
    raise ValueError("must be a number of GFLOP/s above 0, such as 95.2")


@dataclass(frozen=True, kw_only=True)
class ShowOptions(options.OverwriteOptions):
    """What the user wrote of `beff show`; nothing is checked yet."""

    results: options.Results | None = field(default=None, kw_only=False)
    """Result files, journals of runs that were killed, or folders of results; else the newest in
    results."""
    show_all: Annotated[bool, options.ALL] = False
    """Show all of every answer, also of many results."""
    as_json: Annotated[bool, options.JSON] = False
    """Print a JSON array with an object for each result."""
    history: bool = False
    """Show runs over time, and where the system became slower or faster."""
    rmax: Annotated[Any, "GFLOPS", options.kind(_rmax)] = None
    """Show the balance with Linpack's R_max of the same processes, in 10^9 flop/s."""
    hpl: options.File | None = None
    """Read R_max from the output of HPL, or hpccoutf.txt of HPCC."""
    published: bool = False
    """Also show the published systems, of 1999 to 2001."""
    output: Annotated[options.File | None, options.OUTPUT, _HYPHEN] = None
    """Write the results to a file, by the ending of its name: .html, .pdf, .png, .svg, .md, .txt,
    .tex, .csv, .sko, .json. '-', '-.md' and so on print it. A picture shows the chart after which
    it is named, as pairs.svg, else the first. A .csv holds the samples; one whose name ends in
    summary.csv the figures. A .json holds the figures; of a journal, and with R_max, it is the
    result."""
    figure: Annotated[str | None, "KEY", options.WRITTEN] = None
    """Draw this chart, or write its data to a .csv; a wrong key lists all keys."""
    no_title: Annotated[bool, options.WRITTEN] = False
    """Draw pictures without title and caption, for a paper."""
    data: Annotated[bool, options.WRITTEN] = False
    """Write the data of a picture beside it, as a .csv of the same name."""
    remove_files: bool = False
    """Remove the files that a killed b_eff_io has left."""


class Reader:
    """Reads the results when they are asked for, once, and notes which come from journals."""

    def __init__(self, paths: Sequence[Path], rmax: RMax | None) -> None:
        self.paths, self.rmax = paths, rmax
        self.journals: dict[Path, Journal] = {}

    @cached_property
    def subject(self) -> Subject:
        """The results, with R_max where it is given. Raises BeffError."""
        alone = self.rmax is None

        def load(path: Path) -> Document:
            try:
                return load_sound_document(path)
            except JournalError:
                document, self.journals[path] = recovered(path)
                return document

        subject = load_subject(self.paths, with_rmax=alone, left_out=name_left_out, load=load)
        warn(*(f"beff: {sentence}" for sentence in subject.copies))
        return subject if self.rmax is None else _balanced(subject, self.rmax)


def _balanced(subject: Subject, rmax: RMax) -> Subject:
    """Return the results with R_max, and say on standard error what makes a balance doubtful.

    Maps of pairs in a folder are left out. Raises ResultError for one alone.
    """
    every = subject.results
    kept = [one for one in every if not one.group or one.document.benchmark != "b_pairs"] or every
    added = [replace(one, document=with_rmax(one.document, rmax), group="") for one in kept]
    for document in (one.document for one in added):
        processes = document.result.environment.processes
        if rmax.p is not None and rmax.q is not None and rmax.p * rmax.q != processes:
            warn(
                f"beff: {document.source}: Linpack ran on {rmax.p} x {rmax.q} processes, the"
                f" benchmark on {processes}; the balance holds only if both used the same cores"
            )
    return Subject(tuple(added))


def write_file(given: ShowOptions, output: Path, reader: Reader) -> None:
    """Write or print results as the ending asks for.

    All that is wrong with the options is found before anything is read. Raises BeffError.
    """
    is_printed = output.name == f"-{output.suffix}"
    if output.name.endswith(SUFFIXES) and not is_printed:
        require_free(output, overwrite=given.overwrite, option="--output")
        if reader.rmax is not None or (reader.subject and reader.journals):
            _write_result(given, output, reader)
            return
    if (chosen := format_of(Path("-.txt") if output.name == "-" else output)) is None:
        raise WrongUsageError(
            f"--output {output}: the ending '{output.suffix}' is none that results are written in;"
            f" end the name in one of {ENDINGS}"
        )
    if is_printed and chosen.ending not in _TEXTS:
        raise WrongUsageError(
            f"--output {output}: cannot be printed, as it is not one file of text; '-' goes"
            f" with {', '.join(_TEXTS)}"
        )
    write, what = chosen.write, chosen.description
    of_pictures = options.named(given, "no_title", "data", "figure")
    write_data: Callable[..., object] = partial(write_chart_data, key=given.figure)
    if chosen.draw is not None:
        write = partial(chosen.draw, key=given.figure, titled=not given.no_title)
    elif chosen.ending == ".csv" and of_pictures == [f"--figure {given.figure}"]:
        write, what = write_data, f"the data of the chart {given.figure}"
    else:
        pictures = ", ".join(entry.ending for entry in FORMATS if entry.draw)
        options.refuse(of_pictures, f"{output} is not a picture; end its name in one of {pictures}")
    if is_printed:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "report"
            write(reader.subject, file)
            print(file.read_text(encoding="utf-8"), end="")
        return
    targets = {"--output": output} | ({"--data": output.with_suffix(".csv")} if given.data else {})
    for option, path in targets.items():
        require_free(path, overwrite=given.overwrite, option=option)
    check_apart(targets, [file for path in reader.paths for file in files_of(path)])
    shown = list[object]()
    for path, content in zip(targets.values(), (write, write_data), strict=False):
        with made_whole(path) as made:
            shown.append(content(reader.subject, made))
    of, others = counted(len(reader.subject.results), "result"), ""
    if isinstance(shown[0], list):
        key, *more = shown[0]
        what, others = f"the chart {key}", f"; --figure draws {', '.join(more)}" if more else ""
    say(f"{' and '.join(map(str, targets.values()))}: {of}: {what}{others}")
    say_without_pictures(output)


def _write_result(given: ShowOptions, output: Path, reader: Reader) -> None:
    """Write a result that no file holds: of a journal, or with R_max."""
    document, *more = (one.document for one in reader.subject.results)
    if more:
        raise WrongUsageError(
            f"--output {output}: holds one result, and these are {1 + len(more)}; name one"
        )
    source = Path(document.source)
    check_apart({"--output": output}, [source])
    write_result(output, document.fields, overwrite=given.overwrite)
    if (entries := reader.journals.get(source)) is not None:
        kind = "round" if "round" in entries.rows else "sample"
        count = len(entries.rows[kind])
        parts = f"{count} rounds" if kind == "round" else f"{count} of {entries.loops} loops"
        say(f"{output}: partial result with {parts}, not valid for comparison")
    if reader.rmax is not None:
        say(f"{output}: {source.name} with R_max = {reader.rmax.gflops:g} GFLOP/s")
