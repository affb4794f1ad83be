"""The rows of the list: standings, ranked by weights, filtered, in order. Knows no HTML."""

from collections import OrderedDict
from dataclasses import dataclass

from beff.analysis.ranking import Rank, rank
from beff.store.audit import revision
from beff.store.database import Store
from beff.store.standings import Standing, Used, standings
from beff.store.system_figures import FIGURES
from beff.web.query import SMALLEST_FIRST, Filters, ListQuery


@dataclass(frozen=True)
class Row:
    """A system of the list; `rank` is None where a figure with a weight is missing."""

    standing: Standing
    rank: Rank | None
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Listing:
    """All rows that pass the filters, in order."""

    revision: int
    rows: list[Row]
    ranked: int


class ListSource:
    """Gives listings; keeps the standings and the last listings until the store changes."""

    _KEPT = 32

    def __init__(self, store: Store) -> None:
        self._store = store
        self._standings: dict[tuple[Used, bool], tuple[int, list[Standing]]] = {}
        self._listings: OrderedDict[str, Listing] = OrderedDict()

    def standings(self, used: Used = "any", *, historic: bool = True) -> tuple[int, list[Standing]]:
        """Return all standings with the revision of the store that they are of."""
        with self._store.read() as session:
            present = revision(session)
            found = self._standings.get((used, historic))
            if found is None or found[0] != present:
                found = (present, standings(session, used, historic=historic))
                self._standings[used, historic] = found
        return found

    def filtered(self, filters: Filters) -> tuple[int, list[Standing]]:
        """Return the standings that pass the filters."""
        present, everything = self.standings(filters.used, historic=not filters.verified)
        return present, [standing for standing in everything if filters.keep(standing)]

    def listing(self, query: ListQuery) -> Listing:
        """Return the whole listing of a query; its page is left to the caller."""
        present, kept = self.filtered(query)
        key = query.model_dump_json(exclude={"page", "per_page", "format"})
        known = self._listings.get(key)
        if known is None or known.revision != present:
            known = listing_of(present, kept, query)
            self._listings[key] = known
            while len(self._listings) > self._KEPT:
                self._listings.popitem(last=False)
        return known


def listing_of(present: int, kept: list[Standing], query: ListQuery) -> Listing:
    """Rank standings by the weights of a query."""
    weights = query.weights
    ranks = {entry.id: entry for entry in rank(kept, FIGURES, weights)}
    rows = [Row(standing, ranks.get(standing.id), _missing(standing, weights)) for standing in kept]
    return Listing(present, _in_order(rows, query.sort, query.order), len(ranks))


def _missing(standing: Standing, weights: dict[str, float]) -> tuple[str, ...]:
    return tuple(
        figure.label
        for figure in FIGURES
        if weights[figure.key] > 0 and not standing.figure(figure.key)
    )


def _in_order(rows: list[Row], sort: str, order: str | None) -> list[Row]:
    """Return the rows in order; those without what is sorted by stand at the end, by name."""
    up = SMALLEST_FIRST[sort] if order is None else order == "up"
    known = [row for row in rows if _sort_value(row, sort) is not None]
    unknown = [row for row in rows if _sort_value(row, sort) is None]
    known.sort(key=lambda row: row.standing.id)
    known.sort(key=lambda row: _sort_value(row, sort) or 0, reverse=not up)
    return known + unknown


def _sort_value(row: Row, sort: str) -> float | str | None:
    if sort == "rank":
        return None if row.rank is None else row.rank.rank
    if sort in ("name", "year", "processes"):
        value: float | str | None = getattr(row.standing, sort)
        return value
    return row.standing.figure(sort)
