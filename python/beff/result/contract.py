"""The contract of a result file: its models, its JSON Schema, and what breaks it, in words."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import Discriminator, Tag, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from beff.result.b_eff_io_result import BEffIoResult, ImportedBEffIo
from beff.result.b_eff_io_samples import Samples as BEffIoSamples
from beff.result.b_eff_result import BEffResult, ImportedBEff
from beff.result.b_pairs_result import BPairsResult
from beff.result.imported_pairs import ImportedPairs

MeasuredResult = BEffResult | BEffIoResult | BPairsResult
ImportedResult = ImportedBEff | ImportedBEffIo
AnyResult = MeasuredResult | ImportedResult | ImportedPairs

SCHEMA_VERSION = 2

_MODELS: dict[tuple[Any, bool], type[AnyResult]] = {
    ("b_eff", False): BEffResult,
    ("b_eff", True): ImportedBEff,
    ("b_eff_io", False): BEffIoResult,
    ("b_eff_io", True): ImportedBEffIo,
    ("b_pairs", False): BPairsResult,
    ("b_pairs", True): ImportedPairs,
}
BENCHMARKS = tuple(dict.fromkeys(name for name, _ in _MODELS))


class ContractError(ValueError):
    """What is wrong with a document, as 'PATH: reason'."""


def validated(fields: dict[str, Any]) -> AnyResult:
    """Return the typed result of a JSON object. Raises ContractError with its first violation."""
    benchmark = fields.get("benchmark")
    model = _MODELS.get((benchmark, "imported" in fields)) if isinstance(benchmark, str) else None
    if model is None:
        raise ContractError(f"benchmark: is none of {', '.join(BENCHMARKS)}")
    try:
        return model.model_validate(fields)
    except ValidationError as problem:
        raise ContractError(first_violation(problem)) from None


def first_violation(problem: ValidationError, *within: str) -> str:
    """Return the first of what is wrong, as 'PATH: reason', of a part that lies within others."""
    first = problem.errors(include_url=False, include_input=False)[0]
    *parents, last = (key for key in (*within, *first["loc"]) if key != "[key]")
    if first["type"] == "missing":
        return f"{json_path(parents)}: {last!r} is missing"
    return f"{json_path([*parents, last])}: {first['msg']}"


def _kind(fields: dict[str, Any]) -> str:
    return f"{fields.get('benchmark')}{', imported' if 'imported' in fields else ''}"


_ANY_RESULT = Annotated[
    Annotated[BEffResult, Tag("b_eff")]
    | Annotated[BEffIoResult, Tag("b_eff_io")]
    | Annotated[BPairsResult, Tag("b_pairs")]
    | Annotated[ImportedBEff, Tag("b_eff, imported")]
    | Annotated[ImportedBEffIo, Tag("b_eff_io, imported")]
    | Annotated[ImportedPairs, Tag("b_pairs, imported")],
    Discriminator(_kind),
]


_NAMES: dict[type, str] = {
    BEffResult: "",
    BEffIoResult: "Io",
    BEffIoSamples: "Io",
    BPairsResult: "",
}
"""What stands before the names of parts that two modules have, by a model of each module."""


class _WithoutFieldTitles(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        """Leave out titles, which only repeat the names of the fields."""
        del schema
        return False


@cache
def json_schema_text() -> str:
    """Return the JSON Schema of a result file (draft 2020-12), made from the models."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://beff.example/schema/result-{SCHEMA_VERSION}.json",
        "title": "Result of b_eff, b_eff_io or b_pairs",
        "description": "Made from the models in python/beff/result by `make schema`. Fields may be"
        " added and readers ignore those they do not know; none is renamed or removed without a"
        " new schema_version. Sizes are in byte, times in seconds, MBps is 10^6 byte per second. A"
        " figure that was not measured is null.",
        **TypeAdapter(_ANY_RESULT).json_schema(schema_generator=_WithoutFieldTitles),
    }
    text = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    for model, short in _NAMES.items():
        text = text.replace(f"{model.__module__.replace('.', '__')}__", short)
    return text


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
