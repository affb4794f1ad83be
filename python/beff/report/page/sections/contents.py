"""What a page is made of: sections, each a template with its data."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from beff.charts.chart import Chart
from beff.charts.render import why_no_pictures
from beff.charts.table import charts_of
from beff.definition.compare import Verification
from beff.result.contract import AnyResult
from beff.result.load import Document
from beff.verify.subject import Subject


class Place(Enum):
    """Where a section stands: on the first screen, below it, or there but folded."""

    FIRST = "first"
    OPEN = "open"
    FOLDED = "folded"


@dataclass(frozen=True)
class Section:
    """A part of the page: `key` is its anchor, `template` a file of the folder templates.

    `data` is what that template shows, mostly by names.
    """

    key: str
    title: str
    template: str
    data: Any
    place: Place = Place.OPEN


Data = dict[str, Any]


@dataclass(frozen=True)
class ShownResult:
    """A result on the page. `number` counts the results of the page from 1."""

    number: int
    label: str
    document: Document
    verification: Verification

    @property
    def result(self) -> AnyResult:
        """The result, typed."""
        return self.document.result

    def anchor(self, key: str) -> str:
        """Return an anchor that no other result of the page has."""
        return f"{key}-{self.number}"


@dataclass(frozen=True)
class Contents:
    """What a page is about: its results, and their charts, which are made once."""

    subject: Subject
    results: Sequence[ShownResult]

    @cached_property
    def charts(self) -> list[Chart]:
        """All charts; none where nothing can be drawn. Raises ResultError."""
        return [] if self.why_no_pictures else list(charts_of(self.subject))

    @property
    def why_no_pictures(self) -> str | None:
        """A sentence where nothing can be drawn."""
        return why_no_pictures()
