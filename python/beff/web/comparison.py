"""Systems beside each other: each figure as a share of the best among them."""

from collections.abc import Sequence
from dataclasses import dataclass

from beff.store.standings import Standing
from beff.store.system_figures import FIGURES, SystemFigure

MOST_COMPARED = 6


@dataclass(frozen=True)
class Bar:
    """A system's figure; `share` is 1 for the best, None where it was not measured."""

    place: int
    name: str
    value: float | None
    share: float | None


@dataclass(frozen=True)
class Comparison:
    """One figure of all systems."""

    figure: SystemFigure
    bars: list[Bar]


def comparison(standings: Sequence[Standing]) -> list[Comparison]:
    """Return all figures that at least one of the systems has."""
    found = []
    for figure in FIGURES:
        values = [standing.figure(figure.key) for standing in standings]
        known = [value for value in values if value]
        if known:
            best = min(known) if figure.less_is_better else max(known)
            bars = [
                Bar(place, standing.name, value, _share(value, best, figure.less_is_better))
                for place, (standing, value) in enumerate(zip(standings, values, strict=True))
            ]
            found.append(Comparison(figure, bars))
    return found


def _share(value: float | None, best: float, less_is_better: bool) -> float | None:
    if not value:
        return None
    return best / value if less_is_better else value / best
