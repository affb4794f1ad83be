"""The pages: list, system, comparison, explanation. What stands on them comes from `listing`."""

import re
from html import escape
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlalchemy import select
from sqlalchemy.orm import Session

from beff.analysis.ranking import LARGEST_WEIGHT, WEIGHT_CHANGE
from beff.store.editions import edition_names
from beff.store.reading import file_content
from beff.store.signers import signer_words
from beff.store.standings import Standing, Used
from beff.store.system_figures import FIGURES, used_share
from beff.store.tables import Edition, Entry, System
from beff.store.trend import trends
from beff.web.api import Number, ReadSession, edition, published_entry, published_system
from beff.web.comparison import MOST_COMPARED, comparison
from beff.web.listing import Listing, listing_of
from beff.web.pages import render
from beff.web.plots import HEIGHT, WIDTH, plots
from beff.web.presets import PRESETS, only_chosen
from beff.web.query import FACETS, Filters, ListQuery
from beff.web.reports import Report
from beff.web.trend_chart import trend_chart

router = APIRouter(include_in_schema=False)
_MOST_RUNS = 500
_PARTS: dict[Used, str] = {"whole": "the whole", "half": "at least half", "any": "any part"}
RANKING: dict[str, Any] = {
    "figures": FIGURES,
    "largest_weight": LARGEST_WEIGHT,
    "weight_change": WEIGHT_CHANGE,
}
"""What the templates of the list and of the explanation need."""


@router.get("/")
def list_page(request: Request, query: Annotated[ListQuery, Query()]) -> HTMLResponse:
    """Show the list."""
    source = request.app.state.source
    listing = source.listing(query)
    with request.app.state.store.read() as session:
        editions = edition_names(session)
    shown = {"facets": _facets(source.standings()[1]), "editions": editions}
    return render(request, "list.html", **(list_values(listing, query) | shown))


def list_values(listing: Listing, query: ListQuery) -> dict[str, Any]:
    """Return what the template of the list needs."""
    last = max(1, -(-len(listing.rows) // query.per_page))
    return RANKING | {
        "presets": PRESETS,
        "own_weights": _own_weights(query),
        "chosen": _chosen_head(query),
        "facet_labels": FACETS,
        "facets": {},
        "edition": None,
        "editions": (),
        "others": (),
        "data": "/api/v1/standings",
        "query": query,
        "listing": listing,
        "rows": query.part(listing.rows),
        "last_page": last,
        "most_compared": MOST_COMPARED,
        "filters": query.model_dump_json(include=set(Filters.model_fields), exclude_defaults=True),
    }


def _chosen_head(query: ListQuery) -> dict[str, str]:
    """Return what stands above the chosen value."""
    only = only_chosen(query)
    if only is None:
        return {"heading": "Score", "unit": "%"}
    return {"heading": only.heading, "unit": only.shown_unit}


def _own_weights(query: ListQuery) -> str:
    """Say the weights of a query; nothing where a preset has them."""
    if any(preset.chosen(query) for preset in PRESETS):
        return ""
    weights = query.weights
    told = [f"{figure.label} {weights[figure.key]:g}" for figure in FIGURES if weights[figure.key]]
    return ", ".join(told) or "none"


def _facets(standings: list[Standing]) -> dict[str, list[str]]:
    """Return the values of each field that the list can be narrowed by."""
    return {
        field: sorted({value for one in standings if (value := getattr(one, field))})
        for field in FACETS
    }


@router.get("/editions/{name}")
def edition_page(
    request: Request, session: ReadSession, name: str, query: Annotated[ListQuery, Query()]
) -> HTMLResponse:
    """Show the list as it was, ranked by any weights."""
    standings = edition(session, name)
    made_at = session.get_one(Edition, name).made_at
    filters = query.model_dump(include=set(Filters.model_fields), exclude_defaults=True)
    if filters:
        raise HTTPException(
            422, f"an edition is kept whole and has no filters; leave out {', '.join(filters)}"
        )
    listing = listing_of(0, standings, query)
    shown = {"edition": name, "made_at": made_at, "data": f"/api/v1/editions/{name}"}
    return render(request, "list.html", **(list_values(listing, query) | shown))


@router.get("/results/{number}")
def result_page(session: ReadSession, number: Number) -> RedirectResponse:
    """Lead to a result on the page of its system."""
    entry = published_entry(session, number)
    return RedirectResponse(f"/systems/{entry.system_id}#r{number}", 303)


@router.get("/plots")
def plots_page(
    request: Request, session: ReadSession, filters: Annotated[Filters, Query()]
) -> HTMLResponse:
    """Draw the results of the systems that pass the filters."""
    _, kept = request.app.state.source.filtered(filters)
    drawn = plots(session, kept, historic=not filters.verified)
    return render(request, "plots.html", plots=drawn, width=WIDTH, height=HEIGHT)


@router.get("/api")
def api_page(request: Request) -> HTMLResponse:
    """Describe the API to people."""
    calls = [
        {
            "method": method.upper(),
            "path": path,
            "text": call.get("description") or call.get("summary", ""),
            "parameters": [
                (part["name"], part.get("description", "")) for part in call.get("parameters", [])
            ],
        }
        for path, methods in request.app.openapi()["paths"].items()
        for method, call in methods.items()
    ]
    return render(request, "api.html", calls=calls)


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
    return {"system": system, "entries": entries, "series": series, "most_runs": _MOST_RUNS} | {
        "used_share": used_share,
        "signed": signer_words(session, number),
    }


@router.get("/results/{number}/report")
def report_page(request: Request, session: ReadSession, number: Number) -> HTMLResponse:
    """Show the full report of a result."""
    entry = published_entry(session, number)
    if entry.file is None:
        raise HTTPException(404, f"result {number} is a published figure without a file")
    file = entry.file
    label = f"result_{number}_{(entry.sha256 or '')[:16]}"  # the file of an entry can be replaced
    report: Report | None = request.app.state.reports.report(label, lambda: file_content(file))
    if report is None:
        page = render(request, "drawing.html", system=entry.system)
        page.status_code = 202
        page.headers["Refresh"] = "3"
        return page
    return HTMLResponse(
        _with_way_back(report.text, entry), headers={"Content-Security-Policy": report.policy}
    )


def _with_way_back(page: str, entry: Entry) -> str:
    """Put the result's system and a link to it on top of its report."""
    name = escape(entry.system.name)
    way = (
        f'<p><a href="/">List</a> / <a href="/systems/{entry.system_id}#r{entry.id}">{name}</a> /'
        f" result {entry.id}</p>"
    )
    return re.sub(r"(<body[^>]*>)", lambda found: found[1] + way, page, count=1)


@router.get("/compare")
def compare_page(
    request: Request,
    session: ReadSession,
    s: Annotated[list[int] | None, Query(max_length=1000)] = None,
    used: Used = "half",
    verified: bool = False,
) -> HTMLResponse:
    """Show systems beside each other, by the same runs as the list."""
    wanted = list(dict.fromkeys(s or []))
    if len(wanted) > MOST_COMPARED:
        raise HTTPException(422, f"choose at most {MOST_COMPARED} systems, not {len(wanted)}")
    _, standings = request.app.state.source.standings(used, historic=not verified)
    known = {standing.id: standing for standing in standings}
    unknown = [number for number in wanted if number not in known]
    if unknown:
        raise HTTPException(
            404, f"the list has no system {unknown[0]} with a run on {_PARTS[used]} of its machine"
        )
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
