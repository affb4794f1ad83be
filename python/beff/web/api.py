"""The API: /api/v1, JSON or comma-separated values, one shape of errors, pages."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request, Response
from pydantic import BaseModel
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from beff.store.editions import edition_standings
from beff.store.reading import file_content
from beff.store.standings import Standing
from beff.store.tables import Entry, System
from beff.web.errors import ErrorAnswer
from beff.web.query import Filters, ListQuery, Page
from beff.web.tables import (
    CsvResponse,
    HardwareRecord,
    RankedSystem,
    ResultPage,
    ResultRecord,
    Standings,
    SystemPage,
    all_standings,
    csv_text,
    ranked_system,
    result_record,
)

ERRORS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ErrorAnswer, "description": "What is asked for is not there, or is refused"},
    "5XX": {"model": ErrorAnswer, "description": "The server cannot answer now"},
}
_CSV: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/csv": {"schema": {"type": "string"}}}, "description": "The page"}
}
router = APIRouter(prefix="/api/v1", tags=["list"], responses=ERRORS)

Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


class _Formatted(BaseModel):
    """An answer of either form."""

    format: Literal["json", "csv"] = "json"


class _SystemsQuery(ListQuery, _Formatted):
    """The ranking as an address of the API asks for it."""


class _ResultsQuery(Page, _Formatted):
    """Results as an address of the API asks for them."""


def read_session(request: Request) -> Iterator[Session]:
    """Give a session that changes nothing."""
    with request.app.state.store.read() as session:
        yield session


ReadSession = Annotated[Session, Depends(read_session)]


@router.get("/systems", responses=_CSV)
def systems(request: Request, query: Annotated[_SystemsQuery, Query()]) -> SystemPage:
    """Return a page of the personal ranking."""
    listing = request.app.state.source.listing(query)
    records = [ranked_system(row) for row in query.part(listing.rows)]
    if query.format == "csv":
        return CsvResponse(csv_text(records, list(RankedSystem.model_fields)))  # type: ignore[return-value]
    return SystemPage(
        page=query.page,
        per_page=query.per_page,
        total=len(listing.rows),
        ranked=listing.ranked,
        weights=query.weights,
        systems=records,
    )


@router.get("/standings")
def standings(request: Request, filters: Annotated[Filters, Query()]) -> Standings:
    """Return the figures of all systems, for ranking them elsewhere."""
    _, kept = request.app.state.source.filtered(filters)
    return all_standings(kept)


def published_system(session: Session, number: int) -> System:
    """Return a system with a published entry. Raises 404 for any other."""
    system = session.get(System, number)
    shown = select(Entry.id).where(Entry.system_id == number, Entry.published).limit(1)
    if system is None or session.scalar(shown) is None:
        raise HTTPException(404, f"there is no system {number} in the list")
    return system


def published_entry(session: Session, number: int) -> Entry:
    """Return a published entry. Raises 404 for any other."""
    entry = session.get(Entry, number)
    if entry is None or not entry.published:
        raise HTTPException(404, f"there is no result {number} in the list")
    return entry


def edition(session: Session, name: str) -> list[Standing]:
    """Return the standings of an edition. Raises 404 where there is none of that name."""
    found = edition_standings(session, name)
    if found is None:
        raise HTTPException(404, f"there is no edition {name} of the list")
    return found


@router.get("/editions/{name}")
def edition_data(
    session: ReadSession, name: Annotated[str, Path(pattern="^[0-9]{4}-[0-9]{2}$")]
) -> Standings:
    """Return the figures of all systems as an edition keeps them."""
    return all_standings(edition(session, name))


@router.get("/systems/{number}")
def system(session: ReadSession, number: Number) -> HardwareRecord:
    """Return a system and its hardware."""
    record: HardwareRecord = HardwareRecord.model_validate(published_system(session, number))
    return record


@router.get("/systems/{number}/results", responses=_CSV)
def results_of_system(
    session: ReadSession, number: Number, page: Annotated[_ResultsQuery, Query()]
) -> ResultPage:
    """Return the published results of a system, the newest first."""
    published_system(session, number)
    return _results(session, page, Entry.system_id == number)


@router.get("/results", responses=_CSV)
def results(session: ReadSession, page: Annotated[_ResultsQuery, Query()]) -> ResultPage:
    """Return all published results, the newest first."""
    return _results(session, page)


def _results(session: Session, page: _ResultsQuery, *conditions: Any) -> ResultPage:
    where = (Entry.published, *conditions)
    total = session.scalar(select(func.count(Entry.id)).where(*where)) or 0
    found = session.scalars(
        select(Entry)
        .where(*where)
        .order_by(Entry.id.desc())
        .offset((page.page - 1) * page.per_page)
        .limit(page.per_page)
    )
    records = [result_record(entry) for entry in found]
    if page.format == "csv":
        return CsvResponse(csv_text(records, list(ResultRecord.model_fields)))  # type: ignore[return-value]
    return ResultPage(page=page.page, per_page=page.per_page, total=total, results=records)


@router.get("/results/{number}")
def result(session: ReadSession, number: Number) -> ResultRecord:
    """Return what is stored about a result."""
    return result_record(published_entry(session, number))


@router.get(
    "/results/{number}/file",
    response_class=Response,
    responses={
        200: {
            "content": {"application/json": {"schema": {"type": "object"}}},
            "description": "The file as it was submitted, byte for byte",
        }
    },
)
def result_file(session: ReadSession, number: Number) -> Response:
    """Return a result file."""
    entry = published_entry(session, number)
    if entry.file is None:
        raise HTTPException(404, f"result {number} is a published figure without a file")
    name = f"{entry.benchmark}_{entry.processes}p_{entry.id}.json"
    return Response(
        file_content(entry.file),
        media_type="application/json",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
        },
    )
