"""Records of the API and of comma-separated files; field names carry their units."""

import csv
import io
from collections.abc import Collection, Iterable, Sequence
from typing import Any, get_type_hints

from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict, create_model

from beff.model.plain_text import csv_cell
from beff.store.standings import Standing
from beff.store.system_figures import DEFAULT_WEIGHTS, FIELDS, FIGURES
from beff.store.tables import INTERNAL, Entry, System, Table
from beff.web.listing import Row


class Record(BaseModel):
    """A record that is made of the attributes of another object."""

    model_config = ConfigDict(from_attributes=True)


class CriterionRecord(Record):
    """A figure that can have a weight; times `shown_factor` it is one of `shown_unit`."""

    key: str
    label: str
    unit: str
    heading: str
    shown_unit: str
    shown_factor: float
    less_is_better: bool
    explanation: str


def _record(name: str, types: dict[str, Any]) -> type[Record]:
    """Make a record with fields of these types."""
    made: dict[str, Any] = {field: (kind, ...) for field, kind in types.items()}
    return create_model(name, __base__=Record, **made)


def _columns(table: type[Table], without: Collection[str] = ()) -> dict[str, Any]:
    """Return the columns of a table of the store with their types."""
    types = {}
    for attribute in table.__mapper__.column_attrs:
        column = attribute.columns[0]
        kind = column.type.python_type
        types[attribute.key] = kind | None if column.nullable else kind
    return {name: kind for name, kind in types.items() if name not in without}


_LISTED = ("id", "name", "site", "year", "interconnect", "nodes", "cores", "processes", "share")
_Listed: Any = _record(
    "_Listed", {name: get_type_hints(Standing)[name] for name in (*_LISTED, "runs", "historic")}
)


class _Placed(BaseModel):
    """What the ranking says of a row of the list."""

    rank: int | None
    rank_best: int | None
    rank_worst: int | None
    score: float | None
    missing: str
    impossible: str


_Figures: Any = _record("_Figures", dict.fromkeys(FIELDS, float | None))


class RankedSystem(_Figures, _Placed, _Listed):  # type: ignore[misc]
    """A row of the list. `score` is 1 for a system that is best in everything with a weight.

    `rank_best` to `rank_worst` is how sure the rank is. A system without a figure that has a weight
    has no rank; `missing` names the criteria. `impossible` names those whose figure no machine has.
    """


def ranked_system(row: Row) -> RankedSystem:
    """Return a row of the list as a record."""
    place = row.rank
    figures = zip((figure.field for figure in FIGURES), row.standing.figures, strict=True)
    return RankedSystem.model_validate(
        {
            **vars(row.standing),
            "rank": place.rank if place else None,
            "rank_best": place.best if place else None,
            "rank_worst": place.worst if place else None,
            "score": place.score if place else None,
            "missing": ", ".join(row.missing),
            "impossible": ", ".join(row.standing.impossible),
            **dict(figures),
        }
    )


_Hardware: Any = _record("_Hardware", _columns(System, without=INTERNAL))
_Result: Any = _record("_Result", _columns(Entry, without=INTERNAL))


class HardwareRecord(_Hardware):  # type: ignore[misc]
    """A system and its hardware; null is unknown."""


class ResultRecord(_Result):  # type: ignore[misc]
    """An entry of the store without its file."""


class SystemPage(BaseModel):
    """A page of the ranking; `ranked` of `total` systems have a rank."""

    page: int
    per_page: int
    total: int
    ranked: int
    weights: dict[str, float]
    systems: list[RankedSystem]


class ResultPage(BaseModel):
    """A page of results."""

    page: int
    per_page: int
    total: int
    results: list[ResultRecord]


class Standings(BaseModel):
    """All systems of a ranking at once, for a reader that ranks by itself."""

    criteria: list[CriterionRecord]
    default_weights: dict[str, float]
    systems: list[Standing]


def all_standings(systems: list[Standing]) -> Standings:
    """Return systems with what the ranking needs to know of their figures."""
    return Standings(
        criteria=[CriterionRecord.model_validate(figure) for figure in FIGURES],
        default_weights=DEFAULT_WEIGHTS,
        systems=systems,
    )


def result_record(entry: Entry) -> ResultRecord:
    """Return an entry as a record."""
    record: ResultRecord = ResultRecord.model_validate(entry)
    return record


def csv_text(records: Iterable[BaseModel], fields: Sequence[str]) -> str:
    """Return records as comma-separated values with a line of names."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(fields)
    for record in records:
        values = record.model_dump(mode="json")
        writer.writerow([csv_cell(values[field]) for field in fields])
    return file.getvalue()


class CsvResponse(PlainTextResponse):
    """An answer of comma-separated values."""

    media_type = "text/csv"
