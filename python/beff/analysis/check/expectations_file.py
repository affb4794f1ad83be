"""A YAML file of expectations; what is wrong in it is said in one sentence."""

from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from beff.analysis.check.expectations import Expectation, Expectations
from beff.model.contract import violation_words
from beff.model.errors import ResultError
from beff.model.plain_text import cleaned
from beff.model.strict_json import read_text

_FORM = (
    "'expectations:' and under it entries with 'benchmark' and 'reference', as beff accept"
    " writes them"
)
_FIGURE = (
    "a figure is [value, lower, upper, unit], with tolerances as shares or null, as in"
    " [12000, -0.08, 0.08, MB/s]"
)
_DAMAGED = (
    yaml.YAMLError,
    RecursionError,
    ValueError,
    ArithmeticError,
    LookupError,
    AttributeError,
)
"""What PyYAML raises, or lets through of the types that it makes."""


class _Loader(yaml.SafeLoader):
    def compose_mapping_node(self, anchor: Any) -> Any:
        """Refuse names that are given twice, of which YAML would take the last."""
        node = super().compose_mapping_node(anchor)
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                line = key.start_mark.line + 1
                raise ResultError(f"gives '{key.value}' twice (line {line}); keep one of them")
            seen.add(key.value if isinstance(key, yaml.ScalarNode) else None)
        return node


def load_expectations(path: Path) -> Expectations:
    """Read a file of expectations. Raises ResultError naming the first place that is wrong."""
    text = read_text(path)
    try:
        content = cleaned(yaml.load(text, _Loader))
    except ResultError as problem:
        raise ResultError(f"{path}: {problem}") from None
    except _DAMAGED as problem:
        mark = getattr(problem, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark is not None else ""
        raise ResultError(f"{path}: is not YAML{place}") from None
    return read_expectations(str(path), content)


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
