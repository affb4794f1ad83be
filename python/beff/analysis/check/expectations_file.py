"""A YAML file of expectations; what is wrong in it is said in one sentence."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from beff.analysis.check.expectations import Expectation, Expectations
from beff.model.contract import violation_words
from beff.model.errors import RefusedError, ResultError
from beff.model.plain_yaml import plain_yaml
from beff.model.strict_json import read_text

_FORM = (
    "'expectations:' and under it entries with 'benchmark' and 'reference', as beff accept"
    " writes them"
)
_FIGURE = (
    "a figure is [value, lower, upper, unit], with tolerances as shares or null, as in"
    " [12000, -0.08, 0.08, MB/s]"
)
_LEVELS = 5
"""Fields, a list of entries, their fields, figures, the numbers of a figure."""
_LONGEST = 1 << 20
"""Characters; of a result `beff accept` writes some 500."""


def load_expectations(path: Path) -> Expectations:
    """Read a file of expectations. Raises ResultError naming the first place that is wrong."""
    text, source = read_text(path), str(path)
    try:
        content = plain_yaml(source, text, levels=_LEVELS, lists=True, longest=_LONGEST)
    except RefusedError as problem:
        raise ResultError(str(problem)) from None
    return read_expectations(source, content)


def read_expectations(source: str, content: Any) -> Expectations:
    """Check what was read from YAML. Raises ResultError naming the first place that is wrong."""
    if not isinstance(content, dict) or "expectations" not in content:
        raise ResultError(f"{source}: must hold {_FORM}")
    try:
        return Expectations.model_validate(content)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(map(str, first["loc"]))
        said = violation_words(first)
        if first["type"] == "extra_forbidden":
            level = Expectation if len(first["loc"]) > 1 else Expectations
            said = f"is not known; known are {', '.join(level.model_fields)}"
        elif "reference" in first["loc"]:
            said = f"{said}; {_FIGURE}"
        raise ResultError(f"{source}: {place}: {said}") from None
