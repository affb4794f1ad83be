"""Diagrams of results: which there are, and for what."""

from collections.abc import Callable

from beff.charts.b_eff.loops import Loops, best_loops
from beff.charts.b_eff.spread import rings_and_random, rings_and_random_by_method
from beff.charts.figure import Figure
from beff.report.subject import Subject

B_EFF: tuple[Callable[[Loops], Figure | None], ...] = (
    rings_and_random,
    rings_and_random_by_method,
)
"""Diagrams of a single result of b_eff, in the order of showing; None from one without data."""


def figures_of(subject: Subject) -> list[Figure]:
    """Return all diagrams that the results have data for, in the order of showing."""
    figures: list[Figure | None] = []
    b_eff = subject.b_eff()
    if len(b_eff) == 1:
        loops = best_loops(b_eff[0][1])
        figures += [draw(loops) for draw in B_EFF]
    return [figure for figure in figures if figure is not None]
