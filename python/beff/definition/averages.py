"""Averages of figures of which some may not be known."""

from collections.abc import Callable, Iterable, Sequence
from math import exp, fsum, log

from beff.result.bounds import Figure


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean of at least one value."""
    return fsum(values) / len(values)


def logavg(values: Iterable[float]) -> float:
    """Mean on the logarithmic scale of at least one positive value."""
    return exp(mean([log(value) for value in values]))


def known(average: Callable[[Sequence[float]], float], values: Iterable[Figure]) -> Figure:
    """Return an average; None where there is nothing, or a value is missing."""
    every = list(values)
    measured = [value for value in every if value is not None]
    return average(measured) if measured and len(measured) == len(every) else None


def highest(values: Iterable[Figure]) -> Figure:
    """Return the largest of the known values; None where none is."""
    return max((value for value in values if value is not None), default=None)
