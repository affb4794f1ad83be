"""The contract of a result file: its models, its JSON Schema, and what breaks it, in words."""

import ast
import inspect
import json
import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, Union

from pydantic import Discriminator, Tag, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from beff.result.b_eff_io_result import BEffIoResult, ImportedBEffIo
from beff.result.b_eff_io_samples import Samples as BEffIoSamples
from beff.result.b_eff_result import BEffResult, ImportedBEff
from beff.result.b_pairs_result import BPairsResult, ImportedPairs
from beff.result.bounds import Record

MeasuredResult = BEffResult | BEffIoResult | BPairsResult
AnyResult = MeasuredResult | ImportedBEff | ImportedBEffIo | ImportedPairs

SCHEMA_VERSION = 2

_MODELS: dict[str, type[AnyResult]] = {
    "b_eff": BEffResult,
    "b_eff_io": BEffIoResult,
    "b_pairs": BPairsResult,
    "b_eff, imported": ImportedBEff,
    "b_eff_io, imported": ImportedBEffIo,
    "b_pairs, imported": ImportedPairs,
}
BENCHMARKS = tuple(name for name in _MODELS if "," not in name)


def model_of(fields: dict[str, Any]) -> type[AnyResult] | None:
    """Return the model of a JSON object that says what it is."""
    return _MODELS.get(_kind(fields))


def first_violation(problem: ValidationError, *within: str) -> str:
    """Return the first of what is wrong, as 'PATH: reason', of a part that lies within others."""
    first = problem.errors(include_url=False)[0]
    kind, value = first["type"], first["input"]
    keys = [key for key in (*within, *first["loc"]) if key != "[key]"]
    if kind == "missing":
        return f"{json_path(keys[:-1])}: {keys[-1]!r} is missing"
    if kind == "extra_forbidden":
        return f"{json_path(keys)}: is not known"
    reason = first["msg"].removeprefix("Value error, ").partition(", unable")[0]
    reason = _SUBJECT.sub("must", reason, count=1)
    if kind != "value_error" and isinstance(value, str | int | float):
        reason += f", not '{str(value)[:_LONGEST]}'"
    return f"{json_path(keys)}: {reason}"


_SUBJECT = re.compile(r"^\w+ should\b")
_LONGEST = 40


def _kind(fields: dict[str, Any]) -> str:
    return f"{fields.get('benchmark')}{', imported' if 'imported' in fields else ''}"


_NAMES = {BEffResult: "", BEffIoResult: "Io", BEffIoSamples: "Io", BPairsResult: ""}
"""What stands before the names of parts that two modules have, by a model of each module."""


class _Described(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        """Leave out titles, which only repeat the names of the fields."""
        del schema
        return False

    def model_schema(self, schema: Any) -> dict[str, Any]:
        """Describe fields by the comments that follow them in the source of their model."""
        made, model = super().model_schema(schema), schema["cls"]
        for base in reversed(model.__mro__):
            for name, comment in _comments(base).items():
                shown = model.model_fields[name].alias or name
                made["properties"][shown]["description"] = comment
        return made


def _comments(model: type) -> dict[str, str]:
    """Return what is written below each field of a model."""
    if not issubclass(model, Record) or model is Record:
        return {}
    (body,) = ast.parse(inspect.getsource(model)).body
    assert isinstance(body, ast.ClassDef)
    return {
        field.target.id: " ".join(str(comment.value.value).split())
        for field, comment in pairwise(body.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(comment, ast.Expr)
        and isinstance(comment.value, ast.Constant)
    }


@cache
def json_schema_text() -> str:
    """Return the JSON Schema of a result file (draft 2020-12), made from the models."""
    tagged = tuple(Annotated[model, Tag(kind)] for kind, model in _MODELS.items())
    every: Any = Annotated[Union[tagged], Discriminator(_kind)]  # noqa: UP007
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://beff.example/schema/result-{SCHEMA_VERSION}.json",
        "title": "Result of b_eff, b_eff_io or b_pairs",
        "description": "Made from the models in python/beff/result by `make schema`. Fields may be"
        " added and readers ignore those they do not know; none is renamed or removed without a"
        " new schema_version. Sizes are in byte, times in seconds, MBps is 10^6 byte per second. A"
        " figure that was not measured is null.",
        **TypeAdapter(every).json_schema(schema_generator=_Described),
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
