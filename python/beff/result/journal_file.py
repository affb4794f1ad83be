"""The journal of a run: one JSON object per line, appended after every timed loop.

Every line keeps the models of a result: the first is one without samples, the others are rows of
its tables.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from pydantic import Field, ValidationError, create_model

from beff.result.b_eff_io_result import FileSystem, PartitionNotes
from beff.result.b_eff_io_samples import Samples as IoSamples
from beff.result.b_eff_io_samples import Types
from beff.result.b_eff_result import Samples
from beff.result.b_pairs_result import (
    MeasuredNanoseconds,
    PairsAlone,
    PerHostTimes,
    Retests,
    Roofs,
    Times,
    TrafficName,
)
from beff.result.bounds import Count, Figure, Index, Name, Positive, PositiveNumber, Text
from beff.result.contract import first_violation
from beff.result.errors import ResultError
from beff.result.journal import parse_header
from beff.result.load import check_document
from beff.result.plain_text import cleaned
from beff.result.record import Columns, Record
from beff.result.result_parts import MeasuredHead
from beff.result.strict_json import parse_json, read_text

Row = dict[str, Any]

DERIVED = ("ideal_s", "bandwidth_MBps")
"""Columns that a journal leaves out."""


def _row_of(columns: type[Columns]) -> type[Record]:
    """Return the model of a line that is a row of a table."""
    cells: Any = {
        name: (get_args(field.annotation)[0], ...)
        for name, field in columns.model_fields.items()
        if name not in DERIVED
    }
    made: type[Record] = create_model(f"RowOf{columns.__name__}", __base__=Record, **cells)
    return made


class _Value(Record):
    """The value of b_eff after a repetition."""

    repetitions: Count
    b_eff_MBps: Figure  # noqa: N815 - the field of the result


class _End(Record):
    """How a run ended."""

    end: Name


class _Round(Record):
    """The times of a round of b_pairs."""

    pass_: Index = Field(alias="pass")
    round: Index
    small_ns: Times
    large_ns: Times


class _Notes(PartitionNotes):
    """What was found out of a partition."""

    partition: Index


class _Step(Record):
    """A step of halves, the one that was measured at this place."""

    halves: Index
    place: Index
    sum_MBps: PositiveNumber  # noqa: N815 - the field of the result
    slowest_ns: MeasuredNanoseconds
    mean_ns: MeasuredNanoseconds
    first: Index
    second: Index


class _Trial(Record):
    """By what messages are tried next, before anything is measured."""

    messages: Name


class _NotMeasured(Record):
    """A method by which they do not get through."""

    method: Name
    why: Text


class _Fill(Record):
    """What pairs of hosts reached by so many processes of each."""

    processes: Positive
    traffic: TrafficName
    alone: bool
    ns: PerHostTimes


_ROWS: dict[str, dict[str, type[Record]]] = {
    "b_eff": {
        "trial": _Trial,
        "not_measured": _NotMeasured,
        "sample": _row_of(Samples),
        "notes": _Value,
    },
    "b_eff_io": {"sample": _row_of(IoSamples), "type": _row_of(Types), "notes": _Notes},
    "b_pairs": {
        "trial": _Trial,
        "round": _Round,
        "retest": _row_of(Retests),
        "roofs": Roofs,
        "alone": _row_of(PairsAlone),
        "step": _Step,
        "fill": _Fill,
    },
}
"""Benchmark → what a line may hold → its model."""


@dataclass(frozen=True)
class Journal:
    """A whole journal.

    `header` is a result without samples, in which `loops` were planned; `paths` are the folders of
    files that it names.
    `rows` are what the lines hold, by kind and in their order: what is tried (`trial`) and of it
    what is `not_measured`, samples, the files that b_eff_io
    closed (`type`), what was found out of a partition (`notes`); of b_pairs `round`, `retest`,
    `roofs`, pairs `alone`, each `step` of a bisection and each number of processes (`fill`).
    `end` is what the run wrote when it ended normally, None for a run that was killed; `cut_line`
    says that the last line was only partly written.
    """

    benchmark: str
    loops: int
    header: dict[str, Any]
    paths: list[str]
    rows: dict[str, list[Row]]
    end: str | None
    cut_line: bool


def read_journal(path: Path) -> Journal:
    """Read a journal; a last line that was cut in the middle is left out and noted.

    Raises ResultError, with line and field, when the file is no journal or is damaged elsewhere.
    """
    text = read_text(path)
    first, _, rest = text.partition("\n")
    try:
        header = parse_header(first)
    except ValueError:
        raise ResultError("is not the journal of a benchmark run", path) from None
    if header.benchmark not in _ROWS:
        raise ResultError(
            f"journals of {header.benchmark} are not supported by this version of beff",
            path,
        )
    place = f"{path}: line 1"
    document = check_document(place, header.result)
    if not isinstance(document.result, MeasuredHead) or document.benchmark != header.benchmark:
        raise ResultError(f"holds no result of {header.benchmark}", place)
    paths = _paths(place, document.fields["environment"])
    rows: dict[str, list[Row]] = {kind: [] for kind in _ROWS[header.benchmark]}
    end: str | None = None
    lines = rest.split("\n")
    unfinished = lines.pop()
    for number, line in enumerate(lines, start=2):
        place = f"{path}: line {number}"
        entry = _entry(place, line)
        if end is not None:
            raise ResultError(f"{place} stands behind the end of the run")
        if "end" in entry:
            end = str(_row(place, _End, entry)["end"])
        found = rows.keys() & entry.keys()
        if not found and "end" not in entry:
            raise ResultError(f"{place} is neither a sample nor the end of the run")
        for kind in found:
            rows[kind].append(_row(place, _ROWS[header.benchmark][kind], entry[kind], kind))
    return Journal(
        header.benchmark,
        header.loops,
        document.fields,
        paths,
        rows,
        end,
        unfinished != "",
    )


def _paths(place: str, environment: Row) -> list[str]:
    """Return the folders of files; only b_eff_io has such, but what names them has to be sound."""
    name = "filesystem"
    if name not in environment:
        return []
    paths: list[str] = _row(place, FileSystem, environment[name], "environment", name)["paths"]
    return paths


def _entry(place: str, line: str) -> Row:
    try:
        entry = cleaned(parse_json(line))
    except (ValueError, RecursionError):
        raise ResultError(f"{place} is damaged") from None
    return entry if isinstance(entry, dict) else {}


def _row(place: str, model: type[Record], found: Any, *within: str) -> Row:
    """Return the fields that the model knows. Raises ResultError naming the one that is wrong."""
    try:
        model.model_validate(found)
    except ValidationError as problem:
        raise ResultError(first_violation(problem, *within), place) from None
    names = (field.alias or name for name, field in model.model_fields.items())
    return {name: found[name] for name in names if name in found}
