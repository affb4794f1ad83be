"""What recomputing a result finds: what is not as it should be, and how much was looked at."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from beff.result.contract import json_path
from beff.result.record import Record

RELATIVE_TOLERANCE = 1e-9
"""Floats agree when they differ by at most this share of the larger one.

Two correct implementations differ by the order of summation and by their libraries' exp, log and
pow: some 1e-14 here. A change in any digit that a reader sees is far larger than 1e-9.
"""
_MOST_OF_A_LIST = 80
_MOST_OF_A_TEXT = 500
"""Characters that a finding shows of what is longer."""


@dataclass(frozen=True)
class Disagreement:
    """One disagreement: where it is, what stands there and what should stand there."""

    path: str
    stored: Any
    expected: Any

    def __str__(self) -> str:
        return f"{self.path} is {_shown(self.stored)}, but should be {_shown(self.expected)}"


Path = list[str | int]
Asked = TypeVar("Asked", bound=Record)
Made = TypeVar("Made")


class UnsoundError(ValueError):
    """Raised where nothing can be recomputed: the plan makes no sense, or rows are not of it."""

    def __init__(self, path: Path, stored: Any, expected: Any) -> None:
        super().__init__(path, stored, expected)
        self.finding = Disagreement(json_path(path), stored, expected)


def options_as(model: type[Asked], options: Mapping[str, Any]) -> Asked:
    """Return the options that decide what is measured. Raises UnsoundError."""
    try:
        return model.model_validate(options)
    except ValidationError as problem:
        wrong = problem.errors(include_url=False)[0]
        stored = "missing" if wrong["type"] == "missing" else wrong["input"]
        raise UnsoundError(["options", *wrong["loc"]], stored, wrong["msg"]) from None


def _shown(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    most = _MOST_OF_A_LIST if isinstance(value, dict | list | tuple) else _MOST_OF_A_TEXT
    text = str(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def agree(stored: Any, expected: Any) -> bool:
    """Floats by RELATIVE_TOLERANCE; integers, booleans, text and null exactly."""
    if isinstance(stored, bool) or isinstance(expected, bool):
        return stored is expected
    if isinstance(expected, float) and isinstance(stored, int | float):
        return math.isclose(stored, expected, rel_tol=RELATIVE_TOLERANCE)
    return bool(stored == expected)


class Whole(dict[str, Any]):
    """An object that has no other fields than these."""


@dataclass
class Recheck:
    """Compares parts of a document with what they should be, and counts the values compared."""

    findings: list[Disagreement]
    figures: int = 0

    def compare(self, path: Path, stored: Any, expected: Any) -> None:
        """Compare value by value; of objects only the fields that `expected` names."""
        if isinstance(expected, dict) and isinstance(stored, dict):
            if isinstance(expected, Whole) and stored.keys() != expected.keys():
                self.report(path, sorted(stored), sorted(expected))
            for key, value in expected.items():
                self.compare([*path, key], stored.get(key), value)
        elif isinstance(expected, list) and isinstance(stored, list):
            if len(stored) != len(expected):
                self.report(path, f"{len(stored)} entries", f"{len(expected)} entries")
                return
            for index, value in enumerate(expected):
                self.compare([*path, index], stored[index], value)
        else:
            self.figures += 1
            if not agree(stored, expected):  # who changes samples is not told their digest
                is_digest = path[0] == "digest"
                self.report(path, stored, "that of its samples" if is_digest else expected)

    def sound(self, make: Callable[[], Made]) -> Made | None:
        """Return what is made of a result; None, with a finding, where it is unsound."""
        try:
            return make()
        except UnsoundError as unsound:
            self.findings.append(unsound.finding)
            return None

    def require(self, holds: bool, path: Path, stored: Any, expected: Any) -> None:
        """Note a finding unless the condition holds."""
        if not holds:
            self.report(path, stored, expected)

    def report(self, path: Path, stored: Any, expected: Any) -> None:
        """Note a finding."""
        self.findings.append(Disagreement(json_path(path), stored, expected))


@dataclass(frozen=True)
class Verification:
    """Findings in the order of the checks; empty for a good file.

    `figures` derived values were compared, `samples` raw samples were checked; `not_checked` names
    what an imported result does not hold.
    """

    findings: tuple[Disagreement, ...]
    figures: int
    samples: int
    not_checked: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """True when nothing was found."""
        return not self.findings
