"""Rendering of pages: every value is escaped, unless a template's author says it is markup."""

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from beff.list import words
from beff.list.listing import RankedSystem
from beff.model.numbers import format_size
from beff.store.entry import Entry
from beff.store.ranking import LARGEST_WEIGHT, WEIGHT_CHANGE
from beff.store.system_figures import FIGURES, used_share

MOST_NAMED = 50
"""Points of a plot that a list has in words."""


def _is_marked(row: RankedSystem, key: str) -> bool:
    return any(key in words.marks(usual.entry) for usual in row.standing.used if not usual.why)


def _is_entry_marked(entry: Entry, key: str) -> bool:
    return key in words.marks(entry)


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("beff.list"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: tuple[Callable[..., str | tuple[str, str]], ...] = (
        *(words.figure, words.figure_or_not, words.shown_figure, words.gbps, words.size),
        *(words.sizes, words.moment, words.unit, words.sureness, words.status),
    )
    environment.filters |= {one.__name__: one for one in filters} | {"bytes": format_size}
    environment.tests |= {"marked": _is_marked, "entry_marked": _is_entry_marked}
    environment.globals |= {
        "figures": FIGURES,
        "mark_words": words.MARKS,
        "largest_weight": LARGEST_WEIGHT,
        "weight_change": WEIGHT_CHANGE,
        "most_named": MOST_NAMED,
        "used_share": used_share,
    }
    return environment


_TEMPLATES = _environment()


def page(template: str, **values: Any) -> str:
    """Return a page. `root` is the way from the page to the top of the site."""
    return _TEMPLATES.get_template(template).render(**values)
