"""Rendering of pages: every value is escaped, unless a template's author says it is markup."""

import math
from collections.abc import Callable
from datetime import datetime
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from beff.model.numbers import format_duration, format_size, number
from beff.store.bounds import is_possible
from beff.store.standings import Standing
from beff.store.system_figures import SystemFigure
from beff.store.system_record import Difference
from beff.web.listing import Row
from beff.web.presets import only_chosen
from beff.web.query import ListQuery

MISSING = "\N{EN DASH}"
IMPOSSIBLE = "impossible"
"""Stands where a figure is beyond any machine."""
_LARGEST_SHOWN = 1e15


def figure(value: float | None) -> str:
    """Write a figure with three digits; a dash where there is none. As in list.js."""
    if value is None:
        return MISSING
    if not abs(value) < _LARGEST_SHOWN:
        return IMPOSSIBLE
    text = number(value)
    return f"{int(text):,}" if abs(value) >= 1000 else text


def figure_of(record: object, name: str) -> str:
    """Write a figure of a record of the store, or that no machine has it."""
    value: float | None = getattr(record, name)
    return figure(value) if is_possible(name, value) else IMPOSSIBLE


def gbps(value: float | None) -> str:
    """Write a bandwidth of the store, in MB/s, as GB/s."""
    return figure(None if value is None else value * 1e-3)


def gbps_of(record: object, name: str) -> str:
    """Write a bandwidth of a record of the store as GB/s, or that no machine has it."""
    value: float | None = getattr(record, name)
    return gbps(value) if is_possible(name, value) else IMPOSSIBLE


def standing_figure(standing: Standing, wanted: SystemFigure) -> str:
    """Write a figure of a system in the unit for people."""
    if wanted.key in standing.impossible:
        return IMPOSSIBLE
    value = standing.figure(wanted.key)
    return figure(None if value is None else value * wanted.shown_factor)


def chosen_value(row: Row, query: ListQuery) -> str:
    """Write what stands beside the name: the one figure with a weight, else the score."""
    only = only_chosen(query)
    if only is not None:
        return standing_figure(row.standing, only)
    return MISSING if row.rank is None else f"{100 * row.rank.score:.1f}"


def how_firm(row: Row) -> str:
    """Say in words how sure a rank is, or why there is none."""
    if row.rank is None:
        return ", ".join(f"no {label}" for label in row.missing) or "no weights"
    if row.rank.best == row.rank.worst:
        return "firm"
    return f"could be {row.rank.best} to {row.rank.worst}"


def share(value: float | None) -> str:
    """Write a share of a machine in per cent; a question mark where its size is unknown."""
    return "?" if value is None else f"{math.floor(100 * min(1.0, value) + 0.5)} %"


def moment(value: datetime | None) -> str:
    """Write a time in UTC to the minute."""
    return MISSING if value is None else value.strftime("%Y-%m-%d %H:%M UTC")


def _unit(text: str) -> str:
    """Write a unit of the API, which is plain ASCII, as people do."""
    return text.replace("us", "µs")


def _told(change: Difference, side: str) -> str:
    """Write what a field of a system was before, or will be after, as its page does."""
    value = getattr(change, side)
    if change.field == "memory_bytes":
        return _size(value)
    return figure(value) if isinstance(value, float) else str(MISSING if value is None else value)


def _size(value: int | None) -> str:
    return MISSING if value is None else format_size(value)


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("beff.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., str]] = {
        "figure": figure,
        "figure_of": figure_of,
        "gbps": gbps,
        "gbps_of": gbps_of,
        "standing_figure": standing_figure,
        "chosen_value": chosen_value,
        "how_firm": how_firm,
        "share": share,
        "moment": moment,
        "unit": _unit,
        "size": _size,
        "told": _told,
        "duration": format_duration,
    }
    environment.filters.update(filters)
    return environment


TEMPLATES = _environment()


def render_text(template: str, **values: Any) -> str:
    """Return a page as text. `root` is the way from the page to the top of the list."""
    return TEMPLATES.get_template(template).render(**values)


def render(request: Request, template: str, **values: Any) -> HTMLResponse:
    """Return a page of the running server."""
    settings = request.app.state.settings
    own = {"title": settings.title, "contact": settings.contact}
    return HTMLResponse(render_text(template, root="/", static=False, **own, **values))
