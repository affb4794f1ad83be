"""The importers: a new one is a file and a row here."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import gmtime, strftime
from typing import Any, TypeVar

from beff.importers import (
    b_eff_io_sum,
    b_eff_last_line,
    clusterkit,
    figures_csv,
    imb,
    io500,
    ior,
    iperf3,
    mpigraph,
    nccl_tests,
    osu,
    pairs_csv,
    perftest,
)
from beff.importers.figures import Row, Series, merged, series_of
from beff.importers.pair_logs import names_pair
from beff.importers.pairs import Readings, document_of
from beff.importers.printed import Printed
from beff.result.errors import ResultError
from beff.result.load import Document, check_document
from beff.result.strict_json import read_text


@dataclass(frozen=True)
class Importer:
    """A printed format: whether a text has it, and the documents that it gives."""

    description: str
    recognises: Callable[[str], bool]
    read: Callable[[Printed], list[dict[str, Any]]]


IMPORTERS = (
    Importer("b_eff_io 1.x and 2.1, *.sum", b_eff_io_sum.recognises, b_eff_io_sum.read),
    Importer("b_eff 3.x, last line and summary", b_eff_last_line.recognises, b_eff_last_line.read),
)


@dataclass(frozen=True)
class PairsImporter:
    """A format of measurements of pairs: `read` adds those of a text; `unknown` it never says."""

    program: str
    description: str
    recognises: Callable[[str], bool]
    read: Callable[[Printed, Readings], None]
    unknown: tuple[str, ...] = ()


PAIRS_CSV = PairsImporter(
    "pairs.csv",
    "pairs.csv, with columns from, to, bytes and seconds or MBps",
    pairs_csv.recognises,
    pairs_csv.read,
    ("with what it was measured",),
)
LOGS_OF_PAIRS = (
    PairsImporter(
        "nccl-tests", "nccl-tests and rccl-tests", nccl_tests.recognises, nccl_tests.read
    ),
    PairsImporter("mpiGraph", "mpiGraph", mpigraph.recognises, mpigraph.read),
    PairsImporter(
        "ClusterKit",
        "ClusterKit's bandwidth.txt and latency.txt",
        clusterkit.recognises,
        clusterkit.read,
        ("the length of messages (its defaults are taken)", "which MB it means"),
    ),
    PairsImporter(
        "OSU", "osu_latency, osu_bw, osu_bibw, osu_mbw_mr", osu.recognises_pairs, osu.read
    ),
    PairsImporter("IMB", "PingPong of IMB", imb.recognises_pairs, imb.read),
    PairsImporter(
        "perftest", "ib_write_bw and others of perftest", perftest.recognises, perftest.read
    ),
    PairsImporter("iperf3", "iperf3 -J", iperf3.recognises, iperf3.read),
)


@dataclass(frozen=True)
class FiguresImporter:
    """A format of figures over time: `rows` yields them, with the numbers of their lines."""

    description: str
    recognises: Callable[[str], bool]
    rows: Callable[[Printed], Iterable[tuple[int, Row]]]


FIGURES_CSV = FiguresImporter(
    "figures.csv, with columns figure, value, unit and when",
    figures_csv.recognises,
    figures_csv.rows,
)
LOGS_OF_RUNS = (
    FiguresImporter("IOR", ior.recognises, ior.rows),
    FiguresImporter("IO500's result_summary.txt", io500.recognises, io500.rows),
    FiguresImporter("OSU benchmarks of no pair", osu.recognises, osu.rows),
    FiguresImporter("IMB of no pair", imb.recognises, imb.rows),
)
AnyImporter = Importer | PairsImporter | FiguresImporter
Kind = TypeVar("Kind", PairsImporter, FiguresImporter)
Read = TypeVar("Read")


def importer_of(printed: Printed, kind: type[AnyImporter] | None = None) -> AnyImporter:
    """Return what reads a text. Raises ResultError when nothing does.

    What both read is a log of a pair where it names one, else of a run; `kind` says another.
    """
    # the plain tables are the longest
    every: list[AnyImporter] = [PAIRS_CSV, FIGURES_CSV, *IMPORTERS]
    for importer in every:
        if importer.recognises(printed.text):
            return importer
    kind = kind or (PairsImporter if names_pair(printed) else FiguresImporter)
    logs: list[AnyImporter] = [*LOGS_OF_PAIRS, *LOGS_OF_RUNS]
    logs.sort(key=lambda one: not isinstance(one, kind))
    for importer in logs:
        if importer.recognises(printed.text):
            return importer
    known = "; ".join(importer.description for importer in [*every, *logs])
    raise printed.problem(f"is not an output that can be imported (known: {known})")


def printed_file(path: Path, definition: str | None = None) -> Printed:
    """Read a file that may be imported. Raises ResultError."""
    return Printed(str(path), path.name, read_text(path), definition)


def import_file(path: Path, definition: str | None = None) -> list[Document]:
    """Return the results that a print of the original programs holds. Raises ResultError."""
    printed = printed_file(path, definition)
    importer = importer_of(printed)
    if not isinstance(importer, Importer):
        raise printed.problem("is of another kind than the others")
    return [check_document(str(path), fields) for fields in importer.read(printed)]


def _read_each(
    paths: Sequence[Path], kind: type[Kind], read: Callable[[Kind, Printed], Read]
) -> tuple[list[tuple[Printed, Kind, Read]], list[ResultError]]:
    """Return what is read of files of a kind, and what is wrong with those left out.

    Raises ResultError where none is left.
    """
    found, problems = [], []
    for path in paths:
        try:
            printed = printed_file(path)
            importer = importer_of(printed, kind)
            if not isinstance(importer, kind):
                raise printed.problem("is of another kind than the others")
            found.append((printed, importer, read(importer, printed)))
        except ResultError as problem:
            problems.append(problem)
    if not found:
        raise problems[0]
    return found, problems


def _readings(importer: PairsImporter, printed: Printed) -> Readings:
    """Read a text; what no measurement can be is a ResultError."""
    found = Readings()
    try:
        importer.read(printed, found)
    except ValueError as problem:
        raise printed.problem(f"holds {problem}") from None
    return found


def import_pairs(paths: Sequence[Path], date: str | None) -> tuple[Document, list[ResultError]]:
    """Return the map that logs of one program make, and what is wrong with those left out.

    `date` says when it was measured, where they do not. Raises ResultError where none is left, and
    where they are of several programs.
    """
    read, problems = _read_each(paths, PairsImporter, _readings)
    first, importer, found = read[0]
    for printed, other, more in read[1:]:
        if other is not importer:
            raise printed.problem(
                f"is of {other.program}, {first.name} of {importer.program}: one map is of one"
            )
        found.take(more)
    found.when = found.when or date
    whole = Printed(first.source, _names([one for one, *_ in read]), "")
    fields = document_of(whole, importer.program, importer.description, found, importer.unknown)
    return check_document(first.source, fields), problems


def import_figures(
    paths: Sequence[Path], date: str | None
) -> tuple[str, list[Series], list[ResultError]]:
    """Return of what series are, the series of all files, and what is wrong with those left out.

    `date` says when figures were measured where they do not, else the time the file was written.
    Raises ResultError where none is left.
    """

    def series(importer: FiguresImporter, printed: Printed) -> list[Series]:
        written = gmtime(Path(printed.source).stat().st_mtime)
        else_at = date or strftime("%Y-%m-%dT%H:%M:%SZ", written)
        return series_of(printed, importer.rows(printed), else_at)

    read, problems = _read_each(paths, FiguresImporter, series)
    whole = merged(one for *_, of_file in read for one in of_file)
    return _names([one for one, *_ in read]), whole, problems


def _names(read: Sequence[Printed]) -> str:
    return read[0].name if len(read) == 1 else f"{len(read)} files, {read[0].name} first"
