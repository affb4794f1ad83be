"""From a path to a checked result: the only way in for every command."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from beff.model.b_eff_io_result import BEffIoResult
from beff.model.b_eff_result import BEffResult
from beff.model.errors import ResultError
from beff.model.imported import completed
from beff.model.journal import is_journal
from beff.model.json_path import json_path
from beff.model.result_parts import Record
from beff.model.schema import schema_violation
from beff.model.strict_json import read_json_object

SCHEMA_VERSION = 1

Result = TypeVar("Result", bound=Record)


class ForeignFileError(ResultError):
    """A JSON file that was never meant to be a result."""


@dataclass(frozen=True)
class Document:
    """A result file that keeps the schema; `fields` is its JSON object as read."""

    source: str
    fields: dict[str, Any]

    @property
    def benchmark(self) -> str:
        """`b_eff` or `b_eff_io`."""
        return str(self.fields["benchmark"])

    @property
    def is_imported(self) -> bool:
        """Whether another program measured it and `beff import` took its figures over."""
        return "imported" in self.fields


def check_document(source: str, fields: dict[str, Any]) -> Document:
    """Accept a JSON object as a result. Raises ResultError naming the first place that is wrong."""
    version = fields.get("schema_version")
    if version is None and "benchmark" not in fields:
        raise ForeignFileError(f"{source}: is JSON, but not a result of b_eff or b_eff_io")
    if isinstance(version, bool) or version != SCHEMA_VERSION:
        raise ResultError(
            f"{source}: has schema_version {version!r}, this version of beff reads"
            f" {SCHEMA_VERSION}; use the version of beff that belongs to the file"
        )
    violation = schema_violation(fields)
    if violation is not None:
        raise ResultError(f"{source}: does not keep the schema at {violation}")
    return Document(source, fields)


def load_document(path: Path) -> Document:
    """Read the result file of any benchmark and check it against the schema. Raises ResultError."""
    if is_journal(path):
        raise ResultError(
            f"{path}: is the journal of a run, not its result; `beff recover {path}` makes a"
            " result of it"
        )
    return check_document(str(path), read_json_object(path))


def as_b_eff(document: Document) -> BEffResult:
    """Return the typed result of b_eff. Raises ResultError for the result of another benchmark."""
    return _typed(document, "b_eff", BEffResult)


def as_b_eff_io(document: Document) -> BEffIoResult:
    """Return the typed result of b_eff_io. Raises ResultError for that of another benchmark."""
    return _typed(document, "b_eff_io", BEffIoResult)


def _typed(document: Document, benchmark: str, model: type[Result]) -> Result:
    if document.benchmark != benchmark:
        raise ResultError(
            f"{document.source}: is a result of {document.benchmark}, but one of {benchmark} is"
            " needed"
        )
    fields = document.fields
    try:
        return model.model_validate(completed(fields) if "imported" in fields else fields)
    except ValidationError as problem:
        first = problem.errors()[0]
        raise ResultError(
            f"{document.source}: does not keep the schema at {json_path(first['loc'])}:"
            f" {first['msg']}"
        ) from None


def load_result(path: Path) -> BEffResult:
    """Read and check a result of b_eff. Raises ResultError with one sentence."""
    return as_b_eff(load_document(path))
