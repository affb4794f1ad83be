"""What is compared: one figure of a result, found under the same name in every run."""

from typing import Any, NamedTuple


class Quantity(NamedTuple):
    """A figure: the table it stands in, its label there, its unit.

    Of MB/s more is better, of us less.
    """

    table: str
    label: tuple[str, ...]
    unit: str

    @property
    def more_is_better(self) -> bool:
        """Whether a larger figure is the better one."""
        return self.unit != "us"

    @property
    def name(self) -> str:
        """The label as one text."""
        return ", ".join(self.label)


VALUES = "values"
"""The table of the values, which decide."""
SIZES = "message sizes"
"""The table of the means over patterns at each message size, which decide as well."""
DECIDING = (VALUES, SIZES)
"""All other tables hold hints."""

Fields = dict[str, Any]
"""A result as read from its file."""

Figures = dict[Quantity, float]
"""All positive figures of one run."""


class FiguresBuilder:
    """Collects figures; those that were not measured are left out."""

    def __init__(self) -> None:
        self.figures: Figures = {}

    def add(self, table: str, label: tuple[str, ...], unit: str, figure: float | None) -> None:
        """Take a figure if there is one; its logarithm must exist."""
        if figure is not None and figure > 0:
            self.figures[Quantity(table, label, unit)] = figure
