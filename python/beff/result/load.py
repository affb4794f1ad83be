"""From a path to a checked result: the only way in for every command."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_result import BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.bounds import moment_of
from beff.result.contract import SCHEMA_VERSION, AnyResult, ContractError, validated
from beff.result.errors import ResultError
from beff.result.imported_pairs import MapResult
from beff.result.journal import is_journal
from beff.result.plain_text import cleaned
from beff.result.result_parts import ImportedHead
from beff.result.strict_json import json_object, read_text

Result = TypeVar("Result", BEffResult, BEffIoResult, BPairsResult)


class ForeignFileError(ResultError):
    """A JSON file that was never meant to be a result."""


class JournalError(ResultError):
    """The journal of a run in place of its result."""


class SchemaError(ResultError):
    """A result that does not keep the schema."""


@dataclass(frozen=True, eq=False)
class Document:
    """A result file that keeps the contract.

    `fields` is its JSON object as read, but for signs that no text of a result needs; `result` is
    the same typed. Neither is ever changed, so what follows from a document may be kept by it.
    """

    source: str
    fields: dict[str, Any]
    result: AnyResult

    @property
    def benchmark(self) -> str:
        """`b_eff`, `b_eff_io` or `b_pairs`."""
        return self.result.benchmark

    @property
    def is_imported(self) -> bool:
        """Whether another program measured it and `beff import` took its figures over."""
        return isinstance(self.result, ImportedHead)

    @property
    def started_at(self) -> datetime:
        """When the run started, of a measured result."""
        return moment_of(self.fields["environment"]["started_at"])


def check_document(source: str, fields: dict[str, Any]) -> Document:
    """Accept a JSON object as a result. Raises ResultError naming the first place that is wrong."""
    version = fields.get("schema_version")
    if version is None and "benchmark" not in fields:
        raise ForeignFileError("is JSON, but not a result of b_eff, b_eff_io or b_pairs", source)
    if isinstance(version, bool) or version != SCHEMA_VERSION:
        raise ResultError(
            f"has schema_version {version!r}, this version of beff reads"
            f" {SCHEMA_VERSION}; use the version of beff that belongs to the file",
            source,
        )
    try:
        fields = cleaned(fields)
        return Document(source, fields, validated(fields))
    except RecursionError:
        raise ResultError("is nested too deeply", source) from None
    except ContractError as problem:
        raise SchemaError(f"does not keep the schema at {problem}", source) from None


def load_document(path: Path) -> Document:
    """Read the result file of any benchmark and check it against the schema. Raises ResultError."""
    text = read_text(path)
    if is_journal(text):
        raise JournalError(
            f"is the journal of a run, not its result; `beff show {path} -o NAME.json` makes a"
            " partial result of it",
            path,
        )
    return check_document(str(path), json_object(str(path), text))


def typed(document: Document, kind: type[Result]) -> Result:
    """Return a measured result of one benchmark. Raises ResultError for any other."""
    if isinstance(document.result, kind):
        return document.result
    benchmark = _NAMES[kind]
    what = "is imported, and what is needed is not printed"
    if document.benchmark != benchmark:
        what = f"is a result of {document.benchmark}, but one of {benchmark} is needed"
    raise ResultError(what, document.source)


_NAMES = {BEffResult: "b_eff", BEffIoResult: "b_eff_io", BPairsResult: "b_pairs"}


def as_b_pairs(document: Document) -> BPairsResult:
    """Return a result of b_pairs. Raises ResultError for another one."""
    return typed(document, BPairsResult)


def as_map(document: Document) -> MapResult:
    """Return a map of pairs, whoever measured it. Raises ResultError for another result."""
    return document.result if isinstance(document.result, MapResult) else as_b_pairs(document)


def as_b_eff(document: Document) -> BEffResult:
    """Return a result of b_eff. Raises ResultError for another one and for an imported one."""
    return typed(document, BEffResult)


def as_b_eff_io(document: Document) -> BEffIoResult:
    """Return a result of b_eff_io. Raises ResultError for another one and for an imported one."""
    return typed(document, BEffIoResult)
