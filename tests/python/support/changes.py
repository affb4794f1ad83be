"""Changes of a result, each of which verification must find."""

from typing import Any

from beff.definition.compare import Disagreement
from beff.definition.verify import verify
from beff.result.errors import ResultError
from beff.result.load import check_document

Path = tuple[str | int, ...]
Fields = dict[str, Any]


def findings(document: Fields) -> tuple[Disagreement, ...]:
    return verify(check_document("result", document)).findings


def first_path(document: Fields) -> str:
    return findings(document)[0].path


def is_caught(document: Fields) -> bool:
    try:
        return bool(findings(document))
    except ResultError:
        return True


def get(document: Any, path: Path) -> Any:
    for key in path:
        document = document[key]
    return document


def put(document: Any, path: Path, value: Any) -> None:
    get(document, path[:-1])[path[-1]] = value
