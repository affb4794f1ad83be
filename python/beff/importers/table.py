"""The importers: a new one is a file and a row here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beff.importers import (
    b_eff_io_sum,
    b_eff_last_line,
    clusterkit,
    figures_csv,
    imb,
    iperf3,
    mpigraph,
    nccl_tests,
    osu,
    pairs_csv,
    perftest,
)
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


PAIRS_IMPORTERS = (
    PairsImporter(
        "pairs.csv",
        "pairs.csv, with columns from, to, bytes and seconds or MBps",
        pairs_csv.recognises,
        pairs_csv.read,
        ("with what it was measured",),
    ),
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
    PairsImporter("OSU", "osu_latency, osu_bw, osu_bibw, osu_mbw_mr", osu.recognises, osu.read),
    PairsImporter("IMB", "PingPong of IMB", imb.recognises, imb.read),
    PairsImporter(
        "perftest", "ib_write_bw and others of perftest", perftest.recognises, perftest.read
    ),
    PairsImporter("iperf3", "iperf3 -J", iperf3.recognises, iperf3.read),
)


@dataclass(frozen=True)
class FiguresImporter:
    """A format of figures over time: `read` returns their series, which are no result."""

    description: str
    recognises: Callable[[str], bool]
    read: Callable[[Printed], list[dict[str, Any]]]


FIGURES_CSV = FiguresImporter(
    "figures.csv, with columns figure, value, unit and when",
    figures_csv.recognises,
    figures_csv.read,
)
AnyImporter = Importer | PairsImporter | FiguresImporter


def importer_of(printed: Printed) -> AnyImporter:
    """Return what reads a text. Raises ResultError when nothing does."""
    # the plain tables are the longest
    every: list[AnyImporter] = [PAIRS_IMPORTERS[0], FIGURES_CSV, *IMPORTERS, *PAIRS_IMPORTERS[1:]]
    for importer in every:
        if importer.recognises(printed.text):
            return importer
    known = "; ".join(importer.description for importer in every)
    raise printed.problem(f"is not an output that can be imported (known: {known})")


def printed_file(path: Path, definition: str | None = None) -> Printed:
    """Read a file that may be imported. Raises ResultError."""
    return Printed(str(path), path.name, read_text(path), definition)


def import_file(path: Path, definition: str | None = None) -> list[Document]:
    """Return the results that a file holds. Raises ResultError when no importer knows it."""
    printed = printed_file(path, definition)
    importer = importer_of(printed)
    if isinstance(importer, FiguresImporter):
        raise printed.problem("holds figures of no result; import it by itself")
    if isinstance(importer, PairsImporter):
        document, _ = import_pairs([path], None)
        return [document]
    return [check_document(str(path), fields) for fields in importer.read(printed)]


def _read(importer: PairsImporter, printed: Printed, found: Readings) -> None:
    """Take a text over; what no measurement can be is a ResultError."""
    try:
        importer.read(printed, found)
    except ValueError as problem:
        raise printed.problem(f"holds {problem}") from None


def import_pairs(paths: Sequence[Path], date: str | None) -> tuple[Document, list[ResultError]]:
    """Return the map that logs of one program make, and what is wrong with those left out.

    `date` says when it was measured, where they do not. Raises ResultError where none is left, and
    where they are of several programs.
    """
    found, problems = Readings(), list[ResultError]()
    used: list[Printed] = []
    importer: PairsImporter | None = None
    for path in paths:
        own = Readings()
        try:
            printed = printed_file(path)
            other = importer_of(printed)
            if not isinstance(other, PairsImporter):
                raise printed.problem("is no measurement of pairs, as the others are")
            _read(other, printed, own)
        except ResultError as problem:
            problems.append(problem)
            continue
        if importer is not None and other is not importer:
            raise printed.problem(
                f"is of {other.program}, {used[0].name} of {importer.program}: one map is of one"
            )
        importer = other
        used.append(printed)
        found.take(own)
    if importer is None:
        raise problems[0]
    found.when = found.when or date
    name = used[0].name if len(used) == 1 else f"{len(used)} files, {used[0].name} first"
    whole = Printed(used[0].source, name, "")
    fields = document_of(whole, importer.program, importer.description, found, importer.unknown)
    return check_document(used[0].source, fields), problems
