"""What breaks the schema, in words, and where."""

from collections.abc import Iterable, Mapping
from typing import Any


def json_path(keys: Iterable[str | int]) -> str:
    """Write object keys and array indices as one path; the document itself is 'the document'."""
    path = ""
    for key in keys:
        if isinstance(key, int):
            path += f"[{key}]"
        else:
            path += f".{key}" if path else key
    return path or "the document"


_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "must be a whole number of fewer digits",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "bool_parsing": "must be 1 or 0",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must hold lines of the form 'name: value'",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
    "too_short": "must have at least {min_length} entry",
    "string_too_short": "must have at least {min_length} visible character",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must match {pattern}",
    "value_error": "{error}",
}
_WITHOUT_VALUE = {
    "missing",
    "extra_forbidden",
    "string_too_short",
    "string_too_long",
    "value_error",
}
_LONGEST = 40


def violation_words(violation: Mapping[str, Any]) -> str:
    """Return what goes on behind the name of a field, as 'must be at most 10, not 11'.

    `violation` is one of the `errors()` of a ValidationError.
    """
    kind, value = violation["type"], violation["input"]
    words = _WORDS.get(kind)
    if words is None:
        return f"is wrong: {violation['msg']}"
    bounds = violation.get("ctx", {}).items()
    rule = words.format(**{k: f"{v:g}" if isinstance(v, float) else v for k, v in bounds})
    if kind in _WITHOUT_VALUE or not isinstance(value, str | int | float):
        return rule
    text = str(value)
    return f"{rule}, not '{text if len(text) <= _LONGEST else text[:_LONGEST] + '…'}'"
