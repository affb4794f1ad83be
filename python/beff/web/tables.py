"""Records of the API and of comma-separated files; field names carry their units."""
# ruff: noqa: N815 - figures have the names and units of the result file

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict, create_model

from beff.store.standings import Standing
from beff.store.system_figures import DEFAULT_WEIGHTS, FIELDS, FIGURES
from beff.store.tables import Entry
from beff.web.listing import Row


class Record(BaseModel):
    """A record that is made of the attributes of another object."""

    model_config = ConfigDict(from_attributes=True)


class CriterionRecord(Record):
    """A figure that can have a weight."""

    key: str
    label: str
    unit: str
    less_is_better: bool
    explanation: str


class _ListedSystem(BaseModel):
    """A row of the list but for its figures."""

    id: int
    name: str
    site: str | None
    year: int | None
    interconnect: str | None
    nodes: int | None
    cores: int | None
    processes: int
    runs: int
    historic: bool
    rank: int | None
    rank_best: int | None
    rank_worst: int | None
    score: float | None
    missing: str


_made_fields: dict[str, Any] = dict.fromkeys(FIELDS, (float | None, ...))
_Figures: Any = create_model("_Figures", **_made_fields)


class RankedSystem(_Figures, _ListedSystem):  # type: ignore[misc]
    """A row of the list. `score` is 1 for a system that is best in everything with a weight.

    `rank_best` to `rank_worst` is how sure the rank is. A system without a figure that has a weight
    has no rank; `missing` names the criteria.
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
            **dict(figures),
        }
    )


class HardwareRecord(Record):
    """A system and its hardware; null is unknown."""

    id: int
    name: str
    site: str | None
    year: int | None
    nodes: int | None
    cpus: str | None
    cores: int | None
    accelerators: str | None
    memory_bytes: int | None
    interconnect: str | None
    file_system: str | None
    rmax_gflops: float | None
    power_kW: float | None
    price_range: str | None
    note: str | None


class ResultRecord(Record):
    """An entry of the store without its file."""

    id: int
    system_id: int
    benchmark: str
    definition: str | None
    status: str
    not_met: str | None
    cautions: int
    sha256: str | None
    source: str | None
    measured_at: datetime | None
    year: int | None
    added_at: datetime
    processes: int
    nodes: int | None
    memory_per_process_bytes: int | None
    mpi: str | None
    omp_num_threads: str | None
    cores_per_process: int | None
    filesystem_note: str | None
    b_eff_MBps: float | None
    b_eff_per_process_MBps: float | None
    rings_MBps: float | None
    random_MBps: float | None
    lmax_bytes: int | None
    at_lmax_MBps: float | None
    at_lmax_per_process_MBps: float | None
    rings_at_lmax_per_process_MBps: float | None
    latency_us: float | None
    pingpong_latency_us: float | None
    pingpong_MBps: float | None
    total_memory_exchange_s: float | None
    rmax_gflops: float | None
    balance_bytes_per_flop: float | None
    io_value_MBps: float | None
    io_value_1_MBps: float | None
    io_write_MBps: float | None
    io_rewrite_MBps: float | None
    io_read_MBps: float | None
    io_time_s: float | None
    total_memory_write_min: float | None


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
    return ResultRecord.model_validate(entry)


_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def _cell(value: object) -> object:
    """Keep a spreadsheet from running a text that somebody submitted as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value


def csv_text(records: Iterable[BaseModel], fields: Sequence[str]) -> str:
    """Return records as comma-separated values with a line of names."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(fields)
    for record in records:
        values = record.model_dump(mode="json")
        writer.writerow([_cell(values[field]) for field in fields])
    return file.getvalue()


class CsvResponse(PlainTextResponse):
    """An answer of comma-separated values."""

    media_type = "text/csv"
