"""The pages: list, system, comparison, explanation. What stands on them comes from `listing`."""

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy import select
from sqlalchemy.orm import Session

from beff.analysis.ranking import LARGEST_WEIGHT, WEIGHT_CHANGE
from beff.store.reading import file_content
from beff.store.system_figures import FIGURES
from beff.store.tables import Entry, System
from beff.store.trend import trends
from beff.web.api import Number, ReadSession, published_entry, published_system
from beff.web.comparison import MOST_COMPARED, comparison
from beff.web.listing import Listing
from beff.web.pages import render
from beff.web.query import Filters, ListQuery
from beff.web.reports import Report
from beff.web.trend_chart import trend_chart

router = APIRouter(include_in_schema=False)
_MOST_RUNS = 500
RANKING: dict[str, Any] = {
    "figures": FIGURES,
    "largest_weight": LARGEST_WEIGHT,
    "weight_change": WEIGHT_CHANGE,
}
"""What the templates of the list and of the explanation need."""


@router.get("/")
def list_page(request: Request, query: Annotated[ListQuery, Query()]) -> HTMLResponse:
    """Show the list."""
    listing = request.app.state.source.listing(query)
    return render(request, "list.html", **list_values(listing, query))


def list_values(listing: Listing, query: ListQuery) -> dict[str, Any]:
    """Return what the template of the list needs."""
    last = max(1, -(-len(listing.rows) // query.per_page))
    return RANKING | {
        "query": query,
        "listing": listing,
        "rows": query.part(listing.rows),
        "last_page": last,
        "most_compared": MOST_COMPARED,
        "filters": query.model_dump_json(include=set(Filters.model_fields), exclude_defaults=True),
    }


@router.get("/systems/{number}")
def system_page(request: Request, session: ReadSession, number: Number) -> HTMLResponse:
    """Show a system: hardware, runs and their history."""
    return render(request, "system.html", **system_values(session, number))


def system_values(session: Session, number: int) -> dict[str, Any]:
    """Return what the template of a system needs."""
    system: System = published_system(session, number)
    entries = session.scalars(
        select(Entry)
        .where(Entry.system_id == number, Entry.published)
        .order_by(Entry.measured_at.desc(), Entry.processes.desc(), Entry.id)
        .limit(_MOST_RUNS)
    ).all()
    series = [
        (found, trend_chart(found))
        for found in trends(session, system.name, published_only=True)
        if len(found.entries) > 1
    ]
    return {"system": system, "entries": entries, "series": series, "most_runs": _MOST_RUNS}


@router.get("/results/{number}/report")
def report_page(request: Request, session: ReadSession, number: Number) -> HTMLResponse:
    """Show the full report of a result."""
    entry = published_entry(session, number)
    if entry.file is None:
        raise HTTPException(404, f"result {number} is a published figure without a file")
    file = entry.file
    report: Report | None = request.app.state.reports.report(
        f"result_{number}", lambda: file_content(file)
    )
    if report is None:
        page = render(request, "drawing.html", system=entry.system)
        page.status_code = 202
        page.headers["Refresh"] = "3"
        return page
    return HTMLResponse(report.text, headers={"Content-Security-Policy": report.policy})


@router.get("/compare")
def compare_page(
    request: Request,
    session: ReadSession,
    s: Annotated[list[int] | None, Query(max_length=MOST_COMPARED)] = None,
) -> HTMLResponse:
    """Show systems beside each other."""
    wanted = list(dict.fromkeys(s or []))
    _, standings = request.app.state.source.standings()
    known = {standing.id: standing for standing in standings}
    unknown = [number for number in wanted if number not in known]
    if unknown:
        raise HTTPException(404, f"there is no system {unknown[0]} in the list")
    chosen = [known[number] for number in wanted]
    hardware = {
        system.id: system for system in session.scalars(select(System).where(System.id.in_(wanted)))
    }
    return render(
        request,
        "compare.html",
        standings=chosen,
        hardware=[hardware[number] for number in wanted],
        comparison=comparison(chosen),
        most_compared=MOST_COMPARED,
    )


@router.get("/about")
def about_page(request: Request) -> HTMLResponse:
    """Explain the ranking."""
    return render(request, "about.html", **RANKING)
