"""`beff import`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.files import name_left_out
from beff.cli.common.options import argument, option, overwrite_flag, taking
from beff.cli.common.say import say
from beff.cli.common.verified import verify_file
from beff.importers.printed import utc_of
from beff.importers.table import (
    AnyImporter,
    FiguresImporter,
    PairsImporter,
    import_figures,
    import_file,
    import_pairs,
    importer_of,
    printed_file,
)
from beff.result.errors import ResultError, WrongUsageError
from beff.result.load import Document
from beff.result.numbers import counted
from beff.result.places import is_folder
from beff.result.plain_figures import ENDING, is_figures, write_figures
from beff.result.result_files import with_stem_ending
from beff.result.write import check_apart, write_result


@dataclass(frozen=True, kw_only=True)
class _Options:
    files: list[Path] = argument(
        "FILE...",
        "Outputs of the original programs, of others for pairs of hosts, or figures; a folder.",
    )
    output: Path | None = option(
        "FILE",
        "The result file, of one FILE or of all that make one map or series.",
        names="--output -o",
        otherwise="FILE with the ending .json, of figures .figures.json",
    )
    definition: str | None = option(
        "RELEASE",
        "Definition it was measured by, if the output does not say: 3.5 or 3.1; 0.5, 1 or 2.1.",
    )
    date: str | None = option(
        "TIME", "When it was measured, if the output does not say: 2026-11-01T10:00:00Z."
    )
    overwrite: bool = overwrite_flag()


@taking(_Options)
def import_results(given: _Options) -> int:
    """Make results, or a series of figures, of what other programs printed.

    Of the original programs: the summary (*.sum) of b_eff_io 1.x and 2.1, and the last line and
    summary table of b_eff 3.x. Of measurements between two hosts, which together make one map:
    pairs.csv, and logs of nccl-tests, rccl-tests, ClusterKit, mpiGraph, OSU, perftest, IMB
    PingPong and iperf3 -J. A result is marked as imported and never valid; report, verify, compare
    and, of maps, check, history and nodes --fleet take it as far as it goes. Figures over time make
    a series for history and check: those of any benchmark, figures.csv with columns figure, value,
    unit and when, and logs of whole runs of IOR, IO500, OSU and IMB, which name no pair of hosts.

    Examples:
      beff import b_eff_io_T30.sum -o results/t3e_b_eff_io.json
      beff import pairs.csv
      beff import figures.csv
      beff import ior_logs -o ior.figures.json
      beff import nccl_logs -o maps/monday.json --date 2026-11-02
    """
    files = [file for path in given.files for file in _files_in(path)]
    date = None if given.date is None else _moment(given.date)
    kind = _kind(given, files)
    if given.output is not None and is_figures(given.output) != isinstance(kind, FiguresImporter):
        word = "do not end" if is_figures(given.output) else "end"
        raise WrongUsageError(
            f"--output {given.output}: only figures of no result are in files that end in {ENDING};"
            f" {word} its name so"
        )
    if isinstance(kind, PairsImporter):
        return _import_map(given, files, date)
    if isinstance(kind, FiguresImporter):
        return _import_figures(given, files, date)
    if date is not None:
        raise WrongUsageError(f"--date {given.date}: is of maps and figures; the print has its own")
    if given.output is not None and len(files) > 1:
        raise WrongUsageError(f"--output {given.output}: is one file for {len(files)} results")
    agree = True
    for file in files:
        documents = import_file(file, given.definition)
        target = given.output or file.with_suffix(".json")
        for number, document in enumerate(documents, start=1):
            path = target
            if len(documents) > 1:
                path = with_stem_ending(target, f"_{number}")
            check_apart({"--output": path}, files)
            agree = _written(document, path, str(file), overwrite=given.overwrite) and agree
    return exit_codes.OK if agree else exit_codes.FAILED


def _files_in(path: Path) -> Iterator[Path]:
    """Yield a file, or those of a folder but hidden ones and figures. Raises WrongUsageError."""
    if not is_folder(path):
        yield path
        return
    files = (one for one in path.iterdir() if one.is_file() and one.name[0] != ".")
    found = sorted(one for one in files if not is_figures(one))
    if not found:
        raise WrongUsageError(f"{path}: is a folder without files")
    yield from found


def _moment(text: str) -> str:
    try:
        return utc_of(text)
    except ValueError as problem:
        raise WrongUsageError(f"--date {text}: {problem}") from None


def _kind(given: _Options, files: Sequence[Path]) -> AnyImporter:
    """Return what reads the first file that is known. Raises ResultError where none is known."""
    wanted = FiguresImporter if given.output is not None and is_figures(given.output) else None
    problem: ResultError | None = None
    for file in files:
        try:
            return importer_of(printed_file(file), wanted)
        except ResultError as wrong:
            problem = problem or wrong
    assert problem is not None
    raise problem


def _target(given: _Options, files: Sequence[Path], what: str, ending: str) -> Path:
    """Return what is made of all files together. Raises WrongUsageError."""
    if given.definition is not None:
        raise WrongUsageError(
            f"--definition {given.definition}: leave it out, as a {what} has none"
        )
    if given.output is None and len(files) > 1:
        raise WrongUsageError(f"{len(files)} files make one {what}: name it by --output X{ending}")
    target = given.output or files[0].with_suffix(ending)
    check_apart({"--output": target}, files)
    return target


def _import_map(given: _Options, files: Sequence[Path], date: str | None) -> int:
    target = _target(given, files, "map", ".json")
    document, problems = import_pairs(files, date)
    for problem in problems:
        name_left_out(problem)
    what = str(files[0]) if len(files) == 1 else f"{len(files) - len(problems)} files"
    is_right = _written(document, target, what, overwrite=given.overwrite)
    return exit_codes.OK if is_right else exit_codes.FAILED


def _import_figures(given: _Options, files: Sequence[Path], date: str | None) -> int:
    target = _target(given, files, "file of figures", ENDING)
    source, series, problems = import_figures(files, date)
    for problem in problems:
        name_left_out(problem)
    write_figures(target, source, series, overwrite=given.overwrite)
    days = sorted(when[:10] for one in series for when in one["when"])
    said = f"{counted(len(series), 'figure')}, {counted(len(days), 'measurement')}"
    say(f"{target}: {said}, {days[0]} to {days[-1]}; for beff history and check, never a result")
    return exit_codes.OK


def _written(document: Document, path: Path, what: str, *, overwrite: bool) -> bool:
    """Write a result, say so, and return whether its figures agree."""
    write_result(path, document.fields, overwrite=overwrite)
    say(f"{path}: imported from {what}, never valid for comparison")
    return verify_file(path)
