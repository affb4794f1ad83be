"""What all parts of a result file are made of: records, and tables as columns."""

from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic_core import PydanticCustomError


class Record(BaseModel):
    """Part of a result file: never changed after reading; unknown fields are ignored.

    Validators are built when a file is read: a command's --help needs none.
    """

    model_config = ConfigDict(
        frozen=True, extra="ignore", allow_inf_nan=False, strict=True, defer_build=True
    )


@dataclass(frozen=True)
class Shown:
    """What readers call a figure of the summary; `{}` stands for its `parts`, where it has some.

    `weighed` against those of other runs; comparisons rest on those that `decide`.
    """

    label: str
    weighed: bool = False
    decides: bool = False
    parts: tuple[str, ...] = ("",)


class Columns(Record):
    """A table as columns of equal length; the digest takes all, or those of `DIGESTED`."""

    DIGESTED: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Names of the columns in the order of the file."""
        return tuple(cls.model_fields)

    def digested(self) -> list[tuple[str, list[Any]]]:
        """Name and cells of the columns that the digest takes, in its order."""
        return [(name, getattr(self, name)) for name in self.DIGESTED or self.columns()]

    @model_validator(mode="after")
    def _have_equal_lengths(self) -> "Columns":
        first, *others = type(self).model_fields
        length = len(getattr(self, first))
        for name in others:
            require_length(name, len(getattr(self, name)), first, length)
        return self


def require_length(name: str, found: int, sibling: str, expected: int) -> None:
    """Refuse a list whose length is not what another field says."""
    if found != expected:
        raise PydanticCustomError(
            "length",
            "{name} has {found} entries, but {sibling} asks for {expected}",
            {"name": name, "found": found, "sibling": sibling, "expected": expected},
        )
