"""The contract of a result file: which model holds which result, and its JSON Schema."""

import json
from typing import Annotated, Any

from pydantic import Discriminator, Tag, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from beff.model.b_eff_io_result import BEffIoResult, ImportedBEffIo
from beff.model.b_eff_result import BEffResult, ImportedBEff
from beff.model.b_pairs_result import BPairsResult
from beff.model.violations import json_path

MeasuredResult = BEffResult | BEffIoResult | BPairsResult
ImportedResult = ImportedBEff | ImportedBEffIo
AnyResult = MeasuredResult | ImportedResult

SCHEMA_VERSION = 1

_MODELS: dict[tuple[Any, bool], type[AnyResult]] = {
    ("b_eff", False): BEffResult,
    ("b_eff", True): ImportedBEff,
    ("b_eff_io", False): BEffIoResult,
    ("b_eff_io", True): ImportedBEffIo,
    ("b_pairs", False): BPairsResult,
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
    | Annotated[ImportedBEffIo, Tag("b_eff_io, imported")],
    Discriminator(_kind),
]


_NAMES = {
    "beff__model__b_eff_result__": "",
    "beff__model__b_eff_io_result__": "Io",
    "beff__model__b_eff_io_samples__": "Io",
    "beff__model__b_pairs_result__": "",
}
"""What stands before the names of models that both benchmarks have."""


class _WithoutFieldTitles(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        """Leave out titles, which only repeat the names of the fields."""
        del schema
        return False


def json_schema_text() -> str:
    """Return the JSON Schema of a result file (draft 2020-12), made from the models."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://beff.example/schema/result-{SCHEMA_VERSION}.json",
        "title": "Result of b_eff, b_eff_io or b_pairs",
        "description": "Made from the models in python/beff/model by `make schema`. Fields may be"
        " added and readers ignore those they do not know; none is renamed or removed without a"
        " new schema_version. Sizes are in byte, times in seconds, MBps is 10^6 byte per second. A"
        " figure that was not measured is null.",
        **TypeAdapter(_ANY_RESULT).json_schema(schema_generator=_WithoutFieldTitles),
    }
    text = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    for prefix, short in _NAMES.items():
        text = text.replace(prefix, short)
    return text
