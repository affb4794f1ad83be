"""What readers mostly want to rank by, as weights that one link sets."""

import json
from dataclasses import dataclass

from beff.store.system_figures import FIGURES, SystemFigure
from beff.web.query import ListQuery


@dataclass(frozen=True)
class Preset:
    """A name and the one criterion that has a weight."""

    label: str
    key: str

    @property
    def weights(self) -> str:
        """The weights as JSON, for the page's script."""
        return json.dumps({self.key: 1})

    def address(self, query: ListQuery) -> str:
        """Return the query of the address with these weights, its filters kept."""
        weights = {f"w_{figure.key}": None for figure in FIGURES} | {f"w_{self.key}": 1.0}
        return query.address(**weights, sort=None, order=None, page=None)

    def chosen(self, query: ListQuery) -> bool:
        """Whether a query has just these weights, up to a factor."""
        return [key for key, weight in query.weights.items() if weight > 0] == [self.key]


PRESETS = (
    Preset("communication", "b_eff"),
    Preset("I/O", "io"),
    Preset("balance", "balance"),
    Preset("latency", "latency"),
)


def only_chosen(query: ListQuery) -> SystemFigure | None:
    """Return the figure that alone has a weight; None where several have."""
    found = [figure for figure in FIGURES if query.weights[figure.key] > 0]
    return found[0] if len(found) == 1 else None
