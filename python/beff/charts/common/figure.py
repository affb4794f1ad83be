"""One diagram with everything that is said about it."""

from dataclasses import dataclass

from altair.typing import ChartType


@dataclass(frozen=True)
class Figure:
    """A diagram, drawn by the functions of `render`.

    `key` is its lasting name, for files and anchors. `caption` says in one or two sentences what
    is seen, with units and source. `alt` stands for the picture where it cannot be seen, so it
    holds the essential numbers. The chart names no colours: those are the theme's.
    """

    key: str
    title: str
    caption: str
    alt: str
    chart: ChartType
