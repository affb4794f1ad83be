"""What a page is made of: sections, each a template with its data."""

from dataclasses import dataclass
from typing import Any

from beff.analysis.verification import Verification
from beff.model.contract import AnyResult
from beff.model.load import Document


@dataclass(frozen=True)
class Section:
    """A part of the page: `key` is its anchor, `template` a file of the folder templates."""

    key: str
    title: str
    template: str
    data: Any


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
