"""One line about each of many results: what a table of them shows."""
# ruff: noqa: N815 - figures have the names and units of the result file

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timezone
from pathlib import Path

from beff.judge.conditions import memory_of
from beff.result.errors import ResultError
from beff.result.load import Document, ForeignFileError
from beff.result.result_files import Loaded
from beff.store.side_by_side import many_at_once
from beff.verify.analysis import Steadiness, analysis_of
from beff.verify.common.summary_figures import main_value, value_processes
from beff.verify.subject import load_sound_document


@dataclass(frozen=True)
class Line:
    """What is said of a result; None where it does not say.

    `started_at` is the time in UTC as the result has it, by which such texts sort. `steadiness` is
    `quiet` or `noisy` where a run repeats what it measures.
    """

    path: str
    benchmark: str
    started_at: str | None
    value_MBps: float | None
    processes: int
    nodes: int | None
    complete: bool
    valid: bool
    simulated: bool
    buffers: str | None
    imported: bool
    steadiness: str | None


@dataclass(frozen=True)
class Overview:
    """The lines of results, newest first, and why files that should be results have none."""

    lines: tuple[Line, ...]
    problems: tuple[str, ...]


def overview(files: Sequence[Path], loaded: Loaded | None = None) -> Overview:
    """Say of each file what it is; JSON that is no result is left out.

    Figures are those that the results state. `loaded` is called with how many were read.
    """
    lines: list[Line] = []
    problems: list[str] = []
    for done, told in enumerate(many_at_once(_told, files), start=1):
        if isinstance(told, Line):
            lines.append(told)
        elif told is not None:
            problems.append(str(told))
        if loaded is not None:
            loaded(done, len(files))
    lines.sort(key=lambda line: line.path)
    lines.sort(key=lambda line: line.started_at or "", reverse=True)
    return Overview(tuple(lines), tuple(problems))


def _told(file: Path) -> Line | ResultError | None:
    """Return the line of a file, or why it has none; None for what is no result."""
    try:
        return _line_of(load_sound_document(file))
    except ForeignFileError:
        return None
    except ResultError as problem:
        return problem


def _line_of(document: Document) -> Line:
    result = document.result
    environment = result.environment
    started_at, steadiness = None, Steadiness.UNKNOWN
    if not document.is_imported:
        started_at = f"{document.started_at.astimezone(timezone.utc):%Y-%m-%d %H:%M:%S}"
        steadiness = analysis_of(document).steadiness
    return Line(
        path=document.source,
        benchmark=document.benchmark,
        started_at=started_at,
        value_MBps=main_value(result),
        processes=value_processes(result),
        nodes=getattr(environment, "nodes", None),
        complete=result.complete,
        valid=result.valid,
        simulated=getattr(environment, "simulated", False),
        buffers=None if memory_of(result) == "host" else memory_of(result),
        imported=document.is_imported,
        steadiness=None if steadiness == Steadiness.UNKNOWN else steadiness.value,
    )
