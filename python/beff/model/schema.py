"""Check of a document against the project's JSON Schema."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from beff.model.errors import BeffError
from beff.model.json_path import json_path
from beff.model.strict_json import parse_json

_PACKAGE = Path(__file__).resolve().parent.parent
_PLACES = (
    _PACKAGE / "schema" / "result.schema.json",  # installed
    _PACKAGE.parent.parent / "schema" / "result.schema.json",  # source tree
)

_NUMBERS: dict[str, tuple[type, ...]] = {"integer": (int,), "number": (int, float)}


def _items(
    validator: Validator, items: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    """Judge the keyword `items`, at once for numbers and words: samples come by the thousand."""
    if not _are_numbers_within(items, instance) and not _are_known_words(items, instance):
        check = Draft202012Validator.VALIDATORS["items"]
        yield from check(validator, items, instance, schema)


def _are_numbers_within(items: Any, instance: Any) -> bool:
    """Whether a list surely keeps a rule that asks for nothing but numbers within bounds."""
    if not isinstance(items, dict) or not isinstance(instance, list) or not instance:
        return False
    types = _NUMBERS.get(str(items.get("type")))
    if types is None or not set(items) <= {"type", "minimum", "maximum", "description"}:
        return False
    return (
        all(type(value) in types for value in instance)
        and min(instance) >= items.get("minimum", min(instance))
        and max(instance) <= items.get("maximum", max(instance))
    )


def _are_known_words(items: Any, instance: Any) -> bool:
    """Whether a list surely keeps a rule that asks for nothing but words of a list."""
    if not isinstance(items, dict) or not isinstance(instance, list) or set(items) != {"enum"}:
        return False
    words = {word for word in items["enum"] if isinstance(word, str)}
    return all(type(value) is str and value in words for value in instance)


_Validator: type[Validator] = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {"items": _items}
)


@cache
def result_validator() -> Validator:
    """Return the validator for result files. Raises BeffError when the schema was not installed."""
    for place in _PLACES:
        if place.is_file():
            return _Validator(parse_json(place.read_text(encoding="utf-8")))
    raise BeffError(
        "the schema result.schema.json is missing from the installation; install beff again"
    )


def schema_violation(document: dict[str, Any]) -> str | None:
    """Return the most telling violation as 'PATH: reason'; None when the schema is kept."""
    errors = [
        cause for error in result_validator().iter_errors(document) for cause in _causes(error)
    ]
    if not errors:
        return None
    error = best_match(errors)
    assert error is not None  # best_match returns one of a non-empty list
    return f"{json_path(error.absolute_path)}: {_reason(error)}"


def _causes(error: ValidationError) -> Iterator[ValidationError]:
    """Replace a failed choice between the benchmarks by what failed in the document's own."""
    if error.validator != "oneOf" or not error.context:
        yield error
        return
    foreign = {
        cause.schema_path[0]
        for cause in error.context
        if cause.validator == "const" and list(cause.path) == ["benchmark"]
    }
    own = [cause for cause in error.context if cause.schema_path[0] not in foreign]
    yield from own or [error]


def _reason(error: ValidationError) -> str:
    """Return the library's message, but without a printout of a long value."""
    longest = 120
    if len(error.message) <= longest:
        return error.message
    return f"does not keep the schema's rule {error.validator!r}"
