"""One line about each of many results: what a table of them shows.

What is said of a file is kept by its place, size and time of change, so that it is opened once.
"""
# ruff: noqa: N815 - figures have the names and units of the result file

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from datetime import timezone
from pathlib import Path

from pydantic.dataclasses import dataclass

from beff.judge.conditions import memory_of
from beff.result.errors import ResultError
from beff.result.load import Document, ForeignFileError
from beff.result.result_files import Loaded
from beff.store.index import Index, state_of
from beff.store.side_by_side import Lost, side_by_side
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

    Figures are those that the results state. `loaded` is called with how many were read of those
    that must be.
    """
    index = Index()
    states = {str(file): state for file in files if (state := state_of(_place(file))) is not None}
    places = {one: str(_place(Path(one))) for one in states}
    known = index.lines({places[one]: state for one, state in states.items()})
    said = {str(file): _sound(known.get(places.get(str(file), ""))) for file in files}
    unknown = [file for file in files if said[str(file)] is None]
    read = zip(unknown, side_by_side(_text_of, unknown), strict=True)
    for done, (file, text) in enumerate(read, start=1):
        said[str(file)] = None if isinstance(text, Lost) else text
        if loaded is not None:
            loaded(done, len(unknown))
    index.keep_lines(
        (places[one], states[one], found)
        for file in unknown
        if (one := str(file)) in states and (found := said[one]) is not None
    )
    told = [_told(path, text) for path, text in said.items() if text is not None]
    lines = sorted((one for one in told if isinstance(one, Line)), key=lambda line: line.path)
    lines.sort(key=lambda line: line.started_at or "", reverse=True)
    return Overview(tuple(lines), tuple(one for one in told if isinstance(one, str)))


def _place(file: Path) -> Path:
    return Path(os.path.realpath(file))


def _text_of(file: Path) -> str:
    """Return what is kept of a file: a line without its path, a problem, or nothing at all."""
    try:
        line = _line_of(load_sound_document(file))
    except ForeignFileError:
        return "{}"
    except ResultError as problem:
        return json.dumps({"problem": problem.reason})
    return json.dumps({name: value for name, value in asdict(line).items() if name != "path"})


def _sound(text: str | None) -> str | None:
    """Return what the index has kept of a file; None where that is damaged."""
    try:
        if text is not None:
            _told("", text)
    except (RecursionError, TypeError, ValueError):
        return None
    return text


def _told(path: str, text: str) -> Line | str | None:
    """Return the line of a file, or why it has none; None for what is no result.

    Raises RecursionError, TypeError and ValueError for a text that nobody here has written.
    """
    fields = json.loads(text)
    if not isinstance(fields, dict):
        raise TypeError(text)
    if "problem" in fields:
        return f"{path}: {fields['problem']}"
    return Line(path, **fields) if fields else None


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
