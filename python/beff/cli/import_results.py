"""`beff import`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.options import argument, option, overwrite_flag, taking
from beff.cli.common.say import say, warn
from beff.cli.common.verified import verify_file
from beff.importers.pairs import utc_of
from beff.importers.table import (
    AnyImporter,
    FiguresImporter,
    PairsImporter,
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
        "The result file, of one FILE or of all that make one map.",
        names="--output -o",
        otherwise="FILE with the ending .json, of figures .figures.json",
    )
    definition: str | None = option(
        "RELEASE",
        "Definition it was measured by, if the output does not say: 3.5 or 3.1; 0.5, 1 or 2.1.",
    )
    date: str | None = option(
        "TIME", "When a map was measured, if the output does not say: 2026-11-01T10:00:00Z."
    )
    overwrite: bool = overwrite_flag()


@taking(_Options)
def import_results(given: _Options) -> int:
    """Make results, or a series of figures, of what other programs printed.

    Of the original programs: the summary (*.sum) of b_eff_io 1.x and 2.1, and the last line and
    summary table of b_eff 3.x. Of measurements between two hosts, which together make one map:
    pairs.csv, and logs of nccl-tests, rccl-tests, ClusterKit, mpiGraph, OSU, perftest, IMB
    PingPong and iperf3 -J. A result is marked as imported and never valid; report, verify, compare
    and, of maps, check, history and nodes --fleet take it as far as it goes. Figures over time of
    any benchmark, figures.csv with columns figure, value, unit and when, make a series for history
    and check.

    Examples:
      beff import b_eff_io_T30.sum -o results/t3e_b_eff_io.json
      beff import pairs.csv
      beff import figures.csv -o results/ior.figures.json
      beff import nccl_logs -o maps/monday.json --date 2026-11-02
    """
    files = [file for path in given.files for file in _files_in(path)]
    date = None if given.date is None else _moment(given.date)
    kind = _kind(files)
    if isinstance(kind, PairsImporter):
        return _import_map(given, files, date)
    if date is not None:
        raise WrongUsageError(f"--date {given.date}: is of maps of pairs; the print has its own")
    if given.output is not None and len(files) > 1:
        raise WrongUsageError(f"--output {given.output}: is one file for {len(files)} results")
    if isinstance(kind, FiguresImporter):
        return _import_figures(given, files, kind)
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
    """Yield a file, or the files of a folder without what is hidden. Raises WrongUsageError."""
    if not is_folder(path):
        yield path
        return
    found = sorted(one for one in path.iterdir() if one.is_file() and one.name[0] != ".")
    if not found:
        raise WrongUsageError(f"{path}: is a folder without files")
    yield from found


def _moment(text: str) -> str:
    try:
        return utc_of(text)
    except ValueError:
        raise WrongUsageError(
            f"--date {text}: is no time; write it as 2026-11-01 or 2026-11-01T10:00:00Z"
        ) from None


def _kind(files: Sequence[Path]) -> AnyImporter:
    """Return what reads the first file that is known. Raises ResultError where none is known."""
    problem: ResultError | None = None
    for file in files:
        try:
            return importer_of(printed_file(file))
        except ResultError as wrong:
            problem = problem or wrong
    assert problem is not None
    raise problem


def _import_map(given: _Options, files: Sequence[Path], date: str | None) -> int:
    if given.definition is not None:
        raise WrongUsageError(
            f"--definition {given.definition}: leave it out, as a map of pairs has none"
        )
    if given.output is None and len(files) > 1:
        raise WrongUsageError(f"{len(files)} files make one map: name it by --output FILE.json")
    target = given.output or files[0].with_suffix(".json")
    check_apart({"--output": target}, files)
    document, problems = import_pairs(files, date)
    for problem in problems:
        warn(f"beff: left out: {problem}")
    what = str(files[0]) if len(files) == 1 else f"{len(files) - len(problems)} files"
    is_right = _written(document, target, what, overwrite=given.overwrite)
    return exit_codes.OK if is_right else exit_codes.FAILED


def _import_figures(given: _Options, files: Sequence[Path], importer: FiguresImporter) -> int:
    if given.definition is not None:
        raise WrongUsageError(
            f"--definition {given.definition}: leave it out, as plain figures have none"
        )
    if given.output is not None and not is_figures(given.output):
        raise WrongUsageError(
            f"--output {given.output}: holds figures of no result; end its name in {ENDING}"
        )
    targets = {file: given.output or file.with_suffix(ENDING) for file in files}
    for target in targets.values():
        check_apart({"--output": target}, files)
    for file, target in targets.items():
        printed = printed_file(file)
        if importer_of(printed) is not importer:
            raise printed.problem("is no table of figures, as the others are")
        series = importer.read(printed)
        write_figures(target, printed.name, series, overwrite=given.overwrite)
        values = sum(len(one["values"]) for one in series)
        said = f"{counted(len(series), 'figure')}, {counted(values, 'measurement')}"
        say(f"{target}: {said} for beff history and beff check, never a result")
    return exit_codes.OK


def _written(document: Document, path: Path, what: str, *, overwrite: bool) -> bool:
    """Write a result, say so, and return whether its figures agree."""
    write_result(path, document.fields, overwrite=overwrite)
    say(f"{path}: imported from {what}, never valid for comparison")
    return verify_file(path)
