"""What an address asks of the list: weights, filters, order, page."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from beff.analysis.ranking import LARGEST_WEIGHT
from beff.store.standings import Standing, Used
from beff.store.system_figures import FIGURES


def _empty_is_none(value: Any) -> Any:
    """Take the empty text that a form sends for an empty field as nothing."""
    return None if value == "" else value


_WeightValue = Annotated[float, Field(ge=0, le=LARGEST_WEIGHT, allow_inf_nan=False)]
Weight = Annotated[_WeightValue | None, BeforeValidator(_empty_is_none)]
_NumberValue = Annotated[int, Field(ge=0, le=10**9)]
Number = Annotated[_NumberValue | None, BeforeValidator(_empty_is_none)]
_WordValue = Annotated[str, Field(max_length=100)]
Word = Annotated[_WordValue | None, BeforeValidator(_empty_is_none)]
SMALLEST_FIRST: dict[str, bool] = {
    "rank": True,
    "name": True,
    "year": False,
    "processes": False,
    **{figure.key: figure.less_is_better for figure in FIGURES},
}
"""What the list can be sorted by → whether it begins with the smallest."""


FACETS = {
    "site": "site",
    "cpus": "CPU",
    "accelerators": "accelerator",
    "interconnect": "interconnect",
    "file_system": "file system",
}
"""Fields of a system that the list can be narrowed by, and their labels."""


class Filters(BaseModel):
    """Which systems take part; the ranking is among these alone."""

    model_config = ConfigDict(extra="forbid")

    year_from: Number = None
    year_to: Number = None
    processes_from: Number = None
    processes_to: Number = None
    name: Word = Field(default=None, description="part of the system's name")
    site: Word = Field(default=None, description="part of the site's name")
    cpus: Word = Field(default=None, description="part of the CPUs' name")
    accelerators: Word = Field(default=None, description="part of the accelerators' name")
    interconnect: Word = Field(default=None, description="part of the interconnect's name")
    file_system: Word = Field(default=None, description="part of the file system's name")
    used: Used = Field(default="half", description="how much of its machine a run must have used")
    verified: bool = Field(default=False, description="leave out historic figures")

    def keep(self, standing: Standing) -> bool:
        """Whether a system takes part; one without what a filter asks for does not.

        `used` and `verified` decide before, which of its runs count.
        """
        return (
            _within(standing.year, self.year_from, self.year_to)
            and _within(standing.processes, self.processes_from, self.processes_to)
            and all(
                (getattr(self, field) or "").lower() in (getattr(standing, field) or "").lower()
                for field in ("name", *FACETS)
            )
        )


def _within(value: int | None, first: int | None, last: int | None) -> bool:
    if first is None and last is None:
        return True
    return (
        value is not None and (first is None or value >= first) and (last is None or value <= last)
    )


class Page(BaseModel):
    """A part of a long answer."""

    model_config = ConfigDict(extra="forbid")

    page: int = Field(default=1, ge=1, le=100_000)
    per_page: int = Field(default=50, ge=1, le=200)

    def part(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Return the rows of this page."""
        first = (self.page - 1) * self.per_page
        return rows[first : first + self.per_page]


_made_fields: dict[str, Any] = {f"w_{figure.key}": (Weight, None) for figure in FIGURES} | {
    "sort": (Literal[tuple(SMALLEST_FIRST)], "rank")
}
_WeightsAndSort: Any = create_model("_WeightsAndSort", **_made_fields)


class ListQuery(_WeightsAndSort, Filters, Page):  # type: ignore[misc]
    """The list as its address tells it. There is a weight for every criterion."""

    order: Literal["up", "down"] | None = Field(
        default=None, description="up: smallest first; without it the best first"
    )

    @property
    def weights(self) -> dict[str, float]:
        """The weights by key; the default where the address has none at all."""
        given = {figure.key: getattr(self, f"w_{figure.key}") for figure in FIGURES}
        if all(weight is None for weight in given.values()):
            return {figure.key: figure.default_weight for figure in FIGURES}
        return {key: weight or 0.0 for key, weight in given.items()}

    def address(self, **changes: Any) -> str:
        """Return the query of the address with some changes; values by default are left out."""
        values = self.model_dump(exclude_defaults=True) | changes
        shown = {
            key: int(value)
            if isinstance(value, bool)
            else f"{value:g}"
            if isinstance(value, float)
            else value
            for key, value in values.items()
            if value is not None and value is not False
        }
        return urlencode(shown)
